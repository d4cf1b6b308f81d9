"""The audit of splits: every planted leak is found, and nothing else."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import fsum
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.errors import ContractError, InputError, MissingPackageError
from rankproof.splits import KINDS, Leakage
from rankproof.splits.contrast import welch
from rankproof.splits.groups import joined
from rankproof.splits.leaks import LINKS
from rankproof.splits.near import (
    HASHES,
    RECALL,
    Wording,
    bands_of,
    near_pairs,
    normal_form,
    recall,
    tokens_of,
    wording_of,
)
from rankproof.splits.tuned import ids_in
from rankproof.words import Words, term

close = pytest.approx

# ---- a generated set: clean, or with leaks planted in it

SYLLABLES = [chr(code) for code in range(0xAC00, 0xD7A3, 61)]
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
COMMON = {"ko": ("기준", "안전은 무엇인가요"), "en": ("safety", "what is the rule of the")}
"""Words that many queries share, as they do in life: a domain's, and those that hold a question together."""


@dataclass
class Made:
    """Splits, documents, judgments and a tuned file, and the query ids of each planted leak, by kind."""

    splits: dict[str, dict[str, dict[str, str]]]
    corpus: dict[str, str]
    qrels: dict[str, dict[str, int]]
    tuned: dict[str, dict[str, int]]
    planted: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)

    def audit(self, **options: object) -> Leakage:
        given_ = {"corpus": self.corpus, "qrels": self.qrels, "tuned_on": self.tuned, **options}
        return rp.leakage(self.splits, **given_)


class Language:
    """Words of a made-up vocabulary, each given out once."""

    def __init__(self, name: str, draw: Random) -> None:
        self.name = name
        self._draw = draw
        self._used: set[str] = set()

    def word(self) -> str:
        while True:
            if self.name == "ko":
                word = "".join(self._draw.choices(SYLLABLES, k=self._draw.choice([2, 2, 3])))
            else:
                parts = self._draw.choice([2, 3])
                word = "".join(self._draw.choice(CONSONANTS) + self._draw.choice(VOWELS) for _ in range(parts))
            if word not in self._used:
                self._used.add(word)
                return word

    def query(self) -> str:
        """Two or three words of its own, and often one that others have too."""
        words = [self.word() for _ in range(self._draw.choice([2, 3, 3]))]
        common = self._draw.choice(["", "", *COMMON[self.name]])
        return " ".join(filter(None, [common, *words] if self.name == "en" else [*words, common]))


def made(language: str, seed: int, leaks: int = 0, families: int = 30) -> Made:
    """Return a set of families over three splits; with `leaks` as many of each kind, in queries of their own."""
    draw = Random(f"{language} {seed}")
    spoken = Language(language, draw)
    splits: dict[str, dict[str, dict[str, str]]] = {"train": {}, "dev": {}, "test": {}}
    corpus: dict[str, str] = {}
    qrels: dict[str, dict[str, int]] = {}
    for at in range(families):
        split = draw.choice(["train", "train", "dev", "test"])
        for copy in range(draw.choice([1, 2])):
            query = f"{split}-{at}-{copy}"
            splits[split][query] = {"text": spoken.query(), "family": f"family {at}"}
            qrels[query] = {f"d{at}": draw.choice([1, 2]), "d-common": 0}
        corpus[f"d{at}"] = f"{spoken.query()} {spoken.query()}"
    tuned = {query: qrels[query] for split in ("train", "dev") for query in splits[split]}
    found = Made(splits, corpus, qrels, tuned)
    for kind in KINDS if leaks else ():
        found.planted[kind] = {_plant(found, kind, at, spoken, draw) for at in range(leaks)}
    return found


def _plant(given_: Made, kind: str, at: int, spoken: Language, draw: Random) -> tuple[str, ...]:
    """Add two queries, one of the test, that share nothing but what the kind says; return their ids."""
    other, one, two = draw.choice(["train", "dev"]), f"{kind}-{at}-test", f"{kind}-{at}-other"
    words = [spoken.word() for _ in range(3)]
    text = {"test": " ".join(words), other: " ".join(spoken.word() for _ in range(3))}
    family = {"test": f"planted {kind} {at}", other: f"planted {kind} {at} other"}
    if kind == "same-id":
        two = one
    elif kind == "family":
        family[other] = family["test"]
    elif kind == "same-text":
        text[other] = draw.choice(["  {}?", "“{}”", "{}  !"]).format(text["test"].upper().replace(" ", "-"))
    elif kind == "near-text":
        text[other] = draw.choice([f"{text['test']} {spoken.word()}", " ".join(reversed(words)), " ".join(words[:2])])
    given_.splits["test"][one] = {"text": text["test"], "family": family["test"]}
    given_.splits[other][two] = {"text": text[other], "family": family[other]}
    if kind == "same-id":  # one id has one family and one set of judgments
        given_.splits[other][two]["family"] = family["test"]
        return (one,)
    given_.qrels[one], given_.qrels[two] = {f"{one} doc": 1}, {f"{two} doc": 1}
    given_.tuned[two] = {}
    if kind == "shared-document":
        given_.qrels[two][f"{one} doc"] = 2
    elif kind == "document-text":
        given_.corpus[f"{one} doc"] = draw.choice(["{}.", "«{}»", "{}"]).format(" ".join(words))
        return (one,)
    elif kind == "tuning":
        given_.tuned[one] = {"x": 1}
        return (one,)
    return (one, two)


