"""What are the measures over plain lists and sets, as courses teach them, and how good is a search function?

Each function is the measure of that name under the contract `textbook`: nothing is computed in a second way.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.arithmetic import add
from rankproof.contract import Contract
from rankproof.errors import Fault, Faults, InputError
from rankproof.evaluate import values_of
from rankproof.formats.grades import Rejudged
from rankproof.formats.objects import qrels_of, run_of
from rankproof.measures import Measure, parse_all
from rankproof.measures.counted import AP, RR, P, R
from rankproof.measures.graded import DCG, NDCG
from rankproof.model import Grade, Run, Value
from rankproof.presets import PRESETS
from rankproof.presets import contract as contract_of
from rankproof.values import Values

_TEXTBOOK = PRESETS["textbook"].contract
_QUERY = "the query"


def precision_at_k(retrieved: Sequence[Any], relevant: Iterable[Any], k: int) -> float:
    """Return the share of the first k places that hold a relevant document; k divides, however many came back."""
    return _of_lists(P(k), retrieved, relevant)


def recall_at_k(retrieved: Sequence[Any], relevant: Iterable[Any], k: int) -> float:
    """Return the share of the relevant documents that stands in the first k places; 0 when nothing is relevant."""
    return _of_lists(R(k), retrieved, relevant)


def reciprocal_rank(retrieved: Sequence[Any], relevant: Iterable[Any]) -> float:
    """Return 1 / rank of the first relevant document, 0 if none was retrieved."""
    return _of_lists(RR(), retrieved, relevant)


def average_precision(retrieved: Sequence[Any], relevant: Iterable[Any]) -> float:
    """Return the mean, over all relevant documents, of the precision at their ranks; 0 when nothing is relevant."""
    return _of_lists(AP(), retrieved, relevant)


def mean_reciprocal_rank(queries: Iterable[tuple[Sequence[Any], Iterable[Any]]]) -> float:
    """Return the mean reciprocal rank of (retrieved, relevant) pairs, one a query."""
    return _mean(reciprocal_rank, queries)


def mean_average_precision(queries: Iterable[tuple[Sequence[Any], Iterable[Any]]]) -> float:
    """Return the mean average precision of (retrieved, relevant) pairs, one a query."""
    return _mean(average_precision, queries)


def dcg_at_k(grades: Sequence[Grade], k: int, *, gain: str = "linear") -> float:
    """Return the discounted cumulative gain of grades in ranked order; `gain` is linear, exponential or binary."""
    return _of_grades(DCG(k).with_rules(gain=gain), grades, ())


def ndcg_at_k(grades: Sequence[Grade], k: int, *, gain: str = "linear", missed: Sequence[Grade] | None = None) -> float:
    """Return the normalised discounted cumulative gain of grades in ranked order.

    The ideal order is made of these grades alone, which hides relevant documents that were not retrieved. `missed`
    gives the grades of those: then the ideal holds all judged documents.
    """
    measure = NDCG(k).with_rules(gain=gain)
    return _of_grades(measure if missed is None else measure.with_rules(ideal="all-judged"), grades, missed or ())


def _of_lists(measure: Measure, retrieved: Sequence[Any], relevant: Iterable[Any]) -> float:
    judged = {_QUERY: dict.fromkeys(relevant, 1)}
    return _value(measure, judged, {_QUERY: retrieved})


def _of_grades(measure: Measure, grades: Sequence[Grade], missed: Sequence[Grade]) -> float:
    judged = {_QUERY: dict(enumerate((*grades, *missed)))}
    return _value(measure, judged, {_QUERY: list(range(len(grades)))})


def _value(measure: Measure, judged: Mapping[str, Any], run: Mapping[str, Any]) -> float:
    # The run holds the query even when the list is empty, so that it is an empty ranking and not a missing query.
    found = values_of(qrels_of(judged, _TEXTBOOK), run_of(run), [measure], _TEXTBOOK).means[str(measure)]
    return 0.0 if found is None else found


def _mean(of_one: Callable[[Sequence[Any], Iterable[Any]], float], queries: Iterable[tuple[Any, Any]]) -> float:
    values = [of_one(retrieved, relevant) for retrieved, relevant in queries]
    if not values:
        raise InputError(Fault("there are no queries", expected="(retrieved, relevant) pairs, one a query"))
    return add(values, "exact") / len(values)


class Judgment(NamedTuple):
    """What a judge said of one document for one query."""

    query_id: str
    query_text: str
    doc_id: str
    grade: Grade


@dataclass(frozen=True)
class SearchEvaluation:
    """What a search function gave: the values, the run (for `write_run`), seconds and errors by query id."""

    values: Values
    run: Run
    seconds: Mapping[str, float]
    errors: Mapping[str, str]

    @property
    def means(self) -> Mapping[str, Value]:
        """Return the mean of each measure."""
        return self.values.means

    def __repr__(self) -> str:
        """Return the values, and what went wrong, to read."""
        total = add(self.seconds.values(), "exact")
        lines = [repr(self.values), f"{len(self.seconds)} queries asked in {total:.3f} s"]
        return "\n".join([*lines, *(f"query {query} failed: {what}" for query, what in self.errors.items())])


def evaluate_search(  # noqa: PLR0913 - each has a default that serves
    search: Callable[..., Iterable[Any]],
    judgments: Iterable[Judgment | tuple[str, str, str, Grade]],
    measures: Iterable[str | Measure] | str | None = None,
    k: int = 10,
    contract: str | Path | Mapping[str, Any] | Contract = "textbook",
    *,
    threads: int = 1,
    progress: bool | None = None,
    name: str = "search",
    **rules: object,
) -> SearchEvaluation:
    """Ask a search function each judged query once, and return its values.

    `search(text, k=k)` returns document ids, or (id, score) pairs, best first; the contract `textbook` goes by that
    order and not by the scores. A query for which it raises, or returns something else, is reported by id; the
    contract's missing-query rule decides its value. `measures` default to P, R, RR and nDCG at k. `progress` shows a
    bar on stderr; by default where that is a terminal. InputError for judgments that contradict each other, or when
    every query failed.
    """
    if threads < 1:
        raise InputError(Fault(f"threads cannot be {threads}", expected="1 or more"))
    given = contract_of(contract, **rules)
    chosen = parse_all(measures or [f"P@{k}", f"R@{k}", f"RR@{k}", f"nDCG@{k}"])
    texts, qrels = _grouped(judgments, given)
    answers = dict(zip(texts, _asked(search, list(texts.values()), k, threads, progress), strict=True))
    errors = {query: answer.error for query, answer in answers.items() if answer.error is not None}
    if len(errors) == len(answers):
        query, first = next(iter(errors.items()))
        raise InputError(Fault(f"the search failed for all {len(errors)} queries; here: {first}", query_id=query))
    run = run_of({query: answer.results for query, answer in answers.items() if answer.error is None}, name)
    seconds = {query: answer.seconds for query, answer in answers.items()}
    return SearchEvaluation(values_of(qrels, run, chosen, given), run, seconds, errors)


def evaluate_search_system(
    search: Callable[..., Iterable[Any]],
    judgments: Iterable[Judgment | tuple[str, str, str, Grade]],
    k: int = 10,
) -> dict[str, Value]:
    """Return the means of P, R, RR and nDCG at k of a search function, as courses ask for them."""
    return dict(evaluate_search(search, judgments, k=k).means)


def _grouped(
    judgments: Iterable[Judgment | tuple[str, str, str, Grade]], contract: Contract
) -> tuple[dict[str, str], dict[str, dict[str, Grade]]]:
    """Return the text of each query, and the qrels."""
    texts: dict[str, str] = {}
    qrels: dict[str, dict[str, Grade]] = {}
    faults = Faults()
    rejudged = Rejudged(contract, faults)
    for row, judgment in enumerate(judgments, 1):
        if not _is_judgment(judgment):
            faults.add(Fault(f"judgment no. {row} is {judgment!r}", expected="query_id, query_text, doc_id, grade"))
            continue
        query, text, doc, grade = judgment
        if texts.setdefault(query, text) != text:
            faults.add(Fault(f"two texts: {texts[query]!r} and {text!r}", query_id=query, expected="one a query id"))
        of_query = qrels.setdefault(query, {})
        if doc in of_query:
            rejudged.judge(of_query, doc, grade, Fault("", "judgments", row, query_id=query))
        else:
            of_query[doc] = grade
    if not qrels and not faults:
        faults.add(Fault("there are no judgments", expected="Judgment records"))
    faults.raise_any()
    rejudged.tell()
    return texts, dict(qrels_of(qrels, contract, "judgments"))  # type: ignore[arg-type]  # it returns dicts


def _is_judgment(given: object) -> bool:
    return isinstance(given, (tuple, list)) and len(given) == 4


class _Answer(NamedTuple):
    results: Collection[Any]
    seconds: float
    error: str | None


def _asked(
    search: Callable[..., Iterable[Any]], texts: Sequence[str], k: int, threads: int, progress: bool | None
) -> list[_Answer]:
    def ask(text: str) -> _Answer:
        begun = time.perf_counter()
        try:
            found = search(text, k=k)
            results = found if isinstance(found, Collection) else list(found)
            run_of({text: results})
        except Exception as error:  # noqa: BLE001 - whatever a search function raises: the other queries go on
            return _Answer([], time.perf_counter() - begun, f"{type(error).__name__}: {error}")
        return _Answer(results, time.perf_counter() - begun, None)

    if threads == 1:
        return list(_shown_progress(map(ask, texts), len(texts), progress))
    with ThreadPoolExecutor(threads) as pool:
        return list(_shown_progress(pool.map(ask, texts), len(texts), progress))


def _shown_progress(answers: Iterator[_Answer], total: int, progress: bool | None) -> Iterator[_Answer]:
    if not ((sys.stderr is not None and sys.stderr.isatty()) if progress is None else progress):
        yield from answers
        return
    from rich.console import Console  # noqa: PLC0415 - only where a bar is shown
    from rich.progress import track  # noqa: PLC0415

    yield from track(answers, "asking", total, console=Console(stderr=True), transient=True)
