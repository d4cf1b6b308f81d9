"""What do sign flips, shuffles and permutations cost, beside the plainest NumPy or SciPy that does as much?

Usage: ``python benchmarks/resampling.py`` (needs NumPy and SciPy 1.15 or newer; under a minute; Linux or macOS). Both
sides of a ratio run in this one process, one after the other, and the quickest of several runs counts. It ends with
status 1 where a ratio is over its limit.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from scipy.stats import permutation_test

from rankproof.compare.resample import sign_flips
from rankproof.compare.tukey import tukey

MEMORY_ONLY = "--memory"
MOST_MEMORY = 1e9
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
SEED = 1


@dataclass(frozen=True, slots=True)
class Size:
    """How much is asked for: systems, queries, and how often signs are flipped or systems shuffled."""

    systems: int
    queries: int
    trials: int

    def __str__(self) -> str:
        """Return the three numbers, to read."""
        return f"{self.systems:,} systems x {self.queries:,} queries x {self.trials:,}"

    def doubled(self) -> dict[str, Size]:
        """Return this size with each dimension doubled, by the dimension's name."""
        return {
            "systems": Size(self.systems * 2, self.queries, self.trials),
            "queries": Size(self.systems, self.queries * 2, self.trials),
            "trials": Size(self.systems, self.queries, self.trials * 2),
        }


@dataclass(frozen=True, slots=True)
class Ratio:
    """One ratio: ours and what it is held against, each made ready for a size, and how often the cost may be had.

    A limit below 1 asks for less than the other side takes: 1/3 is three times as fast.
    """

    name: str
    size: Size
    ours: Callable[[Size], Callable[[], object]]
    beside: str
    theirs: Callable[[Size], Callable[[], object]]
    limit: float


def differences(size: Size) -> list[list[float]]:
    """Return a row a system: its differences from a baseline, a query, normal around a small gain."""
    drawn: list[list[float]] = np.random.default_rng(SEED).normal(0.02, 0.2, (size.systems, size.queries)).tolist()
    return drawn


def flips(size: Size) -> Callable[[], object]:
    """Return max-T: the signs of all systems' differences flipped alike, and counted."""
    rows = differences(size)
    return lambda: sign_flips(rows, size.trials, SEED)


def product(size: Size) -> Callable[[], object]:
    """Return the one matrix product that adds up as many signed differences."""
    signs = np.random.default_rng(SEED).choice([-1.0, 1.0], (size.trials, size.queries))
    columns = np.ascontiguousarray(np.array(differences(size)).T)
    return lambda: signs @ columns


def shuffled(size: Size) -> Callable[[], object]:
    """Return randomised Tukey HSD over all pairs of systems."""
    rows = differences(size)
    return lambda: tukey(rows, size.trials, SEED)


def permuted(size: Size) -> Callable[[], object]:
    """Return as many calls of `Generator.permuted`, which shuffles systems within each query and adds nothing up."""
    generator, values = np.random.default_rng(SEED), np.ascontiguousarray(np.array(differences(size)).T)

    def run() -> None:
        for _ in range(size.trials):
            generator.permuted(values, axis=1)

    return run


def scipy_permutations(size: Size) -> Callable[[], object]:
    """Return SciPy's paired permutation test of one system's mean against another's."""
    after = np.array(differences(Size(1, size.queries, size.trials))[0])
    before = np.zeros(size.queries)

    def gain(one: Any, other: Any, axis: int) -> Any:
        return np.mean(one - other, axis=axis)

    return lambda: permutation_test(
        (after, before), gain, permutation_type="samples", n_resamples=size.trials, vectorized=True, rng=SEED
    )


def one_pair(size: Size) -> Callable[[], object]:
    """Return the paired randomization test of two systems: one row of differences."""
    return flips(Size(1, size.queries, size.trials))


RATIOS = (
    Ratio("max-T", Size(200, 1_000, 10_000), flips, "one matrix product", product, 20),
    Ratio("randomised Tukey", Size(20, 1_000, 10_000), shuffled, "Generator.permuted", permuted, 3),
    Ratio("two systems", Size(2, 50, 100_000), one_pair, "scipy.stats.permutation_test", scipy_permutations, 1 / 3),
)


def seconds(run: Callable[[], object], times: int = 3) -> float:
    """Return the least time of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def most_memory() -> int:
    """Return the most bytes that this process held at once."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def memory_of_first() -> int:
    """Return the most bytes that a fresh process holds that runs the first ratio's own side, and nothing else."""
    done = subprocess.run([sys.executable, __file__, MEMORY_ONLY], capture_output=True, check=True, text=True)  # noqa: S603 - this script
    return int(done.stdout)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as columns of text, the first row as their header."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def machine() -> str:
    """Return what it runs on, and which thread counts BLAS was told; nothing is set here."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    told = ", ".join(f"{name}={os.environ.get(name, 'not set')}" for name in THREADS)
    return (
        f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"{blas['name']} {blas['version']}, {os.cpu_count()} cores; {told}"
    )


def measured() -> tuple[list[list[str]], list[list[str]], bool]:
    """Return the rows of the ratios, the rows of their growth, and whether all are within their limits."""
    ratios = [["what", "size", "seconds", "beside", "seconds", "ratio", "limit"]]
    growth = [["what", "twice the systems", "twice the queries", "twice the trials"]]
    within = True
    for one in RATIOS:
        ours, theirs = seconds(one.ours(one.size)), seconds(one.theirs(one.size))
        within &= ours <= one.limit * theirs
        times = [f"{ours:.3f}", one.beside, f"{theirs:.3f}", f"{ours / theirs:.2f}", f"{one.limit:.2f}"]
        ratios.append([one.name, str(one.size), *times])
        grown = {name: seconds(one.ours(size)) / ours for name, size in one.size.doubled().items()}
        paired = one.ours is one_pair
        growth.append([one.name, *("-" if paired and name == "systems" else f"x {f:.2f}" for name, f in grown.items())])
    return ratios, growth, within


def main() -> int:
    """Print the tables; return 0 where all limits are kept."""
    if sys.argv[1:] == [MEMORY_ONLY]:
        RATIOS[0].ours(RATIOS[0].size)()
        print(most_memory())
        return 0
    memory = memory_of_first()  # first of all: a child's figure starts from what its parent held when it was started
    ratios, growth, within = measured()
    print(machine(), table(ratios), sep="\n\n", end="\n\n")
    print(f"memory of {RATIOS[0].name}, whole process: {memory / 1e6:.0f} MB, limit {MOST_MEMORY / 1e6:.0f} MB\n")
    print(table(growth))
    return 0 if within and memory <= MOST_MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