def pairs_of(found: Leakage, kind: str) -> set[tuple[str, ...]]:
    """The query ids of each leak, as `made` names them."""
    places = [*found.sizes]
    return {
        tuple(dict.fromkeys(side.id for side in leak.sides if side.place in places)) for leak in found.kinds[kind].leaks
    }


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_found_in_a_clean_set(language: str, seed: int) -> None:
    """Queries that share a domain's words and the frame of a question are no leak."""
    found = made(language, seed).audit()
    assert {kind: pairs_of(found, kind) for kind in found.found} == {}
    assert found.touched == []
    assert not found.fails("any")
    assert not found.fails(",".join(KINDS))


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("seed", range(12))
def test_every_planted_leak_is_found(language: str, seed: int) -> None:
    """Of each kind exactly the planted leaks are found: none is missed, none is added."""
    given_ = made(language, seed, leaks=4)
    found = given_.audit()
    assert {kind: pairs_of(found, kind) for kind in KINDS} == given_.planted
    assert all(found.fails(kind) for kind in KINDS)
    touched = {ids[0] for kind in given_.planted.values() for ids in kind}
    assert set(found.touched) == touched
    for kind in found.kinds.values():
        assert len(kind.test_queries) == 4
        assert all(leak.sides[0].place == "test" for leak in kind.leaks)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_minhash_finds_the_same(language: str) -> None:
    """MinHash finds the near texts that comparing all does, in a set where none is right at the threshold."""
    given_ = made(language, 3, leaks=6)
    exact, hashed = (given_.audit(near_by=road) for road in ("exact", "minhash"))
    assert hashed.kinds["near-text"].leaks == exact.kinds["near-text"].leaks


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("seed", range(5))
def test_what_is_found_can_be_mended(language: str, seed: int) -> None:
    """Split again by the families of the audit, no leak of the kinds that join them is left."""
    given_ = made(language, seed, leaks=3)
    before = given_.audit()
    rows = {query: row for part in given_.splits.values() for query, row in part.items()}
    families = before.families()
    for again in (seed, seed + 1):
        mended = rp.split_queries(rows, families=families, seed=again, quota=True)
        after = rp.leakage(mended, families=families, qrels=given_.qrels)
        assert [kind for kind in after.found if kind in LINKS] == []
        by_name = rp.leakage(mended, qrels=given_.qrels)  # by the records' own families too
        assert [kind for kind in by_name.found if kind in LINKS] == []


def test_leaks_between_other_splits_are_told_too() -> None:
    """A family in train and dev is a leak that touches no test query."""
    splits = {"train": {"a": {"text": "one", "family": "f"}}, "dev": {"b": {"text": "two", "family": "f"}}}
    found = rp.leakage({**splits, "test": {"c": {"text": "three", "family": "g"}}})
    assert pairs_of(found, "family") == {("a", "b")}
    assert found.kinds["family"].test_queries == []
    assert found.fails("family")


def test_a_leak_over_three_splits_is_one() -> None:
    """What stands in three splits is one leak with three sides; the example shows the test query first."""
    found = rp.leakage({name: {f"{name}-1": "같은 질의"} for name in ("train", "dev", "test")})
    (leak,) = found.kinds["same-text"].leaks
    assert [side.place for side in leak.sides] == ["test", "train", "dev"]
    assert [side.id for side in leak.example] == ["test-1", "train-1"]


def test_ids_that_begin_anew_in_each_file_are_told_apart() -> None:
    """Where each split counts its queries from 0, families and texts are still those of each record."""
    splits = {
        "train": {"0": {"text": "one", "family": "f"}, "1": {"text": "two", "family": "g"}},
        "test": {"0": {"text": "three", "family": "h"}, "1": {"text": "four", "family": "f"}},
    }
    found = rp.leakage(splits)
    assert pairs_of(found, "same-id") == {("0",), ("1",)}
    assert [[(side.place, side.id) for side in leak.sides] for leak in found.kinds["family"].leaks] == [
        [("test", "1"), ("train", "0")]
    ]
    assert found.found == ["same-id", "family"]


# ---- wording

