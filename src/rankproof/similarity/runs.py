"""How alike are two runs?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from rankproof.arithmetic import check_count, over_queries
from rankproof.contract import Contract
from rankproof.errors import ContractError, Fault, InputError, RankproofError, nearest
from rankproof.formats import as_qrels, as_runs
from rankproof.formats.places import with_lines
from rankproof.formats.table import runs_only
from rankproof.model import Run, Value
from rankproof.placements import ranked_groups
from rankproof.presets import contract as contract_of
from rankproof.similarity import telling
from rankproof.similarity.correlation import kendall_tau_b, tau_ap_b
from rankproof.similarity.overlap import check_persistence, overlap, rbo
from rankproof.similarity.telling import SAYS
from rankproof.tables import Table, Told
from rankproof.words import counted, first_of, query_count


class Alike(NamedTuple):
    """How alike one query's two rankings are; the taus look only at the `common` documents that both retrieved."""

    overlap: Value
    rbo: Value
    rbo_minimum: Value
    rbo_residual: Value
    tau_b: Value
    tau_ap_b: Value
    common: int
    left: int  # how many documents each side retrieved
    right: int


@dataclass(frozen=True)
class Similarity:
    """How alike two runs are, for each query that both answer, in the left run's order."""

    left: str
    right: str
    contract: Contract
    k: int
    p: float
    per_query: Mapping[str, Alike]
    only_left: Sequence[str] = ()  # queries that the other run does not answer
    only_right: Sequence[str] = ()

    @property
    def names(self) -> Mapping[str, str]:
        """Return how each number is headed."""
        return {name: text.format(k=self.k, p=self.p) for name, text in SAYS.items()}

    @cached_property
    def means(self) -> Mapping[str, Value]:
        """Return the mean of each number over the queries where it is defined; None where it is nowhere."""
        return {name: over_queries(self._defined(name), "mean", "exact") for name in SAYS}

    @cached_property
    def undefined(self) -> Mapping[str, Sequence[str]]:
        """Return, for each number that is not defined everywhere, the queries without it."""
        found = {name: [q for q, alike in self.per_query.items() if getattr(alike, name) is None] for name in SAYS}
        return {name: queries for name, queries in found.items() if queries}

    def _defined(self, name: str) -> list[float]:
        values = (getattr(alike, name) for alike in self.per_query.values())
        return [value for value in values if value is not None]

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Return what `rankproof similarity --format json` writes for two runs."""
        found: dict[str, Any] = {
            "left": self.left,
            "right": self.right,
            "queries": {
                "both": len(self.per_query),
                "only_left": list(self.only_left),
                "only_right": list(self.only_right),
            },
            "means": dict(self.means),
            "undefined": {name: list(queries) for name, queries in self.undefined.items()},
        }
        if per_query:
            found["per_query"] = {query: alike._asdict() for query, alike in self.per_query.items()}
        return found

    def tables(self, *, per_query: bool = False) -> list[Table]:
        """Return the mean of each number; with `per_query` each query's too."""
        return telling.similarity_tables(self._alone(), per_query=per_query)

    def __repr__(self) -> str:
        """Return the table and notes, to read."""
        return repr(self._alone())

    def _repr_html_(self) -> str:
        """Return the same as a notebook shows it."""
        return self._alone()._repr_html_()

    def _alone(self) -> Similarities:
        return Similarities([self.left, self.right], [self])

    def notes(self) -> list[str]:
        """Return what was compared and what could not be, as sentences."""
        lines = [f"{query_count(len(self.per_query))} that both answer"]
        for name, queries in ((self.left, self.only_left), (self.right, self.only_right)):
            if queries:
                lines.append(f"{query_count(len(queries))} that only {name} answers, left out ({first_of(queries)})")
        for name, queries in self.undefined.items():
            lines.append(f"{self.names[name]} is undefined for {query_count(len(queries))} ({first_of(queries)})")
        return [f"{self.left} and {self.right}: {'; '.join(lines)}"]


CAVEATS = (
    "equal scores are ties, whatever the contract's rule for them: overlap and RBO are means over their orders",
    "the taus look only at documents that both retrieved; what one alone retrieved moves overlap and RBO",
)


@dataclass(frozen=True, repr=False)
class Similarities(Told):
    """How alike several runs are: each pair once, in the order given."""

    runs: Sequence[str]
    pairs: Sequence[Similarity]

    @property
    def names(self) -> Mapping[str, str]:
        """Return how each number is headed."""
        return self.pairs[0].names

    def matrix(self, name: str) -> list[list[Value]]:
        """Return the means of one number, a row and a column a run; None on the diagonal, and where undefined.

        InputError for a number that does not exist.
        """
        if name not in SAYS:
            raise InputError(Fault(f"there is no number {name!r}", hint=f"nearest: {nearest(name, SAYS)}"))
        of_pair = {(pair.left, pair.right): pair.means[name] for pair in self.pairs}
        return [[of_pair.get((row, column), of_pair.get((column, row))) for column in self.runs] for row in self.runs]

    def to_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Return what `rankproof similarity --format json` writes."""
        first = self.pairs[0]
        return {
            "contract": first.contract.to_dict(),
            "k": first.k,
            "p": first.p,
            "runs": list(self.runs),
            "pairs": [pair.to_dict(per_query=per_query) for pair in self.pairs],
            "matrices": {name: self.matrix(name) for name in SAYS},
            "caveats": list(CAVEATS),
        }

    def tables(self, *, per_query: bool = False) -> list[Table]:
        """Return the means: of two runs a row a number, of more a matrix a number; each query's too, if asked for."""
        return telling.similarity_tables(self, per_query=per_query)

    def notes(self) -> list[str]:
        """Return the contract, what each pair leaves out, and how ties and lone documents count, as sentences."""
        contract = self.pairs[0].contract
        lines = [f"contract {contract.name} ({contract.fingerprint})"]
        return [*lines, *(note for pair in self.pairs for note in pair.notes()), *CAVEATS]


