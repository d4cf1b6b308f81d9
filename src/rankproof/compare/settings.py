"""How is a comparison made: which test, correction, interval, level, how often drawn, from which seed?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from rankproof.compare.correct import CORRECTIONS
from rankproof.compare.intervals import INTERVALS
from rankproof.compare.significance import TESTS
from rankproof.errors import Fault, MeasureError, nearest

MOST_DRAWN = 10_000_000
"""More permutations or resamples than this add no digit that anyone reads."""


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
        object.__setattr__(self, "tests", tuple(dict.fromkeys(self.tests)))
        for test in self.tests or ("",):
            _known("test", test, TESTS)
        _known("correction", self.correction, CORRECTIONS)
        _known("interval", self.interval, INTERVALS)
        _check("confidence", self.confidence, 0.5 <= self.confidence < 1, "a number from 0.5 to below 1, such as 0.95")
        fits = self.margin is None or (isfinite(self.margin) and self.margin > 0)
        _check("margin", self.margin, fits, "a number above 0")
        for name in ("permutations", "resamples"):
            given = getattr(self, name)
            _check(name, given, 100 <= given <= MOST_DRAWN, f"a whole number from 100 to {MOST_DRAWN}")

    @property
    def alpha(self) -> float:
        """Return the level of the tests."""
        return round(1 - self.confidence, 12)  # 0.05, not 0.050000000000000044

    def to_dict(self) -> dict[str, Any]:
        """Return the settings, ready for JSON."""
        return {
            "tests": list(self.tests),
            "correction": self.correction,
            "interval": self.interval,
            "confidence": self.confidence,
            "margin": self.margin,
            "seed": self.seed,
            "permutations": self.permutations,
            "resamples": self.resamples,
        }


def _known(what: str, given: str, names: Iterable[str]) -> None:
    if given not in (known := list(names)):
        hint = f"did you mean {nearest(given, known, 1)}?" if given else None
        raise MeasureError(Fault(f"unknown {what} {given!r}", expected=f"one of {', '.join(known)}", hint=hint))


def _check(name: str, given: object, fits: bool, expected: str) -> None:
    if not fits:
        raise MeasureError(Fault(f"{name} cannot be {given!r}", expected=expected))


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Return settings from keywords; `tests` may be one name."""
    tests = given.get("tests", ("randomization",))
    return Settings(**{**given, "tests": (tests,) if isinstance(tests, str) else tuple(tests)})