SAME = [
    ("산소 농도 적정공기", "산소농도 적정공기?"),
    ("Guard-rail HEIGHT", "guard rail height"),
    ("①번 출구", "1번출구!"),
    ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
    ("straße", "STRASSE"),
    ("\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국"),
    ("zero\u200bwidth", "zerowidth"),
]
OTHER = [
    ("산소 18.5 %", "산소 185"),
    ("1 0", "10"),
    ("c++", "c"),
    ("क", "कि"),
    ("제5-3조", "제53조"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_that_are_the_same(one: str, other: str) -> None:
    """Case, width, white space and punctuation do not make another text."""
    assert wording_of(one).normal == wording_of(other).normal != ""


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_texts_that_are_not(one: str, other: str) -> None:
    """What parts two numbers, a symbol and a vowel sign do."""
    assert wording_of(one).normal != wording_of(other).normal


@given(st.text("ab 1.가-é", max_size=10))
def test_a_normal_form_is_its_own(text: str) -> None:
    """The normal form of a normal form is itself, and holds no white space but between digits."""
    normal = normal_form(tokens_of(text))
    assert normal_form(tokens_of(normal)) == normal
    assert all(
        left.isdigit() and right.isdigit()
        for left, mid, right in zip(normal, normal[1:], normal[2:], strict=False)
        if mid == " "
    )


def test_function_words_alone_are_compared_as_they_are() -> None:
    """A text of nothing but function words keeps them; a text without letters has no wording."""
    assert wording_of("what is it").words == {"what", "is", "it"}
    assert wording_of("?! …") == Wording("", frozenset(), frozenset())
    found = rp.leakage({"train": {"a": "?!", "b": "…"}, "test": {"c": "?!", "d": "x"}})
    assert found.found == []
    assert any("3 queries without a letter or digit" in note for note in found.notes())


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0


WORDS = st.lists(st.sampled_from(["a1", "b2", "c3", "d4", "가나", "나다", "가나다", "라마바"]), max_size=6)


@given(st.lists(WORDS, max_size=9), st.sampled_from([0.2, 0.5, 0.6, 2 / 3, 1.0]), st.sampled_from([0.4, 0.7, 1.0]))
def test_near_texts_are_those_that_comparing_all_pairs_finds(texts: list, words: float, grams: float) -> None:
    """The index finds each pair whose words or character pairs reach the threshold, and no other."""
    given_ = [wording_of(" ".join(text)) for text in texts]
    expected = {
        (first, second): max(jaccard(one.words, other.words) >= words, 0)
        for (second, other), (first, one) in combinations(enumerate(given_), 2)
        if one.normal != other.normal
        and (jaccard(one.words, other.words) >= words or jaccard(one.grams, other.grams) >= grams)
    }
    found = near_pairs(given_, words, grams, "exact")
    assert {(pair.first, pair.second): pair.by == "words" for pair in found} == expected
    for pair in found:
        features = "words" if pair.by == "words" else "grams"
        assert pair.similarity == jaccard(*(getattr(given_[at], features) for at in (pair.first, pair.second)))


@given(st.lists(WORDS, max_size=9))
@settings(max_examples=25)
def test_minhash_adds_nothing(texts: list) -> None:
    """Every pair that MinHash finds is one that comparing all pairs finds."""
    given_ = [wording_of(" ".join(text)) for text in texts]
    assert {*near_pairs(given_, 0.5, 0.6, "minhash")} <= {*near_pairs(given_, 0.5, 0.6, "exact")}


def test_minhash_finds_what_it_says() -> None:
    """Of 600 pairs right at the threshold it finds the stated share, within five standard deviations."""
    texts = []
    for at in range(600):
        shared = [f"s{at}x{n}" for n in range(4)]
        texts += [
            wording_of(" ".join([*shared, f"l{at}a", f"l{at}b"])),
            wording_of(" ".join([*shared, f"r{at}a", f"r{at}b"])),
        ]
    sure = recall(0.5, *bands_of(0.5))
    found = near_pairs(texts, 0.5, 0.6, "minhash")
    assert all(pair.similarity == 0.5 for pair in found)
    assert len(found) >= 600 * sure - 5 * (600 * sure * (1 - sure)) ** 0.5 - 1
    for threshold in (0.1, 0.3, 0.5, 0.6, 0.9, 1.0):
        bands, rows = bands_of(threshold)
        assert bands * rows <= HASHES
        assert rows == 1 or recall(threshold, bands, rows) >= RECALL


def test_the_measured_pairs_of_short_korean_queries(data) -> None:
    """Of twelve published queries with three variants each, all 72 pairs of a family are near, and no other."""
    lines = (data / "ko-osh-rules/queries.jsonl").read_text("utf-8").splitlines()
    for seed in range(5):
        varied = rp.variants(map(json.loads, lines), 3, seed)
        found = near_pairs([wording_of(one["text"]) for one in varied], 0.5, 0.6, "exact")
        assert len(found) == 72
        assert all(varied[pair.first]["family"] == varied[pair.second]["family"] for pair in found)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("산소농도 측정방법", "산소농도는 측정방법이", True),  # particles: no word in common, 6 of 10 pairs
        ("비상구 설치", "비상구의 설치는", False),  # 3 of 7 pairs: a short text changes more
        ("산소 농도 적정공기", "산소 농도", True),
        ("감압의 속도", "가압의 온도", False),
        ("what is the height of a rail", "what is the height of a door", False),  # 1 of 3 but for function words
        ("guard rail height", "guard rail heights", True),
        ("guard rail", "guard dog", False),
    ],
)
def test_near_or_not(one: str, other: str, near: bool) -> None:
    """Single texts, by hand."""
    assert bool(near_pairs([wording_of(one), wording_of(other)], 0.5, 0.6, "exact")) is near


def test_minhash_needs_its_package(monkeypatch) -> None:
    """Without datasketch the road of MinHash says what to install; comparing all needs nothing."""
    monkeypatch.setitem(sys.modules, "datasketch", None)
    splits = {"train": {"a": "x y z"}, "test": {"b": "x y"}}
    with pytest.raises(MissingPackageError, match=r'hint: pip install "rankproof\[leakage\]", or --near-by exact'):
        rp.leakage(splits, near_by="minhash")
    assert rp.leakage(splits).found == ["near-text"]


# ---- groups


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=8))
def test_groups_are_what_links_connect(links: list[tuple[str, str]]) -> None:
    """Two are in one group if a chain of links joins them, whatever their order; the lowest id names it."""
    reach = {one: {one} for one in "abcdef"}
    for _ in range(6):
        for one, other in links:
            both = reach[one] | reach[other]
            for member in both:
                reach[member] |= both
    assert joined("fedcba", links) == {one: min(reach[one]) for one in "fedcba"}


def test_families_join_by_the_kinds_asked_for() -> None:
    """A chain of family, near text and shared document is one group; by family alone it is not."""
    splits = {
        "train": {"a": {"text": "x y", "family": "f"}, "b": {"text": "u v", "family": "f"}},
        "test": {
            "c": {"text": "u v w", "family": "g"},
            "d": {"text": "z", "family": "h"},
            "e": {"text": "q", "family": "i"},
        },
    }
    found = rp.leakage(splits, qrels={"c": {"doc": 1}, "d": {"doc": 1, "x": 0}, "e": {"x": 1}})
    assert found.families() == {"c": "a", "d": "a", "e": "e", "a": "a", "b": "a"}
    assert found.families("family, near-text") == {"c": "a", "d": "d", "e": "e", "a": "a", "b": "a"}
    assert found.families(["family"]) == {"c": "c", "d": "d", "e": "e", "a": "a", "b": "a"}
    with pytest.raises(InputError, match="no such kind of leak: tuning; expected some of family, same-text"):
        found.families(["tuning"])


