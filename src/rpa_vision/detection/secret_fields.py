"""Is what is being typed a secret? Told by the field's words and by what it shows: dots instead of letters.

Asked by capture before anything is kept (L0-7). Only the strip of the screen around the field is read, so the answer
comes fast. Where the field cannot be found and the screen shows a password field somewhere, the answer is yes: a
secret taken for text is a harm, a text taken for a secret a nuisance.
"""

from __future__ import annotations

import numpy as np

from rpa_vision.detection.captions import FIELDS, caption_fields
from rpa_vision.detection.components import components
from rpa_vision.detection.controls import find_controls, is_bullets
from rpa_vision.detection.loose_texts import find_texts
from rpa_vision.detection.roles import is_secret_label
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.detection.text_detector import TextDetector, regions_of
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point

REACH_X_PX = 620
REACH_UP_PX = 110
REACH_DOWN_PX = 60
CARET_PX = 3
NEAR_PX = 40
"""A click this far from a field still meant that field, when no other is nearer."""


class FieldSecrecy:
    """Implements the `SecretFieldClassifier` port."""

    def __init__(self, text_detector: TextDetector) -> None:
        self._text = text_detector

    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        written = _written(before, after)
        if after is not None and any(shows_bullets(after.pixels, box) for box in written):
            return True
        places = [clicked] if clicked is not None else []
        if written and not any(_is_near(place, written) for place in places):
            places = [box.center for box in written[:3]]  # the focus is not where the click was
        answers = [self._field_is_secret(before, place) for place in places]
        if any(answers):
            return True
        if any(answer is None for answer in answers) or not answers:
            return self._screen_has_secret_field(before)
        return False

    def _field_is_secret(self, frame: Frame, place: Point) -> bool | None:
        """What the words at the field say; None where there is no field or it has no words."""
        scale = max(1.0, frame.height / 1080)
        x, y = place
        strip = Box(
            round(x - scale * REACH_X_PX), round(y - scale * REACH_UP_PX),
            round(x + scale * REACH_X_PX), round(y + scale * REACH_DOWN_PX),
        ).clamped(frame.width, frame.height)  # fmt: skip
        if strip is None:
            return None
        drafts = self._look(frame.pixels[strip.y1 : strip.y2, strip.x1 : strip.x2])
        field = _field_at(drafts, (x - strip.x1, y - strip.y1), round(NEAR_PX * scale))
        if field is None:
            near = [d for d in drafts if d.text and _gap(d.box, (x - strip.x1, y - strip.y1)) <= 2 * NEAR_PX * scale]
            return True if any(is_secret_label(d.text) for d in near) else None
        if _is_secret(field):
            return True
        return False if field.label else None

    def _screen_has_secret_field(self, frame: Frame) -> bool:
        drafts = self._look(frame.pixels)
        return any(d.kind in FIELDS and _is_secret(d) for d in drafts) or any(
            d.kind in ("label", "heading") and is_secret_label(d.text) and len(d.text) <= 40 for d in drafts
        )

    def _look(self, pixels: Pixels) -> list[Draft]:
        image = np.ascontiguousarray(pixels[:, :, :3])
        regions = regions_of(image)
        scene = Scene(image, regions, self._text.read(image, self._text.find(image, regions)))
        drafts = find_controls(scene)
        drafts += find_texts(scene)
        caption_fields(scene, drafts)
        return drafts


def shows_bullets(pixels: Pixels, changed: Box) -> bool:
    """What was drawn is a row of equal dots, not of letters. One lone dot at half height counts."""
    box = changed.padded(2, 2).clamped(int(pixels.shape[1]), int(pixels.shape[0]))
    if box is None or box.height > 60:
        return False
    part = pixels[box.y1 : box.y2, box.x1 : box.x2, :3].astype(np.int16).sum(axis=2)
    off = np.abs(part - np.median(part))
    if off.max() < 60:
        return False
    _, stats = components((off > 0.45 * off.max()).astype(np.uint8))
    marks = [(w, h, y + h / 2) for _x, y, w, h, area in stats[1:].tolist() if area >= 4 and not (w <= CARET_PX < h)]
    if not marks:
        return False
    widths, heights, middles = (np.array(values, dtype=float) for values in zip(*marks, strict=True))
    round_ones = bool((np.abs(widths - heights) <= 2).all()) and float(heights.max()) <= 14
    equal = float(np.ptp(heights)) <= 1.5 and float(np.ptp(widths)) <= 1.5 and float(np.ptp(middles)) <= 1.5
    return round_ones and equal and (len(marks) >= 2 or _is_disc(stats[1:].tolist()))


def _is_disc(stats: list[list[int]]) -> bool:
    _, _, width, height, area = max(stats, key=lambda row: row[4])
    return min(width, height) >= 4 and area >= 0.68 * width * height


def _written(before: Frame, after: Frame | None) -> list[Box]:
    """Where something was drawn that is more than a caret, largest first."""
    if after is None or before.pixels.shape != after.pixels.shape:
        return []
    boxes = [box for box in changed_boxes(before.pixels, after.pixels, join_px=14) if box.width > CARET_PX]
    return sorted(boxes, key=lambda box: -box.area)


def _is_secret(field: Draft) -> bool:
    words = (field.label, field.text)
    return bool(field.metadata.get("hidden")) or is_bullets(field.text) or any(is_secret_label(word) for word in words)


def _field_at(drafts: list[Draft], place: Point, reach: int) -> Draft | None:
    fields = [draft for draft in drafts if draft.kind in FIELDS]
    nearest = min(fields, key=lambda draft: (_gap(draft.box, place), draft.box.area), default=None)
    return nearest if nearest is not None and _gap(nearest.box, place) <= reach else None


def _gap(box: Box, place: Point) -> float:
    dx = max(box.x1 - place[0], 0, place[0] - box.x2)
    dy = max(box.y1 - place[1], 0, place[1] - box.y2)
    return float(np.hypot(dx, dy))


def _is_near(place: Point, boxes: list[Box]) -> bool:
    """Something was drawn on the line of the click, at most a field's width away."""
    return any(box.y1 - 24 <= place[1] <= box.y2 + 24 and abs(box.center[0] - place[0]) <= 500 for box in boxes)
