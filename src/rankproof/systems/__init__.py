"""Which search do these settings name, and what does it find?"""

from rankproof.systems.asked import systems_of
from rankproof.systems.collection import Collection, read_collection
from rankproof.systems.kinds import KINDS, Kind
from rankproof.systems.ranked import Ranked, Surroundings, cut, found_in, ties_of
from rankproof.systems.ranking import rank, rank_all
from rankproof.systems.system import System, read_system

__all__ = [
    "KINDS",
    "Collection",
    "Kind",
    "Ranked",
    "Surroundings",
    "System",
    "cut",
    "found_in",
    "rank",
    "rank_all",
    "read_collection",
    "read_system",
    "systems_of",
    "ties_of",
]
