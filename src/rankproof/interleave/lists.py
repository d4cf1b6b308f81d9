"""Which list is shown for each query? Several runs, interleaved under one seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from rankproof.arithmetic import check_count
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, InputError, RankproofError
from rankproof.formats import as_runs
from rankproof.formats.places import with_lines
from rankproof.interleave import telling
from rankproof.interleave.drawing import Draw, Drawn, by_random
from rankproof.interleave.methods import METHODS, method_of, prepared, seed_of
from rankproof.placements import ranked
from rankproof.presets import contract as contract_of
from rankproof.tables import Table, Told

ContractLike: TypeAlias = str | Path | Mapping[str, Any] | Contract
OnDone: TypeAlias = Callable[[int, int], None] | None
"""What hears how many of how many are done."""


class ShownList(NamedTuple):
    """What one impression of a query shows, and the run that contributed each document (None: no single one did)."""

    query_id: str
    impression: int  # from 1 on
    doc_ids: Sequence[str]
    teams: Sequence[str] | None


@dataclass(frozen=True)
class Answers:
    """The rankings that are interleaved: of each query that all runs answer, one a run."""

    runs: Sequence[str]
    contract: Contract
    rankings: Mapping[str, Sequence[Sequence[str]]]
    left_out: Sequence[str] = ()  # queries that a run does not answer


@dataclass(frozen=True, repr=False)
class Interleaving(Told):
    """The lists to show: `impressions` of each query, all drawn by `seed` alone."""

    method: str
    k: int
    seed: int
    impressions: int
    lists: Sequence[ShownList]
    answers: Answers = field(repr=False)

    @property
    def runs(self) -> Sequence[str]:
        """Return the names of the runs."""
        return self.answers.runs

    def drawn(self, shown: ShownList) -> Drawn[str]:
        """Return a list as it was drawn, its teams as indexes of runs."""
        teams = None if shown.teams is None else [self.runs.index(team) for team in shown.teams]
        return Drawn(shown.doc_ids, teams)

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof interleave --format json` writes."""
        return {
            "contract": self.answers.contract.to_dict(),
            "runs": list(self.runs),
            "method": self.method,
            "k": self.k,
            "seed": self.seed,
            "impressions": self.impressions,
            "left_out": list(self.answers.left_out),
            "lists": [
                {**one._asdict(), "doc_ids": list(one.doc_ids), "teams": None if one.teams is None else list(one.teams)}
                for one in self.lists
            ],
        }

    def tables(self) -> list[Table]:
        """Return a row a document of each list."""
        return [telling.lists_table(self)]

    def notes(self) -> list[str]:
        """Return how the lists were made and what was left out, as sentences."""
        return telling.lists_notes(self)

    def rows(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        """Return the header and the rows that a program reads, `read_shown` too."""
        return telling.TIDY_LISTS, telling.list_rows(self)


def answers_of(runs: Any, contract: ContractLike, **rules: object) -> Answers:
    """Return the rankings of each query that all runs answer, in the first one's order.

    InputError for what cannot be read, or less than two runs; ContractError where they have no query in common.
    """
    given = contract_of(contract, **rules)
    named = as_runs(runs, given)[0]
    if len(named) < 2:
        raise InputError(Fault(f"{len(named)} run is given", expected="two or more to interleave"))
    asked = list(dict.fromkeys(query for run in named for query in run.rankings))
    common = [query for query in asked if all(query in run.rankings for run in named)]
    if not common:
        begins = ", ".join(f"{run.name} begins with {next(iter(run.rankings), 'nothing')}" for run in named)
        hint = "compare the query ids: a prefix, zero padding or another case is enough to part them"
        raise ContractError(Fault(f"no query in common: {begins}", named[-1].source or named[-1].name, hint=hint))
    try:
        rankings = {query: [ranked(query, run, given) for run in named] for query in common}
    except RankproofError as error:
        raise with_lines(error, None) from error
    left_out = [query for query in asked if query not in rankings]
    return Answers([run.name for run in named], given, rankings, left_out)


def interleave(  # noqa: PLR0913 - each has a default that serves
    runs: Any,
    k: int = 10,
    *,
    method: str = "team-draft",
    seed: int = 0,
    impressions: int = 1,
    contract: ContractLike = "rankproof",
    on_done: OnDone = None,
    **rules: object,
) -> Interleaving:
    """Return one list of at most k documents for each query that all runs answer: two runs, or more (multileaving).

    Runs as for `evaluate`; of the contract, what orders a ranking holds. `method` is one of team-draft, balanced,
    probabilistic, probabilistic-rounds, optimised (`rankproof.interleave.METHODS` has their sources). `impressions`
    asks for several lists a query, each drawn anew, as users should see them. The coins of a list come from the seed,
    its query_id and its number alone. A list is shorter than k where a ranking might be unable to fill the next place,
    so that none gains by being longer. `on_done` hears how many of how many queries are done. Raises InputError and
    ContractError as `evaluate` does, and for a method or a number of runs that cannot be.
    """
    check_count("impressions", impressions, InputError)
    settings = (method_of(method).name, k, seed, impressions)
    answers = answers_of(runs, contract, **rules)
    lists = list[ShownList]()
    for done, query in enumerate(answers.rankings, 1):
        lists += _of_query(answers, query, settings)
        if on_done is not None:
            on_done(done, len(answers.rankings))
    return Interleaving(*settings, lists, answers)


def _of_query(answers: Answers, query: str, settings: tuple[str, int, int, int]) -> Iterator[ShownList]:
    method, k, seed, impressions = settings
    draw = prepared_for(query, answers, method, k)
    for number in range(1, impressions + 1):
        drawn = draw(by_random(Random(seed_of(seed, query, number))))  # noqa: S311 - coins, no secrets
        teams = None if drawn.teams is None else [answers.runs[team] for team in drawn.teams]
        yield ShownList(query, number, drawn.documents, teams)


def prepared_for(query: str, answers: Answers, method: str, k: int) -> Draw[str]:
    """Return what draws lists for a query. InputError, naming the query, for what cannot be drawn."""
    try:
        return prepared(METHODS[method], answers.rankings[query], k)
    except InputError as error:
        raise InputError(*(replace(fault, query_id=query) for fault in error.faults)) from error
