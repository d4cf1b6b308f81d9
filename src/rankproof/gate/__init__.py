"""May this candidate replace the baseline?"""

from rankproof.gate.gate import Check, Fallen, Gate, Options, gate, gate_values
from rankproof.gate.requirements import Requirement, requirement

__all__ = ["Check", "Fallen", "Gate", "Options", "Requirement", "gate", "gate_values", "requirement"]
