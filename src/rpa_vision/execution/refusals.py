"""Why something that says the right thing is not the target after all.

A sibling is never taken for the target: not the caption of a field, not the same words in a pop-up that asks something
else, not what stood beside the target when it was recorded, not a control of another window. A refusal is a sentence.
"""

from __future__ import annotations

from itertools import permutations
from math import hypot

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.execution.behind_dialogs import stood_there
from rpa_vision.execution.dialog_questions import asked_by, chunks, is_sentence
from rpa_vision.execution.harm import ORDINARY_HARM, said_harm
from rpa_vision.execution.moved_and_renamed import only_one_that_means_it, place_is_covered, was_behind
from rpa_vision.execution.strategies import constellation, look, role, spatial, text
from rpa_vision.execution.strategies.evidence import Search, Verdicts
from rpa_vision.execution.surroundings import gap, surroundings_known
from rpa_vision.graph.dialog_words import lines_in_front, message_in_front
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

_FAR = 0.1
"""Nearness from which on an element is not where it must be."""
_AT_PLACE = 0.5
_WINDOW_SLACK_PX = 4
_MIN_SENTENCE_WORDS = 3
_NEXT_LINE, _FAR_LINE = 0.55, 1.2
"""How far below a line the same words go on: usually, and where the place says so too."""
_INTO_LINE = 0.3
"""How far the boxes of two lines that stand close may reach into each other."""
_NEGATIONS = ("nepas", "ne", "pas", "donot", "dont", "not")
_ACROSS = 0.3
_MAX_PERMUTED = 5
_LOOKS_LIKE_NO_TWIN = 0.72
_AROUND_PX = 200
_HOLDS_OTHERS = ("image",)
"""Boxes that may be pop-ups. A dialog is known as one, and compared with the one the target was recorded in."""
_DESTRUCTIVE = ("supprim", "delete", "definitiv", "irreversib", "permanent", "overwrit", "ecras", "remove")


def objection(element: UIElement, search: Search, by_name: dict[str, Verdicts]) -> str | None:
    """Why the element is not the target, whatever speaks for it; None where nothing is against it."""
    return (
        _wrong_kind(element, search)
        or _does_more_harm(element, search)
        or _other_window(element, search)
        or _other_question(element, search)
        or _twin(element, search, by_name)
        or _out_of_place(element, search, by_name)
        or _needs_place(element, search, by_name)
        or _goes_on(element, search)
        or _written_across(element, search)
        or _asked_above(element, search)
    )


def _wrong_kind(element: UIElement, search: Search) -> str | None:
    wanted, label = search.target.type, search.label
    if wanted is None or not label or element.type == wanted or role.related(element.type, wanted):
        return None
    same_role = search.target.role is not None and element.role == search.target.role
    if same_role and not role.holds_or_ticks(element.type, wanted):
        return None
    return f"« {element.label} » is a {element.type}, not the {wanted} of that name"


def _does_more_harm(element: UIElement, search: Search) -> str | None:
    """It is called otherwise, and what it says is worse than what the target said: other words never make it worse."""
    wanted, target = search.label, search.target
    names = {letters(one) for one in (wanted or "", *target.aliases)}
    if not wanted or search.label_is_exact or letters(element.label) in names:
        return None
    now = said_harm(element.type, element.role, element.label)
    if now <= ORDINARY_HARM or now <= said_harm(target.type or element.type, target.role or element.role, wanted):
        return None
    return f"« {element.label} » may do more harm than « {wanted} »"


def _other_window(element: UIElement, search: Search) -> str | None:
    """A target that lay in its window is looked for in the window only."""
    place, window = search.target.place, search.screen.state.window
    if place is None or place.window_geometry is None or window.geometry is None:
        return None
    if not Box.of(place.window_geometry).contains(Box.of(place.bbox).center):
        return None
    if _in_window(element, search):
        return None
    return f"« {element.label} » lies outside the window « {window.title} »"


def _in_window(element: UIElement, search: Search) -> bool:
    """Whether it lies in the window in front; its frame, where the title names another case every time, does not."""
    geometry = search.screen.state.window.geometry
    return geometry is None or Box.of(geometry).padded(_WINDOW_SLACK_PX).contains(element.center)


