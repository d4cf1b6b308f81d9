"""What is in this file, or in this object?"""

from rankproof.formats.arrays import run_from_arrays
from rankproof.formats.families import read_families
from rankproof.formats.files import Source
from rankproof.formats.lab import Lab, read_lab
from rankproof.formats.table import FORMATS, Format, as_qrels, as_runs, forced, read_qrels, read_run
from rankproof.formats.whole import write_whole
from rankproof.formats.written import write_qrels, write_run

__all__ = [
    "FORMATS",
    "Format",
    "Lab",
    "Source",
    "as_qrels",
    "as_runs",
    "forced",
    "read_families",
    "read_lab",
    "read_qrels",
    "read_run",
    "run_from_arrays",
    "write_qrels",
    "write_run",
    "write_whole",
]
