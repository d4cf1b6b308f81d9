"""Splits of queries: old ones stay where they are, groups stay whole, records stay as they were."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, datetime
from fractions import Fraction
from itertools import pairwise, product
from math import fsum, prod, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankproof as rp
from rankproof.errors import InputError
from rankproof.formats.texts import read_texts
from rankproof.splits import read_queries, write_split
from rankproof.splits.assign import chance_of_empty, names_of, position, shares_of
from rankproof.splits.teaching import MOST

IDS = st.text("ab0é가", min_size=1, max_size=4)
FAMILIES = st.dictionaries(IDS, st.sampled_from(["f", "g", "h", "산소", "10"]), min_size=1, max_size=12)
RATIOS = st.sampled_from(["60/20/20", "1/1/1", "98/1/1"])
SEEDS = st.integers(-3, 5)


def with_family(families: dict[str, str]) -> list[dict[str, str]]:
    return [{"_id": query, "family": family, "source": f"s{family}"} for query, family in families.items()]


# ---- by hash


@given(FAMILIES, FAMILIES, st.sampled_from(["family", "source", "hash"]), RATIOS, SEEDS)
def test_added_queries_move_no_earlier_one(old: dict, more: dict, by: str, ratios: str, seed: int) -> None:
    """Whatever is added to whatever was split, each earlier query stays in its split."""
    before = rp.split_queries(with_family(old), by=by, ratios=ratios, seed=seed)
    after = rp.split_queries(with_family({**more, **old}), by=by, ratios=ratios, seed=seed)
    assert {query: after.split_of[query] for query in old} == dict(before.split_of)


@given(FAMILIES, st.sampled_from(["family", "source"]), st.booleans(), RATIOS, SEEDS)
def test_a_group_stays_whole(families: dict, by: str, quota: bool, ratios: str, seed: int) -> None:
    """Queries of one group are in one split, and each query is in exactly one."""
    found = rp.split_queries(with_family(families), by=by, quota=quota, ratios=ratios, seed=seed)
    assert len(set(zip(families.values(), map(found.split_of.get, families), strict=True))) == len(
        set(families.values())
    )
    assert sorted(query.query_id for part in found.parts.values() for query in part) == sorted(families)
    assert list(found.torn) == []


@given(st.integers(0, 100))
@settings(max_examples=20)
def test_finer_ratios_cut_the_same_line(seed: int) -> None:
    """What is train at 50/50 is train at 50/25/25, and a query of the last quarter was in the last half."""
    queries = {f"q{at}": "" for at in range(30)}
    half = rp.split_queries(queries, by="hash", ratios="50/50", seed=seed)
    quarters = rp.split_queries(queries, by="hash", ratios=[2, 1, 1], seed=seed)
    pairs = {(quarters.split_of[query], half.split_of[query]) for query in queries}
    assert pairs <= {("train", "train"), ("dev", "test"), ("test", "test")}


def test_hashes_fill_the_ratios() -> None:
    """Of 4,000 queries each split holds its share, within five standard deviations of the binomial."""
    found = rp.split_queries({f"q{at}": "" for at in range(4000)}, by="hash", ratios="70/20/10", seed=9)
    for name, share in found.shares.items():
        assert abs(len(found.parts[name]) - 4000 * share) < 5 * sqrt(4000 * share * (1 - share))


def test_seeds_draw_apart() -> None:
    """Two seeds agree on a query as often as chance: within five standard deviations of the binomial."""
    one, other = (rp.split_queries({f"q{at}": "" for at in range(4000)}, by="hash", seed=seed) for seed in (1, 2))
    chance = 0.6**2 + 2 * 0.2**2
    same = sum(one.split_of[query] == other.split_of[query] for query in one.split_of)
    assert abs(same - 4000 * chance) < 5 * sqrt(4000 * chance * (1 - chance))
    assert all(0 <= position(str(at), 1) < 2**53 for at in range(100))


def test_the_split_is_the_same_in_every_process(command, tmp_path) -> None:
    """Neither Python's seed of hashes nor the order of the queries decides: seed and group alone do."""
    rows = [{"_id": f"질의{at}", "family": f"f{at % 9}"} for at in range(40)]
    for name, ordered in (("a", rows), ("b", rows[::-1])):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in ordered))
    found = [
        command("split", tmp_path / name, "--format", "csv", PYTHONHASHSEED=seed).out.splitlines()
        for name, seed in (("a", "1"), ("b", "2"))
    ]
    assert sorted(found[0]) == sorted(found[1])
    assert len(found[0]) == 41


