"""Is what is being typed a secret? Told by the field's words and by what it shows: dots instead of letters, or nothing.

Asked by capture before anything is kept (L0-7). Mostly only the strip of the screen around the field is read, so the
answer comes fast. Text is clear only where the screen shows it: letters in a field with ordinary words, or letters that
read like what was typed. Everything else is a secret or undecided, which capture treats alike: a secret taken for text
is a harm, a text taken for a secret a nuisance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz

from rpa_vision.detection.captions import caption_fields
from rpa_vision.detection.controls import find_controls, is_bullets
from rpa_vision.detection.drawn_marks import scale_of, shows_bullets, shows_letters, written
from rpa_vision.detection.loose_texts import find_texts
from rpa_vision.detection.roles import is_secret_label
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.detection.text_detector import TextDetector, regions_of
from rpa_vision.detection.words import fold
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.ui_element import FIELD_TYPES
from rpa_vision.ports.perception import FieldJudgement

__all__ = ["FieldSecrecy", "shows_bullets"]

REACH_X_PX = 620
REACH_UP_PX = 110
REACH_DOWN_PX = 60
NEAR_PX = 40
"""A click this far from a field still meant that field, when no other is nearer."""
LABEL_LENGTH = 40
"""A longer text is prose about passwords, unless it is a prompt: one of the last lines, where the caret is."""
PROMPT_LINES = 3
ENOUGH_TO_READ = 3
ECHO_PX, ECHO_BOXES = 300, 6
"""How high a change may be to be read for what was typed, and how many are."""
READS_ALIKE, READS_OTHERWISE = 70.0, 50.0


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands at a place: a field or only words, and what these say; None where they say nothing."""

    is_secret: bool | None
    label: str = ""
    field: Box | None = None


class FieldSecrecy:
    """Implements the `SecretFieldClassifier` and `SecretFieldJudge` ports."""

    def __init__(self, text_detector: TextDetector) -> None:
        self._text = text_detector

    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        drawn = written(before, after)
        if after is not None and any(shows_bullets(after.pixels, box) for box in drawn):
            return True
        found = self._around(before, after, _places(clicked, drawn))
        if any(each.is_secret for each in found):
            return True
        if any(each.is_secret is None for each in found) or not found:
            return self._secret_on_screen(before, after) is not None
        return False

    def judge(
        self, before: Frame, clicked: Point | None, after: Frame | None, *, typed: str, late: bool
    ) -> FieldJudgement:
        drawn = written(before, after)
        dots = [box for box in drawn if after is not None and shows_bullets(after.pixels, box)]
        found = self._around(before, after if drawn else None, _places(clicked, dots or drawn))
        named = next((each for each in found if each.is_secret), None) or next(
            (each for each in found if each.label), _Found(None)
        )
        if dots:
            room = next((each.field for each in found if each.field and each.field.encloses(dots[0])), None)
            return FieldJudgement("secret", named.label, room or _row_of(dots[0], scale_of(before)))
        if named.is_secret:
            return FieldJudgement("secret", named.label, named.field)
        if after is not None and self._is_clear_field(before, after, found, drawn, typed):
            return FieldJudgement("clear", named.label, named.field)
        on_screen = self._secret_on_screen(before, after)
        if on_screen is not None:
            return FieldJudgement("secret", on_screen)
        if after is not None and self._is_echoed(before, after, drawn, typed, late=late):
            firm = len(_letters(typed)) >= ENOUGH_TO_READ
            return FieldJudgement("clear", named.label, named.field, firm=firm)
        return FieldJudgement("undecided", named.label)

    def hides(self, frame: Frame, box: Box) -> bool:
        return shows_bullets(frame.pixels, box)

    def _is_clear_field(
        self, before: Frame, after: Frame, found: Sequence[_Found], drawn: Sequence[Box], typed: str
    ) -> bool:
        """Letters came up in a field that has ordinary words, and they do not read like something else."""
        for each in found:
            if each.field is None or each.is_secret is not False:
                continue
            inside = each.field.padded(-3)
            if shows_letters(before, after, inside):
                common = [part for box in drawn if (part := box.intersection(inside)) is not None]
                alike = self._likeness(after, common, typed)
                return alike is None or alike > READS_OTHERWISE
        return False

    def _is_echoed(self, before: Frame, after: Frame, drawn: Sequence[Box], typed: str, *, late: bool) -> bool:
        """Letters came up somewhere that read like what was typed. Too few to read will do, if they came in time."""
        wanted = _letters(typed)
        if len(wanted) < ENOUGH_TO_READ:
            return not late and (
                any(shows_letters(before, after, box) for box in drawn)
                or any(_begins_alike(wanted, read) for read in self._read(after, drawn))
            )
        alike = self._likeness(after, drawn, typed)
        return alike is not None and alike >= READS_ALIKE

    def _likeness(self, after: Frame, boxes: Sequence[Box], typed: str) -> float | None:
        """How well (0 to 100) what was drawn reads like what was typed; None where there is too little of either."""
        wanted = _letters(typed)
        if len(wanted) < ENOUGH_TO_READ:
            return None
        read = [text for text in self._read(after, boxes) if len(text) >= ENOUGH_TO_READ - 1]
        return max((_alike(wanted, text) for text in read), default=None)

    def _read(self, frame: Frame, boxes: Sequence[Box]) -> Iterator[str]:
        """The letters of the lines in these boxes, as far as they are not too many."""
        for box in [each for each in boxes if each.height <= ECHO_PX * scale_of(frame)][:ECHO_BOXES]:
            crop = box.padded(4, 5).clamped(frame.width, frame.height)
            if crop is not None:
                lines = self._text.read(frame.pixels[crop.y1 : crop.y2, crop.x1 : crop.x2])
                yield from (_letters(line.text) for line in lines)

    def _around(self, before: Frame, after: Frame | None, places: Sequence[Point]) -> list[_Found]:
        """What stands at each place, before and after: a page may have come up while somebody typed."""
        found = [self._at(before, place) for place in places]
        if after is not None and after.pixels.shape == before.pixels.shape:
            again = [self._at(after, place) for place in places]
            found += [each for each in again if each.is_secret]
        return found

    def _at(self, frame: Frame, place: Point) -> _Found:
        scale = scale_of(frame)
        x, y = place
        strip = Box(
            round(x - scale * REACH_X_PX), round(y - scale * REACH_UP_PX),
            round(x + scale * REACH_X_PX), round(y + scale * REACH_DOWN_PX),
        ).clamped(frame.width, frame.height)  # fmt: skip
        if strip is None:
            return _Found(None)
        here = (x - strip.x1, y - strip.y1)
        drafts = self._look(frame.pixels[strip.y1 : strip.y2, strip.x1 : strip.x2])
        field = _field_at(drafts, here, round(NEAR_PX * scale))
        if field is None:
            near = [d for d in drafts if d.text and _gap(d.box, here) <= 2 * NEAR_PX * scale]
            secret = next((d for d in near if is_secret_label(d.text)), None)
            return _Found(True, secret.text) if secret is not None else _Found(None)
        box = field.box.moved(strip.x1, strip.y1)
        if _is_secret(field):
            return _Found(True, "" if is_bullets(field.label) else field.label, box)
        return _Found(False if field.label else None, field.label, box)

    def _secret_on_screen(self, before: Frame, after: Frame | None) -> str | None:
        """The words of a password field or prompt that is somewhere on the screen; None where there is none."""
        for frame in (before,) if after is None or after.pixels is before.pixels else (before, after):
            drafts = self._look(frame.pixels)
            for draft in drafts:
                if draft.kind in FIELD_TYPES and _is_secret(draft):
                    return "" if is_bullets(draft.label) else draft.label
            short = (d for d in drafts if d.kind in ("label", "heading") and len(d.text) <= LABEL_LENGTH)
            for draft in (*short, *_last_lines(frame, drafts)):
                if is_secret_label(draft.text):
                    return draft.text
        return None

    def _look(self, pixels: Pixels) -> list[Draft]:
        image = np.ascontiguousarray(pixels[:, :, :3])
        regions = regions_of(image)
        scene = Scene(image, regions, self._text.read(image, self._text.find(image, regions)))
        drafts = find_controls(scene)
        drafts += find_texts(scene)
        caption_fields(scene, drafts)
        return drafts


