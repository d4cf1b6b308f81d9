"""What does a real search engine answer to the same queries?"""

from rankproof.engines.asking import Asked, ask_all
from rankproof.engines.engine import Engine, EngineError
from rankproof.engines.journal import forget, journal_of
from rankproof.engines.opening import open_engine

__all__ = ["Asked", "Engine", "EngineError", "ask_all", "forget", "journal_of", "open_engine"]
