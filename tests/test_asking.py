"""Asking many queries of an engine, and going on after an interruption: laws that need no server."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from rankproof.engines import EngineError, ask_all, forget, journal_of
from rankproof.errors import Fault, InputError, MissingPackageError
from rankproof.formats.trec import unwritable
from rankproof.model import Ranking

QUERIES = {f"q{at}": f"text {at}" for at in range(6)}


class Scripted:
    """An engine that does what a function says."""

    name = "scripted"

    def __init__(self, answer: Callable[[str], Ranking]) -> None:
        self._answer = answer
        self.asked: list[str] = []

    def ask(self, text: str, _: int) -> Ranking:
        self.asked.append(text)
        return self._answer(text)

    def close(self) -> None:
        pass


def test_the_run_is_in_the_order_of_the_queries() -> None:
    """Answers that come late stand where their query does, each with its seconds; each query is told once."""
    engine = Scripted(lambda text: (time.sleep(0.05 if text.endswith("0") else 0), Ranking([text]))[1])
    told: list[str] = []
    asked = ask_all(engine, QUERIES, 3, on_answer=told.append, name="mine")
    assert asked.run.name == "mine"
    assert {query: list(ranking.doc_ids) for query, ranking in asked.run.rankings.items()} == {
        query: [text] for query, text in QUERIES.items()
    }
    assert list(asked.run.rankings) == list(asked.seconds) == list(QUERIES)
    assert sorted(told) == sorted(QUERIES)
    assert asked.seconds["q0"] >= 0.05
    assert min(asked.seconds.values()) >= 0


def test_what_is_more_than_k_is_cut_and_said() -> None:
    """More than k documents are cut, repeats are kept; both are noted, also when the answers came from a journal."""
    answers = {"long": Ranking(list("abcde"), [5.0, 4, 3, 2, 1]), "twice": Ranking(["a", "b", "a"]), "few": Ranking([])}
    asked = ask_all(Scripted(answers.__getitem__), {text: text for text in answers}, 3)
    assert asked.run.rankings["long"] == Ranking(["a", "b", "c"], [5.0, 4, 3])
    assert asked.run.rankings["twice"] == answers["twice"]
    assert asked.notes == [
        "1 query answered with more than 3 documents, up to 5: cut (long)",
        "1 query answered with a document twice (twice); the contract's rule `duplicates` decides what a repeat counts",
    ]


def test_partial_answers_are_given_when_they_are_wanted() -> None:
    """With `partial` the failed queries are absent from the run, and stand with their reason in the errors."""
    engine = Scripted(lambda text: Ranking(["a"]) if text != "text 2" else _fail("no such field"))
    asked = ask_all(engine, QUERIES, 3, partial=True)
    assert list(asked.run.rankings) == [query for query in QUERIES if query != "q2"]
    assert asked.errors == {"q2": "query q2: no such field"}


def _fail(message: str, **options: Any) -> Ranking:
    raise EngineError(Fault(message), **options)


def test_a_hopeless_engine_is_left_alone() -> None:
    """When twenty queries failed and none was answered, the others are not asked; one answer, and all are."""
    queries = {str(at): str(at) for at in range(200)}
    engine = Scripted(lambda _: _fail("down"))
    with pytest.raises(
        InputError, match=r"^2\d of 200 queries failed; none was answered, so 1[78]\d more were not asked"
    ):
        ask_all(engine, queries, 3)
    assert 20 <= len(engine.asked) <= 23
    engine = Scripted(lambda text: Ranking(["a"]) if text == "0" else _fail("down"))
    with pytest.raises(InputError) as failed:
        ask_all(engine, queries, 3, concurrency=1)
    assert len(engine.asked) == 200
    assert "… and 180 more" in str(failed.value)


def test_an_error_of_all_queries_ends_the_asking() -> None:
    """An error that is no EngineError comes through at once, and the queries behind it are not asked."""
    engine = Scripted(lambda text: {}[text])
    with pytest.raises(KeyError):
        ask_all(engine, {str(at): str(at) for at in range(100)}, 3, concurrency=2)
    assert len(engine.asked) < 100


def test_an_end_is_not_held_up_by_pauses() -> None:
    """When an error ends the asking, a query that waits for its next try gives up at once."""
    waits = Event()

    def answer(text: str) -> Ranking:
        if text == "slow":
            waits.set()
            return _fail("busy", transient=True, wait=250.0)
        waits.wait(60)
        raise InputError(Fault("the key is unknown"))

    with pytest.raises(InputError, match="the key is unknown"):
        ask_all(Scripted(answer), {"a": "slow", "b": "other"}, 3, concurrency=2)


@pytest.mark.parametrize(
    "wrong", [{"k": 0}, {"concurrency": 0}, {"retries": -1}, {"backoff": -1}, {"backoff": float("nan")}]
)
def test_wrong_numbers_are_refused(wrong: dict[str, Any]) -> None:
    """Numbers that make no sense are refused before the first query."""
    engine = Scripted(lambda _: Ranking([]))
    with pytest.raises(InputError, match=f"{next(iter(wrong))} is"):
        ask_all(engine, QUERIES, **{"k": 3, **wrong})
    assert not engine.asked


def test_no_queries_give_an_empty_run(tmp_path: Path) -> None:
    """Without queries nothing is asked and nothing fails."""
    asked = ask_all(Scripted(lambda _: Ranking([])), {}, 3, journal=tmp_path / "j")
    assert (dict(asked.run.rankings), asked.resumed) == ({}, 0)


def test_an_engine_that_never_fails_needs_no_package(monkeypatch) -> None:
    """The package tenacity is needed for a second try only, and its absence is said."""
    monkeypatch.setitem(sys.modules, "tenacity", None)
    assert ask_all(Scripted(lambda _: Ranking(["a"])), QUERIES, 3).run.rankings["q0"] == Ranking(["a"])
    with pytest.raises(MissingPackageError, match="tenacity"):
        ask_all(Scripted(lambda _: _fail("busy", transient=True)), QUERIES, 3)


# ---- The journal


def test_a_line_that_was_cut_is_asked_again(tmp_path: Path) -> None:
    """Every cut of the last line loses that answer alone, and the file is whole afterwards."""
    journal = tmp_path / "j"
    answer = Scripted(lambda text: Ranking([text, "d"], [0.1, 1e-300]))
    whole = ask_all(answer, QUERIES, 3, concurrency=1, journal=journal)
    lines = journal.read_bytes().splitlines(keepends=True)
    before, last = b"".join(lines[:-1]), lines[-1]
    for cut in (1, len(last) // 2, len(last) - 1):
        journal.write_bytes(before + last[:cut])
        again = Scripted(lambda text: Ranking([text, "d"], [0.1, 1e-300]))
        resumed = ask_all(again, QUERIES, 3, journal=journal)
        assert (again.asked, resumed.resumed) == (["text 5"], 5)
        assert resumed.run == whole.run
        assert len(journal.read_bytes().splitlines()) == len(lines)


def test_a_journal_cut_in_its_first_line_starts_again(tmp_path: Path) -> None:
    """Where not even the first line is whole nothing was answered."""
    (tmp_path / "j").write_bytes(b'{"answers": 1, "rank')
    engine = Scripted(lambda _: Ranking(["a"]))
    assert ask_all(engine, QUERIES, 3, journal=tmp_path / "j").resumed == 0
    assert len(engine.asked) == len(QUERIES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 4}, "k was 3, is 4"),
        ({"settings": {"corpus": "other"}}, "engine.corpus was 'c', is 'other'"),
        ({"queries": {**QUERIES, "q2": "another"}}, "query q2: holds the answer to another text, 'text 2'"),
    ],
)
def test_answers_made_otherwise_are_not_taken(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """A journal of another k, other settings or another text of a query is refused, and nothing is asked."""
    asked = {"queries": QUERIES, "k": 3, "settings": {"corpus": "c"}, "journal": tmp_path / "j"}
    ask_all(Scripted(lambda _: Ranking(["a"])), **asked)
    engine = Scripted(lambda _: Ranking(["b"]))
    with pytest.raises(InputError) as failed:
        ask_all(engine, **{**asked, **change})
    assert message in str(failed.value)
    assert "--restart" in str(failed.value)
    assert not engine.asked


def test_answers_that_are_no_longer_asked_for_stay_out(tmp_path: Path) -> None:
    """A journal of more queries than are asked now gives these alone."""
    ask_all(Scripted(lambda text: Ranking([text])), QUERIES, 3, journal=tmp_path / "j")
    asked = ask_all(Scripted(lambda _: Ranking([])), {"q3": "text 3"}, 3, journal=tmp_path / "j")
    assert (asked.resumed, dict(asked.run.rankings)) == (1, {"q3": Ranking(["text 3"])})


@pytest.mark.parametrize("damage", [b"my notes\n", b'{"mine": 1}\n', b"[]\n"])
def test_a_file_that_is_no_journal_is_not_touched(tmp_path: Path, damage: bytes) -> None:
    """A file of the user's own at the journal's place is refused and stays as it is."""
    (tmp_path / "j").write_bytes(damage)
    with pytest.raises(InputError, match=r"j:1: (is damaged|holds no answers)"):
        ask_all(Scripted(lambda _: Ranking([])), QUERIES, 3, journal=tmp_path / "j")
    assert (tmp_path / "j").read_bytes() == damage


def test_a_damaged_journal_names_its_line(tmp_path: Path) -> None:
    """Damage in the middle is no interruption: it is refused with its line."""
    ask_all(Scripted(lambda _: Ranking(["a"])), QUERIES, 3, concurrency=1, journal=tmp_path / "j")
    lines = (tmp_path / "j").read_bytes().splitlines(keepends=True)
    for damage in (b"xx\n", b'{"query_id": "q1"}\n', b'{"query_id": "q1", "text": "text 1", "doc_ids": 3}\n'):
        (tmp_path / "j").write_bytes(b"".join([*lines[:2], damage, *lines[3:]]))
        with pytest.raises(InputError, match=r"j:3: is"):
            ask_all(Scripted(lambda _: Ranking(["a"])), QUERIES, 3, journal=tmp_path / "j")


def test_a_journal_stands_beside_the_output_and_is_forgotten(tmp_path: Path) -> None:
    """A journal is OUTPUT.answers.jsonl; forgetting it twice is no error, a place that cannot be written is."""
    journal = journal_of(tmp_path / "a.run")
    assert journal == tmp_path / "a.run.answers.jsonl"
    ask_all(Scripted(lambda _: Ranking(["a"])), QUERIES, 3, journal=journal)
    forget(journal)
    forget(journal)
    assert not journal.exists()
    with pytest.raises(InputError, match="cannot be removed"):
        forget(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        ask_all(Scripted(lambda _: Ranking(["a"])), QUERIES, 3, journal=tmp_path / "none" / "j")


def test_a_file_that_is_no_journal_stays(tmp_path: Path) -> None:
    """A file of the user's own is neither forgotten, nor restarted over, nor cut where its last line has no end."""
    for content in (b"my only copy", b'{"_id": "q1", "text": "a"}\n', b'{"answer": 1}'):
        (tmp_path / "j").write_bytes(content)
        with pytest.raises(InputError, match=r"j:1: holds no answers of an engine[\s\S]*a file of yours"):
            forget(tmp_path / "j")
        for restart in (False, True):
            with pytest.raises(InputError, match="holds no answers"):
                ask_all(Scripted(lambda _: Ranking([])), QUERIES, 3, journal=tmp_path / "j", restart=restart)
        assert (tmp_path / "j").read_bytes() == content


