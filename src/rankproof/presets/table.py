"""Which presets are there?"""

from __future__ import annotations

from rankproof.presets.house import OWN
from rankproof.presets.libraries import LIBRARIES
from rankproof.presets.preset import Preset
from rankproof.presets.services import SERVICES
from rankproof.presets.trec_eval import FAMILY

PRESETS: dict[str, Preset] = {preset.name: preset for preset in (*OWN, *FAMILY, *LIBRARIES, *SERVICES)}


def contracts() -> list[Preset]:
    """Return the presets: each a contract with its version, source, verification and known deviations."""
    return list(PRESETS.values())
