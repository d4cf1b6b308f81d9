"""How well do judges agree, beyond what chance would give, and how sure is that?

The coefficients are those of statsmodels and krippendorff; this module puts judgments in their shape, says where a
coefficient is undefined, and draws the queries again for its interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

from rankproof.arithmetic import check_confidence
from rankproof.compare.draws import Draws, Matrix, numbers_of
from rankproof.compare.intervals import Interval, quantile
from rankproof.errors import Fault, InputError, MissingPackageError, seen
from rankproof.measures.base import is_whole
from rankproof.model import Grade
from rankproof.pool.judgments import Item

Grades: TypeAlias = Mapping[Item, Mapping[str, Grade]]
"""By item, the grades by judge."""

ONE_GRADE = "only one grade was given"
NO_ITEM = "no document was judged by both"
NO_SHARED = "no document has two judges"


@dataclass(frozen=True, slots=True)
class Drawing:
    """How intervals are drawn: at which level, how often (0: none), from which seed."""

    confidence: float = 0.95
    resamples: int = 1000
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no sensible number."""
        check_confidence(self.confidence, InputError)
        fits = {
            "resamples": is_whole(self.resamples) and (self.resamples == 0 or 100 <= self.resamples <= 1_000_000),
            "seed": is_whole(self.seed),
        }
        for name, expected in _EXPECTED.items():
            if not fits[name]:
                raise InputError(Fault(f"{name} cannot be {seen(getattr(self, name))}", expected=expected))


_EXPECTED = {
    "resamples": "0, or a whole number from 100 to 1000000",
    "seed": "a whole number",
}


class Coefficient(NamedTuple):
    """A coefficient of agreement, 1 where all agree; the percentile interval over queries drawn again.

    Where `value` or `interval` is None, the reason stands beside it. `draws` is how many resamples the coefficient is
    defined in: only these make the interval. It rests on so many items of so many queries.
    """

    value: float | None
    undefined: str | None
    interval: Interval | None
    no_interval: str | None
    draws: int
    items: int
    queries: int

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        return {**self._asdict(), "interval": None if self.interval is None else list(self.interval)}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well some judges agree on the items that two or more of them judged."""

    judges: Sequence[str]
    items: int
    queries: int
    coefficients: Mapping[str, Coefficient]
    name: str = ""  # of a group: all, people, models
    fleiss_judges: int | None = None  # Fleiss' kappa takes only the items that so many judged
    fleiss_left_out: int = 0  # items that fewer or more judged

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        return {
            "name": self.name,
            "judges": list(self.judges),
            "items": self.items,
            "queries": self.queries,
            "fleiss_judges": self.fleiss_judges,
            "fleiss_left_out": self.fleiss_left_out,
            "coefficients": {name: one.to_dict() for name, one in self.coefficients.items()},
        }


_Rows: TypeAlias = Sequence[tuple[str, Sequence[int]]]
"""Of each item its query, and a row of numbers."""
_Find: TypeAlias = Callable[[Matrix], float | None]
"""Given the rows of some items, a coefficient; None where it is undefined."""

COHEN: Mapping[str, str | None] = {"cohen": None, "cohen_linear": "linear", "cohen_quadratic": "quadratic"}
"""Cohen's kappa by how it weighs a disagreement: all alike, by the distance of the grades, by its square."""
Level: TypeAlias = Literal["nominal", "ordinal", "interval"]
ALPHA: Mapping[str, Level] = {"alpha_nominal": "nominal", "alpha_ordinal": "ordinal", "alpha_interval": "interval"}
"""Krippendorff's alpha by level of measurement."""
OF_PAIRS = ("agreement", *COHEN)
OF_GROUPS = ("agreement", "fleiss", *ALPHA)


def of_pair(grades: Grades, left: str, right: str, drawing: Drawing, *, kappas: bool = True) -> Agreement:
    """Return how well two judges agree, as `between` finds it, on the items that both judged."""
    both = [
        (item.query_id, given[left], given[right]) for item, given in grades.items() if {left, right} <= given.keys()
    ]
    return between(both, (left, right), drawing, kappas=kappas)


def between(
    both: Sequence[tuple[str, Grade, Grade]], names: tuple[str, str], drawing: Drawing, *, kappas: bool = True
) -> Agreement:
    """Return how well two agree, given each item's query and their grades: raw agreement, Cohen's kappa.

    Kappa is that of 1960, weighted that of 1968.
    Weights are distances of the grades themselves, so that 0 and 3 are further apart than 0 and 1 whatever lies
    between. Undefined without a document that both judged; kappa also where both gave one and the same grade only.
    `kappas` false leaves kappa out. MissingPackageError without statsmodels.
    """
    levels = sorted({grade for _, *pair in both for grade in pair})
    place = {grade: at for at, grade in enumerate(levels)}
    rows = [(query, (place[one], place[other])) for query, one, other in both]
    find: dict[str, _Find] = {"agreement": _same}
    if kappas:
        find |= {name: partial(_cohen, levels, weights) for name, weights in COHEN.items()}
    found = _drawn(rows, find, NO_ITEM, drawing)
    return Agreement(list(names), len(both), len({query for query, _ in rows}), found)


