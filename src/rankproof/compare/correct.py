"""How are several p values read together?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rankproof.words import Words


def holm(p: Sequence[float]) -> list[float]:
    """Return p adjusted so that the chance of any false claim is kept (Holm 1979)."""
    adjusted, so_far = [0.0] * len(p), 0.0
    for above, at in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        so_far = max(so_far, min(1.0, (len(p) - above) * p[at]))
        adjusted[at] = so_far
    return adjusted


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Return p adjusted so that the share of false claims among all claims is kept (Benjamini & Hochberg 1995)."""
    adjusted, so_far = [0.0] * len(p), 1.0
    for above, at in enumerate(sorted(range(len(p)), key=lambda at: -p[at])):
        so_far = min(so_far, p[at] * len(p) / (len(p) - above))
        adjusted[at] = so_far
    return adjusted


CORRECTIONS: Mapping[str, tuple[Words, Callable[[Sequence[float]], Sequence[float]] | None]] = {
    "holm": (
        Words("Holm (keeps the chance of any false claim)", "Holm (거짓 주장이 하나라도 나올 확률을 제한함)"),
        holm,
    ),
    "bh": (
        Words("Benjamini-Hochberg (keeps the share of false claims)", "Benjamini-Hochberg (거짓 주장의 비율을 지킴)"),
        benjamini_hochberg,
    ),
    "max-t": (
        Words(
            "step-down max-T by randomization (keeps the chance of any false claim)",
            "무작위화 단계적 max-T (거짓 주장이 하나라도 나올 확률을 제한함)",
        ),
        None,
    ),
    "tukey": (
        Words(
            "randomised Tukey HSD over all pairs (keeps the chance of any false claim)",
            "모든 쌍의 무작위화 Tukey HSD (거짓 주장이 하나라도 나올 확률을 제한함)",
        ),
        None,
    ),
    "none": (Words("none (each comparison by itself)", "없음 (비교마다 따로)"), list),
}
"""What each correction keeps, and its function of the p values; None where it comes from resampling."""