# ---- what was tuned on


@pytest.mark.parametrize(
    "content",
    [
        "q1 0 d 1\nq2 0 d 0\n",
        "q1\t0\td\t1\nq2\t0\td\t0\n",
        "q1 Q0 d 1 9.5 tag\nq2 Q0 d 2 9 tag\n",
        "query-id\tcorpus-id\tscore\nq1\td\t1\nq2\td\t1\n",
        '{"q1": {"d": 1}, "q2": {"d": 2}}',
        '{"q1": ["d"], "q2": []}',
        '{"_id": "q1", "text": "a"}\n{"_id": "q2", "text": "b"}\n',
        '{"text": "a", "query_id": "q1"}\n{"text": "a", "query_id": "q2"}\n',
        '[{"_id": "q1"}, {"_id": "q2"}]',
        '[["q1", "d", 1], ["q2", "d", 1]]',
        '["q1", "q2"]',
        "query_id,text\nq1,a\nq2,b\n",
        "q1\tone two three\nq2\tfour\n",
        "<top><num>q1<title>a</top>\n<top><num>q2<title>b</top>\n",
        # tables that name documents too
        "qid,docid,rel\nq1,d1,1\nq2,d2,0\n",
        "doc_id,query_id,grade\nd1,q1,1\nd2,q2,0\n",
        "qid\tdocid\trel\nq1\td1\t1\nq2\td2\t0\n",
        "query_id\tdoc_id\tgrade\tquery\ttitle\ttext\nq1\td1\t\ta b\t\t\nq2\td2\t\tc\t\td e\n",
        '"query_id","doc_id","grade"\n"q1","d1",""\n"q2","d2",""\n',
        "query_id,impression,rank,doc_id,team,method,k,seed\nq1,1,1,d1,a,team-draft,10,1\nq2,1,1,d2,b,team-draft,10,1\n",
        '{"query_id": "q1", "doc_id": "d1", "relevance": 1}\n{"query_id": "q2", "doc_id": "d1", "relevance": 0}\n',
        '{"_id": "j1", "qid": "q1", "docid": "d1"}\n{"_id": "j2", "qid": "q2", "docid": "d1"}\n',
        '[{"id": 1, "query_id": "q1", "doc_id": "d1"}, {"id": 2, "query_id": "q2", "doc_id": "d1"}]',
    ],
)
def test_query_ids_of_a_tuned_file(tmp_path, content: str) -> None:
    """Judgments, runs and queries, in each of their forms, give their query ids."""
    (tmp_path / "tuned").write_text(content)
    assert ids_in(tmp_path / "tuned") == (str(tmp_path / "tuned"), {"q1", "q2"})
    found = rp.leakage({"test": {"q1": "a", "q3": "b"}}, tuned_on=tmp_path / "tuned")
    assert [leak.sides[0].id for leak in found.kinds["tuning"].leaks] == ["q1"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"_id": "q1"}\nnonsense\n', "tuned:2: is no JSON object"),
        ('{"q1": ', "is not JSON"),
        ('[{"text": "a"}]', "column _id: id None"),
        ("", "holds no records"),
        ("doc_id,text\nq1,a\n", "expected one of _id, query_id"),
        ('{"schema": 1, "command": "pool", "documents": []}', "holds no rows by query id"),
        ('{"k1": 0.9, "b": 0.4}', "holds no rows by query id"),
    ],
)
def test_a_tuned_file_that_cannot_be_read(tmp_path, content: str, says: str) -> None:
    """An error names file and line."""
    (tmp_path / "tuned").write_text(content)
    with pytest.raises(InputError, match=says):
        ids_in(tmp_path / "tuned")
    with pytest.raises(InputError, match="3 holds no query ids"):
        ids_in(3)


def test_pooled_rows_that_were_tuned_on(tmp_path) -> None:
    """The rows of `pool`, in each of their forms, name the queries that were tuned on."""
    pooled = rp.pool({"q1": ["d1", "d2"], "q2": ["d3"]})
    for kind in ("jsonl", "csv", "tsv"):
        pooled.write(tmp_path / f"todo.{kind}", show_runs=True)
        found = rp.leakage({"test": {"q1": "a", "q3": "b"}}, tuned_on=tmp_path / f"todo.{kind}")
        assert found.kinds["tuning"].test_queries == ["q1"]
        assert any(f"todo.{kind}: 2 queries tuned on (q1, q2), 1 of test" in note for note in found.notes())


def test_a_tuned_file_of_other_queries_is_told() -> None:
    """A file none of whose ids is in any split is no proof: the notes say so, with its first ids, in both languages."""
    splits = {"train": {"q1": "a"}, "test": {"q2": "b"}}
    found = rp.leakage(splits, tuned_on={"Q2": {"d": 1}})
    assert "a mapping: 1 query tuned on (Q2), 0 of test; none of them is in any split" in "\n".join(found.notes())
    assert "어느 분할에도 없는" in found.said[-1].ko
    assert "in any split" not in "\n".join(rp.leakage(splits, tuned_on={"q1": {"d": 1}}).notes())


# ---- documents


