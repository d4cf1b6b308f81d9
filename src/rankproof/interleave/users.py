"""What would a user click? Cascade models: from the top down, a click by grade, and an end by grade after a click.

The model is the dependent click model of Guo, Liu, Wang (2009, WSDM); the chances are those of Hofmann, Whiteson, de
Rijke (2013, ACM TOIS 31(4)) and of later work on learning from clicks, such as Oosterhuis & de Rijke (2017, CIKM).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rankproof.errors import Fault, InputError, nearest
from rankproof.model import Grade
from rankproof.words import Words


class Rates(NamedTuple):
    """How likely is a click on what is looked at, and how likely does a user end after it?"""

    click: float
    stop: float


@dataclass(frozen=True, slots=True)
class ClickModel:
    """A kind of user: the published rates for two, three and five grades, from the lowest to the highest."""

    name: str
    says: Words
    published: Mapping[int, tuple[Rates, ...]]

    def rates(self, grade: Grade, highest: Grade) -> Rates:
        """Return the rates of a document; with other numbers of grades, on straight lines between the five.

        What is not judged, or judged below 0, has the lowest.
        """
        known = self.published.get(int(highest) + 1) if float(highest).is_integer() else None
        if known is not None and float(grade).is_integer():
            return known[max(0, int(grade))]
        place = 4 * min(max(grade / highest, 0.0), 1.0)
        at = min(int(place), 3)
        below, above = self.published[5][at : at + 2]
        return Rates(*(low + (high - low) * (place - at) for low, high in zip(below, above, strict=True)))


def _model(name: str, says: Words, *tables: tuple[tuple[float, ...], tuple[float, ...]]) -> ClickModel:
    return ClickModel(name, says, {len(click): tuple(map(Rates, click, stop)) for click, stop in tables})


MODELS: Mapping[str, ClickModel] = {
    model.name: model
    for model in (
        _model(
            "perfect",
            Words("looks at everything, clicks what is relevant", "모두 보고 적합한 것을 클릭"),
            ((0.0, 1.0), (0.0, 0.0)),
            ((0.0, 0.5, 1.0), (0.0, 0.0, 0.0)),
            ((0.0, 0.2, 0.4, 0.8, 1.0), (0.0, 0.0, 0.0, 0.0, 0.0)),
        ),
        _model(
            "navigational",
            Words("looks for one document, and ends when it is found", "한 문서를 찾고, 찾으면 끝냄"),
            ((0.05, 0.95), (0.2, 0.9)),
            ((0.05, 0.5, 0.95), (0.2, 0.5, 0.9)),
            ((0.05, 0.3, 0.5, 0.7, 0.95), (0.2, 0.3, 0.5, 0.7, 0.9)),
        ),
        _model(
            "informational",
            Words("clicks much, and reads on", "많이 클릭하고 계속 읽음"),
            ((0.4, 0.9), (0.1, 0.5)),
            ((0.4, 0.7, 0.9), (0.1, 0.3, 0.5)),
            ((0.4, 0.6, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.4, 0.5)),
        ),
    )
}


def model_of(name: str) -> ClickModel:
    """Return a click model by its name; InputError for one that does not exist."""
    if name not in MODELS:
        hint = f"nearest: {nearest(name, MODELS, 1)}"
        raise InputError(Fault(f"there is no click model {name!r}", expected=f"one of {', '.join(MODELS)}", hint=hint))
    return MODELS[name]


def clicked(of_places: Sequence[Rates], random: Random) -> list[int]:
    """Return the places that a user clicks, from 0 on, ascending."""
    found = list[int]()
    for place, rates in enumerate(of_places):
        if random.random() < rates.click:
            found.append(place)
            if random.random() < rates.stop:
                break
    return found
