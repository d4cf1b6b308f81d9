"""What would trec_eval print for this? Its flags, its measures in its order, its rows."""

from rankproof.trec_eval.asked import VERSIONS, Asked
from rankproof.trec_eval.judged import FORMATS
from rankproof.trec_eval.printed import Printed, printed

__all__ = ["FORMATS", "VERSIONS", "Asked", "Printed", "printed"]