def test_documents_of_a_file_and_of_a_mapping(tmp_path) -> None:
    """Title, text and both joined are each compared; the best part is told, one leak a query and document."""
    rows = [
        {"_id": "d1", "title": "안전난간 높이", "text": "상부 난간대는 90센티미터 이상으로 한다."},
        {"_id": "d2", "title": "비상구", "text": "설치 출입구"},
        {"_id": "d3", "title": "other", "text": "비상구 설치"},
        {"_id": "d4", "text": f"비상구 설치 출입구 {'그 밖의 말 ' * 200}"},
    ]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    splits = {"train": {"a": "other"}, "test": {"b": "안전난간 높이?", "c": "비상구 설치 출입구", "d": "상부 난간대"}}
    found = rp.leakage(splits, corpus=tmp_path / "corpus.jsonl")
    told = [
        (leak.sides[0].id, leak.sides[1].id, leak.what, leak.similarity) for leak in found.kinds["document-text"].leaks
    ]
    assert told == [("b", "d1", "title", 1.0), ("c", "d2", "title and text", 1.0)]
    corpus = {"d1": "안전난간 높이", "d2": "비상구 설치 출입구"}
    told = [leak.sides[1].id for leak in rp.leakage(splits, corpus=corpus).kinds["document-text"].leaks]
    assert told == ["d1", "d2"]


# ---- does the measure know?

VALUES = st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]), min_size=2, max_size=7)


@pytest.mark.filterwarnings("ignore:Precision loss")
@given(VALUES, VALUES, st.sampled_from([0.9, 0.95]))
def test_the_interval_is_that_of_scipy(left: list[float], right: list[float], confidence: float) -> None:
    """Welch's interval is SciPy's."""
    from scipy.stats import ttest_ind

    assume(len({*left}) > 1 or len({*right}) > 1)
    theirs = ttest_ind(left, right, equal_var=False).confidence_interval(confidence)
    assert welch(left, right, confidence) == close(tuple(theirs), abs=1e-9)


def test_there_is_an_interval_only_where_it_can_be() -> None:
    """One query on a side, or values that do not vary, give a reason in its place."""
    assert "two queries on either side" in str(welch([1.0], [0.0, 1.0], 0.95))
    assert "do not vary" in str(welch([1.0, 1.0], [0.5, 0.5], 0.95))


def test_the_measure_on_clean_and_leaked_queries() -> None:
    """By hand: RR is 1, 1/2, 1 on leaked queries and 1/2, 0 on clean ones; the unjudged query is counted out."""
    from scipy.stats import ttest_ind

    splits = {
        "train": {"t": "a b c"},
        "test": {"l1": "A b c", "l2": "c b a", "l3": "a b", "c1": "d e", "c2": "f", "n": "g"},
    }
    qrels = {"l1": {"d": 1}, "l2": {"d": 1}, "l3": {"d": 2}, "c1": {"d": 1}, "c2": {"d": 1}, "t": {"x": 1}}
    run = {"l1": ["d"], "l2": ["x", "d"], "l3": ["d"], "c1": ["x", "d"], "c2": ["x"], "t": ["x"]}
    found = rp.leakage(splits, qrels=qrels, run=run, measures=["RR", "P@1"])
    assert found.touched == ["l1", "l2", "l3"]
    one, other = found.contrasts
    assert (one.measure, other.measure) == ("RR", "P@1")
    assert (one.clean, one.leaked) == ((2, 0.25), (3, close(5 / 6)))
    assert one.difference == close(5 / 6 - 0.25)
    theirs = ttest_ind([1, 0.5, 1], [0.5, 0], equal_var=False).confidence_interval(0.95)
    assert one.interval == close(tuple(theirs), abs=1e-9)
    assert one.without == 1
    assert one.said.en == "no difference shown"
    assert any("RR: 1 query of test without a value" in note for note in found.notes())
    assert any("1 query of test without judgments (n)" in note for note in found.notes())


def test_the_contrast_says_which_way() -> None:
    """A leak can raise a value, and lower it; without a leak, or with nothing but, there is no interval."""
    names = [f"l{at}" for at in range(5)] + [f"c{at}" for at in range(5)]
    qrels = {name: {"d": 1} for name in names}
    splits = {"train": {f"t{at}": f"word{at} x" for at in range(5)}, "test": {name: name for name in names}}
    splits["test"] |= {f"l{at}": f"word{at} x" for at in range(5)}
    good = {name: ["d"] if name[0] == "l" else [*"xyzuvw"[: 2 + int(name[1])], "d"] for name in names}
    bad = {name: ["d"] if name[0] == "c" else [*"xyzuvw"[: 2 + int(name[1])], "d"] for name in names}
    for run, says in ((good, "higher"), (bad, "lower")):
        (found,) = rp.leakage(splits, qrels=qrels, run=run, measures="RR").contrasts
        assert found.said.en == f"{says} on the queries that leak"
    (found,) = rp.leakage({"test": splits["test"]}, qrels=qrels, run=good, measures="RR").contrasts
    assert (found.leaked, found.difference, found.interval) == ((0, None), None, None)
    assert found.clean.mean == close(fsum(1 if name[0] == "l" else 1 / (3 + int(name[1])) for name in names) / 10)


# ---- inputs


