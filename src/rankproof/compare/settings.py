"""How is a comparison made: which test, correction, interval, level, how often drawn, from which seed?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

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
        _known("correction", self.correction, CORRECTIONS)
        _known("interval", self.interval, INTERVALS)
        if self.correction in OF_RANDOMIZATION and self.tests[0] != "randomization":
            hint = "correct by holm, bh or none, or let the randomization test decide"
            raise MeasureError(
                Fault(f"{self.correction} belongs to the randomization test, not to {self.tests[0]}", hint=hint)
            )
        fits = is_number(self.confidence) and 0.5 <= self.confidence <= 0.9999
        _check("confidence", self.confidence, fits, "a number from 0.5 to 0.9999, such as 0.95")
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


def _known(what: str, given: str, names: Iterable[str]) -> None:
    if given not in (known := list(names)):
        hint = f"did you mean {nearest(given, known, 1)}?" if given else None
        raise MeasureError(Fault(f"unknown {what} {given!r}", expected=f"one of {', '.join(known)}", hint=hint))


def _check(name: str, given: object, fits: bool, expected: str) -> None:
    if not fits:
        raise MeasureError(Fault(f"{name} cannot be {given!r}", expected=expected))


def settings_and_rules(given: Mapping[str, Any], **defaults: Any) -> tuple[Settings, dict[str, Any]]:
    """Return settings and rules, told apart by name. MeasureError for what is neither."""
    chosen = {name: answer for name, answer in given.items() if name in rules()}
    return settings_of({**defaults, **{name: one for name, one in given.items() if name not in chosen}}), chosen


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Return settings from keywords; `tests` may be one name. MeasureError for what is neither a setting nor a rule."""
    known = [field.name for field in fields(Settings)]
    for name in given:
        if name not in known:
            hint = f"nearest: {nearest(name, [*known, *rules()])}"
            raise MeasureError(Fault(f"there is no setting or rule {name!r}", hint=hint))
    tests = given.get("tests", ("randomization",))
    if not isinstance(tests, (str, list, tuple)):
        raise MeasureError(Fault(f"tests cannot be {tests!r}", expected="the name of a test, or several"))
    return Settings(**{**given, "tests": (tests,) if isinstance(tests, str) else tuple(tests)})
