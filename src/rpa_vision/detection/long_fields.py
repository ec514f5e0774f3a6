"""Long fields: where the rules see a whole frame, what they say of it stands.

A finder looks for the middle of a thing. Of a long field it sees a middle with nothing in it and says less the longer
it is, in the end nothing; a judge who hears it then doubts, too. The frame is as plain as ever, and frames are what the
rules know. But headers of tables, examples of code and pieces of cards are long and framed as well: a field has one
frame all round, and either a caption before it or paper of its own with nothing on it. The bar that shows how far
something has come is empty, too, before it begins: it is low, or a trough that is darker than the page.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rpa_vision.detection.regions import Region
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.imaging.colour import Colour, distance, luminance
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import FIELD_TYPES

LONG_UNITS, _SLENDER = 24, 8
"""From so many units on, and so many times as wide as high, a field is long."""
_ONE_FRAME = 24
"""How much the colours of two sides of one frame differ at most."""
_CAPTION_UNITS = 3
"""How far before a field its caption ends at most."""
_AIR_PX = 4
"""A line's box has air around its ink: right before a frame it reaches into it."""
_PARTS = 2
"""A field may hold a sign that clears it or opens a list, and the end of a bar may lie over it; what holds more is a
bar or a panel."""


_LOW_UNITS = 1.5
"""What is empty and lower than this has no room for a line of text."""
_BRIGHT = 0.18
"""From this luminance on a page is bright, and what is to be written on is as bright or brighter."""


def with_long_fields(scene: Scene, drafts: Sequence[Draft], judged: Sequence[Draft]) -> list[Draft]:
    """What was judged, and of what the rules drafted the long fields of one line that nobody took for something else.
    Words in them are theirs, and what was taken for a field of its own in one is a piece of it."""
    long = [draft for draft in drafts if draft.kind == "text_input" and _is_long(scene, draft.box)]
    long = [draft for draft in long if _is_free(draft, judged) and _is_field(scene, draft)]
    if not long:
        return list(judged)
    for line in scene.lines:
        line.used = line.used or any(field.box.contains(line.box.center) for field in long)
    whole = [draft for draft in judged if draft.kind not in FIELD_TYPES or not _lies_in(draft, long)]
    return [*whole, *long]


def _lies_in(draft: Draft, fields: Sequence[Draft]) -> bool:
    return any(field.box.contains(draft.box.center) for field in fields)


def _is_long(scene: Scene, box: Box) -> bool:
    return box.width >= max(LONG_UNITS * scene.unit, _SLENDER * box.height)


def _is_free(field: Draft, judged: Sequence[Draft]) -> bool:
    others = [other for other in judged if other.kind != "dialog"]
    inside = [other for other in others if field.box.contains(other.box.center)]
    large = any(2 * other.box.width >= field.box.width for other in inside)
    held = any(other.box.contains(field.box.center) for other in others)
    return not large and not held and len(inside) <= _PARTS


def _is_field(scene: Scene, field: Draft) -> bool:
    region = next((region for region in scene.regions if region.box == field.box), None)
    if region is None or not _has_one_frame(scene, field.box):
        return False
    if not field.text and _is_trough(scene, region):
        return False
    own_paper = not field.text and region.has_own_paper
    return own_paper or _has_caption_before(scene, field.box)


def _is_trough(scene: Scene, region: Region) -> bool:
    darker = region.has_own_paper and luminance(region.fill) < luminance(region.around)
    return region.box.height < _LOW_UNITS * scene.unit or (darker and luminance(region.around) > _BRIGHT)


def _has_one_frame(scene: Scene, box: Box) -> bool:
    """All of its sides are seen, upper and lower are of one colour, and so is one end: of a piece of a card one is
    another's; the caret may stand at an end."""
    if box.x1 <= 0 or box.y1 <= 0 or box.x2 >= scene.width or box.y2 >= scene.height:
        return False
    off = box.height // 4
    across, along = slice(box.x1 + off, box.x2 - off), slice(box.y1 + off, box.y2 - off)
    image = scene.image
    sides = [image[box.y1, across], image[box.y2 - 1, across], image[along, box.x1], image[along, box.x2 - 1]]
    upper, lower, *ends = (_usual(side[:, :3]) for side in sides)
    return distance(upper, lower) <= _ONE_FRAME and any(distance(upper, end) <= _ONE_FRAME for end in ends)


def _usual(pixels: np.ndarray) -> Colour:
    blue, green, red = (int(value) for value in np.median(pixels, axis=0))
    return blue, green, red


def _has_caption_before(scene: Scene, box: Box) -> bool:
    near = _CAPTION_UNITS * scene.unit
    return any(
        -_AIR_PX <= box.x1 - line.box.x2 <= near and box.y1 <= line.box.center[1] < box.y2 and len(line.text) > 1
        for line in scene.lines
    )
