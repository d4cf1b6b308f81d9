"""What does a file hold, and what in it is suspicious?"""

from rankproof.check.check import check
from rankproof.check.checked import Checked, CheckedFile
from rankproof.check.finding import FileFinding, Place
from rankproof.check.kinds import FILE_KINDS
from rankproof.check.mending import Mended, mend

__all__ = ["FILE_KINDS", "Checked", "CheckedFile", "FileFinding", "Mended", "Place", "check", "mend"]
