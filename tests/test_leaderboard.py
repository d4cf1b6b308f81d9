"""Several systems: the order, the groups that cannot be told apart, all pairs."""

from __future__ import annotations

import csv
import io
import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

import rankproof as rp
from rankproof.compare.leaderboard import _groups, _letter
from rankproof.demo import lay_out

QUICK = {"permutations": 500, "resamples": 200}


@given(st.integers(2, 9), st.data())
def test_groups_say_exactly_who_differs(count: int, data) -> None:
    """Two systems share a letter exactly where they do not differ, and no letter says what another one says."""
    differ = [[False] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        differ[one][other] = differ[other][one] = data.draw(st.booleans())
    groups = [set(letters) for letters in _groups(differ)]
    for one, other in combinations(range(count), 2):
        assert bool(groups[one] & groups[other]) != differ[one][other]
    members = {letter: {at for at in range(count) if letter in groups[at]} for letter in set().union(*groups)}
    assert not any(one < other for one in members.values() for other in members.values())


def test_too_many_groups_are_not_listed() -> None:
    """Of systems that differ in no order at all there are too many groups: there are no letters, and quickly."""
    draw = random.Random(1)
    differ = [[False] * 100 for _ in range(100)]
    for one, other in combinations(range(100), 2):
        differ[one][other] = differ[other][one] = draw.random() < 0.5
    assert _groups(differ) is None


def test_letters() -> None:
    """After z comes aa."""
    assert [_letter(at) for at in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


def randomization(deltas: list[float]) -> float:
    """Return p of SciPy's paired permutation test."""
    found = stats.permutation_test(
        (deltas,), lambda units, axis: units.mean(axis=axis), permutation_type="samples", n_resamples=20_000
    )
    return found.pvalue


def systems(means: dict[str, float], count: int = 60, seed: int = 5):
    """Return qrels, and a run a system whose one relevant document is found first with this chance."""
    draw = random.Random(seed)
    qrels = {f"q{at}": {"d": 1} for at in range(count)}
    runs = {
        name: {query: ["d", "x"] if draw.random() < mean else ["x", "d"] for query in qrels}
        for name, mean in means.items()
    }
    return qrels, runs


def test_order_and_groups() -> None:
    """Systems stand best first; two that differ widely share no letter, two alike share one."""
    qrels, runs = systems({"low": 0.1, "high": 0.9, "higher": 0.93})
    found = rp.leaderboard(qrels, runs, ["RR@2", "P@1"], **QUICK)
    board = found.boards["RR@2"]
    assert [one.run for one in board.standings][2] == "low"
    first, second, third = (set(one.groups) for one in board.standings)
    assert first & second
    assert not first & third
    assert [one.mean for one in board.standings] == sorted((one.mean for one in board.standings), reverse=True)
    for at, row in enumerate(board.deltas):
        for other, delta in enumerate(row):
            assert delta == board.standings[at].mean - board.standings[other].mean
    (alike,) = found.orders.values()
    assert alike.tau_b == 1
    for board in found.boards.values():
        rows = {one.run: found.values[one.run].per_query[board.measure] for one in board.standings}
        for (at, one), (other, two) in combinations(enumerate(rows), 2):
            deltas = [left - right for left, right in zip(rows[one], rows[two], strict=True)]
            assert board.p[at][other] >= randomization(deltas) - 0.02
    assert "share a letter" in repr(found)
    assert "<table>" in found._repr_html_()


def test_pairs_under_holm_are_the_corrected_tests() -> None:
    """Without Tukey, the matrix holds each pair's own p, corrected over all pairs (SciPy's t, statsmodels' Holm)."""
    qrels, runs = systems({"a": 0.2, "b": 0.5, "c": 0.8})
    found = rp.leaderboard(qrels, runs, ["RR"], tests="t", correction="holm", **QUICK)
    board = found.boards["RR"]
    order = [one.run for one in board.standings]
    rows = {run: found.values[run].per_query["RR"] for run in order}
    pairs = list(combinations(order, 2))
    raw = [stats.ttest_rel(rows[one], rows[other]).pvalue for one, other in pairs]
    for (one, other), p in zip(pairs, multipletests(raw, method="holm")[1], strict=True):
        assert board.p[order.index(one)][order.index(other)] == pytest.approx(p, rel=1e-6)
        assert board.p[order.index(other)][order.index(one)] == pytest.approx(p, rel=1e-6)


def test_lower_is_better_stands_first() -> None:
    """For a measure of which less is better, the least stands first."""
    qrels = {f"q{at}": {"d": 1} for at in range(8)}
    runs = {"clean": {q: ["d", "x"] for q in qrels}, "twice": {q: ["d", "d"] for q in qrels}}
    found = rp.leaderboard(qrels, runs, ["DuplicateRate@2"], duplicate_document="keep-first", **QUICK)
    assert [one.run for one in found.boards["DuplicateRate@2"].standings] == ["clean", "twice"]


def test_one_query_tells_nothing_apart() -> None:
    """With one query all share a letter, there is no p, and it is said."""
    found = rp.leaderboard({"q": {"d": 1}}, {"a": {"q": ["d"]}, "b": {"q": ["x", "d"]}}, ["RR"], **QUICK)
    assert [one.groups for one in found.boards["RR"].standings] == [["a"], ["a"]]
    assert found.boards["RR"].p == [[None, None], [None, None]]
    assert "null" not in repr(found)
    assert any("not enough queries (1)" in note for note in found.notes())


def test_few_queries_have_no_intervals_either() -> None:
    """Of five queries, which can tell nothing apart at 5 %, no interval is shown; of six, one is."""
    for count in (5, 6):
        qrels, runs = systems({"a": 0.3, "b": 0.8}, count=count)
        standings = rp.leaderboard(qrels, runs, ["RR"], **QUICK).boards["RR"].standings
        assert [one.interval is None for one in standings] == [count < 6] * 2


def test_what_is_refused() -> None:
    """One run, max-T, and a run without answers are refused."""
    qrels, runs = systems({"a": 0.2, "b": 0.5})
    with pytest.raises(rp.InputError, match="one run is given; expected two or more"):
        rp.leaderboard(qrels, runs["a"], ["RR"])
    with pytest.raises(rp.MeasureError, match="max-t corrects against one baseline"):
        rp.leaderboard(qrels, runs, ["RR"], correction="max-t")
    with pytest.raises(rp.InputError, match="c: answers no judged query"):
        rp.leaderboard(qrels, {**runs, "c": {"q1": []}}, ["RR"])


def test_command(tmp_path: Path, monkeypatch, in_process) -> None:
    """A table a measure, and CSV and JSON with the same means and groups."""
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    given = ("leaderboard", "qrels.txt", "bm25-words.run", "bm25-ngrams.run", "lsa.run", "-m", "AP", "-m", "R@10")
    done = in_process(*given)
    assert done.status == 0
    assert "AP: all pairs, adjusted p" in done.out
    assert "how alike the measures order the systems" not in done.out  # of three systems it says little
    assert json.loads(in_process(*given, "--format", "json").out)["orders"][0]["measures"] == ["AP", "R@10"]
    assert "3 pairs: randomised Tukey HSD" in done.err
    rows = list(csv.DictReader(io.StringIO(in_process(*given, "--format", "csv").out)))
    boards = json.loads(in_process(*given, "--format", "json").out)["boards"]
    standings = [one for board in boards for one in board["standings"]]
    assert [(row["run"], float(row["mean"]), row["groups"].split()) for row in rows] == [
        (one["run"], one["mean"], one["groups"]) for one in standings
    ]
    assert "| place | run |" in in_process(*given, "--format", "markdown").out
    assert "seed 1" in in_process(*given, "--correct", "bh", "--test", "sign").err


def test_a_large_file_that_answers_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_process
) -> None:
    """A run that lies unread, and holds other queries, is an error as one that was read is."""
    monkeypatch.setattr("rankproof.formats.unread.SMALLEST", {"run": 0, "qrels": 0})
    (tmp_path / "q").write_text("1 0 d 1\n2 0 d 1\n", "utf-8")
    for name, query in (("a", "1"), ("b", "x")):
        (tmp_path / name).write_text(f"{query} Q0 d 1 2.0 {name}\n", "utf-8")
    done = in_process("leaderboard", *(str(tmp_path / name) for name in "qab"), "-m", "AP")
    assert done.status == 2
    assert "answers no judged query" in done.err
    assert f"{tmp_path / 'b'}" in done.err
