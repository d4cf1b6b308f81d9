"""Which of three searches is better on one corpus? The calls of the tab that compares BM25, LSA and their fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from rankproof.charts import delta_plot
from rankproof.compare import VERDICTS, Comparison, compare
from rankproof.compare.limits import labels_table, limits
from rankproof.compare.settings import Settings
from rankproof.compare.telling import differences_table, enough, method, reach_table, star_of, verdict_rests_on
from rankproof.errors import Fault, InputError, nearest
from rankproof.evaluate import values_of
from rankproof.lab.blocks_json import page_json
from rankproof.lab.given import count_of, flag_of, settings_in, text_of
from rankproof.lab.listed import documents_table, first_of_run, grade_words, texts_of
from rankproof.lab.places import placing
from rankproof.lab.searched import DEPTH, LIMITS, File, Searched, example_files, searched, searched_in
from rankproof.measures import Measure, parse_all
from rankproof.report.blocks import Block, Details, Page, Section, Verdict
from rankproof.report.sections import STAR, limits_section, runs_table
from rankproof.report.side_by_side import SideBySide, side_by_side
from rankproof.report.values import query_tables
from rankproof.tables import Table
from rankproof.values import Values, ValuesOfRuns
from rankproof.words import Words, same

Arguments: TypeAlias = Mapping[str, Any]

FEW = 200
"""Of more queries, intervals and p are drawn only where they are asked for: without NumPy they take a minute."""
RESAMPLES, PERMUTATIONS = 2_000, 10_000
"""As many as a page can draw within two seconds; the command line draws more."""
SEEN = 10
"""As many places of a query's lists are shown at least."""

OPENED = Words(
    "A mean hides failures: open a query to see what each method found for it.",
    "평균은 실패를 가립니다. 질의를 열어 각 방법이 무엇을 찾았는지 보세요.",
)
OF_OWN = Words(
    "The settings are those of teaching: nothing was tuned on these queries, and none were kept apart for a test.",
    "교육용 설정을 그대로 썼습니다. 이 질의로 튜닝하지 않았고, 시험용 질의를 따로 떼어 두지도 않았습니다.",
)


class _Values(NamedTuple):
    """Each run's values, and what their differences show; None where that was not asked for."""

    values: Sequence[Values]
    compared: Comparison | None


def comparison(arguments: Arguments) -> dict[str, Any]:
    """Return BM25, LSA and RRF on the same corpus, queries, judgments and k, as a page and as the command line's JSON.

    Arguments: `corpus`, `queries`, `qrels`, files in any format of this package, the packaged example where none is
    given; `lsa`, as `searched_in` reads it; `k`; `statistics`: whether intervals and p are drawn (if not given, they
    are where there are few queries); the settings of `compare`, of which 2,000 resamples and 10,000 permutations are
    drawn if nothing is said.
    """
    found, k = searched_in(arguments), _k(arguments)
    settings = settings_in({"resamples": RESAMPLES, "permutations": PERMUTATIONS, **_said(arguments)})
    tested = len(found.runs) > 1 and flag_of(arguments, "statistics", default=len(found.qrels) <= FEW)
    with placing(*found.files):
        of = _values(found, k, settings if tested else None)
    page = Page(_title(found, k), _sections(found, of, k), lead=_lead(of))
    ranked = ValuesOfRuns(of.values)
    return {
        "k": k,
        "own": found.files != tuple(example_files().values()),
        "tested": tested,
        "runs": list(found.runs),
        "left_out": found.left_out,
        "measures": list(of.values[0].measures),
        "query_ids": list(of.values[0].query_ids),
        "contract": {"name": found.contract.name, "fingerprint": found.contract.fingerprint},
        "page": page_json(page),
        "data": ranked.to_dict() if of.compared is None else of.compared.to_dict(),
    }


