"""Contracts: immutable, keyword-only, with a stable fingerprint; read and written without loss."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankproof as rp
from rankproof.contract import Contract, differences
from rankproof.presets import PRESETS, read_rules, to_toml
from rankproof.rules import rules

NUMBERS = {
    "relevant_from": st.sampled_from([0.5, 1.0, 2.0]),
    "depth": st.sampled_from([None, 1, 100]),
    "gain_table": st.none(),
    "grade_map": st.sampled_from([None, ((1.0, 4.0), (4.0, 1.0))]),
    "chunk_separator": st.sampled_from(["#", "::"]),
}


@st.composite
def contracts(draw) -> Contract:
    """A contract with any answers, and perhaps an override."""
    answers = {}
    for name, rule in rules().items():
        choices = [choice for choice in rule.means if (name, choice) != ("gain", "table")]
        answers[name] = draw(NUMBERS[name] if name in NUMBERS else st.sampled_from(choices))
    if draw(st.booleans()):
        answers |= {"gain": "table", "gain_table": ((0.0, 0.5), (2.0, 7.0))}
    overrides = draw(st.sampled_from([(), (("RR@k", (("order", "rank"),)),)]))
    return Contract(**answers, overrides=overrides, name="any")


@given(contracts())
def test_toml_and_json_give_the_contract_back(given: Contract) -> None:
    """What is written reads back as the same contract with the same fingerprint."""
    for data in (tomllib.loads(to_toml(given)), json.loads(json.dumps(given.to_dict()))):
        back = rp.contract(data)
        assert back == given
        assert back.fingerprint == given.fingerprint
        assert back.name == given.name


OVERRIDES = st.dictionaries(
    st.sampled_from(["RR", "RR@k", "AP"]),
    st.dictionaries(st.sampled_from(["ties", "missing_query"]), st.sampled_from(["expected", "zero"]), max_size=2).map(
        lambda own: {name: value for name, value in own.items() if (name == "ties") == (value == "expected")}
    ),
)


@given(st.sampled_from(["as-given", "expected"]), OVERRIDES, st.sampled_from(["as-given", "expected"]), OVERRIDES)
def test_the_fingerprint_tells_contracts_apart(ties: str, own: dict, other_ties: str, other_own: dict) -> None:
    """Two contracts have one fingerprint exactly when no rule differs, for no measure."""
    one = Contract(ties=ties, overrides=tuple(own.items()))  # type: ignore[arg-type]
    other = Contract(ties=other_ties, overrides=tuple(other_own.items()))  # type: ignore[arg-type]
    same = all(
        left.for_measure(symbol, cut=cut, own={}) == right.for_measure(symbol, cut=cut, own={})
        for left, right in [(one, other)]
        for symbol in ("RR", "AP", "P")
        for cut in (False, True)
    )
    assert (one.fingerprint == other.fingerprint) == (one == other) == (not differences(one, other)) == same


def test_an_override_that_no_measure_reads_is_refused() -> None:
    """An unknown symbol, a measure with its cutoff, a rule that the measure never asks for: an error."""
    for overrides, message in [
        ({"ndgc": {"ties": "expected"}}, r"an override for 'ndgc', which is none; .*\n\nhint: nearest: nDCG"),
        ({"nDCG@10": {"gain": "exponential"}}, "an override for 'nDCG@10'"),
        ({"MRR": {"ties": "expected"}}, "an override for 'MRR'"),
        ({"Rprec@k": {"ties": "expected"}}, "an override for 'Rprec@k'"),
        ({"RR": {"gain": "exponential"}}, "the override for RR: RR never asks for gain"),
    ]:
        with pytest.raises(rp.ContractError, match=message):
            rp.evaluate({"q": {"a": 1}}, {"q": ["a"]}, ["RR"], {"overrides": overrides})


def test_a_changed_rule_goes_before_overrides() -> None:
    """What is asked for by name holds for every measure, also where the contract had an override."""
    given = Contract(overrides=(("RR", (("ties", "document-id-ascending"),)),))
    assert given.with_rules(ties="expected") == Contract(ties="expected")
    assert given.with_rules(ties="document-id-descending") == Contract()
    assert given.with_rules(ties="document-id-descending").name == "rankproof with ties=document-id-descending"
    tabled = Contract(overrides=(("nDCG", (("gain_table", "1:0.5,2:3"),)),))
    assert tabled.with_rules(gain="exponential") == Contract(gain="exponential")
    assert tabled.with_rules(depth=5).for_measure("nDCG", cut=False, own={}).gain == "table"


def test_toml_takes_any_name() -> None:
    """A name with an emoji, a quote or a control character reads back."""
    for name in ("🙂", 'say "so"', "tab\tdel\x7f"):
        given = dataclasses.replace(Contract(), name=name)
        assert rp.contract(tomllib.loads(to_toml(given))).name == name


def test_the_fingerprint_is_a_hash_of_what_is_written() -> None:
    """The fingerprint is the start of the SHA-256 of schema, rules and overrides as compact JSON with sorted keys.

    Rules that came later stand in it where they change something.
    """
    later = {"grade-map": [None], "subtopics": ["error", "ignored"], "roll-up": ["none"], "chunk-separator": ["#"]}
    changed = [Contract(roll_up="max"), Contract(chunk_separator="::"), Contract(subtopics="any")]
    for contract in (*(preset.contract for preset in PRESETS.values()), *changed, Contract(grade_map={1: 4})):  # type: ignore[arg-type]
        written = contract.to_dict()
        rules = {name: value for name, value in written["rules"].items() if value not in later.get(name, [])}
        hashed = {"schema": written["schema"], "rules": rules, "overrides": written["overrides"]}
        text = json.dumps(hashed, sort_keys=True, separators=(",", ":"))
        assert contract.fingerprint == hashlib.sha256(text.encode()).hexdigest()[:12]


def test_fingerprints_that_stand_in_results_do_not_change() -> None:
    """A fingerprint made once is compared for ever: these change only with the schema."""
    assert PRESETS["rankproof"].contract.fingerprint == "9bc7356a0d95"
    assert PRESETS["trec_eval-10"].contract.fingerprint == "65948838e0b8"


def test_a_contract_cannot_change() -> None:
    """Contracts are frozen, keyword-only, and refuse what a rule does not have."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Contract().gain = "binary"  # type: ignore[misc]
    with pytest.raises(TypeError):
        Contract("hash")  # type: ignore[misc]
    with pytest.raises(rp.ContractError, match="ties cannot be 'random'; expected one of document-id-descending"):
        Contract(ties="random")  # type: ignore[arg-type]


