"""What do P@k, R@k, RR@k and nDCG@k say of one query of the packaged example? The calls of the tabs that teach them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from rankproof.charts import cutoff_plot
from rankproof.contract import Contract
from rankproof.errors import Fault, InputError, nearest, seen
from rankproof.evaluate import values_of
from rankproof.explain import Explanation
from rankproof.explain import explain as explain_query
from rankproof.lab.blocks_json import page_json
from rankproof.lab.given import choice_of, count_of
from rankproof.lab.listed import first_of_run, place_table, texts_of
from rankproof.lab.searched import LIMITS, METHODS, Searched, example
from rankproof.measures import parse_all
from rankproof.model import Ranking, Run, Value
from rankproof.report.blocks import Block, Card, Cards, Page, Section
from rankproof.report.explanation import explanation_blocks
from rankproof.report.korean import says_of
from rankproof.report.sections import limits_section
from rankproof.tables import Table
from rankproof.values import Values, shown
from rankproof.words import Words, counted, same

Arguments: TypeAlias = Mapping[str, Any]

DEEPEST = 50
"""A larger k shows nothing more: the example has 46 documents."""
CURVE = 10
"""The curve goes down to so many places at least."""


class _Asked(NamedTuple):
    """One query by one method, cut at k, under the rules of teaching."""

    searched: Searched
    query: str
    method: str
    k: int
    contract: Contract

    @property
    def run(self) -> Run:
        """Return what the method found for the query."""
        return first_of_run(self.searched.runs[self.method], self.query, max(self.k, CURVE))

    @property
    def doc_ids(self) -> list[str]:
        """Return the first k documents, fewer where fewer came back."""
        return list(self.run.rankings[self.query].doc_ids[: self.k])

    def values(self, measures: Sequence[str], run: Run | None = None) -> Values:
        """Return the query's values of some measures."""
        qrels = {self.query: self.searched.qrels[self.query]}
        return values_of(qrels, run or self.run, parse_all(measures), self.contract)

    def explained(self, symbol: str) -> Explanation:
        """Return how a measure's value comes about."""
        return explain_query(self.searched.qrels, self.run, f"{symbol}@{self.k}", self.query, self.contract)


def precision_recall(arguments: Arguments) -> dict[str, Any]:
    """Return one query's precision and recall as a page: place by place, as a curve, and at k.

    Arguments: `query`, an id of the packaged example; `method`: bm25, lsa or rrf; `k`; `from`: the grade from which a
    document is relevant.
    """
    of = _asked(arguments)
    explained = {symbol: of.explained(symbol) for symbol in ("P", "R")}
    deep = max(of.k, CURVE)
    values = of.values([f"{symbol}@{at}" for at in range(1, deep + 1) for symbol in ("P", "R", "NumRelRet")])
    value_of = values.of_query(of.query)
    columns = {
        name: [value_of[f"{symbol}@{at}"] for at in range(1, of.k + 1)]
        for name, symbol in (("hits so far", "NumRelRet"), ("precision", "P"), ("recall", "R"))
    }
    found = [line for one in explained.values() for line in _told(one)]
    sections = [
        Section(
            Words("Place by place", "자리마다"),
            [
                _came_back(of),
                place_table(of.searched, of.query, of.doc_ids, of.k, columns),
                texts_of(of.searched, of.doc_ids),
            ],
        ),
        Section(Words("Over k", "k에 따라"), _curve(value_of, of.k, deep)),
        Section(Words("How the values come about", "값이 나오는 과정"), [found]),
        limits_section(LIMITS),
    ]
    page = Page(_title(of), sections, lead=[_cards_of(explained, of)])
    data = {"explanations": {name: one.to_dict() for name, one in explained.items()}, "values": values.to_dict()}
    return {**_about(of), "page": page_json(page), "data": data}


