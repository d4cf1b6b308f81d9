"""How does the explanation of a value look?"""

from __future__ import annotations

from rankproof.explain import Explanation
from rankproof.tables import Table


def explanation_tables(found: Explanation) -> list[Table]:
    """Return the terms, and the ideal ranking where there is one."""
    header, *rows = found.rows()
    tables = [Table(header, rows)] if rows else []
    if found.ideal:
        header, *rows = found.rows(ideal=True)
        tables.append(Table(header, rows, "the ideal ranking"))
    return tables