@pytest.mark.parametrize(
    ("splits", "options", "says", "error"),
    [
        ({"a": {"q": "x"}}, {"test": "b"}, "no split is called b; expected one of a", InputError),
        ({}, {}, "the test split holds no queries", InputError),
        ({"train": {"q": "x"}, "test": {}}, {}, "the test split holds no queries", InputError),
        ({"a": {"q": {"family": "f"}}}, {}, "query q: has no text", InputError),
        (3, {}, "splits cannot be 3", InputError),
        (["x/train.jsonl", "y/train.jsonl"], {}, "two splits are called train", InputError),
        ({"a": {"q": "x"}}, {"near": 0}, "near cannot be 0; expected a number above 0, up to 1", InputError),
        ({"a": {"q": "x"}}, {"verbatim": 1.5}, "verbatim cannot be 1.5", InputError),
        ({"a": {"q": "x"}}, {"near_grams": "x"}, "near_grams cannot be 'x'", InputError),
        ({"a": {"q": "x"}}, {"confidence": 1}, "confidence cannot be 1; expected a number from 0.5", InputError),
        ({"a": {"q": "x"}}, {"confidence": 0.99995}, "confidence cannot be 0.99995", InputError),
        ({"a": {"q": "x"}, "b": {"r": "x"}}, {"near_by": "exakt"}, "(?s)by 'exakt'.*mean exact", InputError),
        ({"a": {"q": "x"}}, {"run": {"q": ["d"]}}, "a run is given and no judgments", InputError),
        ({"a": {"q": "x"}}, {"run": {"q": ["d"]}, "qrels": {"z": {"d": 1}}}, "no query of a has judgments", InputError),
        ({"a": {"q": "x"}}, {"qrels": [{"q": {"d": 1}}, {"q": {"d": 2}}]}, "graded 2 here, 1 in judgments", InputError),
        ({"a": {"q": "x"}}, {"corpus": 3}, "3 holds no texts", InputError),
        ({"a": {"q": "x"}}, {"tie": "expected"}, "there is no rule 'tie'", ContractError),
    ],
)
def test_what_cannot_be_audited_is_refused(splits: object, options: dict, says: str, error: type) -> None:
    """An error says what was wrong and what was expected."""
    with pytest.raises(error, match=says):
        rp.leakage(splits, **options)


def test_several_runs_are_refused() -> None:
    """The measure is shown for one run."""
    two = {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}
    with pytest.raises(InputError, match="expected one"):
        rp.leakage({"t": {"q": "x"}}, qrels={"q": {"d": 1}}, run=two)


def test_the_test_split() -> None:
    """It is the one that is named, else the one called test, else the last."""
    splits = {"test": {"q": "x"}, "last": {"r": "y"}}
    assert rp.leakage(splits).test == "test"
    assert rp.leakage(splits, test="last").test == "last"
    assert rp.leakage({"a": {"q": "x"}, "b": {"r": "y"}}).test == "b"


def test_what_was_not_looked_at_is_said() -> None:
    """Each kind without its input says which is missing; asked to fail on it, the audit refuses."""
    found = rp.leakage({"test": {"q": "x"}})
    why = {name: str(kind.why_not) for name, kind in found.kinds.items()}
    assert why["same-text"] == why["near-text"] == why["same-id"] == "only one split holds queries"
    assert "--qrels" in why["shared-document"]
    assert "--corpus" in why["document-text"]
    assert "--tuned-on" in why["tuning"]
    assert "--families" in why["family"]
    assert sum("not checked" in note for note in found.notes()) == 7
    with pytest.raises(InputError, match="shared-document was not checked: no judgments are given"):
        found.fails("shared-document")
    with pytest.raises(InputError, match=r"(?s)no such kind of leak: near-txt.*did you mean near-text"):
        found.fails("family,near-txt")


@pytest.mark.parametrize(
    "splits", [{"test": {"q": "x"}}, {"train": {}, "test": {"q": "x"}}, {"test": {"q": {"text": "x", "family": "f"}}}]
)
def test_nothing_checked_is_no_pass(splits: dict) -> None:
    """Where no kind could be looked at, `any` is refused; where one could, it decides."""
    with pytest.raises(InputError, match=r"nothing was checked: only one split holds queries.*--tuned-on"):
        rp.leakage(splits).fails("any")
    assert rp.leakage(splits, tuned_on={"q": {"d": 1}}).fails("any")
    assert not rp.leakage(splits, tuned_on={"z": {"d": 1}}).fails("any")


def test_families_and_judgments_of_other_queries_are_not_checked() -> None:
    """A file of families, or judgments, that names no query of the splits is as good as none."""
    splits = {"train": {"a": "x"}, "test": {"b": "y"}}
    found = rp.leakage(splits, families={"z": "f"}, qrels={"z": {"d": 1}})
    assert "no query has a family" in str(found.kinds["family"].why_not)
    assert str(found.kinds["shared-document"].why_not) == "no query of the splits has judgments"
    one_side = rp.leakage(splits, qrels={"b": {"d": 1}})
    assert any("1 query of train without judgments (a)" in note for note in one_side.notes())


def test_families_of_a_file_count_for_those_that_it_names() -> None:
    """A mapping of families stands in for the field; queries that it does not name are counted."""
    splits = {"train": {"a": {"text": "x", "family": "f"}}, "test": {"b": {"text": "y", "family": "f"}, "c": "z"}}
    assert rp.leakage(splits).found == ["family"]
    found = rp.leakage(splits, families={"a": "f", "b": "g"})
    assert found.found == []
    assert any("1 query in no family (c)" in note for note in found.notes())


def test_nothing_that_was_passed_is_changed() -> None:
    """Splits, judgments and families are as before."""
    given_ = made("ko", 1, leaks=1)
    before = json.dumps([given_.splits, given_.qrels, given_.corpus, given_.tuned])
    given_.audit()
    assert json.dumps([given_.splits, given_.qrels, given_.corpus, given_.tuned]) == before


def test_relevance_is_the_contracts() -> None:
    """A document that the contract does not count as relevant is not shared."""
    splits, qrels = {"train": {"a": "x"}, "test": {"b": "y"}}, {"a": {"d": 1}, "b": {"d": 2}}
    assert rp.leakage(splits, qrels=qrels).found == ["shared-document"]
    assert rp.leakage(splits, qrels=qrels, relevant_from=2).found == []


# ---- how it is told


