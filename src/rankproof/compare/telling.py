"""How is a comparison told: as tables, and as sentences that say what it shows and what it does not?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rankproof.compare.correct import CORRECTIONS
from rankproof.compare.power import POWER
from rankproof.compare.settings import Settings
from rankproof.compare.significance import TESTS
from rankproof.compare.verdicts import VERDICTS
from rankproof.tables import Table
from rankproof.values import shown
from rankproof.words import Words

if TYPE_CHECKING:
    from rankproof.compare.comparison import Comparison, Difference

INTERVAL_NAMES: Mapping[str, Words] = {
    "bca": Words("BCa bootstrap", "BCa 부트스트랩"),
    "percentile": Words("percentile bootstrap", "백분위 부트스트랩"),
    "t": Words("Student's t", "스튜던트 t"),
    "wider": Words("the wider of BCa bootstrap and Student's t", "BCa 부트스트랩과 스튜던트 t 가운데 넓은 쪽"),
}


DASH = "–"
"""What stands where so few queries say nothing."""


def enough(one: Difference) -> bool:
    """Return whether there are queries enough for numbers that lean on how they vary."""
    return one.verdict != "not-enough-queries"


def unit_of(found: Comparison) -> Words:
    """Return what is resampled, in the plural."""
    return Words("families of queries", "질의 묶음") if found.clustered else Words("queries", "질의")


def differences_table(found: Comparison) -> Table:
    """Return a row a measure and run: means, difference, interval, p, effect size, wins, ties, losses, verdict."""
    header = [
        "measure",
        "run",
        "verdict",
        "baseline",
        "value",
        "delta",
        f"{percent(found.settings.confidence)} interval",
    ]
    header += [_p_header(name, found.settings) for name in found.settings.tests]
    several = len(found.runs) > 1
    header += [*(["adjusted p"] if several else []), "d_z", "wins/ties/losses"]
    rows = [
        [
            *(
                one.measure,
                one.run,
                marked(one.verdict, star_of(one)),
                one.baseline_value,
                one.value,
                signed(one.delta),
                interval_text(one, found.settings),
            ),
            *(p_text(one.p.get(test)) if enough(one) else DASH for test in found.settings.tests),
            *([p_text(one.adjusted) if enough(one) else DASH] if several else []),
            *(one.effect if enough(one) else DASH, "/".join(map(str, one.changed))),
        ]
        for one in found.differences
    ]
    return Table(header, rows)


def shown_table(found: Comparison) -> Table:
    """Return `differences_table` under a title, to stand beside other tables."""
    return replace(differences_table(found), title="what the differences show")


def reach_table(found: Comparison) -> Table:
    """Return a row a measure and run: what these queries can show."""
    margin = found.settings.margin
    header = [
        "measure",
        "run",
        "queries",
        *(["families"] if found.clustered else []),
        f"shown at {percent(POWER)} power",
        "queries needed for this delta",
    ]
    header += [f"p of equivalence (±{margin:g})"] if margin else []
    rows = [
        [
            *(one.measure, one.run, len(one.query_ids), *([one.units] if found.clustered else [])),
            *((one.smallest_shown, one.queries_needed) if enough(one) else (DASH, DASH)),
            *([p_text(one.equivalence_p) if enough(one) else DASH] if margin else []),
        ]
        for one in found.differences
    ]
    return Table(header, rows, "what these queries can show")


def _p_header(name: str, settings: Settings) -> str:
    return "p" if len(settings.tests) == 1 else f"p ({name})"


def marked(verdict: str, star: str = "") -> Words:
    """Return a verdict with its mark."""
    found = VERDICTS[verdict]
    return Words(f"{found.mark} {found.words.en}{star}", f"{found.mark} {found.words.ko}{star}")


def star_of(one: Difference) -> str:
    """Return a star where other labels would flip the verdict."""
    return "*" if one.labels is not None and one.labels.flips(one.verdict) else ""


def signed(value: float | None) -> str:
    """Return a difference with its sign."""
    return "null" if value is None else f"{value:+.4f}"


def percent(share: float | None) -> str:
    """Return a share as a percentage."""
    return "null" if share is None else f"{100 * share:.3g} %"


def p_text(p: float | None) -> str:
    """Return a p value: four decimals, never 0."""
    return "null" if p is None else "<0.0001" if p < 0.0001 else f"{p:.4f}"


def p_phrase(one: Difference) -> Words:
    """Return the deciding p within a sentence: `p = 0.0460`, `p < 0.0001`, `adjusted p = 0.0920`."""
    p = one.adjusted
    name = Words("p", "p") if p == next(iter(one.p.values()), None) else Words("adjusted p", "보정한 p")
    value = "< 0.0001" if p is not None and p < 0.0001 else f"= {p_text(p)}"
    return Words(f"{name.en} {value}", f"{name.ko} {value}")


def interval_text(one: Difference, settings: Settings) -> str:
    """Return the interval that was asked for."""
    interval = one.intervals.get(settings.interval) if enough(one) else None
    return DASH if interval is None else f"[{signed(interval.low)}, {signed(interval.high)}]"


def verdict_says(one: Difference, settings: Settings) -> Words:
    """Return one verdict as a sentence, and what it rests on as another."""
    verdict, why = VERDICTS[one.verdict], verdict_rests_on(one, settings)
    return Words(
        f"{one.run} against {one.baseline}: {verdict.words.en}. {why.en}",
        f"{one.baseline} 대비 {one.run}: {verdict.words.ko}. {why.ko}",
    )


def verdict_rests_on(one: Difference, settings: Settings) -> Words:
    """Return what a verdict rests on: means, difference, interval and p; or why there is none."""
    if one.verdict == "not-enough-queries":
        return why_not_enough(one)
    p = p_phrase(one)
    level, count = percent(settings.confidence), len(one.query_ids)
    seen = f"{one.measure} {shown(one.baseline_value)} → {shown(one.value)}, {signed(one.delta)}"
    bounds = interval_text(one, settings)
    return Words(
        f"{seen}, {level} interval {bounds}, {p.en}, {count} queries.",
        f"{seen}, {level} 구간 {bounds}, {p.ko}, 질의 {count}개.",
    )


def why_not_enough(one: Difference) -> Words:
    """Return why so few units can show nothing."""
    single = one.units == len(one.query_ids)
    if one.units < 2:
        if not one.units:
            return Words("It is undefined for every query.", "모든 질의에서 정의되지 않습니다.")
        unit = Words("query", "질의") if single else Words("family of queries", "질의 묶음")
        return Words(
            f"{one.units} {unit.en}: an interval needs two, and nothing can be tested.",
            f"{unit.ko} {one.units}개: 구간에는 둘이 필요하고, 검정할 것이 없습니다.",
        )
    return Words(
        f"With {one.units} the test cannot reach the level, whatever the differences are.",
        f"{one.units}개로는 차이가 어떻든 검정이 유의수준에 이를 수 없습니다.",
    )


def method(found: Comparison) -> list[Words]:
    """Return the test, the correction and the interval."""
    return list(_method(found))


def _method(found: Comparison) -> Iterator[Words]:
    settings, test = found.settings, TESTS[found.settings.tests[0]]
    said, korean = (" of families", "묶음별 ") if found.clustered else ("", "")
    drawn, drawn_korean = "", ""
    if test.p is None:
        drawn = f", {settings.permutations} permutations unless all can be counted, seed {settings.seed}"
        drawn_korean = f", 모두 셀 수 없으면 순열 {settings.permutations}개, 시드 {settings.seed}"
    yield Words(f"{test.says.en}{said}, two-sided{drawn}", f"{korean}{test.says.ko}, 양측{drawn_korean}")
    if len(found.runs) > 1:
        how = CORRECTIONS[settings.correction][0]
        yield Words(
            f"corrected over the {len(found.runs)} runs of each measure: {how.en}",
            f"지표마다 실행 {len(found.runs)}개에 대해 보정: {how.ko}",
        )
    yield interval_note(settings, clustered=found.clustered)


def interval_note(settings: Settings, *, clustered: bool) -> Words:
    """Return how intervals were found."""
    name = INTERVAL_NAMES[settings.interval]
    what = Words("families of queries", "질의 묶음") if clustered else Words("queries", "질의")
    drawn, korean = "", ""
    if settings.interval != "t":
        drawn = f", {settings.resamples} resamples of {what.en}, seed {settings.seed}"
        korean = f", {what.ko} 재표집 {settings.resamples}번, 시드 {settings.seed}"
    return Words(f"interval: {name.en}{drawn}, for each mean by itself", f"구간: {name.ko}{korean}, 평균마다 따로")


def rows(found: Comparison) -> tuple[list[str], list[list[object]]]:
    """Return a header and full-precision rows, for CSV."""
    header = ["measure", "run", "queries", "baseline", "value", "delta", "low", "high"]
    header += [f"p_{test}" for test in found.settings.tests]
    header += ["adjusted_p", "effect_size", "wins", "ties", "losses", "equivalence_p"]
    header += ["smallest_shown", "queries_needed", "verdict"]
    body: list[list[object]] = [
        [
            *(one.measure, one.run, len(one.query_ids), one.baseline_value, one.value, one.delta),
            *one.intervals.get(found.settings.interval, (None, None)),
            *(one.p.get(test) for test in found.settings.tests),
            *(one.adjusted, one.effect, *one.changed, one.equivalence_p),
            *(one.smallest_shown, one.queries_needed, one.verdict),
        ]
        for one in found.differences
    ]
    return header, body
