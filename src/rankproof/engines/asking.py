"""What does an engine answer to many queries, whatever goes wrong on the way?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from rankproof.engines.engine import Engine, EngineError, needed
from rankproof.engines.journal import Answer, Journal
from rankproof.errors import Fault, Faults, InputError, RankproofError
from rankproof.model import Ranking, Run
from rankproof.words import counted, first_of, query_count

if TYPE_CHECKING:
    from tenacity import RetryCallState

LONGEST_WAIT = 300.0
"""Seconds: an engine that wants a longer pause before the next try is not waited for."""
HOPELESS = 20
"""When as many queries have failed for good and none was answered meanwhile, the others are not asked."""

Unwritable: TypeAlias = Callable[[str, str], str | None]
"""Returns why a row of a query's and a document's id cannot be written; None where it can."""

_CANNOT = "cannot stand in a TREC file"
_IDS = (
    "id-pattern in a mapping takes a part of an id; the setting id, where there is one, names another column or field"
)


@dataclass(frozen=True)
class Asked:
    """What came of asking: the run in the order of the queries, seconds a query, and what went wrong."""

    run: Run
    seconds: Mapping[str, float]  # by query_id: of the request that was answered, waits and failed tries left out
    errors: Mapping[str, str]  # by query_id; empty unless partial answers were allowed
    resumed: int  # answers that were in the journal already
    notes: Sequence[str] = ()  # what a reader of the run should know


def ask_all(  # noqa: PLR0913 - each has a default that serves
    engine: Engine,
    queries: Mapping[str, str],
    k: int,
    *,
    concurrency: int = 4,
    retries: int = 4,
    backoff: float = 0.5,
    journal: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    on_answer: Callable[[str], None] | None = None,
    name: str | None = None,
    partial: bool = False,
    restart: bool = False,
    unwritable: Unwritable | None = None,
) -> Asked:
    """Ask an engine each query (text by query_id) for k documents, `concurrency` at a time.

    A transient error is tried again up to `retries` times, after a random pause below backoff, twice that, four times
    that … seconds, or after the pause that the engine asked for. With a `journal` no answer is lost: what stands there
    is not asked again, as long as engine, k, texts and `settings` (what else decides the answers, such as the hash of a
    corpus) are the same; with `restart` it is given up for the first new answer. `on_answer` is told each query_id once
    it is answered or has failed, one at a time. The run is named `name`, or by the engine. `unwritable` tells why a
    query's and a document's id cannot be written: the first such id ends the asking.

    InputError lists the queries that failed, after all others were asked and journaled; with `partial` they are left
    out of the run and stand in `errors`. When 20 have failed and none was answered, the others are not asked.
    """
    _check(k, concurrency, retries, backoff)
    made_by = {**getattr(engine, "settings", {"name": engine.name}), **(settings or {})}
    _check_queries(queries, unwritable)
    kept = None if journal is None else Journal(Path(journal), queries, k, made_by, restart=restart)
    asking = _Asking(engine, queries, k, _Patience(retries, backoff), kept, on_answer, unwritable)
    try:
        asking.run(concurrency)
    finally:
        if kept is not None:
            kept.close()
    if asking.failed and not (partial and asking.answers):
        raise _failure(asking, kept)
    answered = {query: asking.answers[query] for query in queries if query in asking.answers}
    return Asked(
        run=Run(name or engine.name, {query: answer.ranking for query, answer in answered.items()}),
        seconds={query: answer.seconds for query, answer in answered.items()},
        errors={query: str(asking.failed[query]) for query in queries if query in asking.failed},
        resumed=asking.resumed,
        notes=_notes(answered, k),
    )


def _check(k: int, concurrency: int, retries: int, backoff: float) -> None:
    least = {"k": (k, 1), "concurrency": (concurrency, 1), "retries": (retries, 0), "backoff": (backoff, 0)}
    for what, (given, lowest) in least.items():
        if not given >= lowest:
            raise InputError(Fault(f"{what} is {given!r}", expected=f"{lowest} or more"))


def _check_queries(queries: Iterable[str], unwritable: Unwritable | None) -> None:
    if unwritable is None:
        return
    faults = Faults()
    for query in queries:
        if why := unwritable(query, "any"):
            faults.add(Fault(f"{_CANNOT}: {why}", query_id=query))
    faults.raise_any()


def _check_documents(query: str, docs: Iterable[str], unwritable: Unwritable | None) -> None:
    if unwritable is None:
        return
    for doc in docs:
        if why := unwritable(query, doc):
            raise InputError(Fault(f"{_CANNOT}: {why}", query_id=query, doc_id=doc, hint=_IDS))


@dataclass(frozen=True)
class _Patience:
    """How often a query is tried again, and how long the first pause is at most, in seconds."""

    retries: int
    backoff: float


class _Stopped(Exception):  # noqa: N818 - no error: someone else ended the asking
    """The asking ends: this query is not waited for any longer."""


@dataclass
class _Asking:
    """One pass over the queries, by several threads."""

    engine: Engine
    queries: Mapping[str, str]
    k: int
    patience: _Patience
    journal: Journal | None
    on_answer: Callable[[str], None] | None
    unwritable: Unwritable | None
    answers: dict[str, Answer] = field(default_factory=dict)
    failed: dict[str, Fault] = field(default_factory=dict)
    resumed: int = 0
    _ended: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    def run(self, concurrency: int) -> None:
        """Ask what the journal does not hold; whatever ends it early, the answers that are on the way are kept."""
        self.answers.update(self.journal.answers if self.journal else {})
        self.resumed = len(self.answers)
        for query in self.queries:
            if query in self.answers:
                self._tell(query)
        left = [query for query in self.queries if query not in self.answers]
        with ThreadPoolExecutor(concurrency, "rankproof-ask") as threads:
            futures: list[Future[None]] = []
            try:
                futures.extend(threads.submit(self._ask, query) for query in left)
                for future in as_completed(futures):
                    future.result()
            except BaseException:  # Ctrl-C, or what a thread raised
                self._ended.set()
                threads.shutdown(wait=False, cancel_futures=True)
                raise

    def _ask(self, query: str) -> None:
        if self._ended.is_set():
            return
        try:
            self._ask_and_keep(query)
        except BaseException:  # such as InputError: each query would meet it
            self._ended.set()
            raise

    def _ask_and_keep(self, query: str) -> None:
        try:
            answer = self._answer(self.queries[query])
        except _Stopped:
            return
        except EngineError as error:
            with self._lock:
                self.failed[query] = replace(error.fault, query_id=query)
                if len(self.failed) >= HOPELESS and len(self.answers) == self.resumed:
                    self._ended.set()
        else:
            _check_documents(query, answer.ranking.doc_ids, self.unwritable)
            if self.journal is not None:
                self.journal.add(query, self.queries[query], answer)
            with self._lock:
                self.answers[query] = answer
        with self._lock:
            self._tell(query)

    def _tell(self, query: str) -> None:
        if self.on_answer is not None:
            self.on_answer(query)

    def _answer(self, text: str) -> Answer:
        try:
            return self._once(text)
        except EngineError as error:
            if not (self.patience.retries and _worth_waiting(error)):
                raise
            return self._again(text, error)

    def _once(self, text: str) -> Answer:
        start = time.perf_counter()
        ranking = self.engine.ask(text, self.k)
        seconds = time.perf_counter() - start
        return Answer(_cut(ranking, self.k), seconds, len(ranking.doc_ids))

    def _again(self, text: str, first: EngineError) -> Answer:
        """Go on after a first failure, so that an engine that never fails needs no package for it."""
        with needed("tenacity", "asking again after an error"):
            import tenacity  # noqa: PLC0415 - an extra, loaded only when something failed
        jitter = tenacity.wait_random_exponential(multiplier=self.patience.backoff, max=LONGEST_WAIT)
        earlier = iter([first])

        def once_more() -> Answer:
            for error in earlier:
                raise error
            return self._once(text)

        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(self.patience.retries + 1),
            wait=lambda state: _asked_for(state) + jitter(state),
            retry=tenacity.retry_if_exception(_worth_waiting),
            sleep=self._pause,
            reraise=True,
        )
        try:
            return retrying(once_more)
        except EngineError as error:
            tries = retrying.statistics["attempt_number"]
            fault = replace(error.fault, message=f"{error.fault.message} (tried {tries} times)")
            raise EngineError(fault) from None

    def _pause(self, seconds: float) -> None:
        if self._ended.wait(seconds):
            raise _Stopped


def _worth_waiting(error: BaseException) -> bool:
    return isinstance(error, EngineError) and error.transient and (error.wait or 0) <= LONGEST_WAIT


def _asked_for(state: RetryCallState) -> float:
    """Return the pause that the engine asked for, in seconds."""
    error = state.outcome.exception() if state.outcome else None
    return (isinstance(error, EngineError) and error.wait) or 0.0


def _cut(ranking: Ranking, k: int) -> Ranking:
    if len(ranking.doc_ids) <= k:
        return ranking
    parts = (ranking.doc_ids, ranking.scores, ranking.ranks, ranking.evidence)
    return Ranking(*(part if part is None else part[:k] for part in parts))  # type: ignore[arg-type]  # ids come first


def _failure(asking: _Asking, journal: Journal | None) -> RankproofError:
    """Return the error that lists what failed, in the order of the queries."""
    failed = [asking.failed[query] for query in asking.queries if query in asking.failed]
    unasked = len(asking.queries) - len(asking.answers) - len(failed)
    message = f"{len(failed)} of {query_count(len(asking.queries))} failed"
    if unasked:
        message += f"; none was answered, so {unasked} more were not asked"
    hint = None
    if journal is not None and asking.answers:
        hint = f"run it again: {counted(len(asking.answers), 'answer')} in {journal.path} will not be asked for again"
    return InputError(Fault(message, hint=hint), *failed)


def _notes(answers: Mapping[str, Answer], k: int) -> list[str]:
    notes = []
    longer = [query for query, answer in answers.items() if answer.returned > k]
    if longer:
        most = max(answers[query].returned for query in longer)
        notes.append(
            f"{query_count(len(longer))} answered with more than {k} documents, up to {most}: cut ({first_of(longer)})"
        )
    twice = [
        query for query, answer in answers.items() if len(set(answer.ranking.doc_ids)) < len(answer.ranking.doc_ids)
    ]
    if twice:
        rule = "the contract's rule `duplicates` decides what a repeat counts"
        notes.append(f"{query_count(len(twice))} answered with a document twice ({first_of(twice)}); {rule}")
    return notes
