"""What everything that was found must pass, whoever found it: all that speaks against a place, in one table.

Who looks for something says where it may be; whether it is taken is decided here and nowhere else. Some objections are
asked of some ways of finding only: what goes by order must have its row around it, what goes by its words need not.
"""

from __future__ import annotations

from collections.abc import Callable

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.execution.locating import (
    bars,
    by_pairing,
    caption_verdicts,
    captions,
    exchanged,
    holders,
    in_order,
    likes,
    name_beside,
    numbered,
    only_captioned,
    other_question,
    paled,
    same_neighbours,
    same_row,
    same_sight,
    sight_verdicts,
    words_there,
)
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.other_sentence import other_sentence
from rpa_vision.execution.locating.own_words import TICKED
from rpa_vision.execution.locating.shapes import holds_a_sign, is_one_thing
from rpa_vision.execution.locating.sought import Sought
from rpa_vision.execution.strategies import text
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.painted import is_painted
from rpa_vision.models.geometry import Box

PALED = "it is drawn fainter than it was, and what stands around it is not: it is disabled"
_SAME_SIZE_PX = 3
_ALIKE, _HARDLY_ALIKE = 0.9, 0.6
"""How like the recording two of a name look that changed places."""
_NAMED_OTHERWISE = ("a like's", "another")
_AMONG_LIKES = frozenset({same_row.NAME, same_neighbours.NAME, likes.NAME, bars.NAME, in_order.NAME})
_BY_ORDER = frozenset({numbered.NAME, bars.NAME, in_order.NAME})
_BY_SURROUNDINGS = _AMONG_LIKES | _BY_ORDER | {holders.NAME, captions.NAME, only_captioned.NAME, exchanged.NAME}
_ENTRIES = ("list_item", "menu_item", "tab")
_BY_NAME_IN_ITS_LINE = frozenset({numbered.NAME, same_row.NAME})

Objection = Callable[[Sought, Located, Box], str | None]


def admit(sought: Sought, found: Located) -> str | None:
    """Why what was found is not taken; None where nothing speaks against it."""
    if found.box is None:
        return None
    return next((why for objects in _OBJECTIONS if (why := objects(sought, found, found.box)) is not None), None)


def _is_unreached(sought: Sought, found: Located, box: Box) -> str | None:
    """A dialog lies before it, or asks something else there. What goes by words or looks has been asked before, with
    all that the dialog says; what goes by its question is asked by it."""
    if found.strategy == by_pairing.NAME:
        was, is_now = front_of(sought.then.state.ui_elements), front_of(sought.now.state.ui_elements)
        lay_behind = was is not None and not was.contains(sought.box.center)
        lies_behind = is_now is not None and not is_now.contains(box.center)
        return "a dialog lies before it, and did not" if lies_behind and not lay_behind else None
    goes_by_its_question = found.strategy == other_question.NAME
    if found.strategy not in _BY_SURROUNDINGS and not goes_by_its_question:
        return None
    then, now = sought.then, sought.now
    covered = same_sight.dialog_is_new(then, now, box, None)
    asked = not goes_by_its_question and name_beside.asks_otherwise(then, now, box)
    return "a dialog lies before it, or asks something else" if covered or asked else None


def _is_named_beside(sought: Sought, found: Located, box: Box) -> str | None:
    if found.strategy not in _AMONG_LIKES and found.strategy != by_pairing.NAME:
        return None
    name = name_beside.name_there(sought.then, sought.box, sought.now, box, sought.growth(box))
    return "the name beside it is that of another" if name in _NAMED_OTHERWISE else None


def _is_out_of_its_line(sought: Sought, found: Located, box: Box) -> str | None:
    """What goes by order or by looks alone must not end in the row of another."""
    if found.strategy not in _BY_ORDER or (found.strategy == bars.NAME and likes.kind_of(sought.target) == "field"):
        return None  # the bar of a window has no rows
    same = same_row.says_the_same(sought.then, sought.box, sought.now, box)
    return None if same else "its line says something else"


def _is_out_of_its_column(sought: Sought, found: Located, box: Box) -> str | None:
    """What goes by the texts of its row must stand in its column too: a row may hold several of its kind."""
    if found.strategy != same_row.NAME or name_beside.is_in_its_column(sought.then, sought.box, sought.now, box):
        return None
    return "what stood above its column does not stand above it"


def _goes_on(sought: Sought, found: Located, box: Box) -> str | None:
    """Something is written beside it that was not."""
    then, now, target = sought.then, sought.now, sought.target
    if found.strategy in (captions.NAME, only_captioned.NAME):
        return words_there.GOES_ON if words_there.says_more(then, sought.box, now, box) else None
    by_its_sign = found.strategy in _AMONG_LIKES and likes.kind_of(target) == "sign"
    by_its_name = found.strategy in _BY_NAME_IN_ITS_LINE and target.type not in TICKED
    if not (by_its_sign or by_its_name):
        return None
    goes_on = same_row.goes_on(then, sought.box, now, box, round(sought.line_px))
    return words_there.GOES_ON if goes_on else None


