"""Ask a vision-language model which of several candidates is the one: evidence, weighed by whoever asked.

With `twice` the same question is asked again with the numbers the other way round: a model that clings to a number, or
to the first of the list, contradicts itself, and that is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rpa_vision.detection.set_of_marks import (
    INSTRUCTIONS,
    MAX_MARKS,
    MAX_SIDE_PX,
    Mark,
    answer_schema,
    draw_marks,
    number_boxes,
    parse_number,
    question_text,
)
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.ports.vlm import NoAnswer, VisionLanguageModel, VlmQuestion

MAX_TOKENS = 24


@dataclass(frozen=True, slots=True)
class MarkChoice:
    """What a model chose: the index of a candidate, or None where it said that none of them is it."""

    index: int | None
    by: str
    seconds: float
    asked: int = 1


class MarkChooser:
    """A model, and how it is asked."""

    def __init__(self, model: VisionLanguageModel, *, twice: bool = False, max_side: int = MAX_SIDE_PX) -> None:
        self._model = model
        self._twice = twice
        self._max_side = max_side

    def choose(
        self, image: Pixels, candidates: Sequence[UIElement], wanted: Mapping[str, str], *, hidden: Sequence[Box] = ()
    ) -> MarkChoice | NoAnswer:
        """Which candidate is wanted (`{"label": "Valider", "role": "validate"}`), or why we do not know."""
        if not 1 <= len(candidates) <= MAX_MARKS:
            return NoAnswer("unaskable", f"{len(candidates)} candidates: only 1 to {MAX_MARKS} can be numbered")
        first = self._ask(image, candidates, wanted, hidden, from_the_end=False)
        if isinstance(first, NoAnswer) or not self._twice or len(candidates) == 1:
            return first
        second = self._ask(image, candidates, wanted, hidden, from_the_end=True)
        if isinstance(second, NoAnswer):
            return second
        if second.index != first.index:
            return NoAnswer("undecided", f"{self._model.name} chose otherwise when the numbers were turned round")
        return MarkChoice(first.index, first.by, first.seconds + second.seconds, asked=2)

    def _ask(
        self,
        image: Pixels,
        candidates: Sequence[UIElement],
        wanted: Mapping[str, str],
        hidden: Sequence[Box],
        *,
        from_the_end: bool,
    ) -> MarkChoice | NoAnswer:
        numbers = number_boxes([Box.of(candidate.bbox) for candidate in candidates], from_the_end=from_the_end)
        marks = [_mark(number, candidates[index]) for number, index in numbers.items()]
        picture = draw_marks(image, marks, hidden=[*hidden, *secrets_of(candidates)], max_side=self._max_side)
        question = VlmQuestion(
            picture=encode_png(picture.pixels),
            instructions=INSTRUCTIONS,
            text=question_text(marks, wanted),
            schema=answer_schema(len(marks)),
            max_tokens=MAX_TOKENS,
        )
        answer = self._model.ask(question)
        if isinstance(answer, NoAnswer):
            return answer
        number = parse_number(answer.text, len(marks))
        if isinstance(number, NoAnswer):
            return number
        return MarkChoice(numbers[number] if number else None, self._model.name, answer.seconds)


def secrets_of(elements: Sequence[UIElement]) -> list[Box]:
    """What is never shown to a model: password fields, also when an eye symbol turned their dots into letters."""
    return [Box.of(element.bbox) for element in elements if element.type == "password_input"]


def _mark(number: int, element: UIElement) -> Mark:
    return Mark(number, Box.of(element.bbox), element.type, "" if element.type == "password_input" else element.label)
