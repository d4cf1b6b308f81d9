"""How are interleaved lists, the preferences of clicks, and a plan told, as tables and sentences?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rankproof.compare.significance import sign_floor
from rankproof.compare.telling import p_text, percent, signed
from rankproof.interleave.binomial import MOST
from rankproof.interleave.credit import CREDITS
from rankproof.interleave.methods import METHODS
from rankproof.interleave.users import MODELS
from rankproof.tables import Table
from rankproof.words import counted, first_of, query_count

if TYPE_CHECKING:
    from rankproof.interleave.lists import Answers, Interleaving
    from rankproof.interleave.planning import ImpressionsNeeded
    from rankproof.interleave.preferences import ClickPreferences, Preference

# ---- the lists

TIDY_LISTS = ("query_id", "impression", "rank", "doc_id", "team", "method", "k", "seed")
"""The header of the rows that a program reads."""


def list_rows(found: Interleaving) -> Iterator[Sequence[object]]:
    """Yield a row a document of each list, under the header `TIDY_LISTS`."""
    for one in found.lists:
        for place, doc_id in enumerate(one.doc_ids):
            team = None if one.teams is None else one.teams[place]
            yield (one.query_id, one.impression, place + 1, doc_id, team, found.method, found.k, found.seed)


def lists_table(found: Interleaving) -> Table:
    """Return a row a document; the number of the impression where there are several, the team where one counts."""
    several, teams = found.impressions > 1, any(one.teams is not None for one in found.lists)
    wanted = [True, several, True, True, teams]
    rows = [[cell for cell, shown in zip(row, wanted, strict=False) if shown] for row in list_rows(found)]
    return Table([name for name, shown in zip(TIDY_LISTS, wanted, strict=False) if shown], rows)


def lists_notes(found: Interleaving) -> list[str]:
    """Return how the lists were made and what was left out, as sentences."""
    queries = len({one.query_id for one in found.lists})
    of_each = f", {found.impressions} lists each" if found.impressions > 1 else ""
    made = f"{query_count(queries)}{of_each}, of {', '.join(found.runs)}; k {found.k}, seed {found.seed}"
    bearing = [*_left_out(found.answers), *_short(_short_in(found)), *_caution(found.method)]
    return [_contract(found.answers), made, _method(found.method), *bearing]


def _contract(answers: Answers) -> str:
    return f"contract {answers.contract.name} ({answers.contract.fingerprint})"


def _method(name: str) -> str:
    return f"method {name} ({METHODS[name].source})"


def _left_out(answers: Answers) -> list[str]:
    left_out = answers.left_out
    says = f"{query_count(len(left_out))} that not all runs answer, left out ({first_of(left_out)})"
    return [says] if left_out else []


def _short_in(found: Interleaving) -> list[str]:
    return list(dict.fromkeys(one.query_id for one in found.lists if len(one.doc_ids) < found.k))


def _short(queries: Sequence[str]) -> list[str]:
    says = f"{query_count(len(queries))} with less than k documents ({first_of(queries)})"
    why = "a list ends where a ranking might have nothing left, so that none gains by being longer"
    return [f"{says}: {why}"] if queries else []


def _caution(method: str) -> list[str]:
    caution = METHODS[method].caution
    return [] if caution is None else [caution]


# ---- what the clicks prefer

TIDY_PAIRS = (
    *("left", "right", "left_wins", "ties", "right_wins", "left_votes", "tied_votes", "right_votes"),
    *("share", "share_low", "share_high", "gain", "gain_low", "gain_high", "delta"),
    *("test", "p", "adjusted_p", "verdict"),
)
"""The header of the rows that a program reads."""

VERDICTS = {
    "left": "{left} gets the clicks",
    "right": "{right} gets the clicks",
    "none-shown": "no preference shown between {left} and {right}",
    "too-few": "too few to tell {left} and {right} apart",
}
"""What each verdict says."""


def pair_rows(found: ClickPreferences) -> Iterator[Sequence[object]]:
    """Yield a row a pair, under the header `TIDY_PAIRS`."""
    for one in found.pairs:
        sizes = (one.share, *one.share_interval, one.gain, *(one.gain_interval or (None, None)), one.delta)
        yield (
            *(one.left, one.right, *one.impressions, *one.votes),
            *sizes,
            *(one.test, one.p, one.adjusted_p, one.verdict),
        )


_UNITS = {
    None: ("impression", "impressions", "impressions won"),
    "user": ("user", "users", "votes of users"),
    "session": ("session", "sessions", "votes of sessions"),
    "query_id": ("query", "queries", "votes of queries"),
}
"""What has a vote: one, several, and the table's title."""