def of_group(grades: Grades, judges: Sequence[str], name: str, drawing: Drawing, *, kappas: bool = True) -> Agreement:
    """Return how well several judges agree: of all pairs of grades of an item the share that are equal, and kappas.

    Fleiss' kappa (1971) needs the same number of judges for each item: the most frequent one, two or more, is taken
    (of numbers as frequent the greater), and the other items are left out of it. Krippendorff's alpha (2011) takes all
    items with two judges or more. Undefined as for a pair. MissingPackageError without statsmodels or krippendorff.
    """
    chosen = frozenset(judges)
    shared = [
        (item.query_id, tally)
        for item, given in grades.items()
        if (tally := Counter(grade for judge, grade in given.items() if judge in chosen)).total() > 1
    ]
    levels = sorted({grade for _, tally in shared for grade in tally})
    rows = [(query, [tally[grade] for grade in levels]) for query, tally in shared]
    found = _drawn(rows, {"agreement": _equal_pairs}, NO_SHARED, drawing)
    if not kappas:
        return Agreement(judges, len(rows), len({query for query, _ in rows}), found, name)
    sizes = Counter(sum(row) for _, row in rows)
    size = max(sizes, key=lambda one: (sizes[one], one), default=None)
    alike = [row for row in rows if sum(row[1]) == size]
    found |= _drawn(alike, {"fleiss": _fleiss()}, NO_SHARED, drawing)
    alphas: dict[str, _Find] = {of: partial(_alpha, levels, level) for of, level in ALPHA.items()}
    found |= _drawn(rows, alphas, NO_SHARED, drawing)
    queries = len({query for query, _ in rows})
    return Agreement(judges, len(rows), queries, found, name, size, len(rows) - len(alike))


def _drawn(rows: _Rows, find: Mapping[str, _Find], nothing: str, drawing: Drawing) -> dict[str, Coefficient]:
    """Return coefficients with their intervals: queries that hold items are drawn again, each with all its items."""
    if not rows:
        return {name: Coefficient(None, nothing, None, nothing, 0, 0, 0) for name in find}
    import numpy as np  # noqa: PLC0415 - only where agreement is asked for

    of_query: dict[str, list[Sequence[int]]] = {}
    for query, row in rows:
        of_query.setdefault(query, []).append(row)
    blocks = [np.array(block) for block in of_query.values()]
    values = {name: one(np.concatenate(blocks)) for name, one in find.items()}
    why_not = _no_interval(len(blocks), drawing)
    drawn: dict[str, list[float]] = {name: [] for name in find}
    for words in Draws(drawing.seed, "agreement").rows(0 if why_not else drawing.resamples, len(blocks)):
        sample = np.concatenate([blocks[word * len(blocks) >> 32] for word in numbers_of(words)])
        for name, one in find.items():
            if values[name] is not None and (value := one(sample)) is not None:
                drawn[name].append(value)
    found = {}
    for name, value in values.items():
        missing = ONE_GRADE if value is None else None
        interval, no_interval = _interval(drawn[name], missing or why_not, drawing)
        draws = 0 if interval is None else len(drawn[name])
        found[name] = Coefficient(value, missing, interval, no_interval, draws, len(rows), len(blocks))
    return found


def _no_interval(queries: int, drawing: Drawing) -> str | None:
    if drawing.resamples == 0:
        return "no resamples were asked for"
    return "one query cannot be drawn again" if queries < 2 else None


def _interval(drawn: list[float], why_not: str | None, drawing: Drawing) -> tuple[Interval | None, str | None]:
    """Return the percentile interval of what was drawn, or why there is none."""
    if why_not is None and len(drawn) < 2:
        why_not = "it is undefined in nearly every resample"
    if why_not is not None:
        return None, why_not
    tail, ordered = (1 - drawing.confidence) / 2, sorted(drawn)
    return Interval(quantile(ordered, tail), quantile(ordered, 1 - tail)), None


def _same(rows: Matrix) -> float:
    return int((rows[:, 0] == rows[:, 1]).sum()) / len(rows)


def _equal_pairs(rows: Matrix) -> float:
    judges = rows.sum(axis=1)
    return int((rows * (rows - 1)).sum()) / int((judges * (judges - 1)).sum())


def _cohen(levels: Sequence[Grade], weights: str | None, rows: Matrix) -> float | None:
    import numpy as np  # noqa: PLC0415 - only where agreement is asked for

    cohens_kappa = _statsmodels("cohens_kappa")
    present = np.unique(rows)
    if len(present) < 2:  # chance alone would agree always: 0 / 0
        return None
    count = len(levels)
    table = np.bincount(rows[:, 0] * count + rows[:, 1], minlength=count * count).reshape(count, count)
    scale = None if weights is None else np.array(levels, dtype=float)
    return float(cohens_kappa(table, weights=scale, wt=weights, return_results=False))


def _fleiss() -> _Find:
    fleiss_kappa = _statsmodels("fleiss_kappa")
    return lambda rows: float(fleiss_kappa(rows)) if (rows.sum(axis=0) > 0).sum() > 1 else None


def _alpha(levels: Sequence[Grade], level: Level, rows: Matrix) -> float | None:
    import numpy as np  # noqa: PLC0415 - only where agreement is asked for

    try:
        import krippendorff  # noqa: PLC0415 - an extra
    except ImportError:
        raise _missing("krippendorff") from None
    present = rows.sum(axis=0) > 0
    if present.sum() < 2:
        return None
    domain = np.array(levels, dtype=float)[present]
    counts = rows[:, present]
    return float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))


def _statsmodels(name: str) -> Callable[..., Any]:
    try:
        from statsmodels.stats import inter_rater  # noqa: PLC0415 - an extra
    except ImportError:
        raise _missing("statsmodels") from None
    found: Callable[..., Any] = getattr(inter_rater, name)
    return found


def _missing(package: str) -> MissingPackageError:
    hint = 'pip install "rankproof[agreement]"; --no-agreement (agreement=False) merges without it'
    return MissingPackageError(Fault(f"kappa and alpha need the package {package}", hint=hint))