def comparison_query(arguments: Arguments) -> dict[str, Any]:
    """Return one query's lists beside each other. Arguments: those of `comparison`, and `query`, its id."""
    found, k, query = searched_in(arguments), _k(arguments), text_of(arguments, "query")
    if query not in found.qrels:
        raise InputError(Fault("has no judgments", query_id=query, hint=f"nearest: {nearest(query, found.qrels)}"))
    most = max(k, SEEN)
    with placing(*found.files):
        runs = [first_of_run(run, query, most) for run in found.runs.values()]
        qrels = {query: found.qrels[query]}
        values = {run.name: values_of(qrels, run, _measures(k), found.contract).of_query(query) for run in runs}
        lists = side_by_side(query, found.qrels, runs, found.contract)
    docs = list(dict.fromkeys(place.doc_id for places in lists.sides for place in places))
    lost = [doc for doc, grade in found.qrels[query].items() if grade >= found.contract.relevant_from]
    lost = [doc for doc in lost if doc not in docs]
    sections = [
        Section(Words("Values", "값"), [_query_values(values)]),
        Section(Words("The rankings", "순위"), [_lists(lists, k), *_lost(lost, most)]),
        Section(Words("The documents", "문서"), [documents_table(found, query, docs), texts_of(found, docs)]),
    ]
    asked = found.queries.get(query)
    lead: list[Block] = [] if asked is None else [same(asked)]
    page = Page(Words(f"Query {query}", f"질의 {query}"), sections, lead=lead)
    data = {**lists.to_dict(), "values": {name: dict(of_run) for name, of_run in values.items()}}
    return {"query": query, "k": k, "text": asked, "page": page_json(page), "data": data}


def example_texts(_: Arguments) -> dict[str, Any]:
    """Return the files of the packaged example as {"name", "text"}, to be changed by a person."""
    return {role: {"name": name, "text": content.decode()} for role, (content, name) in example_files().items()}


def _k(arguments: Arguments) -> int:
    k = count_of(arguments, "k", 5)
    if k > DEPTH:
        raise InputError(Fault(f"k is {k}", expected=f"1 to {DEPTH}"))
    return k


def _said(arguments: Arguments) -> dict[str, Any]:
    """Return the arguments that say something."""
    return {name: value for name, value in arguments.items() if value is not None}


def _measures(k: int) -> list[Measure]:
    return parse_all([f"{symbol}@{k}" for symbol in ("nDCG", "P", "R", "RR")])


def _values(found: Searched, k: int, settings: Settings | None) -> _Values:
    return _compared(found.files, len(found.runs), k, settings)


@lru_cache(maxsize=2)  # what a person gave last; no more of it is kept
def _compared(files: tuple[File, ...], runs: int, k: int, settings: Settings | None) -> _Values:
    """Return the values of all runs; with `settings`, compared with BM25, queries of one family resampled together."""
    found = searched(files, lsa=runs > 1)
    if settings is None:
        return _Values([values_of(found.qrels, run, _measures(k), found.contract) for run in found.runs.values()], None)
    first, *others = found.runs.values()
    compared = compare(
        found.qrels,
        first,
        others,
        _measures(k),
        found.contract,
        clusters=found.family_of,
        **settings.to_dict(),
    )
    return _Values([compared.baseline, *compared.runs.values()], compared)


def _title(found: Searched, k: int) -> Words:
    names = ", ".join(found.runs)
    return Words(f"{names} at k = {k}", f"{names}, k = {k}")


def _lead(of: _Values) -> list[Block]:
    """Return a verdict a run, of the measure that decides."""
    if of.compared is None:
        return []
    first = of.compared.differences[0].measure
    return [
        Verdict(
            Words(f"{one.run}: {VERDICTS[one.verdict].words.en}", f"{one.run}: {VERDICTS[one.verdict].words.ko}"),
            verdict_rests_on(one, of.compared.settings),
            VERDICTS[one.verdict].tone,
        )
        for one in of.compared.differences
        if one.measure == first
    ]


def _sections(found: Searched, of: _Values, k: int) -> list[Section]:
    names = [one.run for one in of.values]
    measures = list(of.values[0].measures)
    means = Table(["measure", *names], [[one, *(run.means[one] for run in of.values)] for one in measures])
    shown = [] if of.compared is None else [Section(Words("More than chance?", "우연 이상인가?"), _shown(of.compared))]
    how: list[Block] = [[_setting(k, found), *found.said, *([] if of.compared is None else method(of.compared))]]
    own = found.files != tuple(example_files().values())
    beyond = [OF_OWN] if own else LIMITS[1:]
    return [
        Section(Words("Means", "평균"), [means]),
        *shown,
        Section(Words("Query by query", "질의별"), _by_query(found, of)),
        Section(Words("How it was compared", "비교 방법"), [*how, runs_table(of.values)]),
        limits_section([*([] if of.compared is None else limits(of.compared)), *beyond]),
    ]