# ---- by quota


@pytest.mark.parametrize(
    ("groups", "ratios", "sizes"),
    [
        (12, "60/20/20", [7, 3, 2]),  # 7.2, 2.4, 2.4: the first of the larger remainders has what is left
        (10, "60/20/20", [6, 2, 2]),
        (5, "90/5/5", [5, 0, 0]),  # 4.5, .25, .25
        (3, "1/1/1", [1, 1, 1]),
        (1, "60/20/20", [1, 0, 0]),
    ],
)
def test_a_quota_keeps_the_ratios(groups: int, ratios: str, sizes: list[int]) -> None:
    """Groups are shared out by the largest remainder, in the order of their hashes."""
    found = rp.split_queries({f"q{at}": "" for at in range(groups)}, by="hash", ratios=ratios, quota=True)
    assert [len(part) for part in found.parts.values()] == sizes
    places = [[position(query.query_id, 1) for query in part] for part in found.parts.values() if part]
    assert all(max(left) < min(right) for left, right in pairwise(places))
    assert found.chance_of_empty is None


def test_a_quota_says_that_it_can_move_queries() -> None:
    """The notes say which way was taken, and what adding queries does to it; the ratios of groups are in the table."""
    queries = {f"q{at}": "" for at in range(12)}
    assert "can move earlier ones; seed 1" in rp.split_queries(queries, by="hash", quota=True).notes()[0]
    assert "move no earlier one; seed 1" in rp.split_queries(queries, by="hash").notes()[0]


@given(st.dictionaries(IDS, st.sampled_from(["f", "a", "0"]), min_size=1), st.sets(IDS, max_size=5), SEEDS)
def test_a_query_in_no_family_is_a_group_of_its_own(families: dict[str, str], others: set[str], seed: int) -> None:
    """It shares its group with no other query, even one called as it is; the families stay as they are named."""
    alone = others - families.keys()
    found = rp.split_queries(dict.fromkeys([*families, *alone], "text"), families=families, seed=seed)
    assert set(found.alone) == alone
    assert {query: found.group_of[query] for query in families} == families
    groups = [found.group_of[query] for query in alone]
    assert len({*groups} - {*families.values()}) == len(alone)


def test_ratios_that_a_few_groups_miss_are_told() -> None:
    """Where hashing few groups strays by more than 5 points, and only there, the notes name the splits and --quota."""
    queries = {f"q{at}": "" for at in range(24)}
    told = 0
    for seed in range(60):
        found = rp.split_queries(queries, by="hash", seed=seed)
        shares = {name: len(part) / 24 for name, part in found.parts.items()}
        far = [name for name, share in shares.items() if abs(share - found.shares[name]) > 0.05]
        notes = [note for note in found.notes() if "--quota keeps the ratios" in note]
        assert len(notes) == (bool(far) and not found.empty)
        assert all(f"{name} {100 * shares[name]:.3g} %" in note for note in notes for name in far)
        told += len(notes)
    assert told > 0
    assert not rp.split_queries(queries, by="hash", quota=True).strayed
    assert not rp.split_queries({one: {"time": 1} for one in queries}, by="time").strayed


# ---- empty splits


