"""How many impressions would it take to see which of two runs users prefer?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from random import Random
from typing import Any, NamedTuple

from rankproof.arithmetic import check_count
from rankproof.compare.intervals import Drawn as Resampled
from rankproof.compare.intervals import Interval, student
from rankproof.compare.power import POWER, units_needed
from rankproof.compare.significance import spread
from rankproof.errors import ContractError, Fault, InputError, MeasureError
from rankproof.formats import as_qrels
from rankproof.interleave import telling
from rankproof.interleave.binomial import clopper_pearson, impressions_for
from rankproof.interleave.credit import CREDITS, Credit
from rankproof.interleave.drawing import Draw, by_random
from rankproof.interleave.lists import Answers, ContractLike, OnDone, answers_of, prepared_for
from rankproof.interleave.methods import credit_of, method_of
from rankproof.interleave.preferences import Outcomes, outcomes_of, winner
from rankproof.interleave.users import ClickModel, Rates, clicked, model_of
from rankproof.model import Qrels
from rankproof.presets import contract as contract_of
from rankproof.tables import Table, Told

SIMULATED = 10_000
"""So many impressions tell a rate to about one in a hundred."""
CONFIDENCE = 0.95
"""Of the intervals that say how sure a simulation is."""


class Needed(NamedTuple):
    """How many impressions are needed: at the rates that were seen, and at the ends of what the simulation leaves open.

    None: the simulation shows no direction, or more than ten million are needed.
    """

    impressions: int | None
    low: int | None
    high: int | None


def _by_signs(found: ImpressionsNeeded) -> Needed:
    """Return what the sign test needs; the most favourable rates, and the least favourable ones, go together."""
    decided = clopper_pearson(found.outcomes.decided, found.simulated, CONFIDENCE)

    def needed(decided: float, share: float) -> int | None:
        return impressions_for(decided * (1 - share), decided * share, found.alpha, found.power)

    ends = sorted(found.share_interval, key=lambda share: abs(share - 0.5))
    low = needed(decided.high, ends[1])
    if found.share is None or found.direction is None:
        return Needed(None, low, None)
    return Needed(needed(found.outcomes.decided / found.simulated, found.share), low, needed(decided.low, ends[0]))


def _by_t(found: ImpressionsNeeded) -> Needed:
    """Return what the t test of the mean credit needs."""
    if found.gain_interval is None or not found.deviation:
        return Needed(None, None, None)
    ends = sorted(found.gain_interval, key=abs)
    effects = [gain / found.deviation for gain in (found.gain, ends[1], ends[0])]
    count, low, high = (units_needed(effect, found.alpha, found.power) for effect in effects)
    return Needed(count, low, high) if found.direction else Needed(None, low, None)


_NEEDED = {"sign": _by_signs, "t": _by_t}
_NEITHER = {"sign": 0.5, "t": 0.0}
"""The share, and the gain, where neither is preferred, by test."""


@dataclass(frozen=True, repr=False)
class ImpressionsNeeded(Told):
    """What simulated users did with the lists, and how many impressions the test needs to show it."""

    method: str
    credit: str
    model: str
    k: int
    seed: int
    alpha: float
    power: float
    queries: int
    unjudged: Sequence[str]  # queries that both runs answer, without judgments
    short: Sequence[str]  # queries whose lists have less than k documents
    outcomes: Outcomes
    gains: Sequence[float] = field(repr=False)  # credit of each impression, right minus left
    answers: Answers = field(repr=False)

    @property
    def simulated(self) -> int:
        """Return how many impressions were simulated."""
        return len(self.gains)

    @property
    def test(self) -> str:
        """Return which test is planned for: sign, or t of the mean credit."""
        return CREDITS[self.credit].test

    @property
    def share(self) -> float | None:
        """Return which share of the decided impressions the right run won; None where none was decided."""
        return self.outcomes.right / self.outcomes.decided if self.outcomes.decided else None

    @cached_property
    def share_interval(self) -> Interval:
        """Return the Clopper-Pearson interval of the share: how sure the simulation is of it."""
        return clopper_pearson(self.outcomes.right, self.outcomes.decided, CONFIDENCE)

    @cached_property
    def gain(self) -> float:
        """Return the mean credit of an impression, right minus left."""
        return fsum(self.gains) / len(self.gains)

    @cached_property
    def deviation(self) -> float | None:
        """Return the standard deviation of that credit; None for one impression."""
        return spread(self.gains).deviation if self.simulated > 1 else None

    @cached_property
    def gain_interval(self) -> Interval | None:
        """Return Student's interval of the mean credit; None for one impression."""
        drawn = Resampled(self.gain, self.gains, [1] * self.simulated, ())
        return student(drawn, CONFIDENCE) if self.simulated > 1 else None

    @property
    def direction(self) -> str | None:
        """Return whom users prefer, left or right; None where the simulation's interval holds that they do neither."""
        interval, neither = self.share_interval if self.test == "sign" else self.gain_interval, _NEITHER[self.test]
        never_varies = self.test == "t" and not self.deviation
        if interval is None or never_varies or interval.low <= neither <= interval.high:
            return None
        return "right" if interval.low > neither else "left"

    @cached_property
    def needed(self) -> Needed:
        """Return how many impressions are needed."""
        return _NEEDED[self.test](self)

    def to_dict(self) -> dict[str, Any]:
        """Return what `rankproof interleave --simulate … --format json` writes."""
        return {
            "contract": self.answers.contract.to_dict(),
            "runs": list(self.answers.runs),
            "method": self.method,
            "k": self.k,
            "seed": self.seed,
            "credit": self.credit,
            "model": self.model,
            "test": self.test,
            "alpha": self.alpha,
            "power": self.power,
            "queries": {
                "simulated": self.queries,
                "left_out": list(self.answers.left_out),
                "unjudged": list(self.unjudged),
            },
            "simulated": self.outcomes.to_dict(),
            "share": self.share,
            "share_interval": list(self.share_interval),
            "gain": self.gain,
            "gain_interval": None if self.gain_interval is None else list(self.gain_interval),
            "needed": self.needed._asdict(),
            "caveats": telling.plan_caveats(self),
        }

    def tables(self) -> list[Table]:
        """Return what was simulated, and how many impressions are needed."""
        return [telling.plan_table(self)]

    def notes(self) -> list[str]:
        """Return the result as a sentence, then how it was found and what to bear in mind."""
        return telling.plan_notes(self)

    def rows(self) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
        """Return the header and the row that a program reads."""
        return telling.TIDY_PLAN, [telling.plan_row(self)]