_SIZES = {"sign": "right's share", "t": "credit, right minus left"}
"""What is tested, by test."""


def preference_tables(found: ClickPreferences) -> list[Table]:
    """Return a row a pair of runs; then the credit of each run."""
    several, test = len(found.pairs) > 1, found.pairs[0].test
    header = ["left", "right", "left won", "ties", "right won", _SIZES[test], f"{percent(found.confidence)} interval"]
    rows = []
    for one in found.pairs:
        adjusted = [p_text(one.adjusted_p)] if several else []
        rows.append([one.left, one.right, *one.votes, *_size(one), p_text(one.p), *adjusted, one.verdict])
    count = len(found.clicked.impressions)
    credit = [[run, total, total / count] for run, total in found.credits.items()]
    header += ["p", *(["adjusted p"] if several else []), "verdict"]
    pairs = Table(header, rows, _UNITS[found.cluster][2])
    return [pairs, Table(["run", "credit", "credit per impression"], credit, "credit of the clicks")]


def _size(one: Preference | ImpressionsNeeded) -> tuple[str, str]:
    """Return the size of a preference and its interval: as its test sees it."""
    if one.test == "sign":
        return percent(one.share), _ends(*map(percent, one.share_interval))
    return signed(one.gain), "null" if one.gain_interval is None else _ends(*map(signed, one.gain_interval))


def _ends(low: str, high: str) -> str:
    return f"{low} to {high}"


def preference_notes(found: ClickPreferences) -> list[str]:
    """Return a sentence a pair, then what was counted and how, and what to bear in mind."""
    interleaving = found.interleaving
    return [
        *(sentence(one, found) for one in found.pairs),
        _contract(interleaving.answers),
        f"{_method(found.method)}, k {interleaving.k}, seed {interleaving.seed}",
        f"credit {found.credit}: {CREDITS[found.credit].says}",
        *_left_out(interleaving.answers),
        *_short(_short_in(interleaving)),
        *caveats(found),
    ]


def sentence(one: Preference, found: ClickPreferences) -> str:
    """Return what a pair shows, in words and numbers."""
    unit, units, _ = _UNITS[found.cluster]
    says = VERDICTS[one.verdict].format(left=one.left, right=one.right)
    won = f"{one.right} won {one.votes.right} of the {counted(one.votes.decided, unit, units)} with a winner"
    tied = f"{one.votes.ties} tied"
    if one.verdict == "too-few":
        least = p_text(min(1.0, sign_floor(one.votes.decided)))
        return f"{says}: {won}, {tied}" + (f"; were all to agree, p would be {least}" if one.test == "sign" else "")
    adjusted = f", adjusted p {p_text(one.adjusted_p)}" if len(found.pairs) > 1 else ""
    size, interval = _size(one)
    within = f"{percent(found.confidence)} interval {interval}"
    if one.test == "sign":
        return f"{says}: {won} ({size}, {within}), {tied}; sign test p {p_text(one.p)}{adjusted}"
    mean = f"its credit per impression differs by {size} from that of {one.left} ({within})"
    return f"{says}: {won}, {tied}; {mean}; t test p {p_text(one.p)}{adjusted}"


_TESTED = {
    "sign": "ties are left out of the test and of the share; the interval is Clopper and Pearson's",
    "t": "clicks at random leave the mean credit alike, not who wins: the mean is tested, its interval is Student's",
}
"""What to know of each test."""


