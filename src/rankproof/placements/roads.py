"""Which road places a run: over arrays, or the plain one?"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from rankproof.contract import Contract
from rankproof.model import Held, Join, Qrels, Run, Unread, UnreadTable
from rankproof.placements import plain


def place(qrels: Qrels, run: Run, contract: Contract, *, with_doc_ids: bool = False) -> Join:
    """Join a run with judgments under a contract; `with_doc_ids` keeps the ids of the placed documents.

    A run that lies unread in a file is scanned, and one that is held in dicts looked up, where the contract and what
    is in it allow that. Raises ContractError for what the contract forbids, with the query and, where there is one, the
    document; and InputError for a file that cannot be read.
    """
    name = next((name for kind, name in _ROADS.items() if isinstance(run.rankings, kind)), None)
    if name is not None and not with_doc_ids and allows_arrays(contract):
        road = import_module(name)  # no part of the lab's page, where no run is unread or held
        found: Join | None = road.place(qrels, run, contract)
        if found is not None:
            return found
    return plain.place(qrels, run, contract, with_doc_ids=with_doc_ids)


_ROADS: Mapping[type, str] = {
    Unread: "rankproof.placements.arrays.scan",
    UnreadTable: "rankproof.placements.arrays.table",
    Held: "rankproof.placements.arrays.counted",
}


def allows_arrays(contract: Contract) -> bool:
    """Return whether placements under this contract can be had from arrays."""
    return (
        contract.order == "score"
        and contract.own_document == "keep"
        and contract.non_positive_score == "keep"
        and contract.roll_up == "none"
        and contract.negative_grade != "error"
    )
