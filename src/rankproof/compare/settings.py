"""How is a comparison made: which test, correction, interval, level, how often drawn, from which seed?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from rankproof.arithmetic import check_confidence
from rankproof.compare.correct import CORRECTIONS
from rankproof.compare.intervals import INTERVALS
from rankproof.compare.significance import TESTS
from rankproof.errors import Fault, MeasureError, nearest
from rankproof.measures.base import is_number, is_whole
from rankproof.rules import rules

MOST_DRAWN = 10_000_000
"""More permutations or resamples than this add no digit that anyone reads."""

OF_RANDOMIZATION = ("max-t", "tukey")
"""Corrections that come from the random permutations themselves."""


CORRECTIONS_MEANT: Mapping[str, str] = {
    "bonferroni": "holm is the stepwise, stronger Bonferroni",
    "holm-bonferroni": "it is called holm",
    "benjamini-hochberg": "it is called bh",
    "fdr": "bh keeps the false discovery rate",
    "fdr-bh": "it is called bh",
    "hsd": "it is called tukey",
    "tukey-hsd": "it is called tukey",
    "maxt": "it is called max-t",
}
"""What else people call a correction. The likest word would mislead: for bonferroni it is `none`."""

ALSO: Mapping[str, str] = {"test": "tests", "correct": "correction"}
"""Settings that the command line spells otherwise; both are read."""

ARGUMENTS: Mapping[str, str] = {
    "cluster": "clusters",
    "family": "clusters",
    "families": "clusters",
    "metric": "measures",
    "metrics": "measures",
    "measure": "measures",
    "preset": "contract",
    "rules": "contract",
    "alpha": "confidence",
    "level": "confidence",
}
"""What else people call an argument or a setting, for a hint."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides a comparison. The first of `tests` decides the verdict, the others are shown beside it."""

    tests: tuple[str, ...] = ("randomization",)
    correction: str = "holm"
    interval: str = "bca"
    confidence: float = 0.95
    margin: float | None = None  # differences below it do not matter: asks for a test of equivalence
    seed: int = 1
    permutations: int = 100_000
    resamples: int = 10_000

    def __post_init__(self) -> None:
        """Refuse what is not known or not a sensible number."""
        for test in self.tests or ("",):
            _known("test", test, TESTS)
        object.__setattr__(self, "tests", tuple(dict.fromkeys(self.tests)))
        _known("correction", self.correction, CORRECTIONS, CORRECTIONS_MEANT)
        _known("interval", self.interval, INTERVALS)
        if self.correction in OF_RANDOMIZATION and self.tests[0] != "randomization":
            hint = "correct by holm, bh or none, or let the randomization test decide"
            raise MeasureError(
                Fault(f"{self.correction} belongs to the randomization test, not to {self.tests[0]}", hint=hint)
            )
        check_confidence(self.confidence)
        fits = self.margin is None or (is_number(self.margin) and self.margin > 0)
        _check("margin", self.margin, fits, "a number above 0")
        _check("seed", self.seed, is_whole(self.seed), "a whole number")
        for name in ("permutations", "resamples"):
            given = getattr(self, name)
            fits = is_whole(given) and 100 <= given <= MOST_DRAWN
            _check(name, given, fits, f"a whole number from 100 to {MOST_DRAWN}")

    @property
    def alpha(self) -> float:
        """Return the level of the tests."""
        return round(1 - self.confidence, 12)  # 0.05, not 0.050000000000000044

    def to_dict(self) -> dict[str, Any]:
        """Return the settings, ready for JSON."""
        return {**asdict(self), "tests": list(self.tests)}


def _known(what: str, given: str, names: Iterable[str], meant: Mapping[str, str] | None = None) -> None:
    """Refuse an unknown name, with the likest; `none` is never it: leaving a step out is not what was meant."""
    if given not in (known := list(names)):
        near = nearest(str(given), [name for name in known if name != "none"], 1) if given else None
        hint = (meant or {}).get(str(given).lower().replace("_", "-"), f"did you mean {near}?" if near else None)
        raise MeasureError(Fault(f"unknown {what} {given!r}", expected=f"one of {', '.join(known)}", hint=hint))


def _check(name: str, given: object, fits: bool, expected: str) -> None:
    if not fits:
        raise MeasureError(Fault(f"{name} cannot be {given!r}", expected=expected))


def settings_and_rules(given: Mapping[str, Any], **defaults: Any) -> tuple[Settings, dict[str, Any]]:
    """Return settings and rules, told apart by name. MeasureError for what is neither."""
    chosen = {name: answer for name, answer in given.items() if name in rules()}
    others = {name: one for name, one in given.items() if name not in chosen}
    return settings_of({**defaults, **_as_here(others)}), chosen


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Return settings from keywords, spelled as here or on the command line; `tests` may be one name.

    MeasureError for what is neither a setting nor a rule.
    """
    named = _as_here(given)
    _check_names(named)
    tests = named.get("tests", ("randomization",))
    if not isinstance(tests, (str, list, tuple)):
        raise MeasureError(Fault(f"tests cannot be {tests!r}", expected="the name of a test, or several"))
    return Settings(**{**named, "tests": (tests,) if isinstance(tests, str) else tuple(tests)})


def _as_here(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings under their names here."""
    named: dict[str, Any] = {}
    for name, one in given.items():
        if ALSO.get(name, name) in named:
            raise MeasureError(Fault(f"{ALSO.get(name, name)} is given twice", expected="one of both spellings"))
        named[ALSO.get(name, name)] = one
    return named


def _check_names(given: Iterable[str]) -> None:
    known = [field.name for field in fields(Settings)]
    for name in given:
        if name not in known:
            near = nearest(name, [*known, *rules(), *ARGUMENTS.values()])
            hint = f"did you mean {ARGUMENTS[name]}?" if name in ARGUMENTS else f"nearest: {near}"
            raise MeasureError(Fault(f"there is no setting or rule {name!r}", hint=hint))