def _other_question(element: UIElement, search: Search) -> str | None:
    """It lies in a box that asks something the target was never seen with."""
    here = Box.of(element.bbox)
    front = front_of(search.screen.state.ui_elements)
    if front is not None and front.contains(here.center) and not stood_there(front, search):
        asked = _other_dialog(element, search)
        if asked is not None:
            return asked
    around = [
        box
        for other in search.screen.state.ui_elements
        if other.type in _HOLDS_OTHERS
        and other.element_id != element.element_id
        and (box := Box.of(other.bbox)).encloses(here)
        and box.area >= 3 * here.area
        and other.metadata.get("behind_dialog") is not True
    ]
    if not around:
        return None
    box = min(around, key=lambda one: (one.area, one))
    labels = [one.label for one in search.target.neighbours] + [one.label for one in search.target.landmarks]
    known = {letters(label) for label in labels} - {letters(search.label or "")}
    inside = [one.text for one in search.screen.state.perception.text_lines if box.contains(Box.of(one.bbox).center)]
    if any(letters(text) in known for text in inside):
        return None  # it was recorded in this box; what it asks names another case every time
    question = next((text for text in inside if _asks(text)), None)
    if question is not None and stood_there(box, search):
        return None
    return f"« {element.label} » answers « {question} », which nobody was seen to do" if question is not None else None


def _other_dialog(element: UIElement, search: Search) -> str | None:
    """The dialog asks something, and does not say what was said around the target when it was recorded. On a screen
    that was not recognised, it may name no deed either that was not named then."""
    state, target = search.screen.state, search.target
    message, said = message_in_front(state) or [], chunks(lines_in_front(state) or [])
    question = next((text for text in message if is_sentence(text)), None)
    then = [one for one in target.landmarks if not was_behind(one, target)]
    if question is None or not then:
        return None
    told = [one.label for one in then if is_sentence(one.label)]
    labels = [*(one.label for one in then), *(one.label for one in target.neighbours), search.label or ""]
    strange = None if search.on_its_screen else asked_by([*labels, *target.aliases]).strange(message)
    unsaid = [one for one in told if all(asked_by([one]).objection((), [text]) is not None for text in said)]
    if strange is not None or unsaid:
        return f"« {element.label} » answers « {strange or question} », which nobody was seen to do"
    return None


def _asks(text: str) -> bool:
    """A question, or a sentence about something that cannot be undone."""
    words = letters(text)
    if len(text.split()) < _MIN_SENTENCE_WORDS:
        return False
    return text.rstrip().endswith("?") or any(word in words for word in _DESTRUCTIVE)


def _twin(element: UIElement, search: Search, by_name: dict[str, Verdicts]) -> str | None:
    """It stands where something else of that name stood. As many now as then are told apart by their order, and what
    has no words by a look that nothing else had."""
    sky = search.sky
    if sky is None or not sky.twins:
        return None
    seen = by_name.get(look.NAME, {}).get(element.element_id)
    if not search.label and search.target.look_is_unique and seen is not None and seen.score >= _LOOKS_LIKE_NO_TWIN:
        return None
    recorded = [sky.expected, *sky.twins]
    own = letters(search.label or "")
    live = [Box.of(one.bbox) for one in search.elements if own and letters(one.label) == own]
    here = Box.of(element.bbox)
    if here in live and len(live) == len(recorded) <= _MAX_PERMUTED:
        orders = permutations(range(len(live)))
        best = min(orders, key=lambda order: sum(_apart(live[i], recorded[at]) for i, at in enumerate(order)))
        is_twin = best[live.index(here)] != 0
    else:
        is_twin = min(_apart(here, twin) for twin in sky.twins) < _apart(here, sky.expected)
    return f"« {element.label} » stands where another of that name stood" if is_twin else None


def _out_of_place(element: UIElement, search: Search, by_name: dict[str, Verdicts]) -> str | None:
    """The place of the target is known for sure, and this is elsewhere among things nobody knows."""
    sky = search.sky
    if sky is None or not sky.is_sure or not search.label:
        return None
    if constellation.nearness_of(element, search) >= _FAR:
        return None
    covered = place_is_covered(search)  # under a pop-up, the target may still be where it was
    around = [one for one in search.elements if _in_window(one, search)]
    if not covered and surroundings_known(element, around, sky.known) >= _AT_PLACE:
        return None
    if only_one_that_means_it(element, search, by_name.get(text.NAME, {})):
        return None
    why = "the place of the target is covered" if covered else "what stands around it was not there before"
    return f"« {element.label} » is not where the target must be, and {why}"


