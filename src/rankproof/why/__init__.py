"""Why does another contract give another number?"""

from rankproof.why.presets import SameValue, UnderPresets, under_presets
from rankproof.why.why import Bite, Part, Why, why

__all__ = ["Bite", "Part", "SameValue", "UnderPresets", "Why", "under_presets", "why"]
