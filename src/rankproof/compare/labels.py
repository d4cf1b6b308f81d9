"""What would the comparison say if the labels were complete? Unjudged documents relevant, or taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from rankproof.arithmetic import over_queries
from rankproof.compare.comparison import Comparison, Difference, Inputs, Labels, Policy
from rankproof.compare.differences import differences_of
from rankproof.compare.pairs import pairs_of
from rankproof.errors import RankproofError
from rankproof.evaluate import values_of
from rankproof.measures import Measure
from rankproof.model import Grade, Qrels, Run
from rankproof.placements import ranked

CUTOFF = 10
"""How deep unjudged documents are looked for where a measure has no cutoff."""


def with_labels(found: Comparison, inputs: Inputs, family_of: Mapping[str, str] | None) -> Comparison:
    """Return the comparison with, at each difference, how complete the labels are and what that could change."""
    rows: list[Difference] = []
    for name, measure in found.baseline.measures.items():
        own = [one for one in found.differences if one.measure == name]
        of_measure = _Policies(measure, own, found, inputs, family_of) if measure.needs_relevant else None
        rows += [one if of_measure is None else replace(one, labels=of_measure.of(at)) for at, one in enumerate(own)]
    return replace(found, differences=rows, inputs=inputs)


class _Policies:
    """One measure under the policies for unjudged documents."""

    def __init__(
        self,
        measure: Measure,
        seen: Sequence[Difference],
        found: Comparison,
        inputs: Inputs,
        family_of: Mapping[str, str] | None,
    ) -> None:
        self.cutoff = getattr(measure, "cutoff", None) or CUTOFF
        self._measure = measure
        self._seen = seen
        self._found = found
        self._inputs = inputs
        self._family_of = family_of
        self._in_effect = measure.contract_in_effect(inputs.contract)
        queries = seen[0].query_ids
        self._unjudged = [{query: self._of(run, query) for query in queries} for run in inputs.runs]
        self._rates = [self._rate(run, found) for run, found in zip(inputs.runs, self._unjudged, strict=True)]
        self._said = {name: self._policy(policy) for name, policy in POLICIES.items()} if any(self._rates) else {}

    def _top(self, run: Run, query: str) -> list[str]:
        return ranked(query, run, self._in_effect)[: self.cutoff]

    def _of(self, run: Run, query: str) -> list[str]:
        judged = self._inputs.qrels[query]
        return [doc for doc in self._top(run, query) if judged.get(doc, -1) < 0]

    def _rate(self, run: Run, unjudged: Mapping[str, Sequence[str]]) -> float | None:
        """Return the mean, over the queries with results, of the unjudged share of the first results."""
        shares = [len(docs) / len(top) for query, docs in unjudged.items() if (top := self._top(run, query))]
        return over_queries(shares, "mean", "exact")

    def of(self, at: int) -> Labels:
        """Return the labels of one difference."""
        policies = [Policy(name, *said[at]) for name, said in self._said.items()]
        return Labels(self.cutoff, self._rates[0], self._rates[at + 1], policies)

    def _policy(
        self, policy: Callable[[_Policies], tuple[Qrels, Measure]]
    ) -> list[tuple[float | None, str | None, str | None]]:
        try:
            qrels, measure = policy(self)
            values = [values_of(qrels, run, [measure], self._inputs.contract) for run in self._inputs.runs]
        except RankproofError as error:
            return [(None, None, error.faults[0].message)] * len(self._seen)
        pairs = pairs_of(str(measure), values[0], values[1:])
        found = differences_of(pairs, values[0].run, self._found.settings, self._family_of, with_intervals=False)
        return [(one.delta, one.verdict, None) for one in found]

    def all_relevant(self) -> tuple[Qrels, Measure]:
        """Return judgments in which every unjudged document of the first results has the lowest relevant grade."""
        return dict(self._judgments(self._in_effect.relevant_from)), self._measure

    def _judgments(self, grade: Grade) -> Iterator[tuple[str, Mapping[str, Grade]]]:
        for query in self._seen[0].query_ids:
            added = {doc: grade for unjudged in self._unjudged for doc in unjudged[query]}
            yield query, {**self._inputs.qrels[query], **added}

    def condensed(self) -> tuple[Qrels, Measure]:
        """Return the judgments as they are, and the measure over the judged documents alone."""
        queries = self._seen[0].query_ids
        return {query: self._inputs.qrels[query] for query in queries}, self._measure.with_rules(unjudged="condensed")


POLICIES: Mapping[str, Callable[[_Policies], tuple[Qrels, Measure]]] = {
    "unjudged-relevant": _Policies.all_relevant,
    "condensed": _Policies.condensed,
}
"""What is done with unjudged documents, by name."""
