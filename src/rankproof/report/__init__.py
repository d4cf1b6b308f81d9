"""What does a result look like to a person?"""

from rankproof.report.tables import Table, as_csv, as_json, as_markdown, as_text

__all__ = ["Table", "as_csv", "as_json", "as_markdown", "as_text"]
