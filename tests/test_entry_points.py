"""A measure from another package, added by an entry point, works everywhere."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

import rankproof as rp
from rankproof.measures.table import known_measures

MODULE = '''
from dataclasses import dataclass
from typing import ClassVar

from rankproof.measures import CutMeasure


class SquaredRR(CutMeasure):
    """One over the square of the rank of the first relevant document."""

    symbol: ClassVar[str] = "SquaredRR"
    formula: ClassVar[str] = "1 / rank^2 of the first relevant document"
    source: ClassVar[str] = "this test"
    examples: ClassVar[tuple[str, ...]] = ("SquaredRR@10",)

    def terms(self, at, contract):
        for rank, grade in at.within(self.cutoff):
            if grade >= contract.relevant_from:
                yield rank, grade, 1 / (rank * rank)
                return


class NotANumber(SquaredRR):
    """It gives NaN."""

    symbol: ClassVar[str] = "NotANumber"

    def terms(self, at, contract):
        yield 1, 1, float("nan")


class Failing(SquaredRR):
    """It divides by zero."""

    symbol: ClassVar[str] = "Failing"

    def terms(self, at, contract):
        yield 1, 1, 1 / 0


class Nameless(CutMeasure):
    """It has no symbol."""

    formula = source = "none"
    examples = ()


class Again(SquaredRR):
    """A measure under a name that is taken."""

    symbol: ClassVar[str] = "rr"


NOT_A_MEASURE = 3
'''


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch):
    """Install a package with an entry point, as pip would lay it out."""

    def install(value: str) -> None:
        (tmp_path / "our_measures.py").write_text(MODULE)
        info = tmp_path / "our_measures-1.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: our-measures\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[rankproof.measures]\nours = {value}\n")
        monkeypatch.syspath_prepend(tmp_path)
        importlib.invalidate_caches()
        known_measures.cache_clear()

    yield install
    known_measures.cache_clear()
    sys.modules.pop("our_measures", None)


def test_a_measure_of_another_package(plugin, in_process, tmp_path) -> None:
    """It is read, evaluated, averaged over ties, explained, listed and printed like any other."""
    plugin("our_measures:SquaredRR")
    qrels, run = {"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    assert rp.evaluate(qrels, run, ["squaredrr@5"]).means == {"SquaredRR@5": 0.25}
    tied = {"q": {"b": 1.0, "a": 1.0}}
    assert rp.evaluate(qrels, tied, ["SquaredRR"], ties="expected").means["SquaredRR"] == (1 + 1 / 4) / 2
    assert rp.explain(qrels, run, "SquaredRR", "q").places[0].amount == 0.25
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 b 1 2 t\nq Q0 a 2 1 t\n")
    done = in_process("evaluate", tmp_path / "qrels", tmp_path / "run", "-m", "SquaredRR@5")
    assert "0.2500" in done.out
    assert "SquaredRR" in in_process("measures").out
    assert "1 / rank^2" in in_process("measures", "SquaredRR").out


def test_a_measure_that_fails_is_named(plugin) -> None:
    """An exception in the code of another package is an error of that measure, with the query."""
    plugin("our_measures:Failing")
    with pytest.raises(rp.MeasureError, match="query q: Failing fails: ZeroDivisionError: division by zero"):
        rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["Failing"])


def test_a_measure_that_gives_nan_is_named(plugin) -> None:
    """A value that is no number is an error of that measure, with the query."""
    plugin("our_measures:NotANumber")
    with pytest.raises(rp.MeasureError, match="query q: NotANumber gives nan; expected a finite value, or None"):
        rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["NotANumber"])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("our_measures:Absent", "entry point ours = our_measures:Absent: cannot be loaded"),
        ("absent_module:X", "cannot be loaded: No module named 'absent_module'"),
        ("our_measures:NOT_A_MEASURE", "is no measure; expected a subclass of rankproof.measures.Measure"),
        ("our_measures:Nameless", "the measure has no symbol"),
        ("our_measures:Again", "there is a measure rr already"),
    ],
)
def test_a_broken_entry_point_is_named(plugin, value: str, message: str) -> None:
    """An entry point that cannot be used is an error that names it, but only where it is needed."""
    plugin(value)
    assert rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR"]).means == {"RR": 1.0}
    for use in (rp.measures, lambda: rp.measure("Unheard@5")):
        with pytest.raises(rp.MeasureError, match=message):
            use()
