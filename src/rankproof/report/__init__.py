"""What does a result look like to a person?"""

from rankproof.report.explanation import explanation_tables
from rankproof.report.lab import changes_table, lab_notes, lab_query_table
from rankproof.report.reference import (
    contract_tables,
    contracts_table,
    differences_table,
    measure_facts,
    measure_table,
    measures_table,
)
from rankproof.report.values import TIDY, means_table, query_tables, tidy_rows, trec_lines
from rankproof.tables import Table, as_csv, as_json, as_markdown, as_text

__all__ = [
    "TIDY",
    "Table",
    "as_csv",
    "as_json",
    "as_markdown",
    "as_text",
    "changes_table",
    "contract_tables",
    "contracts_table",
    "differences_table",
    "explanation_tables",
    "lab_notes",
    "lab_query_table",
    "means_table",
    "measure_facts",
    "measure_table",
    "measures_table",
    "query_tables",
    "tidy_rows",
    "trec_lines",
]
