"""Which system is best on one corpus, with the same queries, labels and k? A file says what is compared."""

from rankproof.experiment.experiment import run_experiment
from rankproof.experiment.plan import Plan, read_plan
from rankproof.experiment.result import Experiment, Tested
from rankproof.experiment.store import Store

__all__ = ["Experiment", "Plan", "Store", "Tested", "read_plan", "run_experiment"]
