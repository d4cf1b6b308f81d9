"""How do merged judgments read: as tables, as rows of disputes, as notes, as a dict?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rankproof.compare.limits import FEW
from rankproof.pool.agreement import OF_GROUPS, OF_PAIRS
from rankproof.pool.resolve import LEAVES_OPEN, RESOLVE
from rankproof.tables import Table
from rankproof.words import counted, first_of, query_count

if TYPE_CHECKING:
    from rankproof.pool.agreement import Agreement, Coefficient
    from rankproof.pool.judges import Dispute, MergedJudges

SAYS: Mapping[str, str] = {
    "agreement": "raw agreement",
    "cohen": "Cohen's kappa",
    "cohen_linear": "linear kappa",
    "cohen_quadratic": "quadratic kappa",
    "fleiss": "Fleiss' kappa",
    "alpha_nominal": "alpha, nominal",
    "alpha_ordinal": "alpha, ordinal",
    "alpha_interval": "alpha, interval",
}
"""How each coefficient is headed, in the order shown."""


def judges_tables(found: MergedJudges) -> Iterator[Table]:
    """Yield the judges; a row a group and coefficient; a row a pair; and each model beside the people."""
    rows = [[one.name, one.kind, one.graded, one.blank] for one in found.judges]
    yield Table(["judge", "kind", "grades", "without a grade"], [[_or_dash(cell) for cell in row] for row in rows])
    level = f"{100 * found.drawing.confidence:.4g} % interval"
    if found.agreements:
        header = ["judges", "coefficient", "value", level, "documents", "queries"]
        yield Table(header, [row for one in found.agreements for row in _group_rows(one)], "agreement")
    titles = {"each two judges": found.pairs, "models beside the people's grade": found.against_people}
    for title, pairs in titles.items():
        if pairs:
            names = [name for name in OF_PAIRS if name in pairs[0].coefficients]
            header = ["judge", "other judge", "documents", *(SAYS[name] for name in names)]
            yield Table(header, [_pair_row(one, names) for one in pairs], title)


def _or_dash(cell: object) -> object:
    return "-" if cell is None else cell


def _group_rows(one: Agreement) -> Iterator[list[object]]:
    for name in OF_GROUPS:
        if name in one.coefficients:
            given = one.coefficients[name]
            yield [one.name, SAYS[name], given.value, _bounds(given), given.items, given.queries]


def _pair_row(one: Agreement, names: Sequence[str]) -> list[object]:
    return [*one.judges, one.items, *(_said(one.coefficients[name]) for name in names)]


def _said(one: Coefficient) -> object:
    return one.value if one.value is None or one.interval is None else f"{one.value:.4f} {_bounds(one)}"


def _bounds(one: Coefficient) -> str:
    return "-" if one.interval is None else f"[{one.interval.low:.4f}, {one.interval.high:.4f}]"


TIDY_AGREEMENT = (
    *("of", "judges", "coefficient", "value", "low", "high"),
    *("documents", "queries", "undefined", "no_interval", "draws"),
)
"""The header of the rows that a program reads."""


def agreement_rows(found: MergedJudges) -> Iterator[Sequence[object]]:
    """Yield a row a coefficient, under the header `TIDY_AGREEMENT`: of groups, of pairs, of models beside people."""
    parts = {"group": found.agreements, "pair": found.pairs, "model beside people": found.against_people}
    for of, agreements in parts.items():
        for one in agreements:
            for name, given in one.coefficients.items():
                low, high = given.interval or (None, None)
                head = (f"{of} {one.name}".rstrip(), "; ".join(one.judges), name, given.value, low, high)
                yield (*head, given.items, given.queries, given.undefined, given.no_interval, given.draws)


def dispute_columns(found: MergedJudges) -> list[str]:
    """Return the header of the rows of disputes: texts only where there are any."""
    texts = ["query"] if found.judgments.query_texts else []
    texts += ["title", "text"] if found.judgments.doc_texts else []
    return ["query_id", "doc_id", "grade", "proposed", "distance", "grades", *texts]


def dispute_row(found: MergedJudges, one: Dispute) -> dict[str, Any]:
    """Return a dispute's row, with the grade still open; a text that is not there is None."""
    text = found.judgments.doc_texts.get(one.doc_id)
    known: dict[str, Any] = {
        "query_id": one.query_id,
        "doc_id": one.doc_id,
        "grade": None,
        "proposed": one.grade,
        "distance": one.distance,
        "grades": dict(one.grades),
        "query": found.judgments.query_texts.get(one.query_id),
        "title": None if text is None else text.title,
        "text": None if text is None else text.text,
    }
    return {name: known[name] for name in dispute_columns(found)}


def as_dict(found: MergedJudges) -> dict[str, Any]:
    """Return all of the result, ready for JSON."""
    return {
        "contract": found.contract.to_dict(),
        "settings": {"resolve": found.resolve, "ties": found.ties, **asdict(found.drawing)},
        "judges": [judge.to_dict() for judge in found.judges],
        "judged_by": {str(judges): items for judges, items in found.judged_by.items()},
        "groups": [one.to_dict() for one in found.agreements],
        "pairs": [one.to_dict() for one in found.pairs],
        "against_people": [one.to_dict() for one in found.against_people],
        "same_family": [one._asdict() for one in found.same_family],
        "items": [
            {**item._asdict(), "grades": dict(given), "grade": found.grades[item]}
            for item, given in found.judgments.grades.items()
        ],
        "disputes": [{**one._asdict(), "grades": dict(one.grades)} for one in found.disputes],
        "notes": found.notes(),
    }