def test_choices_are_those_of_the_types() -> None:
    """The meanings of a rule list exactly the answers that its type allows."""
    hints = get_type_hints(Contract)
    for name, rule in rules().items():
        if rule.kind == "choice":
            assert list(rule.means) == list(get_args(hints[name])), name
        assert rule.question.endswith(("?", ")")), name


def test_numbers_have_one_form() -> None:
    """relevant-from 2 and 2.0 are one rule; a spelling reads like a number."""
    assert Contract(relevant_from=2).fingerprint == Contract(relevant_from=2.0).fingerprint
    assert rp.contract(relevant_from="2", depth="none").relevant_from == 2.0
    assert rp.contract(gain="table", gain_table="1:0.5,2:1").gain_table == ((1.0, 0.5), (2.0, 1.0))


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("relevant_from", "0"),
        ("relevant_from", "nan"),
        ("relevant_from", True),
        ("relevant_from", "1_0"),
        ("depth", 0),
        ("depth", 1.5),
        ("depth", "x"),
        ("gain_table", "1"),
        ("gain_table", "1:2,1:3"),
        ("gain_table", "1:-1"),
        ("gain_table", 3),
        ("gain", ["linear"]),
    ],
)
def test_numbers_and_tables_are_checked(rule: str, value: object) -> None:
    """A value that a rule cannot have is refused with the rule's name and what it takes."""
    with pytest.raises(rp.ContractError, match=f"{rule.replace('_', '-')} cannot be .*; expected"):
        rp.contract(**{rule: value})


