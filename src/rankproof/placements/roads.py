"""Which road places a run: a scan of its text, or the plain one?"""

from __future__ import annotations

from importlib import import_module

from rankproof.contract import Contract
from rankproof.model import Join, Qrels, Run, Unread
from rankproof.placements import plain


def place(qrels: Qrels, run: Run, contract: Contract, *, with_doc_ids: bool = False) -> Join:
    """Join a run with judgments under a contract; `with_doc_ids` keeps the ids of the placed documents.

    A run that lies unread in a file is scanned, if the contract and the text allow that. Raises ContractError for what
    the contract forbids, with the query and, where there is one, the document; and InputError for a file that cannot be
    read.
    """
    if isinstance(run.rankings, Unread) and not with_doc_ids:
        road = import_module("rankproof.placements.scan")  # no part of the lab's page, where no run is unread
        found: Join | None = road.place(qrels, run, contract)
        if found is not None:
            return found
    return plain.place(qrels, run, contract, with_doc_ids=with_doc_ids)
