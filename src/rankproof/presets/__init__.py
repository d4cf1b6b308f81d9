"""Who else uses which rules, in which version?

`preset` says what a preset is; `house`, `trec_eval`, `libraries` and `services` hold them, `table` lists them; `files`
reads and writes contracts.
"""

from rankproof.presets.files import contract, read_rules, to_toml
from rankproof.presets.house import FORMULAS_DATE
from rankproof.presets.preset import Deviation, Preset
from rankproof.presets.table import PRESETS, contracts

__all__ = ["FORMULAS_DATE", "PRESETS", "Deviation", "Preset", "contract", "contracts", "read_rules", "to_toml"]