def test_a_journal_without_answers_is_no_obstacle(tmp_path: Path) -> None:
    """Where nothing was answered no journal is left; the head of one that was killed then is written over."""
    journal = tmp_path / "j"
    asked: dict[str, Any] = {"queries": QUERIES, "k": 3, "journal": journal}
    with pytest.raises(InputError, match="6 of 6 queries failed"):
        ask_all(Scripted(lambda _: _fail("no such index")), settings={"index": "atricles"}, **asked)
    assert not journal.exists()
    ask_all(Scripted(lambda _: Ranking(["a"])), settings={"index": "atricles"}, **asked)
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    assert ask_all(Scripted(lambda _: Ranking(["a"])), settings={"index": "articles"}, **asked).resumed == 0
    assert b"atricles" not in journal.read_bytes()
    assert ask_all(Scripted(lambda _: Ranking(["b"])), settings={"index": "articles"}, **asked).resumed == 6


def test_a_restart_gives_answers_up_for_new_ones_alone(tmp_path: Path) -> None:
    """A restart that gets no answer leaves the old ones as they were; the first new answer takes their place."""
    asked: dict[str, Any] = {"queries": QUERIES, "journal": tmp_path / "j"}
    ask_all(Scripted(lambda _: Ranking(["a"])), k=3, **asked)
    before = (tmp_path / "j").read_bytes()
    with pytest.raises(InputError, match="failed"):
        ask_all(Scripted(lambda _: _fail("down")), k=4, restart=True, **asked)
    assert (tmp_path / "j").read_bytes() == before
    again = ask_all(Scripted(lambda _: Ranking(["b"])), k=4, restart=True, **asked)
    assert (again.resumed, again.run.rankings["q0"]) == (0, Ranking(["b"]))
    assert len((tmp_path / "j").read_bytes().splitlines()) == 7


