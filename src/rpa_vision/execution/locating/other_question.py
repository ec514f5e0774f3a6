"""With both pictures at hand: does what was found answer what it answered, on the page where it did?

« Valider » stands under many questions, and a dialog is not always known as one. So what is asked around a thing is
compared line by line, whatever was detected: a question that nobody asked then, or one that another sentence stands in
the place of, makes it another button. Where hardly a word of the recorded screen is said, it is another page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.name_beside import is_drawn_as_it_was, stands_by_its_caption
from rpa_vision.execution.locating.paled import aligned
from rpa_vision.execution.strategies.lexicon import deeds_in
from rpa_vision.graph.dialog_words import all_said, message_in_front
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

NAME = "same_question"
_ANSWER_LITTLE = FIELD_TYPES | {"checkbox", "radio", "toggle", "slider", "menu_item", "tab", "list_item"}
_UP_PX, _ACROSS_PX = 640, 900
"""How far from its question the button of a dialog may stand."""
_MIN_LETTERS, _LONG = 6, 20
_STACKED = 0.9
"""Lines of one sentence are not farther apart than this, in lines."""
_TITLE = 4.0
_MOST_LINES = 4
_MIN_SENTENCE = 3
_FLUSH_PX = 8
_FOOT_PX = 110
"""So far below the box of a dialog its buttons may stand: what was detected ends where its lines end."""
_MIN_SAID, _MIN_WORD = 6, 4
_NEAREST = 8
_HARDLY = 0.16
"""The share of its words that a screen has in common with any other."""


@dataclass(frozen=True, slots=True)
class _Question:
    lines: tuple[str, ...]
    """What is asked, in one line or several."""
    above: tuple[str, ...]
    """The same and what stands close above it, where a sentence may have been broken otherwise."""
    box: Box
    whole: Box
    """Where all that stands."""


def other_question(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box, kind: str | None) -> str | None:
    """What is asked around a place and was not asked around the recorded box; None where nothing is. Of what hardly
    ever answers anything, an entry or a field, only where something was asked then as well."""
    scale = place.height / max(1, box.height)
    asked, asks = _questions(then, box, 1.0), _questions(now, place, max(1.0, scale))
    if kind in _ANSWER_LITTLE and not asked:
        return None

    def is_one(was: _Question, seen: _Question) -> bool:
        return _same(was, seen) or _is_cut(was, seen) or _is_read_otherwise(was, seen, then, box, now, place)

    strange = next((seen for seen in asks if not any(is_one(was, seen) for was in asked)), None)
    if strange is not None and not _stood_elsewhere(strange, then, asked):
        return " ".join(strange.lines)
    unsaid = next((was for was in asked if not any(is_one(was, seen) for seen in asks)), None)
    if unsaid is not None and (said := _in_its_place(unsaid, box, now, place, scale)) is not None:
        return said
    return None if asks and asked else _other_dialog(then, box, now, place)


def asked_again(then: ObservedScreen, box: Box, now: ObservedScreen, label: str) -> Box | None:
    """The one of that name that stands to a question as it stood, where both screens ask it once; None where none
    does: whatever lies behind a dialog, it is the same dialog."""
    named = [Box.of(one.bbox) for one in now.state.ui_elements if letters(one.label) == letters(label)]
    for question in _questions(then, box, 1.0):
        said = question.lines[-1]
        by_it = [place for place in named if stands_by_its_caption(then, box, now, place, said)]
        if not said[:1].isupper() or len(said.split()) < _MIN_SENTENCE or len(by_it) != 1:
            continue
        if any(_same(question, one) for one in _questions(now, by_it[0], max(1.0, by_it[0].height / box.height))):
            return by_it[0]
    return None


def is_another_page(then: ObservedScreen, box: Box, now: ObservedScreen) -> bool:
    """Whether hardly anything that the recorded screen said, but for the thing itself, is said now."""
    said, says = _words(then, box.padded(_FLUSH_PX)), _words(now, None)
    if len(said) < _MIN_SAID or len(said & says) >= _HARDLY * len(said):
        return False
    lines = [line for line in then.state.perception.text_lines if len(letters(line.text)) >= _MIN_WORD]
    near = sorted(
        (_gap(Box.of(line.bbox), box), line.text) for line in lines if not box.contains(Box.of(line.bbox).center)
    )
    heard = {letters(line.text) for line in now.state.perception.text_lines}
    return not any(letters(text) in heard for _, text in near[:_NEAREST])


def _gap(line: Box, box: Box) -> int:
    return max(0, line.x1 - box.x2, box.x1 - line.x2) + max(0, line.y1 - box.y2, box.y1 - line.y2)


def _words(screen: ObservedScreen, without: Box | None) -> set[str]:
    return {
        word
        for line in screen.state.perception.text_lines
        if without is None or not without.contains(Box.of(line.bbox).center)
        for word in map(letters, line.text.split())
        if len(word) >= _MIN_WORD
    }


def _other_dialog(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> str | None:
    """What the dialog says now, where a thing lies in its foot as it did, and it says something else."""
    was, front = front_of(then.state.ui_elements), front_of(now.state.ui_elements)
    if was is None or front is None or not (_in_foot(box, was) and _in_foot(place, front)):
        return None
    before, after = message_in_front(then.state) or [], message_in_front(now.state) or []
    new = [line for line in after if len(letters(line)) >= _MIN_LETTERS and not all_said([line], before)]
    return new[0] if new and before else None


def _in_foot(one: Box, dialog: Box) -> bool:
    beside = dialog.x1 <= one.center[0] <= dialog.x2
    return beside and dialog.y1 <= one.center[1] <= dialog.y2 + _FOOT_PX and not dialog.contains(one.center)


def _questions(screen: ObservedScreen, place: Box, scale: float) -> list[_Question]:
    """The sentences with a question mark above a place or beside it."""
    lines = screen.state.perception.text_lines
    found = [
        _question(line, lines)
        for line in lines
        if line.text.rstrip().endswith("?") and _may_ask(Box.of(line.bbox), place, scale)
    ]
    return [one for one in found if len(letters("".join(one.lines))) >= _MIN_LETTERS]


def _may_ask(line: Box, place: Box, scale: float) -> bool:
    across = max(0, line.x1 - place.x2, place.x1 - line.x2)
    above = -place.height <= place.y1 - line.y2 <= _UP_PX * scale
    return above and across <= _ACROSS_PX * scale and not place.contains(line.center)


def _question(last: TextLine, lines: Sequence[TextLine]) -> _Question:
    own, whole, at = [last.text], [last.text], Box.of(last.bbox)
    first, around, high, tight = at, at, at.height, True
    while len(whole) < _MOST_LINES and (above := _line_above(first, high, lines)) is not None:
        box = Box.of(above.bbox)
        tight = tight and first.y1 - box.y2 <= _STACKED * high and above.text.rstrip()[-1:] not in ".?!:"
        whole.insert(0, above.text)
        if tight and abs(box.height - high) <= 0.4 * high:
            own.insert(0, above.text)
        first, around = box, around.union(box)
    return _Question(tuple(own), tuple(whole), at, around)


def _line_above(at: Box, high: int, lines: Sequence[TextLine]) -> TextLine | None:
    above = [
        (at.y1 - box.y2, line.text, line)
        for line in lines
        if -0.4 * high <= at.y1 - (box := Box.of(line.bbox)).y2 <= _TITLE * high
        and box.center[1] < at.y1
        and (abs(box.x1 - at.x1) <= _FLUSH_PX or abs(box.center[0] - at.center[0]) <= _FLUSH_PX)
    ]
    return min(above)[2] if above else None


def _same(one: _Question, other: _Question) -> bool:
    ends_alike = _asks_the_same(one.lines[-1], other.lines[-1]) or _asks_the_same(other.lines[-1], one.lines[-1])
    if not ends_alike and not (all_said(one.lines, other.above) and all_said(other.lines, one.above)):
        return False
    return _is_about_the_same(one, other)


def _is_cut(was: _Question, seen: _Question) -> bool:
    """Whether each line of a question is the end of one that was asked: something came to lie over the rest."""
    whole = [_said(line) for line in was.above]
    ends = [_said(line) for line in seen.lines]
    return sum(map(len, ends)) >= _LONG and all(
        len(end) >= _MIN_LETTERS and any(line.endswith(end) for line in whole) for end in ends
    )


def _is_read_otherwise(
    was: _Question, seen: _Question, then: ObservedScreen, box: Box, now: ObservedScreen, place: Box
) -> bool:
    """Whether a question stands where another stood to the thing, drawn as it was with what stands above it."""
    dx, dy = (new - old for new, old in zip(place.center, box.center, strict=True))
    dx, dy = aligned(then.pixels, was.box, now.pixels, dx, dy)
    if was.box.intersection(seen.box.moved(-dx, -dy)) is None:
        return False
    return is_drawn_as_it_was(then, was.whole.union(seen.whole.moved(-dx, -dy)), now, dx, dy)


def _is_about_the_same(one: _Question, other: _Question) -> bool:
    """The deeds named above a question are the same; and where it names none itself (« Voulez-vous continuer ? »), it
    asks what stands above it: one of the two says nothing there that the other does not say."""
    if deeds_in(" ".join(one.above)) != deeds_in(" ".join(other.above)):
        return False
    if deeds_in(" ".join(one.lines)) & deeds_in(" ".join(other.lines)) - deeds_in("confirmer"):
        return True
    return all_said(one.above, other.above) or all_said(other.above, one.above)


def _asks_the_same(one: str, other: str) -> bool:
    """A whole sentence that both lines end with: it begins here, whatever stands above it or was read before it."""
    return len(letters(one)) >= _MIN_LETTERS and one[:1].isupper() and other.endswith(one)


def _stood_elsewhere(question: _Question, screen: ObservedScreen, asked: Sequence[_Question]) -> bool:
    """Whether the screen said it, but did not ask it around the thing."""
    said, around = letters("".join(question.lines)), {one.box for one in asked}
    lines = screen.state.perception.text_lines
    if any(said == letters(line.text) and Box.of(line.bbox) not in around for line in lines):
        return True
    whole = "".join(map(_said, question.lines))
    return len(whole) >= _LONG and any(whole in text for text in _running_texts(lines))


def _said(text: str) -> str:
    """Its letters, and where it asks: what a help text tells was not asked."""
    return "?".join(map(letters, text.split("?")))


def _running_texts(lines: Sequence[TextLine]) -> list[str]:
    """Texts of several lines, each as one: what is laid out anew breaks elsewhere."""
    found = list[tuple[Box, str]]()
    for line in sorted(lines, key=lambda one: one.bbox[1]):
        at, said = Box.of(line.bbox), _said(line.text)
        above = next(
            (
                number
                for number, (last, _) in enumerate(found)
                if abs(last.x1 - at.x1) <= _FLUSH_PX and -0.4 * at.height <= at.y1 - last.y2 <= _STACKED * at.height
            ),
            None,
        )
        if above is None:
            found.append((at, said))
        else:
            found[above] = (at, found[above][1] + said)
    return [text for _, text in found]


def _in_its_place(question: _Question, box: Box, now: ObservedScreen, place: Box, scale: float) -> str | None:
    """What is written where a question must stand by now, if it is not that question."""
    x, y = (new - scale * old for new, old in zip(place.center, box.center, strict=True))
    old = question.box
    wanted = Box(*(round(scale * at + off) for at, off in zip(old.bbox, (x, y) * 2, strict=True)))
    for line in now.state.perception.text_lines:
        at = Box.of(line.bbox)
        common = at.intersection(wanted)
        if (
            common is None
            or 2 * common.height < min(at.height, wanted.height)
            or len(line.text.split()) < _MIN_SENTENCE
        ):
            continue
        if not all_said([line.text], question.above):
            return line.text
    return None
