"""Korean: every rule and answer has its words, and the fixed heads of tables theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

import rankproof as rp
from rankproof.answers import Rule, kebab
from rankproof.compare import telling_boards
from rankproof.contract import Contract
from rankproof.errors import ContractError
from rankproof.presets import PRESETS
from rankproof.report.blocks import Page, Section
from rankproof.report.korean import KOREAN, contract_words, override_words, question_of, says_of
from rankproof.report.page import as_html
from rankproof.report.sections import runs_table
from rankproof.report.values import query_tables
from rankproof.rerank.telling import reranking_tables
from rankproof.rules import rules
from rankproof.similarity import similarities
from rankproof.tables import Table
from rankproof.words import Words, term

HANGUL = re.compile("[가-힣]")


def gaps(known: Mapping[str, Rule]) -> Iterator[str]:
    """Yield what Korean lacks, or has too much, for these rules."""
    for name, rule in known.items():
        if name not in KOREAN:
            yield f"rule {kebab(name)} has no Korean: add it to KOREAN in report/korean.py"
            continue
        named = {"choice": set(rule.means), "number": set(), "text": set()}.get(rule.kind, {"none"})
        found = set(KOREAN[name].means)
        yield from (f"answer {answer} of {kebab(name)} has no Korean" for answer in sorted(named - found))
        yield from (f"{kebab(name)} has no answer {answer}, but Korean for it" for answer in sorted(found - named))
        if (rule.kind != "choice") != ("{answer}" in KOREAN[name].other):
            yield f"{kebab(name)} needs a sentence with {{answer}} exactly if its answers are numbers or tables"
    yield from (f"there is no rule {kebab(name)}, but Korean for it" for name in KOREAN if name not in known)


def is_korean(words: Words) -> bool:
    """Return whether the Korean is Korean, and all of it was filled in."""
    return bool(HANGUL.search(words.ko)) and words.en != words.ko and not set("{}") & set(words.ko)


def test_every_rule_and_answer_has_korean() -> None:
    """KOREAN holds the rules and answers that the table of rules holds, no fewer and no more."""
    assert list(gaps(rules())) == []


def test_a_rule_without_korean_is_named() -> None:
    """A new rule, and a new answer to an old one, are each named with what is missing."""
    newer = Rule("Which?", "value", "choice", {**rules()["ideal"].means, "other": "another one"})
    assert list(gaps({**rules(), "newer": newer})) == ["rule newer has no Korean: add it to KOREAN in report/korean.py"]
    assert list(gaps({**rules(), "ideal": newer})) == ["answer other of ideal has no Korean"]
    assert list(gaps({name: rule for name, rule in rules().items() if name != "ideal"})) == [
        "there is no rule ideal, but Korean for it"
    ]


SAMPLES = {
    "depth": ["none", 7],
    "relevant_from": [2.0, "0.5"],
    "gain_table": [None, ((1.0, 0.5), (2.0, 1.0))],
    "grade_map": [None, ((1.0, 4.0), (4.0, 1.0))],
    "chunk_separator": ["#", "::"],
}


@pytest.mark.parametrize("name", rules())
def test_words_of_a_rule(name: str) -> None:
    """The English is the rule's own; the Korean holds Hangul, is another text, and tells the answers apart."""
    rule = rules()[name]
    assert question_of(name) == question_of(kebab(name))
    assert question_of(name).en == rule.question
    assert is_korean(question_of(name))
    answers = SAMPLES.get(name, list(rule.means))
    words = [says_of(name, answer) for answer in answers]
    assert [one.en for one in words] == [rule.says(rule.checked(name, answer)) for answer in answers]
    assert all(map(is_korean, words))
    assert len({one.ko for one in words}) == len(answers)


def test_numbers_and_tables_stand_in_the_sentence() -> None:
    """What a number or a table is stands in the Korean as an option spells it."""
    assert "7" in says_of("depth", 7).ko
    assert "0.5" in says_of("relevant-from", 0.5).ko
    assert "1:0.5,2:1" in says_of("gain-table", {1: 0.5, 2: 1}).ko