def _is_another_page(sought: Sought, found: Located, box: Box) -> str | None:
    is_another = other_question.is_another_page(sought.then, sought.box, sought.now)
    return "hardly anything that stood on the recorded screen stands on this one" if is_another else None


def _is_paled(sought: Sought, found: Located, box: Box) -> str | None:
    """Whether it is drawn fainter than it was, and nothing around it is; measured from the box or from what it held."""
    target, then, now = sought.target, sought.then, sought.now
    origins = {sought.box, Box.of(target.place.bbox)} if target.place is not None else {sought.box}
    shifts = {(box.x1 - at.x1, box.y1 - at.y1) for at in (*origins, *_words_in(sought)) if _is_as_large(box, at)}
    shifts |= {(box.center[0] - at.center[0], box.center[1] - at.center[1]) for at in origins}
    is_field = target.type in FIELD_TYPES
    may_change = is_field or target.type in TICKED or words_there.says_otherwise(target, now, box)
    is_paled = any(
        paled.is_paled(
            then.pixels,
            sought.box,
            now.pixels,
            *shift,
            is_field=is_field,
            is_button=target.type == "button",
            may_change=may_change,
        )
        for shift in shifts
    )
    return PALED if is_paled else None


def _words_in(sought: Sought) -> list[Box]:
    """Where its name was read in it: of a large button only that may have been found."""
    own = letters(sought.target.label or "")
    lines = [(letters(line.text), Box.of(line.bbox)) for line in sought.then.state.perception.text_lines]
    return [at for said, at in lines if own and said == own and sought.box.contains(at.center)]


def _is_as_large(one: Box, other: Box) -> bool:
    return abs(one.height - other.height) <= _SAME_SIZE_PX and abs(one.width - other.width) <= _SAME_SIZE_PX


def _has_another_caption(sought: Sought, found: Located, box: Box) -> str | None:
    then, now, kind = sought.then, sought.now, sought.captioned
    if kind is not None and caption_verdicts.is_named_otherwise(then, sought.box, now, _whole(sought, box), kind):
        return "the caption beside it is that of another, and its own stands elsewhere"
    by_its_words = found.strategy == text.NAME
    if kind == "mark" and not by_its_words and caption_verdicts.is_named_anew(then, sought.box, now, box):
        return "the caption beside it is another"
    unnamed = kind is not None and captions.caption_of(then, sought.box, kind) is None
    if kind is not None and unnamed and caption_verdicts.neighbour_has_changed(then, sought.box, now, box, kind):
        return "the text beside it is that of another, and its own stands elsewhere"
    return None


def _whole(sought: Sought, found: Box) -> Box:
    """The field around words that were found: where only these were detected, as large as it was."""
    target = sought.target
    if target.place is None or target.type in FIELD_TYPES or target.type in TICKED:
        return found
    x1, y1, _, _ = target.place.bbox
    return sought.box.moved(found.x1 - x1, found.y1 - y1)


def _is_another_number(sought: Sought, found: Located, box: Box) -> str | None:
    is_another = numbered.is_another(sought.then, sought.box, sought.now, box)
    return "another number stands there" if is_another else None


def _stood_there_already(sought: Sought, found: Located, box: Box) -> str | None:
    """Of what is found by its words, whoever was given them."""
    if sought.captioned is not None or holds_a_sign(sought.box):
        return None
    stood = sight_verdicts.stood_there_already(sought.then, sought.box, sought.now, box)
    return "it stood there already, with all around it, when the target stood elsewhere" if stood else None


def _says_more_words(sought: Sought, found: Located, box: Box) -> str | None:
    goes_on = words_there.words_go_on(sought.then, sought.target, sought.now, box)
    return words_there.GOES_ON if goes_on else None


def _is_in_another_row(sought: Sought, found: Located, box: Box) -> str | None:
    if words_there.goes_by_its_name(sought.target):
        return None
    if not same_row.is_in_another_row(sought.then, sought.box, sought.now, box) or _is_the_very_place(sought, box):
        return None
    return "the texts of its row stand in another row"


def _is_the_very_place(sought: Sought, box: Box) -> bool:
    place = sought.place(box.center)
    return place.is_the_very_place and place.found is not None and place.found.box.contains(box.center)


def _is_not_painted(sought: Sought, found: Located, box: Box) -> str | None:
    """Of a mark without words, where a detector saw one because there was one in every other line."""
    if sought.captioned != "mark" or not is_painted(sought.then.pixels, sought.box):
        return None
    return None if is_painted(sought.now.pixels, box) else "nothing is painted there"