def test_a_split_is_audited_as_it_is() -> None:
    """What split_queries gives needs no names; an empty test split is no other one."""
    rows = [{"_id": f"q{at}", "text": f"text{at}", "family": f"f{at}"} for at in range(9)]
    assert rp.leakage(rp.split_queries(rows, quota=True)).found == []
    with pytest.raises(InputError, match="the test split holds no queries"):
        rp.leakage(rp.split_queries(rows[:2], quota=True))
    silent = rp.split_queries([{"_id": f"q{at}"} for at in range(9)], by="hash", quota=True)
    with pytest.raises(InputError, match="query q0: has no text"):
        rp.leakage(silent)


def test_a_corpus_is_read_as_search_reads_it(tmp_path) -> None:
    """A text in parts is one text, and an id that comes twice, or a document without a text, is a fault by its line."""
    corpus = tmp_path / "corpus.jsonl"
    splits = {"train": {"a": "ladder"}, "test": {"b": "guard rail height"}}
    rows: list[dict[str, object]] = [{"_id": "d1", "text": ["guard rail", "height"]}, {"_id": "d2", "text": "x"}]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (leak,) = rp.leakage(splits, corpus=corpus).kinds["document-text"].leaks
    assert [side.id for side in leak.sides] == ["b", "d1"]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"_id": "d2", "text": "y"}, {"_id": "d3"}]))
    with pytest.raises(
        InputError, match=r"jsonl:3: id 'd2' comes twice \(first on line 2\)(?s:.*)jsonl:4: .*text None"
    ):
        rp.leakage(splits, corpus=corpus)


def test_what_is_done_is_told() -> None:
    """`on_done` hears how many of how many texts are compared."""
    told: list[tuple[int, int]] = []
    rp.leakage({"train": {"a": "ladder"}, "test": {"b": "guard"}}, on_done=lambda *done: told.append(done))
    assert told
    assert {total for _, total in told} == {2}


def test_heads_and_titles_are_korean() -> None:
    """Every head and title of both results has Korean, and so has every word of a kind."""
    given_ = made("ko", 2, leaks=2)
    found = given_.audit(run={query: ["d"] for query in given_.qrels}, measures=["RR"])
    split = rp.split_queries(given_.splits["test"], by="hash")
    timed = rp.split_queries({"q": {"time": 1}}, by="time")
    taught = rp.row_against_group({"q": "산소 농도"})
    tables = [*found.tables(), *split.tables(), *timed.tables(), *taught.tables()]
    heads = {text for table in tables for text in (*table.header, table.title or "")} - {""}
    assert sorted(head for head in heads if term(head).ko == head) == []
    for kind in KINDS.values():
        for words in (kind.says, kind.mend):
            assert any("가" <= char <= "힣" for char in words.ko)
            assert not any("가" <= char <= "힣" for char in words.en)


@pytest.mark.parametrize("ending", ["html", "md"])
@pytest.mark.parametrize("leaks", [0, 2])
def test_the_report(tmp_path, ending: str, leaks: int) -> None:
    """A page holds the verdict, each leak with both texts, and what to do, whatever an id spells."""
    given_ = made("ko", 1, leaks=leaks)
    hostile = "</script><img src=x onerror=alert(1)>"
    given_.splits["test"][hostile] = {"text": "아주 다른 질의", "family": hostile}
    if leaks:
        given_.tuned[hostile] = {}
    run = {query: ["d"] for query in given_.qrels}
    rp.write_report(given_.audit(run=run, measures=["RR"]), tmp_path / f"r.{ending}")
    text = (tmp_path / f"r.{ending}").read_text("utf-8")
    assert ("Leaks were found" if leaks else "No leak was found") in text
    assert "<img" not in text
    assert (KINDS["tuning"].mend.en in text) == bool(leaks)
    if ending == "html":
        assert ("누출이 있음" if leaks else "누출을 찾지 못함") in text
    for ids in given_.planted.get("near-text", ()):
        assert all(
            given_.splits[split][one]["text"] in text
            for split in given_.splits
            for one in ids
            if one in given_.splits[split]
        )


def test_a_repr_reads(tmp_path) -> None:
    """Both results print as tables with notes, in a terminal and a notebook."""
    split = rp.split_queries({"a": "x", "b": "y"}, by="hash")
    found = rp.leakage({"train": {"a": "x y"}, "test": {"b": "x y z"}})
    for one, word in ((split, "each query by itself"), (found, "near-text: 1 of 1")):
        assert word in repr(one)
        assert "<table>" in one._repr_html_()


# ---- the command


@pytest.fixture
def laid_out(tmp_path, monkeypatch) -> Made:
    """The files of a set with planted leaks, in the working folder."""
    monkeypatch.chdir(tmp_path)
    given_ = made("ko", 7, leaks=3)
    for name, part in given_.splits.items():
        write_lines(f"{name}.jsonl", part)
    write_lines("corpus.jsonl", {doc: {"title": "", "text": text} for doc, text in given_.corpus.items()})
    Path("qrels.json").write_text(json.dumps(given_.qrels))
    Path("tuned.json").write_text(json.dumps(given_.tuned))
    Path("a.json").write_text(json.dumps({query: ["x", *docs] for query, docs in given_.qrels.items()}))
    return given_


def write_lines(path: str, rows: Mapping[str, Mapping[str, str]]) -> None:
    Path(path).write_text("".join(json.dumps({"_id": one, **row}) + "\n" for one, row in rows.items()))


SPLITS = ("train.jsonl", "dev.jsonl", "test.jsonl")
ALL = ("leakage", *SPLITS, "--corpus", "corpus.jsonl", "--qrels", "qrels.json", "--tuned-on", "tuned.json")


