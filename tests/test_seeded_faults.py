"""Would the tests notice? Faults that such roads have had, put in one at a time: each changes what is compared."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from rankproof.contract import Contract
from rankproof.errors import RankproofError
from rankproof.formats import read_run
from rankproof.formats.files import Given
from rankproof.measures import parse, together
from rankproof.model import Join, Run, Stacked
from rankproof.outcome import outcomes
from rankproof.placements.arrays import rows, scan, scores, standing, text
from rankproof.placements.arrays.tokens import Tokens, tokens_of
from rankproof.placements.plain import place


def run_of(*given: tuple[str, str, str], end: str = "\n") -> str:
    """Rows of (query, document, score) as a TREC run, the last one ended so."""
    lines = [f"{query} Q0 {doc} {at} {score} t" for at, (query, doc, score) in enumerate(given, 1)]
    return "\n".join(lines) + end


def two_of_one_hash() -> tuple[str, str]:
    """Two ids of sixteen letters with one hash: the second half of one makes up for its first half."""
    tail = int.from_bytes(b"ABCDEFGH", "little")
    plain = tokens_of([f"{at:08}" for at in range(200_000)])
    # the hash of a token's first eight bytes, when it has sixteen
    firsts = Tokens(plain.buffer, plain.starts, np.full(len(plain), 16)).words() ^ np.uint64(16)
    firsts *= np.uint64(0x9E3779B97F4A7C15)
    firsts ^= firsts >> np.uint64(29)
    tails = firsts ^ firsts[0] ^ np.uint64(tail)
    letters = tails.view(np.uint8).reshape(-1, 8)
    at = next(at for at in np.flatnonzero(((letters > 32) & (letters < 127)).all(axis=1)).tolist() if at)
    return f"{0:08}ABCDEFGH", f"{at:08}{bytes(letters[at]).decode()}"


def never(*_: object) -> bool:
    """Say no."""
    return False


def in_double(self: scores.Scores, given: Any, *, single: bool) -> None:
    """Forget to round scores."""
    _scores(self, given, single=False)


_scores = scores.Scores.__init__


def losing_the_last_tie(self: standing.Order, found: Any, queries: Any) -> None:
    """Lose the tie at the end of a piece."""
    _order(self, found, queries)
    self._equal[-2] = False


_order = standing.Order.__init__


def cut_anywhere(reader: Any, size: int) -> Iterator[bytearray]:
    """Lose the rows of a query that goes on in the next piece."""
    first, *_ = _chunks(reader, size)
    yield first


_chunks = text.chunks


def without_an_unended_row(reader: Any, size: int) -> Iterator[bytearray]:
    """Lose a last row without a line end."""
    for piece in _chunks(reader, size):
        end = piece.rfind(b"\n", 0, len(piece) - text.PADDING) + 1
        yield piece[:end] + b"\n" * text.PADDING


def by_position(self: standing.Order, at: Any, docs: Tokens, ties: str) -> standing.Standing:
    """Leave ties as they are given."""
    return _standing(self, at, docs, "as-given" if ties else ties)


_standing = standing.Order.standing


def by_spelling(tokens: Tokens) -> tuple[Any, Any, Any]:
    """Compare scores of other lengths by their bytes."""
    values = tokens.words().byteswap().astype(np.float64)
    return values, np.ones(len(values), bool), np.zeros(len(values), bool)


def pairwise(found: Any, queries: Any, amounts: Any) -> Any:
    """Add in the order that NumPy likes."""
    ends = np.cumsum(found.count_of(queries)).tolist()
    return np.array([amounts[first:end].sum() for first, end in zip([0, *ends[:-1]], ends, strict=True)])


def one_too_far(self: Any, cutoff: int | None) -> Any:
    """Look one place behind the cutoff."""
    return np.ones(len(self.ranks), bool) if cutoff is None else self.ranks <= cutoff + 1


@dataclass
class Fault:
    """What is put in where, and input on which it shows."""

    name: str
    where: object
    attribute: str
    wrong: Callable[..., Any] | property | object
    qrels: dict[str, dict[str, int]]
    text: str
    measures: tuple[str, ...] = ("AP", "nDCG", "RR")
    contract: Contract = field(default_factory=Contract)
    size: int = 1 << 20


ONE = {"1": {"d1": 1, "d3": 2}}
LONG = [("1", f"d{at}", f"{500 - at}.5") for at in range(300)]
ALIKE = two_of_one_hash()
FAULTS = [
    Fault(
        "a hash decides",
        Tokens,
        "equal",
        lambda self, _: np.ones(len(self), bool),
        {"1": {ALIKE[0]: 1}},
        run_of(("1", ALIKE[1], "2.0")),
    ),
    Fault(
        "32-bit rounding is dropped",
        scores.Scores,
        "__init__",
        in_double,
        {"1": {"e": 1}},
        run_of(("1", "d", "16777217.0"), ("1", "e", "16777216.0")),
        contract=Contract(score_precision="single"),
    ),
    Fault(
        "a tie at the end of a piece is lost",
        standing.Order,
        "__init__",
        losing_the_last_tie,
        {"1": {"e": 1}},
        run_of(("1", "d", "2.0"), ("1", "e", "2.0")),
    ),
    Fault(
        "rows behind the end of a piece are lost",
        scan,
        "chunks",
        cut_anywhere,
        {"1": {"d1": 1}, "2": {"d1": 1}},
        run_of(("1", "d1", "2.0"), ("2", "d2", "2.0"), ("2", "d1", "1.0")),
        size=32,
    ),
    Fault(
        "an id that begins as another is the other",
        Tokens,
        "offsets",
        lambda _: range(0, 8, 8),
        {"1": {"document2": 1}},
        run_of(("1", "document1", "2.0")),
    ),
    Fault(
        "a last row without a line end is lost",
        scan,
        "chunks",
        without_an_unended_row,
        ONE,
        run_of(("1", "d2", "2.0"), ("1", "d1", "1.0"), end=""),
    ),
    Fault(
        "a document that stands twice is let through",
        rows,
        "repeats",
        never,
        ONE,
        run_of(("1", "d2", "2.0"), ("1", "d2", "1.5"), ("1", "d1", "1.0")),
    ),
    Fault(
        "ties stay as they are given",
        standing.Order,
        "standing",
        by_position,
        ONE,
        run_of(("1", "d1", "2.0"), ("1", "d2", "2.0")),
    ),
    Fault(
        "9.5 is more than 10.5, by its bytes",
        scores,
        "_plain",
        by_spelling,
        ONE,
        run_of(("1", "d1", "10.5"), ("1", "d2", "9.5")),
    ),
    Fault(
        "a sum has another order",
        together,
        "_SUMS",
        {"sequential": pairwise},
        {"1": {f"d{at}": 1 + at % 3 for at in range(0, 300, 2)}},
        run_of(*LONG),
        contract=Contract(summation="sequential"),
    ),
    Fault(
        "a cutoff is one too far",
        together._Stack,
        "within",
        one_too_far,
        ONE,
        run_of(("1", "d2", "2.0"), ("1", "d1", "1.0")),
        measures=("CG@1",),
    ),
]


def said(fault: Fault) -> tuple[object, object]:
    """What the plain road and the measures' terms say; and what the arrays say."""
    content, measures = fault.text.encode(), list(map(parse, fault.measures))

    def values(queries: Any) -> list[object]:
        return [repr(outcomes(measure, queries, fault.contract)) for measure in measures]

    try:
        expected: object = values(place(fault.qrels, read_run(Given(content, "run")), fault.contract).queries)
    except RankproofError:
        expected = None
    opened = lambda: nullcontext(io.BytesIO(content))  # noqa: E731
    join: Join | None = scan.scan(opened, fault.qrels, fault.contract, Run("t", {}, "run"), fault.size)
    assert join is None or isinstance(join.queries, Stacked)
    return expected, None if join is None else values(join.queries)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_shows(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both roads say the same of the input; with the fault they do not."""
    expected, found = said(fault)
    assert found == expected
    monkeypatch.setattr(fault.where, fault.attribute, fault.wrong)
    expected, found = said(fault)
    assert found != expected


def test_two_of_one_hash_are_two() -> None:
    """Ids of one hash exist; in one query's rows they are left to the plain road, and judged both as well."""
    one, other = (tokens_of([doc]).hashes()[0] for doc in ALIKE)
    assert one == other
    assert ALIKE[0] != ALIKE[1]
    text_of_both = run_of(("1", ALIKE[1], "2.0"), ("1", ALIKE[0], "1.0"))
    for qrels in ({"1": {ALIKE[0]: 1}}, {"1": {ALIKE[0]: 1, ALIKE[1]: 0}}):
        expected, found = said(Fault("none", None, "", None, qrels, text_of_both))
        assert expected is not None
        assert found is None
