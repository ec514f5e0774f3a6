"""Find again on one picture what a box holds on another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from rpa_vision.app.detect import ImageFiles
from rpa_vision.app.located import Located, located, refused, seen_at
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import ImageError, RpaVisionError, UsageError
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
from rpa_vision.imaging.codec import decode
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.ports.runtime import Clock

LEVELS = (0, 1, 2)
_PALED = "it is drawn fainter than it was, and what stands around it is not: it is disabled"
_SMALLEST_BOX_PX = 4
_SAME_SIZE_PX = 3
_MUCH_LARGER, _MUCH_HIGHER = 8, 4
"""A box so many times as large and as high as the thing in it is not its box; a row is that of its words."""
_MUCH_WIDER = 4
_NAMED_AS_BEFORE, _NAMED_OTHERWISE = ("same", "none"), ("a like's", "another")


class Locator:
    """Reads pictures, each once as long as it is among the last, and finds targets on them."""

    def __init__(
        self, files: ImageFiles, reader: ScreenReader, clock: Clock, resolver: TargetResolver | None = None
    ) -> None:
        self._files = files
        self._reader = reader
        self._clock = clock
        self._resolver = resolver or TargetResolver()

    def locate(self, before: Path, box: Sequence[int], after: Path) -> Located:
        """Find on `after` what lies in a box of `before`."""
        began = self._clock.monotonic()
        then = self._screen(before)
        place = checked_box(box, then)
        now = self._screen(after)
        seen = self._clock.monotonic()
        found = find_again(self._resolver, then, place, now)
        ended = self._clock.monotonic()
        timing = {"read": _ms(seen - began), "resolve": _ms(ended - seen), "total": _ms(ended - began)}
        return replace(found, timing_ms=timing)

    def _screen(self, path: Path) -> ObservedScreen:
        try:
            pixels = decode(self._files.read(path))
        except ImageError as error:
            raise ImageError(f"{path}: {error}", remedy=error.remedy) from error
        if min(pixels.shape[:2]) < _SMALLEST_BOX_PX:
            raise ImageError(f"{path}: a picture so small holds nothing", remedy="Give a picture of a screen.")
        state = self._reader.read(pixels, screen_state_id="picture", timestamp=self._clock.now())
        return ObservedScreen(pixels, state, np.zeros(0, np.float32))


def find_again(resolver: TargetResolver, then: ObservedScreen, box: Box, now: ObservedScreen) -> Located:
    """The answer of the first attempt that finds it, or of the last one; what is disabled is not sought elsewhere."""
    now = without_old_dialogs(then, now)
    if numbered.is_page(then, box):
        unseen = Located("not_found", None, None, 0.0, None, None, "its number is not among the pages of one line")
        paged = _by_number(unseen, then, box, now)
        if paged.point is not None:
            return paged
    found = _find(resolver, with_own_words(then), box, with_own_words(now))
    if found.point is None and (plain := target_on(then, box)).type in TICKED and not plain.label:
        found = _find(resolver, then, box, now)  # its name was read on one of the two only
    why = _elsewhere(found, then, box, now)
    found = found if why is None else refused(found, why, is_disabled=why == _PALED)
    if found.point is not None or found.is_disabled:
        return found
    return _by_caption(found, with_own_words(then), box, with_own_words(now))


def _by_number(found: Located, then: ObservedScreen, box: Box, now: ObservedScreen) -> Located:
    """A page among others, by its number."""
    place = numbered.find(then, box, now)
    if place is None or not _is_reached(then, now, place):
        return found
    if same_row.goes_on(then, box, now, place, round(_line_px(then))):
        return found
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
    if kind == "mark" and captions.caption_of(then, box, kind) is None:
        if captions.neighbour_has_changed(then, box, now, found.box):
            return "the text beside it is that of another, and its own stands elsewhere"
    if target.label and kind is None and sight_verdicts.stood_there_already(then, box, now, found.box):
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
    if bar is not None and _is_reached(then, now, bar):
        why = "stands in its bar, in which as many stand in the same order and look the same"
        return Located("resolved", bar, bar.center, 1.0, bars.NAME, None, why)
    one = in_order.find(then, box, target, now)
    if one is None or not _is_reached(then, now, one):
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
        if found.point is not None and seen.box.padded(_SMALLEST_BOX_PX).contains(found.point):
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


def locate_lines(locator: Locator, lines: Iterable[str]) -> Iterator[JsonObject]:
    """Answer questions, one JSON object per line: `{"from", "box", "in"}`. What is wrong with one stops no other."""
    for line in lines:
        if not line.strip():
            continue
        try:
            yield locator.locate(*_question(line)).to_json()
        except RpaVisionError as error:
            yield {"error": {"code": error.code, "message": str(error), "remedy": error.remedy}}


def parse_box(text: str) -> tuple[int, int, int, int]:
    """`x1,y1,x2,y2` as numbers."""
    try:
        x1, y1, x2, y2 = (int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"--box {text!r} is not x1,y1,x2,y2", remedy="Give four whole numbers.") from error
    return (x1, y1, x2, y2)


def checked_box(box: Sequence[int], screen: ObservedScreen) -> Box:
    """The box, inside its picture; what lies mostly beside it is a mistake."""
    height, width = screen.pixels.shape[:2]
    whole = len(box) == 4 and all(isinstance(one, int) and not isinstance(one, bool) for one in box)
    place = Box(*box).clamped(int(width), int(height)) if whole else None
    if place is None or min(place.width, place.height) < _SMALLEST_BOX_PX or 2 * place.area < Box(*box).area:
        what = f"the box {list(box)} holds nothing of a picture of {width}x{height}"
        raise UsageError(what, remedy="Give x1,y1,x2,y2 in pixels of the picture, right and bottom excluded.")
    return place


def _question(line: str) -> tuple[Path, list[int], Path]:
    remedy = 'Write one {"from": "old.png", "box": [x1, y1, x2, y2], "in": "new.png"} per line.'
    try:
        body = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not a line of JSON: {line.strip()[:60]!r}", remedy=remedy) from error
    if not isinstance(body, dict) or not all(isinstance(body.get(name), str) for name in ("from", "in")):
        raise UsageError("a line needs from, box and in", remedy=remedy)
    if not isinstance(body.get("box"), list):
        raise UsageError("a line needs from, box and in", remedy=remedy)
    return Path(body["from"]), body["box"], Path(body["in"])


def _ms(seconds: float) -> float:
    return round(seconds * 1000.0, 1)