def test_the_command_finds_what_was_planted(laid_out, in_process) -> None:
    """JSON, CSV and table tell of the same leaks; the inputs are named by their roles."""
    done = in_process(*ALL, "--run", "a.json", "-m", "RR", "--format", "json")
    assert done.status == 0
    found = json.loads(done.out)
    assert {kind["kind"]: len(kind["leaks"]) for kind in found["kinds"]} == dict.fromkeys(KINDS, 3)
    assert [one["role"] for one in found["inputs"]] == [*["split"] * 3, "qrels", "tuned-on", "corpus", "run"]
    assert len(found["test_queries_touched"]) == 21
    assert found["contrasts"][0]["leaked"]["queries"] == 18  # those with the id of another have no judgments
    rows = in_process(*ALL, "--format", "csv").out.splitlines()
    assert len(rows) == 1 + sum(len(leak["sides"]) for kind in found["kinds"] for leak in kind["leaks"])
    table = in_process(*ALL, "--examples", "1").out
    assert all(f"{kind}: 1 of 3" in table for kind in KINDS)
    assert "1 of 3" not in in_process(*ALL, "--examples", "0").out
    assert "| near-text | 3 | 3 |" in in_process(*ALL, "--format", "markdown").out


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((*ALL, "--fail-on", "any"), 1),
        ((*ALL, "--fail-on", "family,tuning"), 1),
        (("leakage", "train.jsonl", "dev.jsonl", "--fail-on", "same-text"), 0),
        (("leakage", *SPLITS, "--fail-on", "tuning"), 2),
        ((*ALL, "--fail-on", "leak"), 2),
        (("leakage", "test.jsonl", "--fail-on", "any"), 2),
        (("leakage", "test.jsonl", "--tuned-on", "tuned.json", "--fail-on", "any"), 1),
        (("leakage", *SPLITS, "train=dev.jsonl"), 2),
        (("leakage", "test.jsonl", "--report", "r.txt"), 2),
        (("leakage", "-", "-"), 2),
        (("leakage", "test.jsonl", "--join", "family"), 2),
        (("leakage", "test.jsonl", "-o", "test.jsonl"), 2),
        (("leakage", "none.jsonl"), 2),
    ],
)
def test_the_status_of_the_command(laid_out, in_process, arguments: tuple[str, ...], status: int) -> None:
    """1 where a leak asked for is found, 0 where it is not, 2 with one message for a mistake."""
    done = in_process(*arguments)
    assert done.status == status
    assert (done.out == "") == (status == 2)
    assert "Traceback" not in done.err


def test_splits_are_named(laid_out, in_process) -> None:
    """NAME=FILE names a split, --test chooses the one to keep clean."""
    found = json.loads(
        in_process("leakage", "a=train.jsonl", "b=test.jsonl", "dev.jsonl", "--test", "b", "--format", "json").out
    )
    assert [one["name"] for one in found["splits"]] == ["a", "b", "dev"]
    assert found["test"] == "b"


def test_written_families_mend_the_split(laid_out, in_process) -> None:
    """The file of families splits the queries anew without a leak of those kinds, and groups them for compare."""
    done = in_process(*ALL, "--write-families", "families.jsonl", "--report", "r.html")
    assert done.status == 0
    assert "families written to families.jsonl" in done.err
    Path("all.jsonl").write_text("".join(Path(name).read_text() for name in SPLITS if name == "test.jsonl"))
    assert in_process("split", "all.jsonl", "--families", "families.jsonl", "--quota", "-o", "new").status == 0
    new = [f"new/{name}" for name in ("train.jsonl", "dev.jsonl", "test.jsonl")]
    kinds = "family,same-text,near-text,shared-document"
    assert in_process("leakage", *new, "--qrels", "qrels.json", "--fail-on", kinds).status == 0
    again = in_process("compare", "qrels.json", "a.json", "a.json", "--cluster", "families.jsonl", "-m", "RR")
    assert "families" in again.err + again.out
    assert in_process(*ALL, "--write-families", "f", "--join", "tuning").status == 2


def test_families_of_two_splits_split_all_three(laid_out, in_process) -> None:
    """Where one split was not audited, its queries are groups of their own in the next split, and are counted."""
    assert in_process("leakage", "train.jsonl", "test.jsonl", "--write-families", "families.jsonl").status == 0
    texts = {name: Path(name).read_text() for name in SPLITS}
    rows = {json.loads(line)["_id"]: line for name in SPLITS for line in texts[name].splitlines()}
    Path("all.jsonl").write_text("".join(f"{line}\n" for line in rows.values()))
    done = in_process("split", "all.jsonl", "--families", "families.jsonl", "-o", "new", "--format", "json")
    assert done.status == 0
    audited = {json.loads(line)["_id"] for name in SPLITS if name != "dev.jsonl" for line in texts[name].splitlines()}
    assert set(json.loads(done.out)["without_family"]) == rows.keys() - audited != set()
    new = ["new/train.jsonl", "new/test.jsonl", "--families", "families.jsonl", "--fail-on", "family"]
    assert in_process("leakage", *new).status == 0


def test_an_empty_split_is_no_error(laid_out, in_process) -> None:
    """A split that `split` left empty is audited as one without queries."""
    Path("dev.jsonl").write_text("")
    done = in_process("leakage", *SPLITS)
    assert done.status == 0
    assert "dev (0)" in done.err


def test_reasons_are_in_both_languages() -> None:
    """Each reason why a kind was not looked at has its Korean."""
    found = rp.leakage({"test": {"q": "x"}})
    reasons = [kind.why_not for kind in found.kinds.values()]
    assert all(isinstance(one, Words) and one.en != one.ko for one in reasons)