def _setting(k: int, found: Searched) -> Words:
    """Return how each was found: LSA and the fusion only where they are there."""
    one = Words(
        f"One corpus, the same queries, judgments, rules and k = {k} for each: BM25 (k1 1.5, b 0.75)",
        f"말뭉치, 질의, 판정, 규칙과 자리 수(k = {k})가 모두 같습니다. BM25(k1 1.5, b 0.75)",
    )
    over = Words(
        "over Hangul 2- and 3-grams and words of Latin letters and digits",
        "한글 2·3글자 조각과 로마자·숫자 단어를 씁니다",
    )
    if len(found.runs) == 1:
        return Words(f"{one.en} {over.en}.", f"{one.ko}는 {over.ko}.")
    return Words(
        f"{one.en}, LSA with 20 dimensions, both {over.en}; RRF fuses the two by rank (60).",
        f"{one.ko}와 20차원 LSA는 {over.ko}. RRF는 둘을 순위로 융합합니다(60).",
    )


def _shown(compared: Comparison) -> list[Block]:
    star, labels = any(map(star_of, compared.differences)), labels_table(compared)
    drawn: list[Block] = [compared.chart()] if any(map(enough, compared.differences)) else []
    more: list[Block] = [differences_table(compared), *([STAR] if star else []), reach_table(compared)]
    summary = Words("All numbers", "모든 숫자")
    return [*drawn, Details(summary, [*more, *([labels] if labels else [])])]


def _by_query(found: Searched, of: _Values) -> list[Block]:
    """Return a row a query with the measure that decides, which opens it; how it changed; the other measures."""
    names, first = [one.run for one in of.values], next(iter(of.values[0].measures))
    columns = [dict(zip(one.query_ids, one.per_query[first], strict=True)) for one in of.values]
    queries = list(of.values[0].query_ids)
    rows = [[query, found.queries.get(query, ""), *(column.get(query) for column in columns)] for query in queries]
    table = Table(["query_id", "text", *names], rows, f"{first}, per query")
    others = [one for one in query_tables(ValuesOfRuns(of.values)) if one.title != table.title]
    changed = [] if of.compared is None else [one for one in of.compared.differences if one.measure == first]
    charts = [
        delta_plot(list(zip(one.query_ids, one.deltas, strict=True)), measure=f"{one.measure} ({one.run})")
        for one in changed
    ]
    deltas = [Details(Words("What changed, query by query", "질의별 변화"), charts)] if charts else []
    return [OPENED, table, *deltas, Details(Words("The other measures", "다른 지표"), others)]


def _query_values(values: Mapping[str, Mapping[str, Any]]) -> Table:
    measures = list(next(iter(values.values())))
    rows = [[one, *(of_run.get(one) for of_run in values.values())] for one in measures]
    return Table(["measure", *values], rows, decimals=6)


def _lists(lists: SideBySide, k: int) -> Table:
    """Return a row a place: of each run the document and its grade."""
    header = ["rank", *(name for run in lists.names for name in (run, "grade"))]
    longest = max(map(len, lists.sides))
    rows: list[list[object]] = []
    for at in range(longest):
        cells: list[object] = [at + 1]
        for places in lists.sides:
            cells += [places[at].doc_id, grade_words(places[at].grade)] if at < len(places) else ["", ""]
        rows.append(cells)
    return Table(header, rows, f"query {lists.query_id}, of which the first {k} places count")


def _lost(docs: Sequence[str], most: int) -> list[Block]:
    """Return the relevant documents that no list shows."""
    if not docs:
        return []
    named = ", ".join(docs[:20]) + (", …" if len(docs) > 20 else "")
    return [
        Words(
            f"relevant, but among the first {most} of no method: {named}",
            f"적합하지만 어느 방법의 앞쪽 {most}개에도 없음: {named}",
        )
    ]