def _looks_like_its_twin(sought: Sought, found: Located, box: Box) -> str | None:
    """Another of its name looks as it did, and what was found does not: they changed places."""
    target, now = sought.target, sought.now
    if not target.label or target.type in (*FIELD_TYPES, *TICKED):
        return None
    named = likes.things_of(now, "named", target, sought.line_px)
    twins = [one for one in named if not is_one_thing(one, box)]
    if not twins or len(twins) == len(named):  # what is in its place has another name by now, and another look
        return None
    if name_beside.is_in_its_row(sought.then, sought.box, now, box, sought.growth(box)):
        return None  # something may lie over it
    own = Box.of(target.place.bbox) if target.place is not None else sought.box  # as it was detected, like the others
    looks = likes.Looks(sought.then, now, box.height / own.height)
    if looks.likeness(own, box) >= _HARDLY_ALIKE:
        return None
    is_twin = any(looks.likeness(own, one) >= _ALIKE for one in twins)
    return f"another « {target.label} » looks as it did, and this one does not" if is_twin else None


def _answers_another_question(sought: Sought, found: Located, box: Box) -> str | None:
    kind = None if _became_a_button(sought, box) else sought.target.type
    asks = other_question.other_question(sought.then, sought.box, sought.now, box, kind)
    if asks is None and sought.target.type in (None, "button", "link"):
        asks = other_sentence(sought.then, sought.box, sought.now, box)
    return f"it answers « {asks} », which it was not seen to do" if asks is not None else None


def _became_a_button(sought: Sought, box: Box) -> bool:
    """Of an entry of a list or a menu, which answers nothing: what was found is a button, which does."""
    if sought.target.type not in _ENTRIES:
        return False
    return any(one.type == "button" and Box.of(one.bbox).contains(box.center) for one in sought.now.state.ui_elements)


def _holds_the_words_of_another(sought: Sought, found: Located, box: Box) -> str | None:
    """Of what has words in it and goes by its place: a card to choose, another of which moved up."""
    if sought.target.label or sought.target.type in FIELD_TYPES:
        return None
    is_another = words_there.are_those_of_another(sought.then, sought.box, sought.now, box)
    return "what is written in it stood elsewhere" if is_another else None


def _is_the_last_of_its_name(sought: Sought, found: Located, box: Box) -> str | None:
    """It goes by its words, fewer say them than did, and it is neither in its place nor in its row."""
    then, now, target = sought.then, sought.now, sought.target
    by_its_words = found.strategy in (text.NAME, by_pairing.NAME)
    if not by_its_words or not target.label or target.type in (*FIELD_TYPES, *TICKED):
        return None
    if not words_there.is_one_of_fewer(then, sought.box, target.label, now):
        return None
    fit = sought.place(found.point).fit
    if fit is not None and fit.box(sought.box).padded(box.height).contains(box.center):
        return None
    if name_beside.is_in_its_row(then, sought.box, now, box, sought.growth(box)):
        return None
    return f"« {target.label} » is said less often than it was, and this is elsewhere"


def _is_one_of_its_likes(sought: Sought, found: Located, box: Box) -> str | None:
    """What was found by its words or its looks may be one of its likes: another moved up into its place, or stood
    among these words. What goes by its surroundings was told from its likes by them."""
    then, now, target = sought.then, sought.now, sought.target
    if found.strategy in _BY_SURROUNDINGS or found.strategy == other_question.NAME or found.point is None:
        return None
    if name_beside.is_in_its_row(then, sought.box, now, box, sought.growth(box)):
        return None
    place = sought.place(found.point)
    if place.is_the_very_place and place.found is not None and place.found.box.contains(found.point):
        return None
    if likes.may_have_moved_up(then, sought.box, target, now, box):
        return f"« {target.label} » is said less often than it was: another may have moved up into its place"
    named = target.type in (*FIELD_TYPES, *TICKED) and target.label is not None
    if named and name_beside.stands_by_its_caption(then, sought.box, now, box, target.label or ""):
        return None
    is_another = likes.is_another(then, sought.box, target, now, box)
    return "another of its kind stood there, among the same words" if is_another else None


_OBJECTIONS: tuple[Objection, ...] = (
    _is_unreached,
    _is_the_last_of_its_name,
    _holds_the_words_of_another,
    _is_one_of_its_likes,
    _is_named_beside,
    _is_out_of_its_line,
    _is_out_of_its_column,
    _goes_on,
    _is_another_page,
    _is_paled,
    _has_another_caption,
    _is_another_number,
    _stood_there_already,
    _says_more_words,
    _is_in_another_row,
    _answers_another_question,
    _is_not_painted,
    _looks_like_its_twin,
)
