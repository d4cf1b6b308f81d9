"""Each preset beside its tool: the cases of its record agree, or the difference is a listed deviation."""

from __future__ import annotations

import pytest
from conformance import RECORDS, agree, ours, right
from needed import installed
from peers import PEERS, answer, record_of, said

from rankproof.presets import PRESETS

CASES = [
    pytest.param(name, case, id=f"{name}: {case['case']}: {case['measure']}")
    for name in RECORDS
    for case in record_of(name)["cases"]
]

ASKED_HERE = {
    "ranx": "ranx",
    "ir_measures": "ir_measures",
    "pytrec_eval": "pytrec_eval",
    "trec_eval-9": "pytrec_eval",
    "scikit-learn": "sklearn",
}
"""The tools that are installed for the tests, with what is imported."""

NOT_BY_A_VALUE = {
    "the caller's run": "tested below",
    "the caller's results": "BEIR is not installed for the tests",
    "rounding": "values agree to what is left",
    "rounding (not of RR)": "the same",
    "values": "the same: 32 bits",
    "AP of a perfect ranking": "one part in ten billion",
    "document whose id is the query's": "a setting of MTEB's tasks",
    "skip_first_result": "the same",
    "missing query with -c -q": "the mean is the same",
}
"""Deviations that no case shows, and why."""


def test_every_preset_has_a_record() -> None:
    """Each preset has a record with its version, its date, how it was made, and cases."""
    assert set(PRESETS) <= set(RECORDS)
    for name in RECORDS:
        record = record_of(name)
        assert record["preset"] == (name if name in PRESETS else None)
        assert all(record[key] for key in ("version", "date", "how", "cases")), name
        if name in PEERS and name in PRESETS and name != "trec_eval-9":  # asked through pytrec_eval
            _, number = record["version"].split(", ")[0].split()
            assert number in PRESETS[name].version


@pytest.mark.parametrize(("name", "case"), CASES)
def test_a_case_agrees_or_is_a_listed_deviation(name: str, case: dict) -> None:
    """Our value is the tool's; or the preset lists why not, ours is the right one, and the tool's is another."""
    record = record_of(name)
    preset, tool = PRESETS[record["preset"] or "rankproof"], said(case)
    here = ours(case, preset.name)
    if "deviation" not in case:
        assert agree(tool, here, record.get("within", 1e-9)), (tool, here)
        return
    assert case["deviation"] in {one.topic for one in preset.deviations}
    assert type(here) is type(right(case))
    assert agree(right(case), here), (right(case), here)
    assert isinstance(tool, str) or not agree(tool, here, record.get("within", 1e-9)), (tool, here)


@pytest.mark.parametrize("name", [name for name in RECORDS if name in PRESETS])
def test_every_deviation_is_shown(name: str) -> None:
    """Each deviation of a preset has a case that shows it, here or under the same rules; or it is said why not."""
    family = [one for one in RECORDS if one.removesuffix("-complete") == name.removesuffix("-complete")]
    shown = {case.get("deviation") for one in family for case in record_of(one)["cases"]}
    listed = {one.topic for one in PRESETS[name].deviations}
    assert listed - shown <= set(NOT_BY_A_VALUE)


def test_no_excuse_is_idle() -> None:
    """Whatever is excused from having a case is listed by a preset, and has none."""
    listed = {one.topic for preset in PRESETS.values() for one in preset.deviations}
    shown = {case.get("deviation") for name in RECORDS for case in record_of(name)["cases"]}
    excused = set(NOT_BY_A_VALUE)
    assert excused <= listed
    assert excused & shown == {"rounding"}  # OpenSearch's, which a value shows


@pytest.mark.untraced
@pytest.mark.parametrize("name", ASKED_HERE)
def test_the_tool_says_what_is_recorded(name: str) -> None:
    """A tool that is installed gives today what its record says: a number, or what it does instead."""
    installed(ASKED_HERE[name])
    for case in record_of(name)["cases"]:
        if "by" not in case:
            found = answer(name, case)
            assert type(found) is type(case["tool"]), case
            assert found == case["tool"] or agree(found, case["tool"], 1e-12), (found, case)


@pytest.mark.untraced
@pytest.mark.filterwarnings("ignore")  # those of Numba, where it is this test that has ranx compiled
def test_ranx_deletes_from_the_callers_run() -> None:
    """The deviation that no value shows: what is not judged is gone from the run that ranx was given; ours stays."""
    ranx = installed("ranx")
    qrels, given = {"q": {"a": 1}}, {"q": {"a": 1.0}, "x": {"b": 1.0}}
    theirs = ranx.Run(given)
    ranx.evaluate(ranx.Qrels(qrels), theirs, "mrr", make_comparable=True)
    assert list(theirs.keys()) == ["q"]
    case = {"qrels": qrels, "run": given, "measure": "RR"}
    assert ours(case, "ranx") == 1
    assert list(given) == ["q", "x"]