@given(st.integers(1, 5), st.sampled_from([[Fraction(1, 2)] * 2, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]]))
def test_the_chance_of_an_empty_split(groups: int, shares: list[Fraction]) -> None:
    """It is the sum over all ways to place the groups that leave some split without one."""
    ways = product(range(len(shares)), repeat=groups)
    expected = fsum(float(prod(shares[at] for at in way)) for way in ways if len(set(way)) < len(shares))
    assert chance_of_empty(groups, shares) == pytest.approx(expected, abs=1e-12)


def test_twelve_families_leave_a_split_empty_for_one_seed_in_seven(tmp_path) -> None:
    """At 60/20/20 that is 2 · 0.8^12 + 0.4^12 - 0.6^12 - 2 · 0.2^12, 14 %; over 500 seeds as often as that."""
    chance = 2 * 0.8**12 + 0.4**12 - 0.6**12 - 2 * 0.2**12
    queries = {f"q{at}": "" for at in range(12)}
    found = [rp.split_queries(queries, by="hash", seed=seed) for seed in range(500)]
    assert found[0].chance_of_empty == pytest.approx(chance)
    empty = sum(bool(one.empty) for one in found)
    assert abs(empty - 500 * chance) < 5 * sqrt(500 * chance * (1 - chance))
    one = next(one for one in found if one.empty)
    assert any(f"no query is in {', '.join(one.empty)}: --quota" in note for note in one.notes())
    assert any("leaves some split empty for 13.5 % of all seeds" in note for note in one.notes())
    for path, part in zip(write_split(one, tmp_path), one.parts.values(), strict=True):
        assert len(path.read_text().splitlines()) == len(part)


# ---- by time


def test_time_by_hand() -> None:
    """Older queries come first; a boundary lies where a moment ends, nearest to the ratio; notes say it can move."""
    days = ["2026-01-05", "2026-01-01", "2026-01-02", "2026-01-02", "2026-01-02", "2026-01-03", "2026-02-01"]
    queries = {f"q{at}": {"time": day} for at, day in enumerate(days)}
    found = rp.split_queries(queries, by="time", ratios="50/25/25")
    # ordered: 01-01, 3 of 01-02, 01-03, 01-05, 02-01; 3.5 of 7 lies nearest to 4, 5.25 to 5
    assert {name: [query.query_id for query in part] for name, part in found.parts.items()} == {
        "train": ["q1", "q2", "q3", "q4"],
        "dev": ["q5"],
        "test": ["q0", "q6"],
    }
    assert dict(found.starts) == {"train": "2026-01-01", "dev": "2026-01-03", "test": "2026-01-05"}
    assert found.seed is None
    assert "can move a boundary" in found.notes()[0]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), RATIOS)
def test_a_boundary_is_a_time(moments: list[int], ratios: str) -> None:
    """No query of a split is as old as one of the split before, and none is left out."""
    queries = {f"q{at}": {"asked": moment} for at, moment in enumerate(moments)}
    found = rp.split_queries(queries, by="time", field="asked", ratios=ratios)
    held = [[query.fields["asked"] for query in part] for part in found.parts.values() if part]
    assert all(max(left) < min(right) for left, right in pairwise(held))
    assert sorted(one for part in held for one in part) == sorted(moments)


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from("fgh")), min_size=1, max_size=9))
def test_families_stay_whole_in_time(rows: list[tuple[int, str]]) -> None:
    """With families a group is as old as its latest query: train holds nothing later than where dev begins."""
    queries = {f"q{at}": {"time": moment} for at, (moment, _) in enumerate(rows)}
    families = {f"q{at}": family for at, (_, family) in enumerate(rows)}
    found = rp.split_queries(queries, by="time", families=families)
    latest = {family: max(moment for moment, other in rows if other == family) for _, family in rows}
    assert len({(family, found.split_of[query]) for query, family in families.items()}) == len(latest)
    held = [{latest[families[one.query_id]] for one in part} for part in found.parts.values() if part]
    assert all(max(left) < min(right) for left, right in pairwise(held))


