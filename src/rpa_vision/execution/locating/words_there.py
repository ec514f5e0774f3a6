"""What is written in a place, and how it compares with what was written in another.

The same words say nothing new; those that go on say something else: « Fermer » is not « Fermer tout ».
"""

from __future__ import annotations

from collections.abc import Iterable

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.strategies.constellation import NAMED_FROM_OUTSIDE
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.wording import folded

GOES_ON = "what is written there goes on where it did not"
MIN_WORD = 3
_PARTLY = 0.6
_BESIDE_PX = 4
_MUCH_LARGER = 8
_MIN_DIGITS = 2
_MIN_NAME = 2
NOTHING_BUT_THEIR_NAME = (*NAMED_FROM_OUTSIDE, "menu_item", "tab", "list_item")
"""What its name says all of, whichever row it stands in."""


def goes_by_its_name(target: TargetSpec) -> bool:
    """Whether it is the same wherever its name stands; what has no name goes by its row."""
    return bool(target.label) and target.type in NOTHING_BUT_THEIR_NAME


def written(screen: ObservedScreen, box: Box) -> list[str]:
    """The lines of text that stand in a box, in letters."""
    lines = screen.state.perception.text_lines
    return [letters(line.text) for line in lines if _lies_in(Box.of(line.bbox), box)]


def lines_on(screen: ObservedScreen, box: Box) -> list[str]:
    """The lines of text of which a good part stands in a box, or which fill a good part of it."""
    found = []
    for line in screen.state.perception.text_lines:
        own = Box.of(line.bbox)
        common = own.intersection(box)
        if common is None or 2 * common.height < min(own.height, box.height):
            continue
        if common.width >= _PARTLY * min(own.width, box.width):
            found.append(line.text)
    return found


def names_in(screen: ObservedScreen, box: Box) -> set[str]:
    """What the things that fill a place are called, and what is written in it."""
    labels = {
        letters(one.label)
        for one in screen.state.ui_elements
        if one.label and Box.of(one.bbox).padded(_BESIDE_PX).contains(box.center) and _as_large(Box.of(one.bbox), box)
    }
    return {name for name in labels | set(written(screen, box)) if len(name) >= _MIN_NAME}


def says_once(screen: ObservedScreen, word: str) -> bool:
    """Whether a screen says something once, in a line of its own."""
    return sum(letters(line.text) == word for line in screen.state.perception.text_lines) == 1


def says_otherwise(target: TargetSpec, now: ObservedScreen, place: Box) -> bool:
    """Whether other words stand in a place than those that name the target: another drawing, be it fainter or not."""
    own = letters(target.label or "")
    says = [one for one in written(now, place) if len(one) >= MIN_WORD]
    return bool(own) and bool(says) and own not in says


def words_go_on(then: ObservedScreen, target: TargetSpec, now: ObservedScreen, place: Box) -> bool:
    """Whether the words of the target are the beginning or the end of a line that was read there, and the rest of it
    is no other entry that the recorded screen said: « Fermer » is not « Fermer tout », whoever says « tout »."""
    own = letters(target.label or "")
    if not own or target.type in NAMED_FROM_OUTSIDE:
        return False
    said = {letters(line.text) for line in then.state.perception.text_lines}
    for line in now.state.perception.text_lines:
        text, at = letters(line.text), Box.of(line.bbox)
        if text in said or not place.y1 <= at.center[1] < place.y2 or place.intersection(at) is None:
            continue
        if same_meaning(line.text, target.label or ""):
            continue  # « Page d’accueil » for « Accueil »
        rest = text.removeprefix(own) if text.startswith(own) else text.removesuffix(own)
        if rest != text and rest.isalpha() and not _is_made_of(rest, said):
            return True
    return False


def are_those_of_another(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether most that is written in a place stood elsewhere on the recorded screen, and nothing of it in the box."""
    said, says = ({one for one in written(*at) if len(one) >= MIN_WORD} for at in ((then, box), (now, place)))
    elsewhere = {letters(line.text) for line in then.state.perception.text_lines} - said
    known = says & elsewhere
    return bool(said) and bool(known) and not says & said and len(known) >= _PARTLY * len(says)


def is_one_of_fewer(then: ObservedScreen, box: Box, label: str, now: ObservedScreen) -> bool:
    """Whether a name was said several times and is said less often now, alone in a line: the one that is left may be
    another."""
    own = letters(label)
    said, says = (
        sum(letters(line.text) == own for line in screen.state.perception.text_lines) for screen in (then, now)
    )
    return says < said and said > 1


def says_more(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """What is written there begins or ends with what was written there, and goes on: another deed, or another value."""
    return goes_on_from(written(then, box), written(now, place), at_least=MIN_WORD)


def goes_on_from(before: Iterable[str], after: Iterable[str], at_least: int = 1) -> bool:
    """Whether one of some texts begins or ends with one of others, and says more."""
    said, says = [letters(one) for one in before], [letters(other) for other in after]
    return any(
        one != other and len(one) >= at_least and (other.startswith(one) or other.endswith(one))
        for one in said
        for other in says
    )


def difference(one: str, other: str) -> tuple[str, str]:
    """What two lines do not share: the words between those they begin and end with, without signs of icons."""
    first, second = _plain_words(one), _plain_words(other)
    while first and second and folded(first[0]) == folded(second[0]):
        first, second = first[1:], second[1:]
    while first and second and folded(first[-1]) == folded(second[-1]):
        first, second = first[:-1], second[:-1]
    was, says = " ".join(first), " ".join(second)
    if not was or not says or same_meaning(was, says):
        return was, says
    shared = next((at for at, (a, b) in enumerate(zip(was, says, strict=False)) if a != b), min(len(was), len(says)))
    return was[shared:].strip(), says[shared:].strip()  # a word was read together with what stands before it


def is_value(text: str) -> bool:
    """An address, a date, an amount, a number: mostly digits. A single one may be an icon, or count something."""
    digits, others = sum(map(str.isdigit, text)), sum(map(str.isalpha, text))
    return "@" in text or (digits >= _MIN_DIGITS and digits >= others)


def _is_made_of(text: str, said: set[str]) -> bool:
    """Whether a text is nothing but others, one after the other."""
    return not text or any(
        len(one) >= MIN_WORD and text.startswith(one) and _is_made_of(text.removeprefix(one), said) for one in said
    )


def _plain_words(line: str) -> list[str]:
    words = line.split()
    while words and sum(map(str.isalnum, words[0])) <= 1:
        words = words[1:]
    while words and sum(map(str.isalnum, words[-1])) <= 1:
        words = words[:-1]
    return words


def _as_large(one: Box, other: Box) -> bool:
    return 1 / _MUCH_LARGER <= one.area / max(1, other.area) <= _MUCH_LARGER


def _lies_in(own: Box, box: Box) -> bool:
    common = own.intersection(box)
    return common is not None and common.area >= _PARTLY * own.area