def similarity(
    a: Any,
    b: Any = None,
    *,
    k: int = 10,
    p: float = 0.9,
    qrels: Any = None,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Similarity:
    """Return how alike two runs are, a query at a time: overlap@k, RBO with persistence p, tau-b, tau-AP,b.

    Runs as for `evaluate`, one each, or both as a list or a dict (`similarities` takes more). Of the contract, what
    orders a ranking holds: order, duplicates, depth, own document. Equal scores are ties, whatever its rule for them.
    With `qrels` only the queries that these hold count. The taus correlate the documents that both retrieved. Raises
    InputError, ContractError as `evaluate` does, also where no query is in both, and MeasureError for a k or p that
    cannot be.
    """
    given = contract_of(contract, **rules)
    with runs_only("similarity takes runs only"):
        left, right = _two_of(a, given) if b is None else two_runs(a, b, given)
    return _alike(left, right, given, _settings(k, p), None if qrels is None else as_qrels(qrels, given))


def similarities(
    runs: Any,
    *,
    k: int = 10,
    p: float = 0.9,
    qrels: Any = None,
    contract: str | Path | Mapping[str, Any] | Contract = "rankproof",
    **rules: object,
) -> Similarities:
    """Return how alike each two of several runs are; see `similarity`. InputError for less than two runs."""
    given = contract_of(contract, **rules)
    with runs_only("similarity takes runs only"):
        named = as_runs(runs, given)[0]
    if len(named) < 2:
        raise InputError(Fault("one run is given", expected="two or more to compare"))
    wanted, settings = None if qrels is None else as_qrels(qrels, given), _settings(k, p)
    pairs = [_alike(left, right, given, settings, wanted) for left, right in combinations(named, 2)]
    return Similarities([run.name for run in named], pairs)


def two_runs(a: Any, b: Any, contract: Contract) -> tuple[Run, Run]:
    """Return two runs, each under a name of its own. InputError where one of them is several."""
    found = []
    for given in (a, b):
        run, *more = as_runs(given, contract)[0]
        if more:
            raise InputError(Fault(f"{len(more) + 1} runs are given", expected="one on each side"))
        found.append(run)
    left, right = as_runs(found, contract)[0]
    return left, right


def _two_of(runs: Any, contract: Contract) -> tuple[Run, Run]:
    """Return two runs that were given together. InputError for another number of them."""
    found = as_runs(runs, contract)[0]
    if len(found) != 2:
        hint = "similarities(runs) compares each two of several"
        raise InputError(Fault(f"{counted(len(found), 'run')} given", expected="two", hint=hint))
    return found[0], found[1]


def _settings(k: int, p: float) -> tuple[int, float]:
    check_count("k", k)
    check_persistence(p)
    return k, p


def _alike(
    left: Run, right: Run, contract: Contract, settings: tuple[int, float], wanted: Collection[str] | None
) -> Similarity:
    answered = [[q for q in run.rankings if wanted is None or q in wanted] for run in (left, right)]
    both = [query for query in answered[0] if query in right.rankings]
    if not both:
        begins = ", ".join(f"{run.name} begins with {next(iter(run.rankings))}" for run in (left, right))
        hint = "compare the query ids: a prefix, zero padding or another case is enough to part them"
        raise ContractError(Fault(f"no query in common: {begins}", right.source or right.name, hint=hint))
    try:
        per_query = {
            query: _alike_in(ranked_groups(query, left, contract), ranked_groups(query, right, contract), *settings)
            for query in both
        }
    except RankproofError as error:
        raise with_lines(error, None) from error
    only = [[query for query in answered[at] if query not in per_query] for at in (0, 1)]
    return Similarity(left.name, right.name, contract, *settings, per_query, *only)


def _alike_in(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]], k: int, p: float) -> Alike:
    biased = rbo(left, right, p)
    places = [{doc: -at for at, group in enumerate(groups) for doc in group} for groups in (left, right)]
    common = [doc for doc in places[0] if doc in places[1]]
    x, y = ([of_side[doc] for doc in common] for of_side in places)
    return Alike(
        overlap(left, right, k),
        biased.extrapolated,
        biased.minimum,
        biased.residual,
        kendall_tau_b(x, y),
        tau_ap_b(x, y),
        len(common),
        *map(len, places),
    )