def test_gain_table_and_gain_go_together() -> None:
    """A table implies gain = table, another gain drops the table; gain = table alone is refused, by name."""
    with pytest.raises(rp.ContractError, match="gain = table and gain-table go together"):
        rp.contract(gain="table")
    tabled = rp.contract(gain_table="1:5")
    assert tabled.gain == "table"
    assert tabled.with_rules(gain="linear") == rp.contract()
    qrels, run = {"q": {"a": 1, "b": 2}}, {"q": ["a"]}
    found = rp.evaluate(qrels, run, ["CG", "CG(gain=exponential)", "CG(gain-table={1:7})"], tabled)
    assert list(found.means.values()) == [5, 1, 7]
    with pytest.raises(rp.MeasureError, match=r"CG\(gain=table\): gain = table and gain-table go together"):
        rp.evaluate(qrels, run, ["CG(gain=table)"])
    with pytest.raises(rp.ContractError, match="the override for nDCG: gain = table and gain-table go together"):
        rp.contract({"overrides": {"nDCG": {"gain": "table"}}})


def test_differences_name_rules_and_overrides() -> None:
    """What differs is named with both values; an override is compared with the rule that would hold without it."""
    one = Contract(ties="expected")
    other = Contract(overrides=(("RR@k", (("ties", "document-id-ascending"), ("missing_query", "zero"))),))
    assert differences(one, other) == {
        "ties": ("expected", "document-id-descending"),
        "RR@k: ties": ("expected", "document-id-ascending"),
    }


def test_overrides_hold_for_their_measure() -> None:
    """`RR@k` holds for RR with a cutoff, `RR` for every RR; the measure's own rules come last."""
    given = Contract(
        overrides=(
            ("RR", (("ties", "document-id-ascending"),)),
            ("RR@k", (("ties", "expected"),)),
        )
    )
    run, qrels = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 1}}
    found = rp.evaluate(qrels, run, ["RR", "RR@5", "RR(ties=document-id-descending)@5", "AP"], given)
    assert list(found.means.values()) == [1.0, 0.75, 0.5, 0.5]


def test_a_reading_rule_cannot_be_overridden() -> None:
    """Files are read once: no measure can have its own rule for reading them."""
    with pytest.raises(rp.ContractError, match="comments acts when files are read"):
        Contract(overrides=(("RR", (("comments", "none"),)),))


def test_contract_files(tmp_path: Path) -> None:
    """A TOML file may start from a preset; what is wrong with a file is said with its name."""
    file = tmp_path / "ours.toml"
    file.write_text('preset = "trec_eval-10"\nname = "ours"\n[rules]\nties = "expected"\n')
    found = rp.contract(file)
    assert found == rp.contract("trec_eval-10", ties="expected")
    assert found.name == "ours"
    for text, message in [
        ("ties = 'expected'", "unknown key 'ties'; expected preset, name"),
        ("[rules]\ntie = 1", "there is no rule 'tie'"),
        ("[rules", "is not TOML"),
        ("schema = 9", "has schema 9; expected schema 1"),
        ("rules = 3", "rules and overrides are tables"),
        ("fingerprint = 'abc'", "the fingerprint is not that of these rules"),
        ("[overrides]\nRR = 1", "the override for RR is 1; expected rules, answered"),
        ("[overrides]\nRR = 'abc'", "the override for RR is 'abc'; expected rules, answered"),
        ("preset = 'ours.toml'", "there is no preset 'ours.toml'"),
        (f"[rules]\nrelevant-from = 1{'0' * 400}", "relevant-from cannot be 1000"),
        ("[rules]\nrelevant-from = 1\nrelevant_from = 2", "relevant-from is given twice"),
    ]:
        file.write_text(text)
        with pytest.raises(rp.ContractError, match=message) as refused:
            rp.contract(file)
        assert str(file) in str(refused.value)
    file = tmp_path / "list.json"
    for text, message in [
        ("[]", "is not a table of rules"),
        ('{"rules": {}, "rules": {}}', "is not JSON: a key comes twice among rules, rules"),
        ("[" * 100_000, "is not JSON"),
    ]:
        file.write_text(text)
        with pytest.raises(rp.ContractError, match=message):
            rp.contract(file)
    with pytest.raises(rp.ContractError, match="cannot be read: No such file"):
        rp.contract(tmp_path / "absent.json")