def judges_notes(found: MergedJudges) -> Iterator[str]:
    """Yield how grades were resolved, what was left out, and what the coefficients rest on, as sentences."""
    yield f"contract {found.contract.name} ({found.contract.fingerprint})"
    by = ", ".join(f"{items} by {counted(judges, 'judge')}" for judges, items in found.judged_by.items())
    alone = "; one judge's grade stands as it is" if 1 in found.judged_by else ""
    yield f"{counted(len(found.grades), 'document')} judged: {by}{alone}"
    if blank := {judge.name: judge.blank for judge in found.judges if judge.blank}:
        each = ", ".join(f"{name} {count}" for name, count in blank.items())
        yield f"without a grade, left out: {each}"
    yield from _resolution_notes(found)
    yield from _agreement_notes(found)
    for one in found.judges:
        if one.kind is None and one.provenance.get("model"):
            yield f"{one.name} names a model, but no kind: --judge {one.name}=model shows it apart from people"
    for same in found.same_family:
        yield (
            f"warning: judge {same.judge} ({same.model}) and reranker {same.reranker} are of one model family"
            f" ({same.family}): it may like what the reranker likes"
        )


def _resolution_notes(found: MergedJudges) -> Iterator[str]:
    decides = f", then {RESOLVE[found.ties].says}" if found.ties is not None else ""
    yield f"resolved by {found.resolve}: {RESOLVE[found.resolve].says}{decides}"
    count, open_ones = len(found.disputes), found.undecided
    yield f"{counted(count, 'dispute')}{_worst(found)}" if count else "no disputes"
    if open_ones:
        shown = first_of([f"{item.query_id} {item.doc_id}" for item in open_ones])
        yield (
            f"{counted(len(open_ones), 'document')} undecided, among the disputes and not in the qrels ({shown}):"
            f" --ties max, min, mean or median decides"
        )
    elif found.resolve in LEAVES_OPEN and found.ties is None:
        yield "no document is undecided"
    parts = [grade for grade in found.grades.values() if isinstance(grade, float)]
    if parts:
        yield f"{counted(len(parts), 'grade')} between whole numbers: trec_eval reads whole grades only"


def _worst(found: MergedJudges) -> str:
    worst = found.disputes[0]
    said = ", ".join(f"{judge} {grade}" for judge, grade in worst.grades.items())
    return f", the worst query {worst.query_id}, document {worst.doc_id} ({said})"


def _agreement_notes(found: MergedJudges) -> Iterator[str]:
    if not found.agreements:
        yield "one judge: there is no agreement to find"
        return
    if "fleiss" not in found.agreements[0].coefficients:
        yield "kappa and alpha were not asked for"
    for one in found.agreements:
        if one.fleiss_left_out:
            yield (
                f"{one.name}: Fleiss' kappa takes the {counted(one.items - one.fleiss_left_out, 'document')} that"
                f" {counted(one.fleiss_judges or 0, 'judge')} judged, and leaves"
                f" {counted(one.fleiss_left_out, 'document')} out"
            )
    if "cohen" in found.pairs[0].coefficients:
        yield "linear and quadratic kappa weigh by the distance of the grades themselves"
    if found.against_people and found.people_undecided:
        yield (
            f"beside the models {counted(found.people_undecided, 'document')} on which people are undecided"
            f" {'is' if found.people_undecided == 1 else 'are'} left out: that flatters the models"
        )
    yield from _interval_notes(found)
    yield from _undefined_notes(found)


def _interval_notes(found: MergedJudges) -> Iterator[str]:
    drawing, queries = found.drawing, found.agreements[0].queries
    if drawing.resamples:
        yield (
            f"intervals: {100 * drawing.confidence:.4g} %, percentile, {drawing.resamples} resamples of whole queries,"
            f" seed {drawing.seed}"
        )
        if 2 <= queries < FEW:
            yield f"a bootstrap interval of {query_count(queries)} is somewhat too narrow"


def _undefined_notes(found: MergedJudges) -> Iterator[str]:
    """Yield, for each reason, what is undefined, or has no interval, or one of fewer resamples."""
    reasons: dict[str, list[str]] = {}
    for one in (*found.agreements, *found.pairs, *found.against_people):
        for name, given in one.coefficients.items():
            if why := _why(given, found.drawing.resamples):
                reasons.setdefault(why, []).append(f"{SAYS[name]} of {one.name or ' and '.join(one.judges)}")
    for why, names in reasons.items():
        yield f"{why}: {first_of(names)}"


def _why(given: Coefficient, resamples: int) -> str | None:
    if given.undefined is not None:
        return f"undefined, because {given.undefined}"
    if given.no_interval is not None:
        return f"without an interval, because {given.no_interval}" if resamples else None
    if given.draws < resamples:
        return f"with an interval of fewer than {resamples} resamples, because the others hold only one grade"
    return None