def _goes_on(element: UIElement, search: Search) -> str | None:
    """Its words go on in the next line, and did not when it was recorded: « Valider / tout », « Ne pas / valider »."""
    known = {letters(one.label) for one in search.target.landmarks}
    if not known or not search.label:
        return None
    line = next(
        (
            Box.of(one.bbox)
            for one in search.screen.state.perception.text_lines
            if letters(one.text) == letters(element.label) and Box.of(element.bbox).contains(Box.of(one.bbox).center)
        ),
        None,
    )
    if line is None:
        return None
    for other in search.screen.state.perception.text_lines:
        box, said = Box.of(other.bbox), letters(other.text)
        above = -_INTO_LINE * line.height <= line.y1 - box.y2 <= _NEXT_LINE * line.height
        if said in _NEGATIONS and above and box.x1 < line.x2 and line.x1 < box.x2 and said not in known:
            return f"« {element.label} » begins with « {other.text} »"
        moved_up = search.sky is not None and constellation.made_room(line, box, search.sky.expected)
        is_centred = abs(box.center[0] - line.center[0]) <= 4
        reach = _FAR_LINE if moved_up or is_centred else _NEXT_LINE
        below = (
            -_INTO_LINE * line.height <= box.y1 - line.y2 <= reach * line.height
            and abs(box.height - line.height) <= 0.4 * line.height
        )
        flush = abs(box.x1 - line.x1) <= 4 or is_centred
        if below and flush and said and said not in known:
            return f"« {element.label} » goes on with « {other.text} »"
    return None


def _written_across(element: UIElement, search: Search) -> str | None:
    """A sentence nobody knows runs over the edge of a field, or of something without words: it was laid upon it."""
    sky = search.sky
    if sky is None or (search.label and search.target.type not in FIELD_TYPES):
        return None
    here = Box.of(element.bbox)
    for line in search.screen.state.perception.text_lines:
        box = Box.of(line.bbox)
        common = box.intersection(here)
        beyond = max(here.x1 - box.x1, box.x2 - here.x2)
        if common is None or common.height < _ACROSS * box.height or beyond < box.height:
            continue
        is_new = letters(line.text) not in {*sky.known, letters(element.label)} and not _is_value(line.text)
        if is_new and len(line.text.split()) >= _MIN_SENTENCE_WORDS and common.width >= box.height:
            return f"« {line.text} » is written across its edge"
    return None


def _asked_above(element: UIElement, search: Search) -> str | None:
    """It stands elsewhere, below a question that nobody knows: a box came up, though none was recognised. What the
    dialog of a recognised screen asks was asked before, however its lines are broken now."""
    sky = search.sky
    if sky is None or not sky.is_sure:
        return None
    here = Box.of(element.bbox)
    if constellation.nearness(here, sky.expected, constellation.reach_of(search)) >= _FAR:
        return None
    front = front_of(search.screen.state.ui_elements)
    for line in search.screen.state.perception.text_lines:
        box = Box.of(line.bbox)
        if search.on_its_screen and front is not None and front.contains(here.center) and front.contains(box.center):
            continue
        above = 0 <= here.y1 - box.y2 <= _AROUND_PX and gap(here, box) <= 2 * _AROUND_PX
        if above and _asks(line.text) and letters(line.text) not in sky.known:
            return f"« {element.label} » answers « {line.text} », which nobody was seen to do"
    return None


def _is_value(text: str) -> bool:
    """What a field holds may be longer than the field."""
    return any(map(str.isdigit, text))


def _needs_place(element: UIElement, search: Search, by_name: dict[str, Verdicts]) -> str | None:
    """Words that are not the very ones count only where the target must be."""
    said = next((v for verdicts in by_name.values() if (v := verdicts.get(element.element_id)) and v.needs_place), None)
    if said is None:
        return None
    names = (constellation.NAME, spatial.NAME)
    at_place = [v.score for name in names if (v := by_name.get(name, {}).get(element.element_id)) is not None]
    if at_place and max(at_place) >= _AT_PLACE and (search.sky is not None or not search.target.landmarks):
        return None
    if only_one_that_means_it(element, search, by_name.get(text.NAME, {})):
        return None
    return f"« {element.label} » {said.reason}, but nothing shows that it stands where the target must be"


def _apart(one: Box, other: Box) -> float:
    dx = min(abs(one.center[0] - other.center[0]), abs(one.x1 - other.x1), abs(one.x2 - other.x2))
    return hypot(dx, one.center[1] - other.center[1])
