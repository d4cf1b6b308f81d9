"""What can be wrong with a file, or suspicious about it? One table: what each finding says, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

Weight: TypeAlias = Literal["wrong", "suspicious", "note"]
"""`wrong`: refused, or makes numbers wrong; `suspicious`: may be a mistake; `note`: worth knowing."""

WEIGHTS: tuple[Weight, ...] = ("wrong", "suspicious", "note")


class Kind(NamedTuple):
    """A kind of finding: its weight; its sentence, in which {n} is the count with its noun; what to do."""

    weight: Weight
    says: str
    to_do: str
    one: str = "row"
    several: str | None = None

    def counted(self, count: int) -> str:
        """Return a count with its noun."""
        return f"{count} {self.one if count == 1 else self.several or self.one + 's'}"


_QUERIES = ("query", "queries")
_SPELL = "spell the ids alike in both files"

FILE_KINDS: Mapping[str, Kind] = {
    # the file as such
    "unreadable": Kind("wrong", "cannot be read: {why}", "mend or replace the file", "file"),
    "unreadable-row": Kind("wrong", "{n} cannot be read; the first: {why}", "mend these rows: readers refuse the file"),
    "guessed-encoding": Kind(
        "suspicious", "is not UTF-8, and was read as CP949", "look at the ids; --fix writes UTF-8", "file"
    ),
    "utf-16": Kind("note", "is UTF-16, which other tools refuse", "--fix writes UTF-8", "file"),
    "byte-order-mark": Kind(
        "note",
        "begins with a byte order mark; other tools take it for part of the first id",
        "--fix removes it",
        "file",
    ),
    "line-ends": Kind("note", "{n} otherwise than in \\n: {why}", "--fix writes \\n", "line ends", "lines end"),
    "white-space": Kind(
        "note",
        "{n} white space around the row, or too much between columns",
        "--fix removes it",
        "line holds",
        "lines hold",
    ),
    "comments": Kind(
        "note",
        "{n} with #: left out as comments",
        "remove them if other tools are to read the file",
        "line begins",
        "lines begin",
    ),
    "comments-like-data": Kind(
        "suspicious",
        "{n} with # and has the columns of data: an id that begins with #?",
        "--rule comments=none reads such lines as data",
        "line begins",
        "lines begin",
    ),
    "told": Kind("note", "{why}", "nothing, if that is meant", "file"),
    # ids
    "blanks-around-id": Kind(
        "suspicious",
        "{n} with white space: {why}",
        "remove it: ids match by every sign",
        "id begins or ends",
        "ids begin or end",
    ),
    "mark-in-id": Kind(
        "wrong",
        "{n} a byte order mark, which nobody sees: {why}",
        "remove it: two files were joined, most likely",
        "id holds",
        "ids hold",
    ),
    "same-but-for-case": Kind(
        "suspicious",
        "{n} from another of this file in case only: {why}",
        "make sure that these are two",
        "id differs",
        "ids differ",
    ),
    "same-but-for-padding": Kind(
        "suspicious",
        "{n} from another of this file in leading zeros only: {why}",
        "make sure that these are two",
        "id differs",
        "ids differ",
    ),
    # judgments
    "judged-twice": Kind(
        "wrong",
        "{n} one that stands before it, with the same grade",
        "remove the copies, or --rule duplicate-judgment=keep-last",
        "judgment repeats",
        "judgments repeat",
    ),
    "judged-twice-differently": Kind(
        "wrong",
        "{n} a document once more, with another grade: {why}",
        "decide which counts, or --rule duplicate-judgment=keep-last or keep-highest",
        "row judges",
        "rows judge",
    ),
    "second-column": Kind(
        "wrong",
        "the second column varies in {n}: {why}; are these subtopics, or judges?",
        "--subtopics any, all or ignored says what it means",
        *_QUERIES,
    ),
    "nothing-relevant": Kind(
        "wrong", "no document has a grade from 1 on", "give the file that holds the grades", "judgment"
    ),
    "all-grades-equal": Kind(
        "suspicious", "all {n} have the grade {why}", "make sure that the column is the grade", "judgment"
    ),
    "only-relevant": Kind(
        "note",
        "all {n} have the grade 1: only relevant documents are listed",
        "nothing; what is not listed counts as unjudged",
        "judgment",
    ),
    "is-1-the-best": Kind(
        "suspicious",
        "the grades are {why}, and none is 0: is 1 the best grade here?",
        "if so, turn them round: --grade-map 1=4,2=3,… for every command",
        "judgment",
    ),
    "grades-against-names": Kind(
        "wrong",
        "the column {why}: the better name has the lower grade",
        "turn the grades round: --grade-map",
        "row",
    ),
    "negative-grades": Kind(
        "note", "{n} below 0: {why}", "--rule negative-grade says how they count", "grade is", "grades are"
    ),
    "fractional-grades": Kind(
        "note", "{n}: {why}", "nothing; some tools cut fractions off", "grade is a fraction", "grades are fractions"
    ),
    "queries-without-relevant": Kind(
        "note",
        "{n} no document with a grade from 1 on",
        "--rule no-relevant says how they count",
        "query has",
        "queries have",
    ),
    # results
    "retrieved-twice": Kind(
        "wrong",
        "{n} a document that its query holds already",
        "remove the copies, or --rule duplicate-document",
        "result repeats",
        "results repeat",
    ),
    "nan": Kind("wrong", "{n} not a number", "find out what the system could not score", "value is", "values are"),
    "infinity": Kind("wrong", "{n} infinite", "find out what the system could not score", "value is", "values are"),
    "upside-down": Kind(
        "wrong",
        "in all {n} scores rise from rank to rank: are they distances?",
        "--rule order=rank, or write scores of which the highest is best",
        *_QUERIES,
    ),
    "rank-against-score": Kind(
        "suspicious",
        "in {n} a document has the better rank and the lower score",
        "--rule order=rank or order=score says which one counts",
        *_QUERIES,
    ),
    "rows-not-by-rank": Kind("note", "in {n} the rows do not stand in the order of the ranks", "nothing", *_QUERIES),
    "all-scores-equal": Kind(
        "suspicious",
        "in {n} all results have one score: the order is left to the rule for ties",
        "write scores that tell them apart, or --rule order=rank",
        *_QUERIES,
    ),
    "ties": Kind(
        "note",
        "{n} a score with another of the query: the order is left to the rule for ties",
        "--rule ties=expected gives the mean over all orders",
        "result shares",
        "results share",
    ),
    "single-precision-ties": Kind(
        "suspicious",
        "{n} from the one above only beyond 32 bits: trec_eval sees a tie",
        "--rule score-precision=single does as trec_eval; a greater scale keeps them apart",
        "score differs",
        "scores differ",
    ),
    "several-tags": Kind(
        "suspicious", "the last column names {why}; all are read as one run", "give each run a file of its own", "tag"
    ),
    "extra-columns": Kind(
        "suspicious",
        "{n} more than 6 columns; what stands behind the tag is not read",
        "does an id hold a blank?",
        "line has",
        "lines have",
    ),
    "cut-depth": Kind("note", "{why}", "measures deeper than that see nothing more", *_QUERIES),
    # tables of measures
    "impossible": Kind("wrong", "{why}", "one of these values is not what its name says", "value"),
    "impossible-unless": Kind("suspicious", "{why}", "true under the rules named alone: were they in effect?", "value"),
    "equal-rows": Kind("suspicious", "{why}", "were two systems evaluated, or one twice?", "row"),
    # judgments and results together
    "no-query-in-common": Kind("wrong", "no query is in {why} too", _SPELL, *_QUERIES),
    "no-document-in-common": Kind("wrong", "no result is a document that {why} judges for its query", _SPELL, "result"),
    "other-case": Kind("wrong", "{n} from those of {why} in case only", _SPELL, "id differs", "ids differ"),
    "other-padding": Kind("wrong", "{n} from those of {why} in leading zeros only", _SPELL, "id differs", "ids differ"),
    "queries-missing": Kind(
        "suspicious", "{n} of {why} without an answer here", "--rule missing-query says how they count", *_QUERIES
    ),
    "queries-unjudged": Kind("suspicious", "{n} not judged in {why}", "they are left out", "query is", "queries are"),
    "unjudged-on-top": Kind(
        "note", "{n} not judged in {why}", "rankproof pool lists what to judge next", "result is", "results are"
    ),
    "never-returned": Kind(
        "note",
        "{n} by no run given here, {why}",
        "nothing; no order of these runs can find them",
        "judged document is returned",
        "judged documents are returned",
    ),
}
"""The kinds of findings in files, in the order in which they are told."""