def impressions_needed(  # noqa: PLR0913 - a plan has as many settings as it has
    qrels: Any,
    run_a: Any,
    run_b: Any,
    k: int = 10,
    *,
    method: str = "team-draft",
    model: str = "navigational",
    credit: str | None = None,
    seed: int = 0,
    simulated: int = SIMULATED,
    alpha: float = 0.05,
    power: float = POWER,
    contract: ContractLike = "rankproof",
    on_done: OnDone = None,
    **rules: object,
) -> ImpressionsNeeded:
    """Return how many impressions a test at level alpha needs to see, with this power, which run is preferred.

    No number where the simulation shows no direction: its 95 % interval holds that neither is preferred.

    Users of a click `model` (perfect, navigational, informational) are simulated over the judged queries that both runs
    answer, each as likely. Their win, loss and tie rates go into the exact power of the sign test; where the credit is
    tested by its mean (`Credit` says why), mean and deviation go into the power of the t test. Queries, runs and
    rules as for `evaluate`; InputError and ContractError as there, and for a method, model or credit that does not
    exist; MeasureError for an alpha or power that is no chance. `on_done` hears how many of how many impressions are
    simulated.
    """
    _check(alpha, power, simulated)
    given = contract_of(contract, **rules)
    judged = as_qrels(qrels, given)
    answers = answers_of([run_a, run_b], given)
    if len(answers.runs) != 2:
        raise InputError(Fault(f"{len(answers.runs)} runs are given", expected="two to plan for"))
    user, chosen = model_of(model), method_of(method)
    rule = credit_of(chosen, credit)
    queries = [query for query in answers.rankings if query in judged]
    if not queries:
        raise ContractError(Fault("no query that both runs answer is judged", hint="compare the query ids"))
    users = _Users(answers, queries, chosen.name, k, rule, _rates(user, judged), Random(f"{seed}/{_PURPOSE}"))  # noqa: S311 - no secrets
    credits_ = list(users.credits(simulated, on_done))
    outcomes = outcomes_of(winner(one, 0, 1) for one in credits_)
    unjudged = [query for query in answers.rankings if query not in judged]
    short = [query for query in queries if query in users.short]
    made = (chosen.name, rule.name, user.name, k, seed, alpha, power, len(queries), unjudged, short)
    return ImpressionsNeeded(*made, outcomes, [right - left for left, right in credits_], answers)


_PURPOSE = "simulated impressions"


def _check(alpha: float, power: float, simulated: int) -> None:
    for name, chance in (("alpha", alpha), ("power", power)):
        if not 0 < chance < 1:
            raise MeasureError(Fault(f"{name} cannot be {chance}", expected="between 0 and 1"))
    check_count("simulated", simulated, InputError)


@dataclass(frozen=True)
class _Users:
    """Simulated users, who each ask one of the queries and click on what they are shown."""

    answers: Answers
    queries: Sequence[str]
    method: str
    k: int
    credit: Credit
    rates: Callable[[str, str], Rates]
    random: Random
    draws: dict[str, Draw[str]] = field(default_factory=dict)
    short: set[str] = field(default_factory=set)  # queries that were shown less than k documents

    def credits(self, count: int, on_done: OnDone) -> Iterator[Sequence[float]]:
        """Yield both runs' credit of each of so many impressions."""
        for done in range(1, count + 1):
            yield self._credits()
            if on_done is not None and done % 100 == 0:
                on_done(done, count)

    def _credits(self) -> Sequence[float]:
        query = self.queries[self.random.randrange(len(self.queries))]
        if query not in self.draws:
            self.draws[query] = prepared_for(query, self.answers, self.method, self.k)
        drawn = self.draws[query](by_random(self.random))
        if len(drawn.documents) < self.k:
            self.short.add(query)
        places = clicked([self.rates(query, doc) for doc in drawn.documents], self.random)
        return self.credit.of(drawn, self.answers.rankings[query], places) if places else (0.0, 0.0)


def _rates(user: ClickModel, judged: Qrels) -> Callable[[str, str], Rates]:
    """Return what tells the rates of a document; grades are seen against the highest one of all queries."""
    highest = max((grade for of_query in judged.values() for grade in of_query.values()), default=0)
    nothing: Mapping[str, int] = {}

    def rates(query: str, doc: str) -> Rates:
        return user.rates(judged.get(query, nothing).get(doc, 0), max(highest, 1))

    return rates