def caveats(found: ClickPreferences) -> list[str]:
    """Return what to bear in mind about the votes and the clicks."""
    clicked = found.clicked
    lines = [*_caution(found.method), _TESTED[found.pairs[0].test]]
    if len(found.pairs) > 1:
        lines.append("adjusted p is Holm's over all pairs; each interval stands for itself")
    if found.cluster is not None:
        name = _UNITS[found.cluster][0]
        by_t = ", and its credit in one sum" if found.pairs[0].test == "t" else ""
        lines.append(f"one vote a {name}: whoever won most of its impressions{by_t} ({found.clusters} in all)")
    elif "user" in clicked.columns or "session" in clicked.columns:
        column = "user" if "user" in clicked.columns else "session"
        lines.append(f"impressions of one {column} are not independent: --cluster {column} gives each one vote")
    if not clicked.columns:
        lines.append("no impression, session or user is known: all clicks on a query count as one impression")
    if clicked.repeats:
        lines.append(
            f"{counted(clicked.repeats, 'click')} on a document clicked before in its impression, counted once"
        )
    if clicked.unclicked:
        lines.append(f"{counted(clicked.unclicked, 'list')} without a click: if they were shown, they are ties")
    return lines


# ---- how many impressions it takes

TIDY_PLAN = (
    *("left", "right", "model", "method", "left_wins", "ties", "right_wins", "share", "share_low", "share_high"),
    *("gain", "gain_low", "gain_high", "test", "needed", "needed_low", "needed_high"),
)
"""The header of the row that a program reads."""


def plan_row(found: ImpressionsNeeded) -> Sequence[object]:
    """Return the row under the header `TIDY_PLAN`."""
    made = (*found.answers.runs, found.model, found.method, *found.outcomes, found.share, *found.share_interval)
    return (*made, found.gain, *(found.gain_interval or (None, None)), found.test, *found.needed)


def plan_table(found: ImpressionsNeeded) -> Table:
    """Return what was simulated, and how many impressions are needed."""
    header = ["left", "right", "left won", "ties", "right won", _SIZES[found.test], "95 % interval"]
    header += ["impressions needed", "at least", "at most"]
    counts = map(_number, found.needed)
    return Table(header, [[*found.answers.runs, *found.outcomes, *_size(found), *counts]])


_NEITHER = {"sign": "50 %", "t": "0"}
"""Where neither is preferred, by test."""


def _number(count: int | None) -> object:
    return "no number" if count is None else count


def plan_notes(found: ImpressionsNeeded) -> list[str]:
    """Return the result as a sentence, then how it was found and what to bear in mind."""
    return [
        f"{_plan_sentence(found)} ({found.test} test at level {found.alpha:g}, power {found.power:g})",
        _contract(found.answers),
        f"{_method(found.method)}, k {found.k}; credit {found.credit}: {CREDITS[found.credit].says}",
        f"{found.simulated} impressions of {query_count(found.queries)} simulated, seed {found.seed}",
        *_left_out(found.answers),
        *plan_caveats(found),
    ]


def _plan_sentence(found: ImpressionsNeeded) -> str:
    """Return how many impressions it takes to see whom, or that the simulation does not know."""
    left, right = found.answers.runs
    count, low, high = found.needed
    if found.direction is None:
        why = f"its 95 % interval of {_SIZES[found.test]}, {_size(found)[1]}, holds {_NEITHER[found.test]}"
        if found.test == "t" and not found.deviation:
            why = "the credit never varies" if found.simulated > 1 else "one impression has no interval"
        says = f"the simulation shows no direction between {left} and {right}: {why}"
        return says if low is None else f"{says}; if there is one, it takes at least {counted(low, 'impression')}"
    sees = f"to see that {right if found.direction == 'right' else left} gets the clicks"
    if count is None:
        return f"it takes more than {MOST} impressions {sees}"
    within = f"as far as the simulation can say, from {_number(low)} to {_number(high)}"
    return f"it takes {counted(count, 'impression')} {sees}; {within}"


def plan_caveats(found: ImpressionsNeeded) -> list[str]:
    """Return what to bear in mind about a plan."""
    unjudged = f"{query_count(len(found.unjudged))} without judgments, left out ({first_of(found.unjudged)})"
    return [
        f"users are {found.model}: {MODELS[found.model].says}; unjudged documents draw clicks as the lowest grade does",
        "every query is asked as often, and no user comes twice: impressions of one user tell less",
        *([unjudged] if found.unjudged else []),
        *_short(found.short),
        *_caution(found.method),
    ]
