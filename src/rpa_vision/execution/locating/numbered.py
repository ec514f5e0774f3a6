"""A page of several by its number: « 1 2 3 4 » in a line are told by what they say, be it a single sign.

One letter or digit alone may be a drawing that was read; among others of its kind, close beside each other and each
another number, it is a number. So page 2 is what says 2 in the only such line, wherever the line or the 2 in it moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import shared_lines
from rpa_vision.execution.locating.likes import MIN_FIT, MIN_MARGIN
from rpa_vision.imaging.word_gaps import single_boxes
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

NAME = "numbered"
_MOST_SIGNS = 3
_MIN_NUMBERS = 3
_CLOSE = 2.5
"""How far apart two pages of a line stand at most, in heights of their numbers."""
_AGAIN = 0.6


def is_page(screen: ObservedScreen, box: Box) -> bool:
    """Whether a box is a page among others: then nothing but its number tells it."""
    return any(box.contains(page.box.center) for line in _lines(screen) for page in line)


def is_another(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether a page says one number in a box and another one in a place."""
    was, seen = (
        {page.says for line in _lines(screen) for page in line if at.contains(page.box.center)}
        for screen, at in ((then, box), (now, place))
    )
    return len(was) == 1 and bool(seen) and not was & seen


@dataclass(frozen=True, slots=True)
class _Page:
    says: str
    box: Box


def find(then: ObservedScreen, box: Box, now: ObservedScreen) -> Box | None:
    """What says the number in a box now, in the only line of numbers that is the recorded one; None where there is no
    such line, or more than one, or the number is not said there once."""
    own = next((line for line in _lines(then) if any(box.contains(page.box.center) for page in line)), None)
    here = [page for page in own or () if box.contains(page.box.center)]
    if own is None or len(here) != 1:
        return None
    numbers = {page.says for page in own}
    again = [line for line in _lines(now) if len(numbers & {page.says for page in line}) >= _AGAIN * len(numbers)]
    likes = [line for line in _lines(then) if len(numbers & {page.says for page in line}) >= _AGAIN * len(numbers)]
    line = again[0] if len(again) == len(likes) == 1 else _as_it_stood(then, own, now, likes, again)
    there = [page.box for page in line or () if page.says == here[0].says]
    if len(there) != 1 or not _words_by(now, there[0]) <= _words_by(then, here[0].box):
        return None  # « 20 » with « sélection » below it is another
    return _control_at(now, there[0])


def _words_by(screen: ObservedScreen, number: Box) -> set[str]:
    """What is written right beside a number, above it or below it."""
    around = number.padded(number.height // 2)
    return {
        line.text
        for line in screen.state.perception.text_lines
        if any(map(str.isalpha, line.text)) and around.intersection(Box.of(line.bbox)) is not None
    }


def _as_it_stood(
    then: ObservedScreen, own: list[_Page], now: ObservedScreen, likes: list[list[_Page]], again: list[list[_Page]]
) -> list[_Page] | None:
    """Of several lines of the same numbers the one that stands among the words as it stood, and clearly."""
    was = _around(own)
    words = shared_lines(then, now, was)
    if words is None or len(likes) != len(again):
        return None
    fits = words.fits([was], [_around(line) for line in again])[0]
    best, next_best = sorted(range(len(again)), key=lambda at: -fits[at])[:2]
    is_it = fits[best] >= MIN_FIT and fits[best] - fits[next_best] >= MIN_MARGIN
    return again[best] if is_it else None


def _around(line: list[_Page]) -> Box:
    return reduce(Box.union, [page.box for page in line])


def _lines(screen: ObservedScreen) -> list[list[_Page]]:
    """Numbers and arrows that stand close beside each other, each another, at least three numbers among them."""
    pages = [
        _Page(word, at)
        for line in screen.state.perception.text_lines
        if all(_may_be_page(word) for word in line.text.split())
        for at, word in _words(screen, line)
    ]
    found = list[list[_Page]]()
    for page in sorted(pages, key=lambda one: one.box.x1):
        line = next((one for one in found if _goes_on(one[-1].box, page.box)), None)
        if line is not None:
            line.append(page)
        else:
            found.append([page])
    return [line for line in found if _is_numbered(line)]


def _may_be_page(word: str) -> bool:
    return len(word) <= _MOST_SIGNS and not any(map(str.isalpha, word))


def _words(screen: ObservedScreen, line: TextLine) -> list[tuple[Box, str]]:
    """The pages that were read as one line, each by itself."""
    said, box = line.text.split(), Box.of(line.bbox)
    if len(said) < 2:
        return [(box, word) for word in said]
    boxes = single_boxes(screen.pixels, box, len(said))
    return list(zip(boxes, said, strict=True)) if boxes is not None else []


def _is_numbered(line: list[_Page]) -> bool:
    said = [page.says for page in line]
    numbers = sorted(int(one) for one in said if one.isdigit())
    if len(numbers) < _MIN_NUMBERS or len(set(said)) != len(said):
        return False
    # « 1 2 3 … 9 », « 1 … 4 5 6 … 9 »; any other numbers are counts or measures, not pages.
    return _follow(numbers[:-1]) or (len(numbers) > _MIN_NUMBERS + 1 and _follow(numbers[1:-1]))


def _follow(numbers: list[int]) -> bool:
    return all(after == before + 1 for before, after in pairwise(numbers))


def _goes_on(one: Box, other: Box) -> bool:
    in_line = one.y1 <= other.center[1] < one.y2 or other.y1 <= one.center[1] < other.y2
    return in_line and 0 <= other.x1 - one.x2 <= _CLOSE * max(one.height, other.height)


def _control_at(screen: ObservedScreen, words: Box) -> Box:
    """What was detected around a number, where it is not much larger; otherwise the number."""
    around = [
        box
        for element in screen.state.ui_elements
        if (box := Box.of(element.bbox)).contains(words.center) and box.height <= _CLOSE * words.height >= box.width
    ]
    return max(around, key=lambda one: one.area, default=words)
