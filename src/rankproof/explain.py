"""Which terms make one query's value? Every amount with its rank, document and grade; the ideal; the sum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rankproof.answers import kebab
from rankproof.arithmetic import add
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, InputError, MeasureError, RankproofError, nearest
from rankproof.evaluate import file_of
from rankproof.formats import as_qrels, as_runs
from rankproof.formats.places import with_lines
from rankproof.measures import Measure, check_overrides, parse_all
from rankproof.measures.ties import expected_terms, tie_range
from rankproof.model import Grade, Placements, Value
from rankproof.outcome import NO_RELEVANT, NOTHING_TO_DIVIDE, outcome
from rankproof.placements import place_query
from rankproof.presets import contract as contract_of
from rankproof.values import shown
from rankproof.words import Words, same


@dataclass(frozen=True, slots=True)
class Place:
    """One judged document, or marked place, and what it adds to the sum."""

    ranks: tuple[int, int]  # first and last place it may take: they differ only under expected ties
    doc_id: str | None
    grade: Grade | None
    parts: Mapping[str, float]
    amount: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one query's value comes about: value = (constant + sum of amounts) / normaliser."""

    measure: Measure
    query_id: str
    run: str
    contract: Contract  # the one in effect for this measure
    places: Sequence[Place]
    ideal: Sequence[Place]
    constant: float
    total: float
    normaliser: float
    value: Value
    unjudged: Sequence[int]  # the places within the cutoff that hold no judged document
    tie_range: tuple[float, float] | None  # lowest and highest value over all orders of the ties, if they matter
    reason: str | None  # why the value is undefined or 0 without being computed

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof explain --format json` writes."""
        return {
            "measure": str(self.measure),
            "formula": self.measure.formula,
            "query_id": self.query_id,
            "run": self.run,
            "contract": self.contract.to_dict(),
            "places": [_as_dict(place) for place in self.places],
            "ideal": [_as_dict(place) for place in self.ideal],
            "constant": self.constant,
            "sum": self.total,
            "normaliser": self.normaliser,
            "value": self.value,
            "unjudged_ranks": list(self.unjudged),
            "tie_range": self.tie_range,
            "reason": self.reason,
        }

    def rows(self, *, ideal: bool = False) -> list[list[str]]:
        """Return a table to read: a header, then a row a place."""
        places = self.ideal if ideal else self.places
        parts = list(dict.fromkeys(part for place in places for part in place.parts))
        header = ["rank", *([] if ideal else ["document"]), "grade", *parts, "amount"]
        rows = []
        for one in places:
            document = [] if ideal else [one.doc_id or "-"]
            factors = [f"{one.parts[part]:.6f}" if part in one.parts else "" for part in parts]
            grade = "-" if one.grade is None else shown(one.grade)
            rows.append([span(*one.ranks), *document, grade, *factors, f"{one.amount:.6f}"])
        return [header, *rows]

    def notes(self) -> list[str]:
        """Return the sum and what else matters, as sentences."""
        lines = [f"{self.measure} of query {self.query_id}, run {self.run}: {self.measure.formula}"]
        if self.reason:
            return [*lines, f"value {_exact(self.value)}: {self.reason}"]
        total = f"({self.constant:g} + {self.total:.6f})" if self.constant else f"{self.total:.6f}"
        lines.append(f"value {_exact(self.value)} = {total} / {self.normaliser:.6f}")
        if self.unjudged:
            lines.append(f"no judgment for what stands at rank {spans(self.unjudged)}")
        if self.tie_range:
            low, high = self.tie_range
            lines.append(
                f"ties touch it: from {low:.6f} to {high:.6f}, depending on how they are broken ({self.contract.ties})"
            )
        return lines

    def __str__(self) -> str:
        """Return the table, the ideal and the sum, to read."""
        parts = ["\n".join("  ".join(row) for row in self.rows())]
        if self.ideal:
            parts.append("ideal\n" + "\n".join("  ".join(row) for row in self.rows(ideal=True)))
        return "\n\n".join([*parts, "\n".join(self.notes())])

    __repr__ = __str__


def explain(
    qrels: Any,
    run: Any,
    measure: str | Measure,
    query_id: str | int,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Explanation:
    """Return the terms of one query's value. Inputs as for `evaluate`, but one run and one measure.

    Raises InputError, ContractError and MeasureError as `evaluate` does, and for a query without judgments.
    """
    (chosen, *others), query = parse_all(measure), str(query_id)
    if others:
        raise MeasureError(Fault(f"{measure!r} names {len(others) + 1} measures", expected="one"))
    given = contract_of(contract, **rules)
    check_overrides(given)
    in_effect = chosen.contract_in_effect(given)
    judgments, (ranked, *more) = as_qrels(qrels, given), as_runs(run, given)[0]
    if more:
        raise InputError(Fault(f"{len(more) + 1} runs are given", expected="one to explain"))
    if query not in judgments:
        hint = f"nearest: {nearest(query, judgments)}"
        raise ContractError(Fault("the qrels do not hold this query", query_id=query, hint=hint))
    try:
        at = place_query(query, judgments[query], ranked, in_effect, with_doc_ids=True)
        if at is None:
            message = "absent from the run, and missing-query = skip"
            raise ContractError(Fault(message, ranked.source or ranked.name, query_id=query))
        return explanation(chosen, at, in_effect, query, ranked.name)
    except RankproofError as error:
        named = (replace(fault, query_id=fault.query_id or query) for fault in error.faults)
        raise with_lines(type(error)(*named), file_of(qrels)) from error


_BY_RULE = {NO_RELEVANT: "no_relevant", NOTHING_TO_DIVIDE: "zero_denominator"}


def explanation(measure: Measure, at: Placements, contract: Contract, query_id: str, run: str) -> Explanation:
    """Return the explanation of placements that were made with their document ids."""
    value, reason = outcome(measure, at, contract)
    if reason is not None:
        rule = _BY_RULE[reason]
        reason = f"{reason}, and {kebab(rule)} = {getattr(contract, rule)}"
        return Explanation(
            measure=measure,
            query_id=query_id,
            run=run,
            contract=contract,
            places=(),
            ideal=(),
            constant=0,
            total=0,
            normaliser=0,
            value=value,
            unjudged=(),
            tie_range=None,
            reason=reason,
        )
    places = _places(measure, at, contract)
    return Explanation(
        measure=measure,
        query_id=query_id,
        run=run,
        contract=contract,
        places=places,
        ideal=[
            Place((rank, rank), None, grade, measure.parts((rank, grade, amount), contract), amount)
            for rank, grade, amount in measure.ideal(at, contract)
        ],
        constant=measure.constant(at, contract),
        total=add((one.amount for one in places), contract.summation),
        normaliser=measure.normaliser(at, contract),
        value=value,
        unjudged=_unjudged(measure, at, contract),
        tie_range=_range(measure, at, contract),
        reason=None,
    )


def _places(measure: Measure, at: Placements, contract: Contract) -> list[Place]:
    """Return the judged documents within the cutoff, and marked places, each with its amount."""
    doc_of = dict(zip(at.ranks, at.doc_ids or (), strict=False))
    grade_of = dict(at.within())
    terms = list(measure.terms(at, contract))
    adding = {rank for rank, _, _ in terms}
    terms += ((rank, grade, 0.0) for rank, grade in at.within(measure.last_place(at, contract)) if rank not in adding)
    spread = at.ties and contract.ties == "expected" and measure.looks_at_grades
    tied = {rank for tie in at.ties for rank in range(tie.first, tie.last + 1)} if spread else set()
    found = [
        Place(
            (rank, rank), doc_of.get(rank), grade_of.get(rank), measure.parts((rank, grade, amount), contract), amount
        )
        for rank, grade, amount in terms
        if rank not in tied
    ]
    if spread:
        found += _tied_places(measure, at, contract, doc_of)
    return sorted(found, key=lambda one: one.ranks)


def _tied_places(measure: Measure, at: Placements, contract: Contract, doc_of: Mapping[int, str]) -> Iterator[Place]:
    """Yield the judged documents of ties, each with the places it may take and its mean amount."""
    documents = [(rank, grade, doc_of.get(rank)) for rank, grade in at.within()]
    for tie, grade, amount in expected_terms(measure, at, contract):
        fits = (one for one in documents if tie.first <= one[0] <= tie.last and one[1] == grade)
        one = next(fits, None)  # None: a depth cut it off in this order, so its id is not known here
        if one is not None:
            documents.remove(one)
        yield Place((tie.first, tie.last), one and one[2], grade, {}, amount)


def _range(measure: Measure, at: Placements, contract: Contract) -> tuple[float, float] | None:
    found = tie_range(measure, at, contract) if at.ties else None
    return found if found and found[0] < found[1] else None


def _unjudged(measure: Measure, at: Placements, contract: Contract) -> list[int]:
    judged = {rank for rank, grade in at.within() if grade >= 0}
    if contract.ties == "expected":  # what stands at a tied place is open
        judged |= {rank for tie in at.ties for rank in range(tie.first, tie.last + 1)}
    return [rank for rank in range(1, measure.last_place(at, contract) + 1) if rank not in judged]


def span(first: int, last: int) -> str:
    """Return a place, or the first and the last of several."""
    return str(first) if first == last else f"{first}–{last}"


def spans(ranks: Sequence[int], most: int = 12) -> Words:
    """Return ranks as spans: `2, 4–6`."""
    found: list[tuple[int, int]] = []
    for rank in ranks:
        if found and found[-1][1] == rank - 1:
            found[-1] = (found[-1][0], rank)
        else:
            found.append((rank, rank))
    seen = ", ".join(span(*one) for one in found[:most])
    more = len(found) - most
    return same(seen) if more <= 0 else Words(f"{seen} and {more} more spans", f"{seen} 외 {more}곳")


def _exact(found: Value) -> str:
    return "null" if found is None else f"{found:.6f}"


def _as_dict(one: Place) -> dict[str, Any]:
    return {
        "first_rank": one.ranks[0],
        "last_rank": one.ranks[1],
        "doc_id": one.doc_id,
        "grade": one.grade,
        **one.parts,
        "amount": one.amount,
    }
