"""What is loaded, and when: nothing heavy for help; the browser set on the standard library alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rankproof as rp

HEAVY = (
    *("numpy", "scipy", "pandas", "polars", "narwhals", "sklearn", "bm25s", "httpx", "psycopg", "statsmodels"),
    *("pyarrow", "pyspark", "datasketch", "tenacity", "kiwipiepy", "jsonpath", "krippendorff"),
)
BROWSER_SET = [
    *(
        "errors",
        "answers",
        "rules",
        "arithmetic",
        "contract",
        "presets",
        "model",
        "formats",
        "placements.plain",
        "measures",
    ),
    *("values", "evaluate", "explain", "rerank", "interleave", "textbook", "report"),
    *("tables", "saved", "compare", "similarity", "diff", "gate", "retrieve", "splits", "why", "check"),
    *("lab.api", "lab.calls.about", "lab.calls.lab"),
    *("lab.calls.closed_corpus", "lab.calls.contracts", "lab.calls.interleaving"),
]

BLOCK = """
import importlib.abc, sys
class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked}:
            raise ModuleNotFoundError(f"{{name}} is blocked", name=name)
sys.meta_path.insert(0, Refuse())
"""


def python(code: str) -> str:
    """Run code in a fresh interpreter and return what it printed."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_package_loads_none_of_it() -> None:
    """`import rankproof` loads no module of its own, and nothing heavy."""
    loaded = json.loads(python("import rankproof, sys, json; print(json.dumps(list(sys.modules)))"))
    assert [name for name in loaded if name.startswith("rankproof.")] == []
    assert not {name.partition(".")[0] for name in loaded} & {*HEAVY, "typer", "rich"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["evaluate", "--help"],
        ["search", "--help"],
        ["experiment", "--help"],
        ["leakage", "--help"],
        ["judges", "--help"],
        ["contracts"],
        ["measures", "nDCG"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """Help and the reference commands load neither NumPy nor SciPy nor a dataframe library."""
    code = f"""
import sys
sys.argv = ["rankproof", *{arguments!r}]
from rankproof.cli import main
try:
    main()
finally:
    print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stdout)
"""
    assert python(code).rstrip().endswith("[]")


def test_evaluating_files_loads_nothing_heavy(tmp_path) -> None:
    """The plain road from files to values needs the standard library only."""
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1 t\n")
    code = f"""
import sys, rankproof as rp
assert rp.evaluate({str(tmp_path / "qrels")!r}, {str(tmp_path / "run")!r}, ["RR"]).means == {{"RR": 1.0}}
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    assert python(code) == "[]\n"


def test_the_browser_set_needs_the_standard_library_only() -> None:
    """With every third-party package blocked, the browser set imports, and the lab's sample has its values."""
    blocked = (*HEAVY, "typer", "rich", "click")
    code = (
        BLOCK.format(blocked=set(blocked))
        + f"""
import importlib
for name in {BROWSER_SET!r}:
    importlib.import_module("rankproof." + name)
import rankproof as rp
from importlib.resources import files
found = rp.rerank_lab(files("rankproof") / "example" / "lab.json", 3)
print({{row.measure: round(row.change, 6) for row in found.changes}})
qrels, run = {{"q": {{"a": 1, "b": 0}}}}, {{"q": {{"a": 1.0, "b": 1.0}}}}
print(rp.evaluate(qrels, run, ["RR", "nDCG@10"], ties="expected").means["RR"])
print(rp.explain(qrels, run, "nDCG@10", "q").value)
"""
    )
    changes, rr, value = python(code).splitlines()
    assert "'nDCG@3': 0.50168" in changes
    assert rr == "0.75"
    assert float(value) == pytest.approx(1 / 1.584962500721156)


COMPARED = """
import json, random
import rankproof as rp
draw = random.Random(3)
qrels = {f"q{at}": {"d": 1, "x0": 0} for at in range(40)}
runs = [{q: [*(f"x{n}" for n in range(draw.choice([0, 1, 2, 5]))), "d"] for q in qrels} for _ in range(3)]
quick = {"margin": 0.1, "permutations": 2000, "resamples": 500}
for correction in ("holm", "max-t", "tukey"):
    found = rp.compare(qrels, runs[0], runs[1:], ["RR"], correction=correction, **quick)
    print(json.dumps([one.to_dict() for one in found.differences]))
vectors = {f"d{at}": [draw.choice([0.5, 1.0, -0.3]) for _ in range(5)] for at in range(30)}
print(json.dumps(rp.cosine_search(vectors, {"q": [0.1, 0.7, 0.2, 0.3, 0.4]}, 10).rankings["q"].scores[:10]))
"""


def test_statistics_and_cosine_are_the_same_without_numpy() -> None:
    """With every third-party package blocked, the numbers are, to the last digit, those with NumPy."""
    assert python(BLOCK.format(blocked={*HEAVY, "typer", "rich", "click"}) + COMPARED) == python(COMPARED)


def test_exports_are_complete_and_lazy() -> None:
    """Every exported name loads; a module of the same name does not hide a function; other names are refused."""
    for name in rp.__all__:
        assert getattr(rp, name) is not None, name
    typed = re.findall(r"^    from \S+ import (\w+) as (\w+)", Path(str(rp.__file__)).read_text("utf-8"), re.MULTILINE)
    assert {name.replace("_parse", "measure") for _, name in typed} == set(rp.__all__) - {"__version__"}
    assert callable(rp.evaluate)
    assert callable(rp.measures)
    assert set(rp.__all__) <= set(dir(rp))
    with pytest.raises(AttributeError, match="has no attribute 'evaluat'"):
        _ = rp.evaluat


def test_writing_a_report_loads_no_engines() -> None:
    """What a report of one kind needs is loaded for that kind alone: no experiment, no engine."""
    loaded = python("import rankproof.report.write, sys; print(*sys.modules)").split()
    assert [name for name in loaded if name.startswith(("rankproof.engines", "rankproof.experiment"))] == []
