"""What else could have come out: with signs flipped, queries drawn again, systems shuffled within a query?

Each of the three has a plain road and a NumPy road. They draw the same 32-bit words of a Mersenne Twister, and they add
whole numbers (`Whole`), so that no order of adding and no library changes a digit: both give the same result.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from rankproof.compare.draws import BLOCK, Draws, Whole, has_numpy, numbers_of, slack, whole, whole_for_signs


@dataclass(frozen=True, slots=True)
class Flips:
    """In how many of `trials` random flips of signs a sum was at least as far from 0 as the one seen.

    `alone` counts for each column by itself; `together` for the largest of the columns that are not yet settled
    (step-down max-T, Westfall & Young 1993), columns scaled to the same length.
    """

    trials: int
    alone: Sequence[int]
    together: Sequence[int]
    order: Sequence[int]  # the columns, the largest sum first


def sign_flips(columns: Sequence[Sequence[float]], trials: int, seed: int, *, plain: bool = False) -> Flips:
    """Flip the signs of a row alike in all columns, `trials` times, and count. Columns are parallel."""
    scaled = [whole_for_signs(column) for column in columns]
    lengths = [fsum(number * number for number in column.numbers) ** 0.5 for column in scaled]
    totals = [sum(column.numbers) for column in scaled]
    seen = [abs(total) / length if length else 0.0 for total, length in zip(totals, lengths, strict=True)]
    order = sorted(range(len(columns)), key=lambda at: -seen[at])
    road = _flips_plain if plain or not has_numpy() else _flips_numpy
    return road(scaled, lengths, seen, order, Draws(seed, "sign flips"), trials)


_NEAR = 1e-12
"""Below this, two scaled sums are one: their sums are exact, so only the scaling rounds."""


def _flips_plain(
    columns: Sequence[Whole],
    lengths: Sequence[float],
    seen: Sequence[float],
    order: Sequence[int],
    words: Draws,
    trials: int,
) -> Flips:
    count = len(columns[0].numbers)
    tables = [[_byte_sums(column.numbers[at : at + 8]) for at in range(0, count, 8)] for column in columns]
    totals = [sum(column.numbers) for column in columns]
    least = [abs(total) - slack(count) for total in totals]
    alone, together = [0] * len(columns), [0] * len(columns)
    for row in words.rows(trials, _words_for(count)):
        largest = 0.0
        for at in reversed(order):
            total = abs(2 * sum(table[byte] for table, byte in zip(tables[at], row, strict=False)) - totals[at])
            alone[at] += total >= least[at]
            largest = max(largest, total / lengths[at] if lengths[at] else 0.0)
            together[at] += largest >= seen[at] - _NEAR
    return Flips(trials, alone, together, order)


def _byte_sums(numbers: Sequence[int]) -> list[int]:
    """Return, for each byte, the sum of the numbers whose bit is set."""
    sums = [0]
    for number in numbers:
        sums += [one + number for one in sums]
    return sums * (256 // len(sums))


def _words_for(count: int) -> int:
    return -(-count // 32)


def _flips_numpy(
    columns: Sequence[Whole],
    lengths: Sequence[float],
    seen: Sequence[float],
    order: Sequence[int],
    words: Draws,
    trials: int,
) -> Flips:
    import numpy as np  # noqa: PLC0415 - the plain road needs none

    numbers = np.array([columns[at].numbers for at in order], dtype=np.float64).T
    count, totals = len(numbers), numbers.sum(axis=0)
    scale = np.array([lengths[at] or 1.0 for at in order])
    least, nearly = np.abs(totals) - slack(count), np.array([seen[at] for at in order]) - _NEAR
    alone, together = np.zeros(len(order), dtype=np.int64), np.zeros(len(order), dtype=np.int64)
    for block in words.blocks(trials, _words_for(count)):
        for part in np.array_split(block, -(-len(block) * count // BLOCK) or 1):
            bits = np.unpackbits(part.view(np.uint8), axis=1, count=count, bitorder="little")
            sums = bits.astype(np.float64) @ numbers
            sums *= 2
            sums -= totals
            np.abs(sums, out=sums)
            alone += (sums >= least).sum(axis=0)
            sums /= scale
            largest = np.maximum.accumulate(sums[:, ::-1], axis=1)[:, ::-1]
            together += (largest >= nearly).sum(axis=0)
    back = np.argsort(order)
    return Flips(trials, alone[back].tolist(), together[back].tolist(), order)


def exact_share(column: Sequence[float]) -> tuple[int, int]:
    """Return of how many of all sign patterns the sum is at least as far from 0 as the one seen, and of how many.

    The patterns of either half are listed, and the pairs of halves counted by bisection: exact, and quick to 30 rows.
    """
    numbers = whole_for_signs(column).numbers
    far = abs(sum(numbers)) - slack(len(numbers))
    patterns = 1 << len(numbers)
    if far <= 0:
        return patterns, patterns
    left, right = (_signed_sums(half) for half in (numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]))
    right.sort()
    beyond = sum(len(right) - bisect_left(right, far - one) + bisect_right(right, -far - one) for one in left)
    return beyond, patterns


def _signed_sums(numbers: Sequence[int]) -> list[int]:
    sums = [0]
    for number in numbers:
        sums = [one + sign * number for one in sums for sign in (1, -1)]
    return sums


def drawn_again(
    columns: Sequence[Sequence[float]], sizes: Sequence[int], draws: int, seed: int, *, plain: bool = False
) -> list[list[float]]:
    """Return for each column the sorted means of `draws` bootstrap samples of its rows.

    A row is a query, or a family of `sizes[i]` queries whose sum stands in the column; a sample's mean is the sum of
    the drawn rows over the queries in them.
    """
    count = len(sizes)
    scaled = [whole(column, count * max(map(abs, column))) for column in columns]
    road = _drawn_plain if plain or not has_numpy() else _drawn_numpy
    return road(scaled, sizes, Draws(seed, "bootstrap"), draws)


def _drawn_plain(columns: Sequence[Whole], sizes: Sequence[int], words: Draws, draws: int) -> list[list[float]]:
    count, means = len(sizes), [list[float]() for _ in columns]
    for row in words.rows(draws, count):
        places = [word * count >> 32 for word in numbers_of(row)]
        queries = sum(sizes[at] for at in places)
        for column, found in zip(columns, means, strict=True):
            found.append(column.back(sum(column.numbers[at] for at in places)) / queries)
    return [sorted(found) for found in means]


def _drawn_numpy(columns: Sequence[Whole], sizes: Sequence[int], words: Draws, draws: int) -> list[list[float]]:
    import numpy as np  # noqa: PLC0415 - the plain road needs none

    count = len(sizes)
    numbers = np.array([*(column.numbers for column in columns), sizes], dtype=np.float64).T
    scale = np.array([column.power for column in columns])
    parts = []
    for block in words.blocks(draws, count):
        places = (block.astype(np.uint64) * np.uint64(count)) >> np.uint64(32)
        places += (np.arange(len(block), dtype=np.uint64) * np.uint64(count))[:, None]
        times = np.bincount(places.ravel().astype(np.intp), minlength=len(block) * count).reshape(-1, count)
        sums = times.astype(np.float64) @ numbers
        parts.append(np.ldexp(sums[:, :-1], -scale) / sums[:, -1:])
    found: list[list[float]] = np.sort(np.concatenate(parts), axis=0).T.tolist()
    return found


def ranges(
    values: Sequence[Sequence[float]], trials: int, seed: int, *, plain: bool = False
) -> tuple[Whole, list[int]]:
    """Return each system's total, and the sorted ranges of the totals when systems are shuffled within each query.

    `values` holds a row a system, parallel over queries: two rows or more. The totals and ranges are in the same whole
    units (randomised Tukey HSD: Carterette 2012, ACM TOIS 30(1)).
    """
    count = len(values[0])
    flat = [value for row in values for value in row]
    scaled = whole(flat, 2 * count * max(map(abs, flat)))
    rows = [scaled.numbers[at * count : (at + 1) * count] for at in range(len(values))]
    road = _ranges_plain if plain or not has_numpy() else _ranges_numpy
    return Whole([sum(row) for row in rows], scaled.power), road(rows, Draws(seed, "shuffles"), trials)


def _key_words(systems: int) -> tuple[int, int]:
    """Return how many words a sort key has, and how many of its low bits give way to the system's number."""
    return (1 if systems <= 32 else 2), (systems - 1).bit_length()