def test_rules_of_options() -> None:
    """--rule takes either spelling; without an = it is refused."""
    assert read_rules(["ties=expected", "relevant_from=2"]) == {"ties": "expected", "relevant_from": "2"}
    with pytest.raises(rp.ContractError, match="'ties' sets no rule; expected rule=value"):
        read_rules(["ties"])
    with pytest.raises(rp.ContractError, match="ties is given twice"):
        read_rules(["ties=expected", "ties=as-given"])


@pytest.mark.parametrize(
    ("given_contract", "message"),
    [
        (5, "5 is no contract"),
        (None, "None is no contract"),
        ({"preset": ["a"]}, r"there is no preset \['a'\]"),
        ({"overrides": {"RR": [[1, 2]]}}, "there is no rule '?1"),
        ({"rules": {1: 2}}, "there is no rule '?1"),
        ({"rules": {"gain-table": {"1": 1e300}}}, "gain-table cannot be"),
    ],
)
def test_what_is_no_contract(given_contract: object, message: str) -> None:
    """What cannot be read as a contract is refused by name."""
    with pytest.raises(rp.ContractError, match=message):
        rp.contract(given_contract)  # type: ignore[arg-type]


def test_minus_zero_is_zero() -> None:
    """A gain of -0.0 is one of 0."""
    assert rp.contract(gain_table={1: -0.0}).fingerprint == rp.contract(gain_table={1: 0.0}).fingerprint


def test_unknown_contract_answers_with_the_nearest() -> None:
    """A mistyped preset gets the three nearest names."""
    with pytest.raises(rp.ContractError, match="nearest: trec_eval-10, trec_eval-9, pytrec_eval"):
        rp.contract("treceval-10")


def test_a_changed_contract_says_so() -> None:
    """The name of a contract with changed rules names them; unchanged rules change nothing."""
    assert rp.contract("textbook", ties="expected", depth=None).name == "textbook with ties=expected"
    assert rp.contract("textbook", ties="as-given") is PRESETS["textbook"].contract


def test_a_contract_shows_what_is_its_own() -> None:
    """The repr has the name, the fingerprint, and only what differs from the house preset."""
    given = dataclasses.replace(rp.contract("closed-corpus"), overrides=(("RR", (("order", "rank"),)),), name="mine")
    shown = f"<Contract mine ({given.fingerprint}) ties=document-id-ascending gain=exponential RR: order=rank>"
    assert repr(given) == shown


def test_presets_say_where_they_come_from() -> None:
    """Each preset has a version, a source and how it was verified."""
    assert [preset.name for preset in rp.contracts()] == [
        "rankproof",
        "textbook",
        "closed-corpus",
        "rag-ranking-metrics-v2",
        "teaching",
        "trec_eval-9",
        "trec_eval-9-complete",
        "trec_eval-10",
        "trec_eval-10-complete",
        "pytrec_eval",
        *("ranx", "ir_measures", "beir", "mteb", "scikit-learn", "torchmetrics", "ragas"),
        *("elasticsearch", "opensearch", "quepid", "ms-marco"),
    ]
    assert all(preset.version and preset.source and preset.verified for preset in rp.contracts())
