"""How does a comparison before and after reranking look?"""

from __future__ import annotations

from rankproof.compare.telling import method
from rankproof.presets import FORMULAS_DATE
from rankproof.rerank.lab import CAVEATS, FORMULAS, LabResult
from rankproof.tables import Table


def changes_table(found: LabResult) -> Table:
    """Return a row a measure: before, after, change, and what it means."""
    rows = [
        [row.measure, row.before, row.after, None if row.change is None else f"{row.change:+.6f}", row.meaning]
        for row in found.changes
    ]
    return Table(["measure", "before", "after", "change", "meaning"], rows, decimals=6)


def lab_query_table(found: LabResult) -> Table:
    """Return two rows a query: before and after."""
    rows = [
        [query, side, *values.of_query(query).values()]
        for query in found.before.query_ids
        for side, values in (("before", found.before), ("after", found.after))
    ]
    return Table(["query_id", "run", *found.before.means], rows, "per query", decimals=6)


def lab_notes(found: LabResult) -> list[str]:
    """Return the formulas, the number of queries, and what the numbers do not show."""
    without = found.before.counts["without-relevant"]
    apart = f", {without} of them without a relevant document (left out of P, R, RR and nDCG)" if without else ""
    return [
        f"formulas {FORMULAS} of {FORMULAS_DATE}, contract fingerprint {found.contract.fingerprint}",
        f"{len(found.before.query_ids)} queries{apart}, K = {found.k}",
        *(note.en for note in method(found.comparison)),
        *CAVEATS,
    ]
