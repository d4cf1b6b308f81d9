"""Settings from keywords: both spellings, and hints that lead somewhere."""

from __future__ import annotations

import pytest

from rankproof.compare.correct import CORRECTIONS
from rankproof.compare.settings import ARGUMENTS, CORRECTIONS_MEANT, Settings, settings_and_rules, settings_of
from rankproof.errors import MeasureError


def test_both_spellings() -> None:
    """`test` and `correct`, as the command line spells them, are `tests` and `correction`, over the defaults too."""
    assert settings_of({"test": "t", "correct": "bh"}) == Settings(tests=("t",), correction="bh")
    settings, rules = settings_and_rules({"correct": "holm", "ties": "expected"}, correction="tukey", interval="wider")
    assert settings == Settings(correction="holm", interval="wider")
    assert rules == {"ties": "expected"}


@pytest.mark.parametrize("given", [{"test": "t", "tests": "t"}, {"correction": "bh", "correct": "holm"}])
def test_both_spellings_at_once(given: dict) -> None:
    """A setting in both spellings is given twice."""
    with pytest.raises(MeasureError, match="is given twice; expected one of both spellings"):
        settings_of(given)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("cluster", "did you mean clusters?"),
        ("metric", "did you mean measures?"),
        ("metrics", "did you mean measures?"),
        ("measure", "did you mean measures?"),
        ("clustrs", "nearest: clusters"),
        ("mesures", "nearest: measures"),
        ("confidense", "nearest: confidence"),
    ],
)
def test_unknown_keywords(given: str, hint: str) -> None:
    """A keyword that is neither setting nor rule is refused with the argument or setting that was meant."""
    with pytest.raises(MeasureError) as error:
        settings_of({given: 1})
    assert str(error.value).startswith(f"there is no setting or rule {given!r}\n\nhint: {hint}")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("bonferroni", "holm is the stepwise, stronger Bonferroni"),
        ("Bonferroni", "holm is the stepwise, stronger Bonferroni"),
        ("fdr_bh", "it is called bh"),
        ("holms", "did you mean holm?"),
    ],
)
def test_unknown_corrections(given: str, hint: str) -> None:
    """An unknown correction lists all, and hints at one that corrects."""
    with pytest.raises(MeasureError) as error:
        Settings(correction=given)
    assert str(error.value).endswith(f"expected one of {', '.join(CORRECTIONS)}\n\nhint: {hint}")


@pytest.mark.parametrize("given", [*CORRECTIONS_MEANT, "nonee", "nun", "sidak", "x"])
def test_leaving_it_out_is_never_the_hint(given: str) -> None:
    """No unknown correction is answered with `none`."""
    with pytest.raises(MeasureError) as error:
        Settings(correction=given)
    assert "did you mean none" not in str(error.value)


def test_hints_name_what_exists() -> None:
    """Hints name arguments of `compare`, or settings."""
    from inspect import signature

    from rankproof.compare import compare

    assert set(ARGUMENTS.values()) <= {*signature(compare).parameters, *Settings.__dataclass_fields__}
