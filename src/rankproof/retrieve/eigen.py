"""What are the eigenvectors of a symmetric matrix? All of them, with the standard library.

The textbook's road (Golub & Van Loan 2013, 8.3): reflections bring the matrix to three diagonals, rotations with
Wilkinson's shift clear the two outer ones. It starts from no guess, finds equal eigenvalues as often as they occur, and
costs the third power of the size: below a second for 100 rows, some ten for 300.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import copysign, fsum, hypot
from operator import mul
from typing import NamedTuple, TypeAlias

from rankproof.errors import Fault, InputError

_Row: TypeAlias = list[float]

_EPSILON = 2.0**-52

_STEPS = 60
"""Rotations through the matrix for one eigenvalue; two or three are common."""


class Eigen(NamedTuple):
    """Eigenvalues, greatest first, and parallel to them eigenvectors of length 1, at right angles to each other."""

    values: Sequence[float]
    vectors: Sequence[Sequence[float]]


class _Reflection(NamedTuple):
    """The reflection that takes `scale` times the direction's share in a vector away from it, below row `start`."""

    start: int
    direction: _Row
    scale: float

    def of(self, vector: _Row) -> _Row:
        """Return a vector, reflected."""
        tail = vector[self.start :]
        share = self.scale * _product(self.direction, tail)
        return vector[: self.start] + [x - share * y for x, y in zip(tail, self.direction, strict=True)]


def eigen(matrix: Sequence[Sequence[float]]) -> Eigen:
    """Return the eigenvalues and eigenvectors of a symmetric matrix of finite numbers, given as its rows.

    InputError where the rotations do not come to an end, which has not been seen to happen.
    """
    diagonal, beside, reflections = _three_diagonals(matrix)
    rows = [[float(at == other) for other in range(len(matrix))] for at in range(len(matrix))]
    _clear(diagonal, beside, rows)
    for reflection in reversed(reflections):
        rows = [reflection.of(row) for row in rows]
    order = sorted(range(len(matrix)), key=lambda at: -diagonal[at])
    return Eigen([diagonal[at] for at in order], [rows[at] for at in order])


def _product(x: Sequence[float], y: Sequence[float]) -> float:
    return fsum(map(mul, x, y))


def _three_diagonals(matrix: Sequence[Sequence[float]]) -> tuple[_Row, _Row, list[_Reflection]]:
    """Return the diagonal, the one beside it, and the reflections that led there."""
    block = [[float(number) for number in row] for row in matrix]
    lost = _EPSILON * max((abs(number) for row in block for number in row), default=0.0)
    diagonal, beside, reflections = [], [], []
    while block:
        first, *below = block[0]
        diagonal.append(first)
        block = [row[1:] for row in block[1:]]
        if hypot(*below[1:]) > lost:
            length = copysign(hypot(*below), -below[0])
            direction = [below[0] - length, *below[1:]]
            scale = 2 / _product(direction, direction)
            reflections.append(_Reflection(len(diagonal), direction, scale))
            block = _reflected(block, direction, scale)
            beside.append(length)
        else:
            beside += below[:1]
    return diagonal, beside, reflections


def _reflected(block: list[_Row], direction: _Row, scale: float) -> list[_Row]:
    """Return a symmetric matrix, reflected from both sides."""
    across = [scale * _product(row, direction) for row in block]
    half = scale * _product(across, direction) / 2
    across = [x - half * y for x, y in zip(across, direction, strict=True)]
    return [
        [cell - d * y - a * x for cell, x, y in zip(row, direction, across, strict=True)]
        for row, d, a in zip(block, direction, across, strict=True)
    ]


def _clear(diagonal: _Row, beside: _Row, rows: list[_Row]) -> None:
    """Bring the numbers beside the diagonal to 0, from the last up, and turn the rows along."""
    size = max(map(abs, [*diagonal, *beside]), default=0.0)
    last, steps = len(beside), 0
    while last:
        if abs(beside[last - 1]) <= _EPSILON * size:
            beside[last - 1] = 0.0
            last, steps = last - 1, 0
            continue
        first = last - 1
        while first and abs(beside[first - 1]) > _EPSILON * size:
            first -= 1
        steps += 1
        if steps > _STEPS:
            raise InputError(Fault(f"an eigenvalue was not found in {_STEPS} steps", expected="finite numbers"))
        _step(diagonal, beside, rows, first, last)


def _step(diagonal: _Row, beside: _Row, rows: list[_Row], first: int, last: int) -> None:
    """Turn neighbours, from the first pair to the last, so that what is beside the last shrinks."""
    near = beside[last - 1]
    apart = (diagonal[last - 1] - diagonal[last]) / 2
    shift = diagonal[last] - near * near / (apart + copysign(hypot(apart, near), apart))
    along, across = diagonal[first] - shift, beside[first]
    for at, after in pairwise(range(first, last + 1)):
        length = hypot(along, across)
        cos, sin = (along / length, across / length) if length else (1.0, 0.0)
        if at > first:
            beside[at - 1] = length
        low, middle, high = diagonal[at], beside[at], diagonal[after]
        diagonal[at] = cos * cos * low + 2 * cos * sin * middle + sin * sin * high
        diagonal[after] = sin * sin * low - 2 * cos * sin * middle + cos * cos * high
        along = beside[at] = (cos * cos - sin * sin) * middle + cos * sin * (high - low)
        if after < last:
            across, beside[after] = sin * beside[after], cos * beside[after]
        rows[at], rows[after] = (
            [cos * x + sin * y for x, y in zip(rows[at], rows[after], strict=True)],
            [cos * y - sin * x for x, y in zip(rows[at], rows[after], strict=True)],
        )
