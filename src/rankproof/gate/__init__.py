"""May this candidate replace the baseline?"""

from rankproof.gate.gate import gate, gate_values
from rankproof.gate.requirements import Requirement, requirement
from rankproof.gate.result import Check, Fallen, Gate, Options

__all__ = ["Check", "Fallen", "Gate", "Options", "Requirement", "gate", "gate_values", "requirement"]