def mrr_ndcg(arguments: Arguments) -> dict[str, Any]:
    """Return one query's reciprocal rank and nDCG term by term; the same hits in other orders; the means over all.

    Arguments: those of `precision_recall`.
    """
    of = _asked(arguments)
    explained = {symbol: of.explained(symbol) for symbol in ("RR", "DCG", "nDCG")}
    orders, means = _orders(of), _means(of)
    sections = [
        Section(
            Words("The ranking", "순위"),
            [
                _came_back(of),
                place_table(of.searched, of.query, of.doc_ids, of.k, {}),
                texts_of(of.searched, of.doc_ids),
            ],
        ),
        Section(Words("Reciprocal rank", "역순위"), explanation_blocks(explained["RR"])),
        Section(Words("nDCG, term by term", "nDCG의 항"), explanation_blocks(explained["nDCG"])),
        Section(Words("The same hits in another order", "같은 문서, 다른 순서"), _order_blocks(orders, of)),
        Section(Words("The mean over all queries", "전체 질의의 평균"), _mean_blocks(means)),
        limits_section(LIMITS),
    ]
    page = Page(_title(of), sections, lead=[_cards_of_gains(explained, of)])
    data = {
        "explanations": {name: one.to_dict() for name, one in explained.items()},
        "orders": {name: dict(values.of_query(of.query)) for name, values in orders.items()},
        "means": {name: dict(values.means) for name, values in means.items()},
    }
    return {**_about(of), "page": page_json(page), "data": data}


def _asked(arguments: Arguments) -> _Asked:
    """Return what a call is about. InputError and MeasureError for what the example does not hold."""
    found = example()
    query = next(iter(found.queries)) if arguments.get("query") is None else arguments["query"]
    if not isinstance(query, str) or query not in found.queries:
        hint = f"nearest: {nearest(str(query), found.queries)}"
        raise InputError(Fault(f"the example has no query {seen(query)}", hint=hint))
    k = count_of(arguments, "k", 5)
    if k > DEEPEST:
        raise InputError(Fault(f"k is {k}", expected=f"1 to {DEEPEST}"))
    relevant = found.contract.relevant_from if arguments.get("from") is None else count_of(arguments, "from", 1)
    contract = found.contract.with_rules(relevant_from=relevant)
    return _Asked(found, query, choice_of(arguments, "method", METHODS), k, contract)


def _about(of: _Asked) -> dict[str, Any]:
    """Return what every answer says of its question, and what else could be asked."""
    return {
        "query": of.query,
        "text": of.searched.queries[of.query],
        "method": of.method,
        "k": of.k,
        "contract": {"name": of.contract.name, "fingerprint": of.contract.fingerprint},
        "queries": [{"id": one, "text": text} for one, text in of.searched.queries.items()],
    }


def _title(of: _Asked) -> Words:
    return same(f"{of.searched.queries[of.query]} · {of.method}")


def _came_back(of: _Asked) -> Words:
    """Return how many documents came back, and that k stays what it is."""
    count = len(of.doc_ids)
    if count < of.k:
        return Words(
            f"Only {count} came back. k stays {of.k}: an empty place is a place without a hit.",
            f"{count}개만 검색되었습니다. k는 {of.k} 그대로이며, 빈 자리는 적합 문서가 없는 자리로 셉니다.",
        )
    return Words(f"The first {of.k} of {of.method}.", f"{of.method}의 앞쪽 {of.k}개입니다.")


def _cards_of(explained: Mapping[str, Explanation], of: _Asked) -> Cards:
    return Cards([_card(one, of) for one in explained.values()])


def _card(found: Explanation, of: _Asked) -> Card:
    """Return a value, and what was divided by what; where it is undefined, by which rule."""
    if found.reason is not None:
        return Card(same(str(found.measure)), _value(found.value), says_of("no_relevant", of.contract.no_relevant))
    return Card(
        same(str(found.measure)), _value(found.value), same(f"{_number(found.total)} / {_number(found.normaliser)}")
    )


def _cards_of_gains(explained: Mapping[str, Explanation], of: _Asked) -> Cards:
    """Return RR, DCG, the ideal DCG and nDCG: the third is what the second is divided by."""
    gains, ratio = explained["DCG"], explained["nDCG"]
    ideal = None if ratio.reason is not None else ratio.normaliser
    label = Words(f"ideal DCG@{of.k}", f"이상적 DCG@{of.k}")
    note = Words("the best order of all judged documents", "판정된 문서 전체의 가장 좋은 순서")
    sum_of = Words("the sum of gain / discount", "이득 / 할인의 합")
    return Cards(
        [
            _first_hit(explained["RR"], of),
            Card(same(str(gains.measure)), _value(gains.value), sum_of),
            Card(label, _value(ideal), note),
            _card(ratio, of),
        ]
    )