def test_what_no_rule_has_is_refused() -> None:
    """An unknown rule and an answer that its rule lacks are errors, as everywhere."""
    with pytest.raises(ContractError, match="there is no rule 'tie'"):
        question_of("tie")
    with pytest.raises(ContractError, match="ties cannot be 'random'"):
        says_of("ties", "random")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_renders(name: str) -> None:
    """A preset's table has a row a rule, in both languages, and stands in a page."""
    contract = rp.contract(name)
    table = contract_words(contract)
    assert [row[0] for row in table.rows] == [kebab(rule) for rule in rules()]
    assert all(isinstance(cell, Words) and is_korean(cell) for row in table.rows for cell in row[2:])
    assert contract.fingerprint in str(table.title)
    own = override_words(contract)
    rows = own.rows if own else []
    assert [row[0] for row in rows] == [on for on, answers in contract.overrides for _ in answers]
    assert all(isinstance(row[3], Words) and is_korean(row[3]) for row in rows)
    page = as_html(Page(Words("contract", "계약"), [Section(Words("rules", "규칙"), [table])]))
    assert page.count("입력을 거부합니다") == sum("the input is refused" in str(row[3]) for row in table.rows)


def test_overrides_have_their_own_table() -> None:
    """What holds for single measures stands in a second table, a row an answer."""
    contract = Contract(overrides=(("RR", (("ties", "expected"),)), ("RR@k", (("order", "rank"),))))
    table = override_words(contract)
    assert table is not None
    assert [row[:3] for row in table.rows] == [["RR", "ties", "expected"], ["RR@k", "order", "rank"]]
    assert [row[3] for row in table.rows] == [says_of("ties", "expected"), says_of("order", "rank")]
    assert is_korean(term(str(table.title)))


QRELS = {f"q{at}": {"a": 1, "b": 0} for at in range(6)}
RUNS = {name: {q: {"a": 1.0, "b": float(at)} for q in QRELS} for at, name in enumerate(("r0", "r1", "r2"))}
AS_THEY_ARE = {
    "p",
    "p (t)",
    "p (sign)",
    "d_z",
    "tau-b",
    "tau-AP",
    "tau-AP-b",
    "RBO(p=0.9)",
    "",
    "P@1",
    "RR",
    "run#2",
    *RUNS,
}
"""Symbols, measures and the names of runs."""


def shown_tables() -> Iterator[Table]:
    """Yield the tables of each kind of result that a report shows."""
    measures, pair = ["P@1", "RR"], (RUNS["r0"], RUNS["r2"])
    found = rp.compare(QRELS, RUNS["r0"], RUNS, measures, tests=["t", "sign"], margin=0.01, resamples=100)
    yield from found.tables()
    board = rp.leaderboard(QRELS, RUNS, measures, permutations=100, resamples=100)
    yield from (*board.tables(), telling_boards.orders_table(board))
    yield from rp.gate(QRELS, *pair, ["P@1 drop<=0.1"], resamples=100).tables()
    yield from reranking_tables(rp.rerank(QRELS, *pair, measures), per_query=True, moves=True)
    yield from rp.diff(QRELS, *pair, "P@1").tables()
    for runs in (RUNS, {name: RUNS[name] for name in ("r0", "r2")}):
        yield from similarities(runs).tables(per_query=True)
    values = rp.evaluate(QRELS, RUNS, measures)
    yield from (runs_table(list(values.values())), *query_tables(values))


def test_heads_and_titles_are_korean() -> None:
    """Every head and title of a result has Korean, but for symbols, measures and the names of runs."""
    heads = {text for table in shown_tables() for text in (*table.header, table.title or "")}
    assert sorted(head for head in heads - AS_THEY_ARE if not is_korean(term(head))) == []


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("95 % interval", "95 % 구간"),
        ("99.9 % interval", "99.9 % 구간"),
        ("nDCG@10, per query", "nDCG@10, 질의별"),
        ("AP, left bm25, right dense", "AP, 왼쪽 bm25, 오른쪽 dense"),
        ("query q1 (how high?): rose", "질의 q1 (how high?): 오름"),
        ("overlap@10", "겹침@10"),
        ("my run {0}, per query", "my run {0}, 질의별"),
        ("my run", "my run"),
        ("interval", "interval"),
        ("{}", "{}"),
    ],
)
def test_heads_around_a_number_or_name(head: str, says: str) -> None:
    """A number or a name stays as it is within the Korean around it; what is not known stays whole."""
    assert term(head) == (head, says)
