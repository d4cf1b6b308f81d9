"""What would the comparison say if the labels were complete? Unjudged documents relevant, or taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rankproof.arithmetic import over_queries
from rankproof.compare.comparison import Comparison, Difference, Inputs, Labels, Policy
from rankproof.compare.differences import differences_of
from rankproof.compare.pairs import pairs_of
from rankproof.compare.settings import Settings
from rankproof.contract import Contract
from rankproof.errors import Fault, MeasureError, RankproofError
from rankproof.evaluate import values_of
from rankproof.measures import Measure
from rankproof.model import Qrels, Run
from rankproof.placements import ranked, rules_that_place
from rankproof.words import Words

CUTOFF = 10
"""How deep unjudged documents are looked for where a measure has no cutoff."""


ALL_ALIKE = Words(
    "none of the first results is judged not relevant, so all would be alike",
    "앞쪽 결과에 비적합으로 판정된 문서가 없어 모두 같아집니다",
)
ONLY_RELEVANT = Words(
    "no document is judged not relevant, so only relevant ones would be left",
    "비적합으로 판정된 문서가 없어 적합 문서만 남습니다",
)
"""Why a policy says nothing."""


def _reason(error: RankproofError) -> Words:
    message = error.faults[0].message
    return ONLY_RELEVANT if message == ONLY_RELEVANT.en else Words(message, f"값이 정의되지 않습니다 ({message})")


def with_labels(found: Comparison, inputs: Inputs, family_of: Mapping[str, str] | None) -> Comparison:
    """Return the comparison with, at each difference, how complete the labels are and what that could change."""
    rows: list[Difference] = []
    tops, given = _Tops(inputs.runs), _Given(found.settings, inputs, family_of)
    for name, measure in found.baseline.measures.items():
        own = [one for one in found.differences if one.measure == name]
        of_measure = _Policies(measure, own, given, tops) if measure.needs_relevant else None
        rows += [one if of_measure is None else replace(one, labels=of_measure.of(at)) for at, one in enumerate(own)]
    return replace(found, differences=rows, inputs=inputs)


class _Given(NamedTuple):
    """What the comparison was made from."""

    settings: Settings
    inputs: Inputs
    family_of: Mapping[str, str] | None


class _Tops:
    """The rankings of the runs, each put in order once for all contracts that place it alike."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._made: dict[tuple[object, ...], list[dict[str, list[str]]]] = {}

    def of(self, at: int, query: str, contract: Contract) -> list[str]:
        """Return a query's documents in the run at this place, by rank."""
        made = self._made.setdefault(rules_that_place(contract), [{} for _ in self._runs])[at]
        if query not in made:
            made[query] = ranked(query, self._runs[at], contract)
        return made[query]


class _Policies:
    """One measure under the policies for unjudged documents."""

    def __init__(self, measure: Measure, seen: Sequence[Difference], given: _Given, tops: _Tops) -> None:
        self.cutoff = getattr(measure, "cutoff", None) or CUTOFF
        self._measure = measure
        self._seen = seen
        self._given = given
        self._inputs = given.inputs
        self._in_effect = measure.contract_in_effect(given.inputs.contract)
        self._tops = [
            {query: tops.of(at, query, self._in_effect)[: self.cutoff] for query in seen[0].query_ids}
            for at in range(len(given.inputs.runs))
        ]
        self._unjudged = [{query: self._of(query, docs) for query, docs in top.items()} for top in self._tops]
        self._rates = [self._rate(*parts) for parts in zip(self._tops, self._unjudged, strict=True)]
        self._said = {name: self._policy(policy) for name, policy in POLICIES.items()} if any(self._rates) else {}

    def _of(self, query: str, docs: Sequence[str]) -> list[str]:
        judged = self._inputs.qrels[query]
        return [doc for doc in docs if judged.get(doc, -1) < 0]

    def _rate(self, top: Mapping[str, Sequence[str]], unjudged: Mapping[str, Sequence[str]]) -> float | None:
        """Return the mean, over the queries with results, of the unjudged share of the first results."""
        shares = [len(unjudged[query]) / len(docs) for query, docs in top.items() if docs]
        return over_queries(shares, "mean", "exact")

    def of(self, at: int) -> Labels:
        """Return the labels of one difference."""
        policies = [said[at]._replace(name=name) for name, said in self._said.items()]
        return Labels(self.cutoff, self._rates[0], self._rates[at + 1], policies)

    def _policy(self, policy: Callable[[_Policies], tuple[Qrels, Measure]]) -> list[Policy]:
        """Return what a policy says of each run, under no name yet."""
        try:
            qrels, measure = policy(self)
            values = [values_of(qrels, run, [measure], self._inputs.contract) for run in self._inputs.runs]
        except RankproofError as error:
            return [Policy("", None, None, _reason(error))] * len(self._seen)
        pairs = pairs_of(str(measure), values[0], values[1:])
        found = differences_of(pairs, values[0].run, self._given.settings, self._given.family_of, with_intervals=False)
        return [self._said_of(one, seen) for one, seen in zip(found, self._seen, strict=True)]

    def _said_of(self, found: Difference, seen: Difference) -> Policy:
        if any(seen.deltas) and not any(found.deltas) and not self._any_seen_not_relevant():
            return Policy("", found.delta, None, ALL_ALIKE)
        return Policy("", found.delta, found.verdict)

    def _any_seen_not_relevant(self) -> bool:
        """Return whether a first result of a run is judged, and not relevant."""
        qrels, least = self._inputs.qrels, self._in_effect.relevant_from
        return any(0 <= qrels[query].get(doc, -1) < least for top in self._tops for query in top for doc in top[query])

    def all_relevant(self) -> tuple[Qrels, Measure]:
        """Return judgments in which every unjudged document of the first results has the lowest relevant grade."""
        grade, qrels = self._in_effect.relevant_from, dict(self._inputs.qrels)
        for query in self._seen[0].query_ids:
            added = {doc: grade for unjudged in self._unjudged for doc in unjudged[query]}
            qrels[query] = {**qrels[query], **added}
        return qrels, self._measure

    def condensed(self) -> tuple[Qrels, Measure]:
        """Return the judgments as they are, and the measure over the judged documents alone."""
        judged = (self._inputs.qrels[query].values() for query in self._seen[0].query_ids)
        if not any(0 <= grade < self._in_effect.relevant_from for grades in judged for grade in grades):
            raise MeasureError(Fault(ONLY_RELEVANT.en))
        return self._inputs.qrels, self._measure.with_rules(unjudged="condensed")


POLICIES: Mapping[str, Callable[[_Policies], tuple[Qrels, Measure]]] = {
    "unjudged-relevant": _Policies.all_relevant,
    "condensed": _Policies.condensed,
}
"""What is done with unjudged documents, by name."""
