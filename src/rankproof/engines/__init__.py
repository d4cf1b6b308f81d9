"""What does a real search engine answer to the same queries?"""

from rankproof.engines.asking import Asked, ask_all
from rankproof.engines.engine import Engine, EngineError
from rankproof.engines.journal import forget, journal_of
from rankproof.engines.opening import files_of, has_own_index, name_of, open_engine

__all__ = [
    "Asked",
    "Engine",
    "EngineError",
    "ask_all",
    "files_of",
    "forget",
    "has_own_index",
    "journal_of",
    "name_of",
    "open_engine",
]