def test_times_are_numbers_or_dates() -> None:
    """Numbers may be text, dates may have a time zone, and are ordered as moments, not as text."""
    day, noon = date(2026, 1, 1), datetime(2026, 1, 1, 12)  # noqa: DTZ001 - as Parquet holds them
    zoned = "2026-01-01T01:00:00+09:00", "2025-12-31T23:00:00Z"
    for old, new in ((day, noon), ("9", "10"), (9, 10.5), zoned, ("2025", "2026")):
        found = rp.split_queries({"new": {"time": new}, "old": {"time": old}}, by="time", ratios="50/50")
        assert found.split_of == {"old": "train", "new": "test"}, (old, new)


# ---- what cannot be split


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"by": "topic"}, "cannot be split by 'topic'; expected one of family, source, time, hash"),
        ({"by": "source"}, "no query has the field source"),
        ({}, "query q2, column family: family None; expected a text"),
        ({"field": "famly"}, "hint: --families FILE gives the families.*such as family"),
        ({"by": "time", "field": "when"}, "query q2, column when: when 'yesterday'; expected an ISO date"),
        ({"by": "time", "field": "truth"}, "query q1, column truth: truth True"),
        ({"by": "time", "field": "mixed"}, r"mixed holds numbers \(3\) and dates without a time zone \(2026-01-01\)"),
        ({"by": "time", "field": "zoned"}, "zoned holds dates with one .* and dates without a time zone"),
        ({"by": "hash", "field": "family"}, "the groups are the query ids"),
        ({"families": {"q1": "f", "q2": "f"}, "field": "family"}, "the groups are the file of families"),
        ({"by": "hash", "families": {"q1": "f"}}, "families say nothing by hash"),
        ({"families": {"q3": "f"}}, "names none of the queries: it begins with 'q3', they with 'q1'"),
        ({"by": "time", "quota": True}, "a quota says nothing by time"),
        ({"by": "hash", "ratios": "60"}, "ratios cannot be '60'"),
        ({"by": "hash", "ratios": "60/-20"}, "two or more numbers above 0"),
        ({"by": "hash", "ratios": "60/x"}, "ratios cannot be '60/x'"),
        ({"by": "hash", "ratios": [1, float("nan")]}, "ratios cannot be"),
        ({"by": "hash", "ratios": "1/1/1/1"}, "there are 4 ratios and no names"),
        ({"by": "hash", "names": "a,b"}, "there are 3 ratios and 2 names"),
        ({"by": "hash", "names": "a,A,b"}, "two splits have one name"),
        ({"by": "hash", "names": "../a,b,c"}, "a split cannot be called '../a'"),
        ({"by": "hash", "names": "a,,c"}, "a split cannot be called ''"),
        ({"by": "hash", "seed": 10**70}, "is too long; expected at most 64 digits"),
    ],
)
def test_what_cannot_be_split_is_refused(options: dict, says: str) -> None:
    """An error names the query and the field, and says what was expected."""
    queries = {
        "q1": {"family": "f", "when": "2026-01-01", "mixed": 3, "truth": True, "zoned": "2026-01-01T00:00Z"},
        "q2": {"family": None, "when": "yesterday", "mixed": "2026-01-01", "zoned": "2026-01-01"},
    }
    with pytest.raises(InputError, match=f"(?s){says}"):
        rp.split_queries(queries, **options)


def test_no_queries_are_refused(tmp_path) -> None:
    """Neither nothing, nor an empty file, nor an id that comes twice, nor a thing without ids can be split."""
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "twice.jsonl").write_text('{"_id": "q"}\n{"_id": "q"}\n{"text": "no id"}\n')
    for given_, says in (
        ({}, "there are no queries to split"),
        (tmp_path / "empty.jsonl", "no queries to split"),
        (tmp_path / "twice.jsonl", r"twice.jsonl:2: id 'q' comes twice \(first on line 1\).*\n.*jsonl:3: column _id"),
        (3, "queries cannot be 3"),
        (["q"], "a query cannot be 'q'"),
        (tmp_path / "none.jsonl", "there is no such file"),
    ):
        with pytest.raises(InputError, match=says):
            rp.split_queries(given_, by="hash")