def _ranges_plain(rows: Sequence[Sequence[int]], words: Draws, trials: int) -> list[int]:
    systems, count = len(rows), len(rows[0])
    width, low = _key_words(systems)
    found = []
    for row in words.rows(trials, width * systems * count):
        totals = [0] * systems
        for query in range(count):
            start = 4 * width * systems * query
            keys = [
                int.from_bytes(row[at : at + 4 * width], "little") >> low
                for at in range(start, start + 4 * width * systems, 4 * width)
            ]
            for place, system in enumerate(sorted(range(systems), key=keys.__getitem__)):
                totals[place] += rows[system][query]
        found.append(max(totals) - min(totals))
    return sorted(found)


def _ranges_numpy(rows: Sequence[Sequence[int]], words: Draws, trials: int) -> list[int]:
    import numpy as np  # noqa: PLC0415 - the plain road needs none

    systems, count = len(rows), len(rows[0])
    width, low = _key_words(systems)
    flat = np.array(rows, dtype=np.float64).T.ravel()
    kind = np.dtype("<u4" if width == 1 else "<u8").type
    number, start = np.arange(systems, dtype=kind), np.arange(count, dtype=kind)[:, None] * kind(systems)
    found = []
    for block in words.blocks(trials, width * systems * count):
        keys = block.view(kind).reshape(-1, count, systems)
        keys &= ~kind((1 << low) - 1)
        keys |= number  # the key's low bits say whose it is, so that sorting keys sorts systems
        keys.sort(axis=2)
        keys &= kind((1 << low) - 1)
        keys += start
        totals = flat.take(keys.astype(np.intp)).sum(axis=1)
        found.append(totals.max(axis=1) - totals.min(axis=1))
    sorted_ranges: list[int] = np.sort(np.concatenate(found)).astype(np.int64).tolist()
    return sorted_ranges
