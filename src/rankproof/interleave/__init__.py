"""Whose results get the clicks?"""

from rankproof.interleave.lists import Interleaving, ShownList, interleave
from rankproof.interleave.methods import METHODS, Interleaved, chances, team_draft_interleave
from rankproof.interleave.planning import ImpressionsNeeded, impressions_needed
from rankproof.interleave.preferences import ClickPreferences, Preference, click_preferences
from rankproof.interleave.shown import read_shown
from rankproof.interleave.users import MODELS

__all__ = [
    "METHODS",
    "MODELS",
    "ClickPreferences",
    "ImpressionsNeeded",
    "Interleaved",
    "Interleaving",
    "Preference",
    "ShownList",
    "chances",
    "click_preferences",
    "impressions_needed",
    "interleave",
    "read_shown",
    "team_draft_interleave",
]