def _places(clicked: Point | None, drawn: Sequence[Box]) -> list[Point]:
    """Where the focus may be: at the click, unless something was drawn and all of it elsewhere."""
    if clicked is not None and (not drawn or _is_near(clicked, drawn)):
        return [clicked]
    return [box.center for box in drawn[:3]]


def _last_lines(frame: Frame, drafts: Sequence[Draft]) -> list[Draft]:
    """The words that stand lowest in the window that is typed into, however long: a prompt is there."""
    window = Box.of(frame.window.geometry) if frame.window is not None and frame.window.geometry else None
    texts = [d for d in drafts if d.text and (window is None or window.contains(d.box.center))]
    lowest: list[int] = []
    for draft in sorted(texts, key=lambda d: -d.box.center[1]):
        middle = draft.box.center[1]
        if not lowest or lowest[-1] - middle > draft.box.height // 2:
            lowest.append(middle)
        if len(lowest) > PROMPT_LINES:
            break
    ends = lowest[:PROMPT_LINES]
    return [d for d in texts if any(abs(d.box.center[1] - end) <= d.box.height // 2 for end in ends)]


def _row_of(dots: Box, scale: float) -> Box:
    """Where the rest of a hidden text may come to stand."""
    return Box(dots.x1 - 8, dots.y1 - 10, dots.x2 + round(scale * REACH_X_PX), dots.y2 + 10)


def _letters(text: str) -> str:
    return fold(text).replace(" ", "")


def _alike(typed: str, read: str) -> float:
    """How they begin: the screen may show only the first letters yet, and older words behind the new ones."""
    length = min(len(typed), len(read))
    return fuzz.partial_ratio(typed[:length], read[: length + ENOUGH_TO_READ])


def _begins_alike(typed: str, read: str) -> bool:
    return bool(typed and read) and (read.startswith(typed) or typed.startswith(read))


def _is_secret(field: Draft) -> bool:
    words = (field.label, field.text)
    return bool(field.metadata.get("hidden")) or is_bullets(field.text) or any(is_secret_label(word) for word in words)


def _field_at(drafts: list[Draft], place: Point, reach: int) -> Draft | None:
    fields = [draft for draft in drafts if draft.kind in FIELD_TYPES]
    nearest = min(fields, key=lambda draft: (_gap(draft.box, place), draft.box.area), default=None)
    return nearest if nearest is not None and _gap(nearest.box, place) <= reach else None


def _gap(box: Box, place: Point) -> float:
    dx = max(box.x1 - place[0], 0, place[0] - box.x2)
    dy = max(box.y1 - place[1], 0, place[1] - box.y2)
    return float(np.hypot(dx, dy))


def _is_near(place: Point, boxes: Sequence[Box]) -> bool:
    """Something was drawn on the line of the click, at most a field's width away."""
    return any(box.y1 - 24 <= place[1] <= box.y2 + 24 and abs(box.center[0] - place[0]) <= 500 for box in boxes)
