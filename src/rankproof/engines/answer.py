"""Which documents does a service's answer hold?"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

from rankproof.engines.engine import EngineError, needed
from rankproof.engines.mapping import HttpMapping
from rankproof.errors import Fault, InputError
from rankproof.model import Ranking

_SHOWN = 80
_NO_SCORE = 'a mapping without "score" takes the order of the hits as it is'


class AnswerReader:
    """Reads the JSON of one service, by the paths of its mapping (JSONPath as RFC 9535 has it)."""

    def __init__(self, mapping: HttpMapping, shown: Callable[[str, int], str]) -> None:
        """Compile the paths. InputError for one that is none.

        `shown` takes the secrets out of a text for a message, and cuts it.
        """
        self._mapping, self._cut = mapping, shown
        self._hits = _Path(mapping.hits, "hits", mapping.source)
        self._id = _Path(mapping.id, "id", mapping.source)
        self._score = None if mapping.score is None else _Path(mapping.score, "score", mapping.source)
        self._refuse_if = [_Path(path, "refuse-if", mapping.source) for path in mapping.refuse_if]
        self._id_pattern = re.compile(mapping.id_pattern or "(.+)", re.DOTALL)

    def ranking(self, content: bytes) -> Ranking:
        """Return the documents in the order given, with scores of which a higher one is better.

        Scores where a smaller one is better change their sign. EngineError for what is no whole, sound answer.
        """
        answer = _json(content)
        for path in self._refuse_if:
            for found in path.all(answer):
                if found:
                    fault = Fault(f"the answer is not whole: {path.text} is {self._shown(found)}")
                    raise EngineError(fault, transient=True)
        hits = self._list(answer)
        doc_ids = [self._doc_id(hit, at) for at, hit in enumerate(hits, 1)]
        if self._score is None:
            return Ranking(doc_ids)
        scores = [self._one_score(self._score, hit, doc_id) for hit, doc_id in zip(hits, doc_ids, strict=True)]
        return Ranking(doc_ids, self._falling(scores, doc_ids))

    def _list(self, answer: Any) -> list[Any]:
        found = self._hits.all(answer)
        if self._mapping.ok_empty and found in ([], [None]):
            return []
        if not found:
            raise EngineError(Fault(f"the answer holds nothing at {self._hits.text}", expected="a list of hits"))
        if len(found) > 1 or not isinstance(found[0], list):
            hint = "hits leads to the list itself, so without [*] at its end"
            message = f"the answer holds {self._shown(found[0])} at {self._hits.text}"
            raise EngineError(Fault(message, expected="one list of hits", hint=hint))
        return found[0]

    def _doc_id(self, hit: Any, rank: int) -> str:
        found = self._id.all(hit)
        if len(found) != 1 or isinstance(found[0], bool) or not isinstance(found[0], (str, int)):
            what = f"holds {self._shown(found[0])} as its id" if found else "holds no id"
            raise EngineError(Fault(f"hit {rank} {what} at {self._id.text}", expected="one text or whole number"))
        match = self._id_pattern.fullmatch(str(found[0]))
        if match is None or not match[1]:
            expected = f"id-pattern {self._mapping.id_pattern}" if self._mapping.id_pattern else "an id"
            raise EngineError(Fault(f"hit {rank} has the id {self._shown(found[0])}", expected=expected))
        return match[1]

    def _one_score(self, path: _Path, hit: Any, doc_id: str) -> int | float:
        found = path.all(hit)
        score = found[0] if len(found) == 1 else None
        if isinstance(score, bool) or not isinstance(score, (int, float)):
            message = (
                f"the score at {path.text} is {self._shown(score)}" if found else f"there is no score at {path.text}"
            )
            raise EngineError(Fault(message, doc_id=doc_id, expected="one number", hint=_NO_SCORE))
        if not isfinite(_double(score)):
            raise EngineError(
                Fault(f"the score {self._shown(score)} is out of range", doc_id=doc_id, expected="a double")
            )
        return 0 - score if self._mapping.ascending else score  # 0 - 0 is no negative zero

    def _falling(self, scores: Sequence[int | float], doc_ids: Sequence[str]) -> list[float]:
        """Return the scores as doubles. EngineError where they rise, or where two that differ become one."""
        for rank, (score, following) in enumerate(pairwise(scores), 1):
            if following > score:
                message = f"the score of hit {rank + 1} is better than that of hit {rank}"
                expected = "hits in the order of their scores"
                raise EngineError(Fault(message, doc_id=doc_ids[rank], expected=expected, hint=_NO_SCORE))
            if following != score and float(following) == float(score):
                message = f"the score {following} is so large that a double cannot tell it from {score}"
                raise EngineError(Fault(message, doc_id=doc_ids[rank], hint=_NO_SCORE))
        return [float(score) for score in scores]

    def _shown(self, found: Any) -> str:
        """Return a part of the answer as JSON, not longer than a line; hidden before it is cut."""
        return self._cut(json.dumps(found, ensure_ascii=False), _SHOWN)


class _Path:
    """A JSONPath that was read from a mapping."""

    def __init__(self, text: str, key: str, source: str) -> None:
        with needed("python-jsonpath", "asking over HTTP"):
            import jsonpath  # noqa: PLC0415 - an extra, loaded only when an engine is asked over HTTP
        self.text = text
        try:
            self._compiled = jsonpath.compile(text, strict=True)
        except jsonpath.JSONPathError as error:
            why = str(error).partition("\n")[0]
            hint = "$ is the answer in hits, and one hit in id and score: $.hits.hits, $._id"
            raise InputError(Fault(f"{key} is {text!r}, no JSONPath: {why}", source, hint=hint)) from None

    def all(self, content: Any) -> list[Any]:
        """Return all that stands there."""
        if self.text == "$" or not isinstance(content, (dict, list)):  # the library would read a text as JSON
            return [content] if self.text == "$" else []
        return self._compiled.findall(content)


def _json(content: bytes) -> Any:
    try:
        return json.loads(content, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise EngineError(Fault(f"the answer is no JSON: {error}", expected="JSON")) from None


def _refused(name: str) -> Any:
    raise ValueError(f"it holds {name}")


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf")