def test_shares_and_names() -> None:
    """Ratios are shares of their sum, exact; three splits are called train, dev, test."""
    assert shares_of("60/20/20") == shares_of([0.6, 0.2, 0.2]) == [Fraction(3, 5), Fraction(1, 5), Fraction(1, 5)]
    assert shares_of("33.3/66.7") == [Fraction(333, 1000), Fraction(667, 1000)]
    assert chance_of_empty(20, shares_of([1] * 13)) is None
    assert names_of(None, 3) == ["train", "dev", "test"]
    assert names_of(" a, b ", 2) == ["a", "b"]


# ---- records


def test_records_stay_as_they_were(tmp_path) -> None:
    """The files together hold each record once, every field kept, each split's in the order given."""
    rows = [
        {"_id": "q1", "text": "산소 농도", "family": "a", "n": 1.5, "tags": ["x"], "none": None},
        {"id": 2, "text": "line\u2028break \ud800", "family": 7},
        {"_id": "q3", "text": "guard rail", "family": "a"},
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = rp.split_queries(tmp_path / "q.jsonl", ratios="1/1")
    written = write_split(found, tmp_path / "new" / "dir")
    assert [path.name for path in written] == ["train.jsonl", "test.jsonl"]
    read = [[json.loads(line) for line in path.read_text("utf-8").split("\n") if line] for path in written]
    assert sorted((row for part in read for row in part), key=str) == sorted(rows, key=str)
    again = [query.query_id for path in written for query in read_queries(path).items]
    assert again == [query.query_id for part in found.parts.values() for query in part]


def test_other_layouts_are_split_too(tmp_path) -> None:
    """CSV and TREC topics give JSON lines with their fields by name."""
    (tmp_path / "q.csv").write_text("query_id,text,source\nq1,a,s\nq2,b,s\n")
    (tmp_path / "q.topics").write_text("<top>\n<num> Number: 7\n<title> guard rail\n</top>\n")
    (part,) = (part for part in rp.split_queries(tmp_path / "q.csv", by="source").parts.values() if part)
    assert [dict(query.fields) for query in part] == [
        {"query_id": "q1", "text": "a", "source": "s"},
        {"query_id": "q2", "text": "b", "source": "s"},
    ]
    (topic,) = read_queries(tmp_path / "q.topics").items
    assert (topic.query_id, topic.text) == ("7", "guard rail")


def test_a_folder_that_cannot_be_made(tmp_path) -> None:
    """A file in the way of the folder is an error, not a traceback."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        write_split(rp.split_queries({"q": "a"}, by="hash"), tmp_path / "file" / "dir")


# ---- variants


def published(data: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (data / "ko-osh-rules/queries.jsonl").read_text("utf-8").splitlines()]


def test_variants_append_a_word() -> None:
    """A variant is its query with one more word, other fields and the family kept, under an id of its own."""
    queries = [{"id": "a", "text": "산소 농도", "language": "ko"}, {"id": "b", "text": "guard rail", "family": 0}]
    found = rp.variants(queries, 2)
    assert [one["id"] for one in found] == ["a", "a~1", "a~2", "b", "b~1", "b~2"]
    assert [one["family"] for one in found] == ["a"] * 3 + [0] * 3
    assert all(one["language"] == "ko" for one in found[:3])
    for one in (*found[1:3], *found[4:]):
        text, _, word = one["text"].rpartition(" ")
        assert text == {"a": "산소 농도", "b": "guard rail"}[one["id"][0]]
        assert ("가" <= word[0] <= "힣") == (one["id"][0] == "a")
    assert len({one["text"] for one in found}) == 6
    assert queries[0] == {"id": "a", "text": "산소 농도", "language": "ko"}


@given(st.sets(IDS, min_size=1, max_size=5), st.integers(1, MOST), SEEDS)
def test_variants_hang_on_seed_and_query_alone(ids: set[str], count: int, seed: int) -> None:
    """A query's variants are the same whatever other queries stand beside it."""
    together = rp.variants([{"_id": one, "text": "text"} for one in sorted(ids)], count, seed)
    alone = [one for query in sorted(ids) for one in rp.variants({query: "text"}, count, seed)]
    assert together == alone
    assert all(len({one["text"] for one in together if one["family"] == query}) == count + 1 for query in ids)


@pytest.mark.parametrize(
    ("given_", "options", "says"),
    [
        ({"q": "a"}, {"count": 0}, "there cannot be 0 variants of a query; expected 1 to 8"),
        ({"q": "a"}, {"count": 9}, "there cannot be 9"),
        ({"q": "a"}, {"language": "fr"}, "unknown language 'fr'; expected one of ko, en"),
        ({"q": {"family": "f"}}, {}, "query q: has no text to vary"),
        ({"q": "a", "q~1": "b"}, {}, "its variant would be called q~1, as another query is"),
    ],
)
def test_variants_that_cannot_be(given_: dict, options: dict, says: str) -> None:
    """An error says which query or option it is."""
    with pytest.raises(InputError, match=says):
        rp.variants(given_, **options)


def test_row_against_group(data) -> None:
    """Of the twelve published queries with variants, a split by row tears families for every seed, by group none."""
    for seed in range(20):
        found = rp.row_against_group(published(data), 3, seed)
        assert found.torn["row"] > 0
        assert found.torn["group"] == 0
        assert [len(table.rows) for table in found.tables()] == [48, 48]
        assert not found.row.empty
        assert not found.group.empty
    rows = found.tables()[0].rows
    by_hand: dict[str, set[str]] = {}
    for group, split, _ in rows:
        by_hand.setdefault(group, set()).add(split)
    assert found.torn["row"] == sum(len(splits) > 1 for splits in by_hand.values())


# ---- the commands


@pytest.fixture
def queries(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [{"_id": f"q{at}", "text": f"query {at}", "family": f"f{at // 2}"} for at in range(12)]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_split_command(queries, in_process) -> None:
    """The table counts queries and groups; the files hold them; the rows of CSV and JSON say the same."""
    done = in_process("split", "queries.jsonl", "--quota", "-o", "out")
    assert done.status == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[1] == ["train", "8", "66.7", "%", "60", "%", "4"]  # of 6 families 3.6, 1.2, 1.2
    assert [row[0] for row in rows[1:]] == ["train", "dev", "test"]
    assert "written to out/train.jsonl" in done.err
    held = {
        path.stem: {json.loads(line)["_id"] for line in path.read_text().splitlines()} for path in Path("out").iterdir()
    }
    told = list(csv.DictReader(io.StringIO(in_process("split", "queries.jsonl", "--quota", "--format", "csv").out)))
    assert {name: {row["query_id"] for row in told if row["split"] == name} for name in held} == held
    found = json.loads(in_process("split", "queries.jsonl", "--quota", "--format", "json").out)
    assert found["queries"] == told
    assert "contract" not in found


def test_split_command_by_hash_tells_of_torn_families(queries, in_process) -> None:
    """A split by rows says how many families it tears."""
    done = in_process("split", "queries.jsonl", "--by", "hash", "--format", "markdown")
    assert "in more than one split" in done.out
    assert done.out.startswith("| split | queries |")


def test_split_command_by_families_of_a_file(queries, in_process) -> None:
    """A file of families decides; whom it leaves out is counted; one that names no query at all is the wrong file."""
    Path("families.txt").write_text("".join(f"q{at} {'left' if at < 6 else 'right'}\n" for at in range(12)))
    found = json.loads(in_process("split", "queries.jsonl", "--families", "families.txt", "--format", "json").out)
    assert {row["group"] for row in found["queries"]} == {"left", "right"}
    assert [one["role"] for one in found["inputs"]] == ["queries", "clusters"]
    assert found["without_family"] == []
    Path("families.txt").write_text("".join(f"q{at} left\n" for at in range(9)))
    done = in_process("split", "queries.jsonl", "--families", "families.txt", "--format", "json")
    assert json.loads(done.out)["without_family"] == ["q9", "q10", "q11"]
    assert "3 queries in no family there, each a group of its own (q9, q10, q11)" in done.err
    Path("families.txt").write_text("x left\n")
    done = in_process("split", "queries.jsonl", "--families", "families.txt")
    assert done.status == 2
    assert "families.txt: names none of the queries" in done.err


def test_split_command_overwrites_no_input(queries, in_process) -> None:
    """A split that would be written over the queries is refused, and nothing is written."""
    before = Path("queries.jsonl").read_text()
    done = in_process("split", "queries.jsonl", "--names", "train,dev,queries", "-o", ".")
    assert (done.status, done.out) == (2, "")
    assert "would be overwritten" in done.err
    assert Path("queries.jsonl").read_text() == before
    assert not Path("train.jsonl").exists()


@pytest.mark.parametrize("place", ["file", "file/below", "out"])
def test_split_command_is_refused_before_it_reads(queries, in_process, place: str) -> None:
    """A place that cannot hold the splits is told, not that the queries are missing."""
    Path("file").touch()
    Path("out/dev.jsonl").mkdir(parents=True)
    done = in_process("split", "none.jsonl", "-o", place)
    assert (done.status, done.out) == (2, "")
    says = "dev.jsonl: is a folder, not a file" if place == "out" else "train.jsonl: cannot be written: its folder"
    assert says in done.err


def test_split_command_reads_stdin(command, queries) -> None:
    """Queries may come through a pipe."""
    done = command("split", "-", "--by", "hash", stdin=Path("queries.jsonl").read_bytes())
    assert done.status == 0
    assert "12 queries in 12 groups" in done.err


def test_queries_ask_as_search_asks_them(tmp_path) -> None:
    """A query's title stands before its text, a text in parts is one, `question` serves where no text is there."""
    path = tmp_path / "q.jsonl"
    rows: list[dict[str, object]] = [
        {"_id": "1", "title": "Rails", "text": "how high?", "question": "no"},
        {"_id": "2", "text": ["how", "high?"]},
        {"_id": "3", "title": "Rails", "question": "how high?"},
        {"_id": "4", "family": "f"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = [query.text for query in read_queries(path).items]
    assert texts == ["Rails how high?", "how high?", "Rails how high?", None]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:2]))
    assert texts[:2] == list(map(str, read_texts(path, "queries").values()))


@pytest.mark.parametrize("field", ["text", "question"])
def test_a_variant_keeps_title_and_text_apart(field: str) -> None:
    """A variant asks what its query asks and one word more, in the field that held the text."""
    given_ = {"_id": "1", "title": "Rails", field: "how high?"}
    _, varied = rp.variants([given_], 1)
    assert varied["title"] == "Rails"
    (asked, more) = (query.text for query in read_queries([given_, varied]).items)
    assert varied[field] == f"how high? {more.rpartition(' ')[2]}"
    assert more == f"{asked} {more.rpartition(' ')[2]}"
    _, varied = rp.variants([{"_id": "1", "text": ["how", "high?"]}], 1)
    assert varied["text"].startswith("how high? ")


def test_variants_command(queries, in_process) -> None:
    """The lines are records that `split` reads, the same for one seed."""
    done = in_process("variants", "queries.jsonl", "-n", "2", "--seed", "4")
    assert [json.loads(line) for line in done.out.splitlines()] == rp.variants("queries.jsonl", 2, 4)
    assert in_process("variants", "queries.jsonl", "-n", "2", "--seed", "4", "-o", "v.jsonl").status == 0
    assert Path("v.jsonl").read_text("utf-8") == done.out
    assert in_process("variants", "queries.jsonl", "-n", "99").status == 2
