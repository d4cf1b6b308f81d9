"""Which rules can change a number, and what do they ask? One table: a field a rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal, TypeVar

from rankproof.answers import Rule, Stage, kebab
from rankproof.errors import ContractError, Fault, nearest

Default = TypeVar("Default")


def _rule(
    default: Default, stage: Stage, question: str, answers: Mapping[str, str] | str, unmarked: tuple[object, ...] = ()
) -> Default:
    """Return a field with its rule; `answers`: what each choice means, or the kind of a number or table.

    `unmarked`: of a rule that came later, the answers by which nothing changes: fingerprints stay as they were.
    """
    kind, means = (answers, {}) if isinstance(answers, str) else ("choice", answers)
    return field(default=default, metadata={"rule": Rule(question, stage, kind, means, unmarked)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a contract, with the answers of the house; see `Contract`, which has these fields.

    Names are in snake case here and in kebab-case in files, options and pages.
    """

    comments: Literal["hash", "none"] = _rule(
        "hash",
        "read",
        "Is a line that begins with # a comment?",
        {"hash": "yes: it is left out, and counted", "none": "no: it is data"},
    )
    duplicate_judgment: Literal["error", "keep-last", "keep-highest"] = _rule(
        "error",
        "read",
        "What if the qrels judge a document twice for one query?",
        {
            "error": "the input is refused",
            "keep-last": "the last judgment counts",
            "keep-highest": "the highest grade counts",
        },
    )
    grade_map: tuple[tuple[float, float], ...] | None = _rule(
        None, "read", "Which grade does each grade of the qrels stand for? (none: itself)", "grades", unmarked=(None,)
    )
    subtopics: Literal["error", "any", "all", "ignored"] = _rule(
        "error",
        "read",
        "What if the second column of TREC qrels names subtopics?",
        {
            "error": "the input is refused: a document would be judged once for each",
            "any": "a document has the highest of its grades",
            "all": "a document has the lowest of its grades, 0 for a subtopic that does not list it",
            "ignored": "the column is not read",
        },
        unmarked=("error", "ignored"),  # neither changes a grade
    )
    roll_up: Literal["none", "max", "first"] = _rule(
        "none",
        "read",
        "Do the results of a run name chunks of documents?",
        {
            "none": "no: they name documents",
            "max": "yes: of a document's chunks the one with the highest score counts",
            "first": "yes: of a document's chunks the one given first counts",
        },
        unmarked=("none",),
    )
    chunk_separator: str = _rule(
        "#", "read", "What parts a document's id from its chunk's? (the last one does)", "text", unmarked=("#",)
    )
    order: Literal["score", "rank", "position"] = _rule(
        "score",
        "place",
        "What orders a ranking?",
        {
            "score": "the score, highest first; without scores the order given",
            "rank": "the rank column, lowest first",
            "position": "the order given",
        },
    )
    ties: Literal["document-id-descending", "document-id-ascending", "as-given", "expected", "unspecified"] = _rule(
        "document-id-descending",
        "place",
        "Which of two equal scores comes first?",
        {
            "document-id-descending": "the document id that is greater by bytes",
            "document-id-ascending": "the document id that is less by bytes",
            "as-given": "the document given first",
            "expected": "none: the value is the mean over all orders of the tied documents",
            "unspecified": "the tool does not say; placed as given, so trust the tie range, not the value",
        },
    )
    score_precision: Literal["single", "double"] = _rule(
        "double",
        "place",
        "How precisely are scores compared?",
        {"single": "as 32-bit floats: near scores become ties", "double": "as 64-bit floats"},
    )
    nan_score: Literal["error", "last"] = _rule(
        "error",
        "place",
        "What if a score is NaN?",
        {"error": "the input is refused", "last": "it comes after all others, tied with other NaNs"},
    )
    non_positive_score: Literal["keep", "drop"] = _rule(
        "keep",
        "place",
        "Is a document with a score of 0 or less retrieved?",
        {"keep": "yes", "drop": "no: it is taken out of the ranking"},
    )
    own_document: Literal["keep", "remove"] = _rule(
        "keep",
        "place",
        "Does a document whose id is the query's id count?",
        {"keep": "yes", "remove": "no: it is taken out of the ranking before anything else"},
    )
    duplicate_document: Literal["error", "keep-first", "keep-best", "keep-last", "unchecked"] = _rule(
        "error",
        "place",
        "What if a ranking holds a document twice?",
        {
            "error": "the input is refused",
            "keep-first": "the one given first counts",
            "keep-best": "the one that ranks highest counts",
            "keep-last": "the one given last counts",
            "unchecked": "it is not looked for: the caller vouches that there is none",
        },
    )
    duplicate_slot: Literal["occupies", "removed"] = _rule(
        "occupies",
        "place",
        "Does a repeat use up a rank?",
        {"occupies": "yes: what comes after it stays one place lower", "removed": "no: what comes after it moves up"},
    )
    depth: int | None = _rule(None, "place", "How many places of each ranking are looked at? (none: all)", "count")
    unjudged: Literal["non-relevant", "condensed"] = _rule(
        "non-relevant",
        "place",
        "What is a document without a judgment?",
        {
            "non-relevant": "a non-relevant document, in its place",
            "condensed": "nothing: it is taken out of the ranking, after the depth and before the cutoff",
        },
    )
    negative_grade: Literal["unjudged", "non-relevant", "error"] = _rule(
        "unjudged",
        "place",
        "What does a grade below 0 say? (its gain is 0 either way)",
        {
            "unjudged": "pooled but not judged",
            "non-relevant": "judged non-relevant, like grade 0",
            "error": "the input is refused",
        },
    )
    missing_query: Literal["zero", "skip", "error"] = _rule(
        "zero",
        "queries",
        "What if a judged query is absent from the run?",
        {
            "zero": "it counts as an empty ranking",
            "skip": "it is left out of the mean",
            "error": "the input is refused",
        },
    )
    unjudged_query: Literal["skip", "error"] = _rule(
        "skip",
        "queries",
        "What if a query of the run has no judgments?",
        {"skip": "it is left out, and counted", "error": "the input is refused"},
    )
    no_relevant: Literal["zero", "skip", "error"] = _rule(
        "skip",
        "queries",
        "What if a query has no relevant document? (counts, Judged and the rates do not ask)",
        {
            "zero": "its value is 0 and enters the mean",
            "skip": "its value is undefined: left out of the mean, and counted",
            "error": "the input is refused",
        },
    )
    relevant_from: float = _rule(1.0, "value", "From which grade on is a document relevant?", "number")
    gain: Literal["linear", "exponential", "binary", "table"] = _rule(
        "linear",
        "value",
        "What is a grade worth in CG, DCG and nDCG?",
        {
            "linear": "the grade",
            "exponential": "2 to the grade, less 1",
            "binary": "1 for every grade above 0",
            "table": "what the gain-table says; 0 for a grade that it does not list",
        },
    )
    gain_table: tuple[tuple[float, float], ...] | None = _rule(
        None, "value", "Which gain has each grade? (with gain = table)", "table"
    )
    low_grade_gain: Literal["keep", "zero"] = _rule(
        "keep",
        "value",
        "Has a grade below relevant-from a gain?",
        {"keep": "yes, its own", "zero": "no: its gain is 0"},
    )
    discount: Literal["log2"] = _rule("log2", "value", "What is a gain divided by?", {"log2": "log2(rank + 1)"})
    ideal: Literal["all-judged", "retrieved"] = _rule(
        "all-judged",
        "value",
        "Which documents make the ideal ranking of nDCG?",
        {
            "all-judged": "every judged document of the query",
            "retrieved": "only those that the run retrieved: what it missed is not seen",
        },
    )
    ideal_depth: Literal["cutoff", "whole", "returned"] = _rule(
        "cutoff",
        "value",
        "How long is the ideal ranking?",
        {
            "cutoff": "as long as the cutoff",
            "whole": "it holds all of its documents, whatever the cutoff",
            "returned": "as many as came back within the cutoff",
        },
    )
    precision_denominator: Literal["cutoff", "returned"] = _rule(
        "cutoff", "value", "What does P@k divide by?", {"cutoff": "k", "returned": "what came back, at most k"}
    )
    recall_denominator: Literal["relevant", "capped"] = _rule(
        "relevant",
        "value",
        "What does R@k divide by?",
        {"relevant": "the relevant documents", "capped": "the relevant documents, at most k"},
    )
    ap_denominator: Literal["relevant", "capped", "retrieved"] = _rule(
        "relevant",
        "value",
        "What does AP divide by?",
        {
            "relevant": "the relevant documents",
            "capped": "the relevant documents, at most k",
            "retrieved": "the relevant documents that came back within k",
        },
    )
    judged_denominator: Literal["cutoff", "returned"] = _rule(
        "returned",
        "value",
        "What do Judged@k and Unjudged@k divide by?",
        {"cutoff": "k", "returned": "what came back, at most k"},
    )
    recall_level: Literal["add-0.9", "round"] = _rule(
        "round",
        "value",
        "How many relevant documents make a recall level x of R, in interpolated precision?",
        {"add-0.9": "the whole part of x·R + 0.9", "round": "x·R rounded, halves up"},
    )
    rbp_gain: Literal["binary", "scaled", "raw"] = _rule(
        "scaled",
        "value",
        "What is a grade worth in RBP?",
        {
            "binary": "1 if relevant",
            "scaled": "the grade over the query's highest grade (over 1 if that is less)",
            "raw": "the grade: values may exceed 1",
        },
    )
    zero_denominator: Literal["undefined", "zero"] = _rule(
        "undefined",
        "value",
        "What is 0 divided by 0 (nothing came back, say)?",
        {"undefined": "undefined: left out of the mean, and counted", "zero": "0"},
    )
    summation: Literal["exact", "sequential"] = _rule(
        "exact",
        "value",
        "How are numbers added?",
        {
            "exact": "rounded once, at the end",
            "sequential": "from left to right, queries in byte order of their ids, as C programs do",
        },
    )


@cache
def rules() -> Mapping[str, Rule]:
    """Return the rules by snake-case name, in the order of documentation."""
    return {f.name: f.metadata["rule"] for f in fields(Rules) if "rule" in f.metadata}


def named_answers(given: Iterable[tuple[str, object]]) -> dict[str, Any]:
    """Return answers by snake-case rule, each in its one form; a rule that is given twice is refused.

    A gain-table implies gain = table, and any other gain means that no table counts.
    """
    found: dict[str, Any] = {}
    for spelled, value in given:
        name = known_rule(spelled)
        if name in found:
            raise ContractError(Fault(f"{kebab(name)} is given twice", expected="one answer a rule"))
        found[name] = rules()[name].checked(name, value)
    if found.get("gain_table") is not None:
        found.setdefault("gain", "table")
    elif found.get("gain", "table") != "table":
        found["gain_table"] = None
    return found


def known_rule(name: str) -> str:
    """Return the snake-case name of a rule spelled either way; an unknown one answers with the nearest."""
    snake = str(name).strip().replace("-", "_")
    if snake not in rules():
        near = nearest(kebab(snake), map(kebab, rules()))
        raise ContractError(Fault(f"there is no rule {name!r}", hint=f"nearest: {near}"))
    return snake
