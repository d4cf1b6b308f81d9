"""Whose results get the clicks? A list of two rankings, the clicks on it, the tally, and how many it would take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from rankproof.errors import Fault, InputError, seen
from rankproof.interleave import MODELS, Interleaving, click_preferences, impressions_needed, interleave
from rankproof.interleave.users import clicked, model_of
from rankproof.lab.blocks_json import page_json, words_json
from rankproof.lab.given import choice_of, count_of
from rankproof.lab.interleaving_bias import bias_blocks
from rankproof.lab.interleaving_plan import needed_blocks
from rankproof.lab.interleaving_telling import METHOD_WORDS, NO_CLICKS, TALLY, tally_blocks
from rankproof.lab.pair import RUNS, Pair, pair_in, queries
from rankproof.report.blocks import Block, Page, Section
from rankproof.words import Words

Arguments: TypeAlias = Mapping[str, Any]
Clicks: TypeAlias = list[dict[str, Any]]

METHODS = ("team-draft", "balanced", "probabilistic")
"""Those that need no other package; `optimised` solves a linear program with SciPy."""

SIMULATED = 2000
"""So many simulated impressions answer within two seconds in a page; their uncertainty is said."""

MOST_IMPRESSIONS = 2000
MOST_USERS = 500
DEEPEST = 50


def interleaving_choices(_: Arguments) -> dict[str, Any]:
    """Return what can be chosen: the example's queries and runs, the methods, the models of users."""
    return {
        "queries": [{"query_id": query, "text": text} for query, text in queries().items()],
        "runs": list(RUNS),
        "methods": [{"name": name, "says": words_json(METHOD_WORDS[name])} for name in METHODS],
        "models": [{"name": name, "says": words_json(model.says)} for name, model in MODELS.items()],
    }


def interleaving(arguments: Arguments) -> dict[str, Any]:
    """Return the list of an impression, and what the clicks so far prefer.

    Arguments: those of `pair_in`; `method`, `k`, `seed`; `impression`, the number of the list that is shown; `clicks`,
    a list of {"impression", "doc_id"} on this and earlier ones. `data` is what the command line's JSON holds of the
    tally, None before the first click.
    """
    pair, shown = pair_in(arguments), count_of(arguments, "impression", 1)
    _check_most("impression", shown, MOST_IMPRESSIONS)
    lists = _lists(arguments, pair, shown)
    clicks = _clicks(arguments, pair.query)
    on_last = any(one.get("impression") == shown for one in clicks)
    done = lists if on_last else _lists(arguments, pair, shown - 1) if shown > 1 else None
    found = click_preferences(done, clicks) if done is not None and clicks else None
    tally: list[Block] = [NO_CLICKS] if found is None else tally_blocks(found)
    sections = [
        Section(TALLY, tally),
        Section(Words("What this method cannot see", "이 방법이 보지 못하는 것"), bias_blocks(lists)),
    ]
    last = lists.lists[-1]
    return {
        "runs": list(lists.runs),
        "impression": shown,
        "shown": [
            {"doc_id": doc, "title": pair.titles.get(doc), "team": None if last.teams is None else last.teams[at]}
            for at, doc in enumerate(last.doc_ids)
        ],
        "rankings": {
            run: [{"doc_id": doc, "title": pair.titles.get(doc)} for doc in ranking[: lists.k]]
            for run, ranking in zip(lists.runs, pair.rankings, strict=True)
        },
        "page": page_json(Page(Words("Interleaving", "인터리빙"), sections)),
        "lists": lists.to_dict(),
        "data": None if found is None else found.to_dict(),
    }


def interleaving_users(arguments: Arguments) -> dict[str, Any]:
    """Return the clicks of simulated users on the next lists.

    Arguments: those of `pair_in`; `method`, `k`, `seed`; `model`; `first`, the number of the first list; `count`.
    """
    pair, first, count = pair_in(arguments), count_of(arguments, "first", 1), count_of(arguments, "count", 20)
    _check_most("count", count, MOST_USERS)
    _check_most("first", first + count - 1, MOST_IMPRESSIONS)
    model = model_of(choice_of(arguments, "model", _MODELS))
    lists = _lists(arguments, pair, first + count - 1)
    highest = max([grade for of_query in pair.qrels.values() for grade in of_query.values()], default=0)
    rows: Clicks = []
    for one in lists.lists[first - 1 :]:
        rates = [model.rates(pair.judgments.get(doc, 0), max(highest, 1)) for doc in one.doc_ids]
        random = Random(f"{lists.seed}/{one.impression}/user")  # noqa: S311 - no secrets
        rows += [{"impression": one.impression, "doc_id": one.doc_ids[place]} for place in clicked(rates, random)]
    return {"first": first, "count": count, "clicks": rows}


_MODELS = ("navigational", "perfect", "informational")


def interleaving_plan(arguments: Arguments) -> dict[str, Any]:
    """Return how many impressions it would take, by few simulated ones: their uncertainty is part of the answer.

    Arguments: those of `pair_in`; `method`, `k`, `seed`, `model`. Of the example all queries are asked that both runs
    answer; of lists of one's own, the one that there is.
    """
    pair = pair_in(arguments)
    method, k, seed = _settings(arguments)
    found = impressions_needed(
        pair.qrels,
        pair.runs[0],
        pair.runs[1],
        k,
        method=method,
        model=choice_of(arguments, "model", _MODELS),
        seed=seed,
        simulated=SIMULATED,
    )
    title = Words("How many impressions would it take?", "노출이 몇 번 필요할까?")
    page = Page(title, [Section(title, needed_blocks(found))])
    return {"page": page_json(page), "data": found.to_dict()}


def _lists(arguments: Arguments, pair: Pair, impressions: int) -> Interleaving:
    method, k, seed = _settings(arguments)
    return interleave(pair.of_query, k, method=method, seed=seed, impressions=impressions)


def _settings(arguments: Arguments) -> tuple[str, int, int]:
    k, seed = count_of(arguments, "k", 4), arguments.get("seed", 0)
    _check_most("k", k, DEEPEST)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise InputError(Fault(f"seed is {seen(seed)}", expected="a whole number"))
    return choice_of(arguments, "method", METHODS), k, seed


def _check_most(name: str, given: int, most: int) -> None:
    if given > most:
        raise InputError(Fault(f"{name} is {given}", expected=f"{most} at most"))


def _clicks(arguments: Arguments, query: str) -> Clicks:
    given = arguments.get("clicks", [])
    if not isinstance(given, Sequence) or not all(isinstance(one, Mapping) for one in given):
        raise InputError(Fault(f"clicks are {seen(given)}", expected='a list of {"impression", "doc_id"}'))
    return [{**one, "query_id": query} for one in given]