def _first_hit(found: Explanation, of: _Asked) -> Card:
    """Return the reciprocal rank, and where the first hit stands."""
    card = _card(found, of)
    if found.reason is not None:
        return card
    hits = [place.ranks[0] for place in found.places if place.amount]
    if not hits:
        return replace(card, note=Words(f"no hit in the first {of.k}", f"앞쪽 {of.k}개에 적합 문서 없음"))
    return replace(card, note=Words(f"the first hit stands at rank {hits[0]}", f"첫 적합 문서의 순위: {hits[0]}"))


def _value(value: Value) -> str:
    return "–" if value is None else shown(value)


def _number(amount: float) -> str:
    return f"{amount:.0f}" if amount == int(amount) else f"{amount:.4f}"


def _told(found: Explanation) -> list[Words]:
    """Return the formula and the sum of a value, without the table of its terms."""
    first = explanation_blocks(found)[0]
    return first if isinstance(first, list) else []


def _curve(value_of: Mapping[str, Value], k: int, deep: int) -> list[Block]:
    """Return precision and recall over k as a chart, and what a larger k did to both."""
    rows = [(symbol, at, value_of[f"{symbol}@{at}"]) for symbol in ("P", "R") for at in range(1, deep + 1)]
    rows = [row for row in rows if row[2] is not None]
    if not rows:
        return [Words("Neither is defined for this query.", "이 질의에서는 둘 다 정의되지 않습니다.")]
    first, last = ({symbol: _value(value_of[f"{symbol}@{at}"]) for symbol in ("P", "R")} for at in (1, k))
    moved = f"P {first['P']} → {last['P']}, R {first['R']} → {last['R']}"
    said = Words(
        f"From k = 1 to k = {k}: {moved}. Recall cannot fall when k grows; precision can.",
        f"k = 1에서 k = {k}까지: {moved}. k가 커지면 재현율은 낮아지지 않지만 정밀도는 낮아질 수 있습니다.",
    )
    return [cutoff_plot(rows), said]


_ORDERS: Mapping[str, Words] = {
    "found": Words("as found", "검색된 순서"),
    "reversed": Words("reversed", "거꾸로"),
    "best": Words("highest grades first", "등급이 높은 것부터"),
}
"""The orders in which the same documents are looked at."""


def _orders(of: _Asked) -> dict[str, Values]:
    """Return the values of the first k documents in each order."""
    docs, grades = of.doc_ids, of.searched.qrels[of.query]
    best = sorted(docs, key=lambda doc: -grades.get(doc, 0))
    measures = [f"{symbol}@{of.k}" for symbol in ("P", "RR", "DCG", "nDCG")]
    ordered = {"found": docs, "reversed": docs[::-1], "best": best}
    return {name: of.values(measures, Run(name, {of.query: Ranking(order)})) for name, order in ordered.items()}


def _order_blocks(orders: Mapping[str, Values], of: _Asked) -> list[Block]:
    header = ["order", *next(iter(orders.values())).measures]
    rows = [[_ORDERS[name], *values.of_query(of.query).values()] for name, values in orders.items()]
    said = Words(
        f"The same {counted(len(of.doc_ids), 'document')}, so the same hits: P does not see their order, RR sees the "
        "first hit alone, nDCG sees every grade and its place. Even the best order reaches nDCG 1 only where no better "
        "document was missed.",
        f"같은 문서 {len(of.doc_ids)}개이므로 적합 문서 수도 같습니다. P는 순서를 보지 않고, RR은 첫 적합 문서만 보며, "
        "nDCG는 모든 등급과 자리를 봅니다. 더 좋은 문서를 놓쳤다면 가장 좋은 순서로도 nDCG는 1이 되지 않습니다.",
    )
    return [Table(header, rows, decimals=6), said]


def _means(of: _Asked) -> dict[str, Values]:
    """Return each method's values over all queries."""
    measures = parse_all([f"{symbol}@{of.k}" for symbol in ("RR", "nDCG")])
    return {name: values_of(of.searched.qrels, run, measures, of.contract) for name, run in of.searched.runs.items()}


def _mean_blocks(means: Mapping[str, Values]) -> list[Block]:
    measures = list(next(iter(means.values())).measures)
    count = len(next(iter(means.values())).query_ids)
    rows = [[measure, *(values.means[measure] for values in means.values())] for measure in measures]
    said = Words(
        f"The mean of RR over queries is called MRR; here over {count} queries.",
        f"RR의 질의 평균을 MRR이라고 합니다. 여기서는 질의 {count}개의 평균입니다.",
    )
    return [Table(["measure", *means], rows, decimals=6), said]