def test_the_first_id_that_cannot_be_written_ends_the_asking(tmp_path: Path) -> None:
    """A document id that no run file holds is told at once with what helps, a query's before anything is asked."""
    queries = {str(at): str(at) for at in range(100)}
    engine = Scripted(lambda text: Ranking(["a b" if text == "3" else "a"]))
    asked: dict[str, Any] = {"k": 3, "concurrency": 1, "journal": tmp_path / "j", "unwritable": unwritable}
    with pytest.raises(InputError, match=r"^query 3, document a b: cannot stand in a TREC file[\s\S]*id-pattern"):
        ask_all(engine, queries, **asked)
    assert len(engine.asked) < 10
    assert b"a b" not in (tmp_path / "j").read_bytes()
    engine = Scripted(lambda _: Ranking(["a"]))
    with pytest.raises(InputError, match=r"^query #1: cannot stand in a TREC file.*\nquery q 2: cannot"):
        ask_all(engine, {"q0": "a", "#1": "b", "q 2": "c"}, **asked)
    assert not engine.asked


def test_nothing_is_kept_beside_a_stream(tmp_path: Path) -> None:
    """Standard output and devices have no journal, and nothing is forgotten there."""
    assert journal_of("-") is None
    assert journal_of("/dev/null") is None
    assert journal_of(tmp_path) is None
    forget(None)
