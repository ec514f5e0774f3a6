"""By asking a vision-language model which of several is meant, where one is configured: the last to be heard.

It is asked only where the others leave a tie, and only among those that they put forward and nothing speaks against.
Its word changes no score and lifts nothing over a bar; where any of them submits, validates or could do harm, it is not
asked at all, and where a tie must be refused neither. No answer leaves the tie as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from rpa_vision.detection.vlm_choice import MarkChoice, secrets_of
from rpa_vision.execution.harm import ORDINARY_HARM, harm_of
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.ports.vlm import NoAnswer

NAME: Final = "som_vlm"
_MAX_TIED: Final = 9
"""More that are alike than this are a list, and which row of it is meant no look can tell."""
_NEAR: Final = 3


class Chooser(Protocol):
    """Says which of several candidates is wanted, or why it cannot (`detection.vlm_choice.MarkChooser`)."""

    def choose(
        self, image: Pixels, candidates: Sequence[UIElement], wanted: Mapping[str, str], *, hidden: Sequence[Box] = ()
    ) -> MarkChoice | NoAnswer:
        """The index of one of the candidates, None for none of them, or no answer."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Which of those in the tie it is, if that was said, and by whom; or why there was no answer."""

    index: int | None
    said: str
    strategy: str = NAME


def settle(tied: Sequence[UIElement], search: Search, chooser: Chooser) -> Settled:
    """Ask which one is meant."""
    if len(tied) > _MAX_TIED:
        return Settled(None, f"{NAME} was not asked about {len(tied)} alike")
    harmful = next((one for one in tied if harm_of(one) >= ORDINARY_HARM), None)
    if harmful is not None:
        return Settled(None, f"{NAME} is not asked about « {harmful.label} », which has consequences")
    hidden = secrets_of(search.screen.state.ui_elements)
    answer = chooser.choose(search.screen.pixels, tied, _wanted(search), hidden=hidden)
    if isinstance(answer, NoAnswer):
        return Settled(None, f"{NAME} gave no answer ({answer.kind}: {answer.reason})")
    if answer.index is None or not 0 <= answer.index < len(tied):
        return Settled(None, f"{answer.by} ({NAME}) says it is none of them, or is not sure")
    return Settled(answer.index, f"chosen among {len(tied)} by {answer.by} ({NAME})")


def _wanted(search: Search) -> dict[str, str]:
    """What the model is told of the target: what it is and says, and what stood next to it."""
    target = search.target
    beside = [one.label for one in target.neighbours if one.label][:_NEAR]
    return {
        "label": search.label or "",
        "type": target.type or "",
        "role": target.role or "",
        "in the row of": ", ".join(search.rows),
        "stood near": ", ".join(beside or _nearest_landmarks(search)),
    }


def _nearest_landmarks(search: Search) -> list[str]:
    place = search.target.place
    if place is None:
        return []
    x, y = Box.of(place.bbox).center
    named = [(Box.of(one.bbox).center, one.label) for one in search.target.landmarks if one.label != search.label]
    named.sort(key=lambda one: (one[0][0] - x) ** 2 + (one[0][1] - y) ** 2)
    return [label for _, label in named if label][:_NEAR]
