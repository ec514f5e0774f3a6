"""With two whole screens at hand: which thing of the second a box of the first has become.

The strategies of `execution` are asked one after the other, the strictest first; what one of them finds is held against
all that speaks against it, and what nobody finds is not there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rpa_vision.app.located import Located, located, refused, seen_at
from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution import (
    bars,
    captions,
    holders,
    in_order,
    likes,
    name_beside,
    numbered,
    other_question,
    paled,
    same_row,
    same_sight,
    sight_verdicts,
)
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.old_dialogs import without_old_dialogs
from rpa_vision.execution.own_words import TICKED, with_own_words
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.targets import target_on
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.target import TargetSpec

LEVELS = (0, 1, 2)
_PALED = "it is drawn fainter than it was, and what stands around it is not: it is disabled"
_AT_EDGE_PX = 4
_SAME_SIZE_PX = 3
_MUCH_LARGER, _MUCH_HIGHER = 8, 4
"""A box so many times as large and as high as the thing in it is not its box; a row is that of its words."""
_MUCH_WIDER = 4
_SIGN = 1.8
"""Up to this width for its height a box holds a sign, no words."""
_NAMED_AS_BEFORE, _NAMED_OTHERWISE = ("same", "none"), ("a like's", "another")


def find_again(resolver: TargetResolver, then: ObservedScreen, box: Box, now: ObservedScreen) -> Located:
    """The answer of the first attempt that finds it, or of the last one; what is disabled is not sought elsewhere."""
    now = without_old_dialogs(then, now)
    own, own_now = with_own_words(then), with_own_words(now)
    if numbered.is_page(then, box):
        unseen = Located("not_found", None, None, 0.0, None, None, "its number is not among the pages of one line")
        paged = _by_number(unseen, then, box, now)
        if paged.point is not None:
            return paged
    found = _find(resolver, own, box, own_now)
    if found.point is None and (plain := target_on(then, box)).type in TICKED and not plain.label:
        found = _find(resolver, then, box, now)  # its name was read on one of the two only
    why = _elsewhere(found, then, box, now)
    found = found if why is None else refused(found, why, is_disabled=why == _PALED)
    if found.point is not None or found.is_disabled:
        return found
    return _by_caption(found, own, box, own_now)


def _by_number(found: Located, then: ObservedScreen, box: Box, now: ObservedScreen) -> Located:
    """A page among others, by its number."""
    place = numbered.find(then, box, now)
    if place is None or not _is_reached(then, now, place):
        return found
    if same_row.goes_on(then, box, now, place, round(_line_px(then))):
        return found
    if not same_row.says_the_same(then, box, now, place):
        return found  # the pages of another list
    one = Located("resolved", place, place.center, 1.0, numbered.NAME, None, "says its number among the same pages")
    return one if _elsewhere(one, then, box, now) is None else found


def _by_caption(found: Located, then: ObservedScreen, box: Box, now: ObservedScreen) -> Located:
    """What was not found, looked for beside its caption."""
    kind = captions.kind_of(target_on(then, box), box, _line_px(then))
    place = captions.find(then, box, now, kind) if kind is not None else None
    if place is None or not _is_reached(then, now, place) or sight_verdicts.says_more(then, box, now, place):
        return found
    one = Located("resolved", place, place.center, 1.0, captions.NAME, None, "stands by its caption as it stood")
    return one if _elsewhere(one, then, box, now) is None else found


def _line_px(screen: ObservedScreen) -> float:
    """How high a line of text is."""
    heights = [line.bbox[3] - line.bbox[1] for line in screen.state.perception.text_lines]
    return float(np.median(heights)) if heights else 0.0


def _elsewhere(found: Located, then: ObservedScreen, box: Box, now: ObservedScreen) -> str | None:
    """Why what was found belongs to another question or another page; None where it does not."""
    if found.box is None:
        return None
    if other_question.is_another_page(then, box, now):
        return "hardly anything that stood on the recorded screen stands on this one"
    if _is_paled(found.box, then, box, now):
        return _PALED
    target = target_on(then, box)
    kind = captions.kind_of(target, box, _line_px(then))
    if kind is not None and captions.is_named_otherwise(then, box, now, _whole(found.box, target, box), kind):
        return "the caption beside it is that of another, and its own stands elsewhere"
    unnamed = kind == "mark" and captions.caption_of(then, box, kind) is None
    if unnamed and captions.neighbour_has_changed(then, box, now, found.box):
        return "the text beside it is that of another, and its own stands elsewhere"
    if numbered.is_another(then, box, now, found.box):
        return "another number stands there"
    worded = kind is None and box.width > _SIGN * box.height  # what is found by its words, whoever was given them
    if worded and sight_verdicts.stood_there_already(then, box, now, found.box):
        return "it stood there already, with all around it, when the target stood elsewhere"
    if sight_verdicts.words_go_on(then, target, now, found.box):
        return sight_verdicts.GOES_ON
    strays = not sight_verdicts.goes_by_its_name(target) and same_row.is_in_another_row(then, box, now, found.box)
    if strays and not _is_the_very_place(found.box, then, box, now):
        return "the texts of its row stand in another row"
    asks = other_question.other_question(then, box, now, found.box, target.type)
    return f"it answers « {asks} », which it was not seen to do" if asks is not None else None


def _whole(found: Box, target: TargetSpec, box: Box) -> Box:
    """The field around words that were found: where only these were detected, as large as it was."""
    if target.place is None or target.type in FIELD_TYPES or target.type in TICKED:
        return found
    x1, y1, _, _ = target.place.bbox
    return box.moved(found.x1 - x1, found.y1 - y1)


def _is_the_very_place(found: Box, then: ObservedScreen, box: Box, now: ObservedScreen) -> bool:
    place = same_sight.look_up(then, box, now, found.center)
    return place.is_the_very_place and place.found is not None and place.found.box.contains(found.center)


def _is_paled(found: Box, then: ObservedScreen, box: Box, now: ObservedScreen) -> bool:
    """Whether it is drawn fainter than it was, and nothing around it is; measured from the box or from what it held."""
    target = target_on(then, box)
    origins = {box, Box.of(target.place.bbox)} if target.place is not None else {box}
    shifts = {(found.x1 - at.x1, found.y1 - at.y1) for at in origins if _is_as_large(found, at)}
    shifts |= {(found.center[0] - at.center[0], found.center[1] - at.center[1]) for at in origins}
    is_field = target.type in FIELD_TYPES
    may_change = is_field or target.type in TICKED or sight_verdicts.says_otherwise(target, now, found)
    return any(
        paled.is_paled(then.pixels, box, now.pixels, *shift, is_field=is_field, may_change=may_change)
        for shift in shifts
    )


def _is_as_large(one: Box, other: Box) -> bool:
    return abs(one.height - other.height) <= _SAME_SIZE_PX and abs(one.width - other.width) <= _SAME_SIZE_PX


def _find(resolver: TargetResolver, then: ObservedScreen, box: Box, now: ObservedScreen) -> Located:
    target = target_on(then, box)
    assert target.place is not None
    answer = _resolved(resolver, target, then, box, now)
    if isinstance(answer, Unresolved) and answer.why == "disabled" and _looked_disabled(then, target.place.bbox):
        answer = Resolved(answer.candidates[0], (*answer.candidates[1:2], None)[0], answer.profile)
    found = _on_its_words(located(answer, Box.of(target.place.bbox), box), target, now)
    if isinstance(answer, Unresolved) and answer.why == "disabled":
        return found
    again = other_question.asked_again(then, box, now, target.label) if found.point is None and target.label else None
    if again is not None and not same_sight.dialog_is_new(then, now, again, None):
        said = "answers the question it answered, and stands to it as it stood"
        return Located("resolved", again, again.center, 1.0, other_question.NAME, None, said)
    place = same_sight.look_up(then, box, now, found.point)
    if found.box is not None and sight_verdicts.changed_places(place, found.box, target, then, now):
        scale = place.fit.scale if place.fit is not None else 1.0
        if name_beside.name_there(then, box, now, found.box, scale) != "a like's":
            return found
    seen = _by_sight(found, place, target, then, box, now)
    if seen.point is None:
        drawn_otherwise = target.type in FIELD_TYPES and seen.why != sight_verdicts.GOES_ON
        asked = found.point is None or drawn_otherwise
        return _among_likes(seen, answer, place, target, then, box, now) if asked else seen
    if seen.box is not None and name_beside.is_in_its_row(then, box, now, seen.box, _grown(box, seen.box)):
        return seen
    if place.is_the_very_place and place.found is not None and place.found.box.contains(seen.point):
        return seen
    why = _mistaken(seen, target, then, box, now)
    return seen if why is None else refused(seen, why)


def _on_its_words(found: Located, target: TargetSpec, now: ObservedScreen) -> Located:
    """What was found in something much wider that holds its words, a line of a list say: where the words are."""
    if found.box is None or not target.label or target.type in (*FIELD_TYPES, *TICKED, "list_item"):
        return found
    said = [
        at
        for line in now.state.perception.text_lines
        if letters(line.text) == letters(target.label) and found.box.contains((at := Box.of(line.bbox)).center)
    ]
    if len(said) != 1 or found.box.width <= _MUCH_WIDER * said[0].width:
        return found
    return replace(found, box=said[0], point=said[0].center)


def _resolved(
    resolver: TargetResolver, target: TargetSpec, then: ObservedScreen, box: Box, now: ObservedScreen
) -> Resolved | Unresolved:
    """What the strategies say, from one level of healing to the next."""
    assert target.place is not None
    x1, y1, x2, y2 = target.place.bbox
    if box.area > _MUCH_LARGER * (y2 - y1) * (x2 - x1) and box.height > _MUCH_HIGHER * (y2 - y1):
        why = "nothing fills the box: give the box of one thing"
        return Unresolved("not_found", why, (), HealingProfile.at_level(LEVELS[0]))
    look = np.ascontiguousarray(then.pixels[max(0, y1) : y2, max(0, x1) : x2])
    for level in LEVELS:
        answer = resolver.resolve(target, now, {}, HealingProfile.at_level(level), look)
        if isinstance(answer, Resolved) or answer.why == "ambiguous":
            break
    return answer


def _mistaken(found: Located, target: TargetSpec, then: ObservedScreen, box: Box, now: ObservedScreen) -> str | None:
    """Why what was found may be one of its likes; None where nothing says so."""
    if found.box is None:
        return None
    if likes.may_have_moved_up(then, box, target, now, found.box):
        return f"« {target.label} » is said less often than it was: another may have moved up into its place"
    named = target.type in (*FIELD_TYPES, *TICKED) and target.label is not None
    if named and name_beside.stands_by_its_caption(then, box, now, found.box, target.label or ""):
        return None
    if likes.is_another(then, box, target, now, found.box):
        return "another of its kind stood there, among the same words"
    return None


def _among_likes(
    found: Located,
    answer: Resolved | Unresolved,
    place: same_sight.Place,
    target: TargetSpec,
    then: ObservedScreen,
    box: Box,
    now: ObservedScreen,
) -> Located:
    """What was not found, looked for among what is alike on both screens."""
    unopposed = [one.element for one in answer.candidates] if isinstance(answer, Unresolved) else []
    held = holders.find(then, box, now) if not target.label or target.type == "list_item" else None
    if held is not None and _is_reached(then, now, held):
        return Located(
            "resolved", held, held.center, 1.0, holders.NAME, None, "holds the lines it held, and only it does"
        )
    beside = same_row.find(then, box, target, now)
    is_it = beside is not None and _may_be(then, box, now, beside)
    if beside is not None and is_it and name_beside.is_in_its_column(then, box, now, beside):
        why = "stands to the texts of its row as it stood"
        return Located("resolved", beside, beside.center, 1.0, same_row.NAME, None, why)
    one = likes.find(then, box, target, now, unopposed)
    if one is None or not one.is_it or not _may_be(then, box, now, one.box):
        named = None if place.is_in_sight else likes.only_one_of_its_name(then, box, target, now, unopposed)
        if named is None or not _may_be(then, box, now, named):
            return _in_order(found, place, target, then, box, now)
        why = f"alone bears the name « {target.label} », then and now"
        return Located("resolved", named, named.center, 1.0, likes.NAME, None, why)
    if one.kind == "sign" and one.likeness < likes.LOOKS_THE_SAME and place.is_drawn_alike:
        return found
    if one.kind == "sign" and same_row.goes_on(then, box, now, one.box, round(_line_px(then))):
        return found
    why = f"stands among the words as it stood ({one.fit:.2f}, the next {one.rival:.2f})"
    return Located("resolved", one.box, one.box.center, round(one.fit, 4), likes.NAME, None, why)


def _in_order(
    found: Located, place: same_sight.Place, target: TargetSpec, then: ObservedScreen, box: Box, now: ObservedScreen
) -> Located:
    """What was not found, looked for in its bar, and between the texts that were read before it and after it."""
    if place.is_drawn_alike:
        return found
    bar = bars.find(then, box, target, now)
    if bar is not None and _may_be(then, box, now, bar) and same_row.says_the_same(then, box, now, bar):
        why = "stands in its bar, in which as many stand in the same order and look the same"
        return Located("resolved", bar, bar.center, 1.0, bars.NAME, None, why)
    one = in_order.find(then, box, target, now)
    if one is None or not _may_be(then, box, now, one) or not same_row.says_the_same(then, box, now, one):
        return found
    why = "stands between the texts it stood between, and so do as many of its kind"
    return Located("resolved", one, one.center, 1.0, in_order.NAME, None, why)


def _may_be(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> bool:
    """Whether a place that was found by what stands around it can be reached, and no other name stands beside it."""
    return _is_reached(then, now, place) and _named_there(then, box, now, place) not in _NAMED_OTHERWISE


def _named_there(then: ObservedScreen, box: Box, now: ObservedScreen, place: Box) -> name_beside.Name:
    return name_beside.name_there(then, box, now, place, _grown(box, place))


def _grown(box: Box, place: Box) -> float:
    return place.height / max(1, box.height)


def _is_reached(then: ObservedScreen, now: ObservedScreen, place: Box) -> bool:
    """Whether no dialog lies before a place, or asks something else there."""
    return not (same_sight.dialog_is_new(then, now, place, None) or name_beside.asks_otherwise(then, now, place))


def _by_sight(
    found: Located, place: same_sight.Place, target: TargetSpec, then: ObservedScreen, box: Box, now: ObservedScreen
) -> Located:
    """The answer, looked over with both pictures at hand: they may give one where words do not tell, or object. What
    only looks the same is not it where its name or the question of its dialog has become another."""
    scale = place.fit.scale if place.fit is not None else 1.0
    if found.box is not None and name_beside.name_there(then, box, now, found.box, scale) == "a like's":
        found = refused(found, "the name beside it is that of one of its likes")
    seen = place.found
    if seen is None or name_beside.asks_otherwise(then, now, seen.box):
        return found
    if name_beside.name_there(then, box, now, seen.box, scale) not in _NAMED_AS_BEFORE:
        return found
    reached = not same_sight.dialog_is_new(then, now, seen.box, place.fit)
    if reached and (
        place.is_unchanged or (found.point is None and sight_verdicts.says_the_same(place, then, box, now))
    ):
        if found.point is not None and seen.box.padded(_AT_EDGE_PX).contains(found.point):
            return found
        share = f"{seen.around.same} of {seen.around.inked} parts"
        return seen_at(seen.box, seen.likeness, f"its place is unchanged, and so is what stands around it ({share})")
    if found.point is None:
        why = sight_verdicts.taken_over(place, then, box, now) if reached else None
        return found if why is None else seen_at(seen.box, seen.around.share(), why)
    against = sight_verdicts.objection(place, found.point, target, then, box, now)
    if against is None:
        return found
    return refused(found, against)


def _looked_disabled(screen: ObservedScreen, bbox: BBox) -> bool:
    """Whether what was pointed at looked disabled then already: then it is only pale."""
    return any(
        element.bbox == bbox and element.state is not None and element.state.enabled is False
        for element in screen.state.ui_elements
    )
