"""Buttons, fields, check marks and dialogs from boxes and the text in them, by rules one can say in a sentence each.

A box with short text in its middle is a button. A pale, bordered box that is empty or has text at its left is a field.
A small square or disc with text beside it is a check mark. A box over a darkened screen is a dialog.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rpa_vision.detection.mark_names import MARKS, text_beside
from rpa_vision.detection.regions import Region
from rpa_vision.detection.rings import find_rings
from rpa_vision.detection.scene import Draft, Line, Scene, Shape
from rpa_vision.detection.sheets import is_written_full
from rpa_vision.detection.words import clean_label, fold, sounds_like_action
from rpa_vision.imaging.colour import Colour, chroma, contrast, distance, luminance, paper_and_ink
from rpa_vision.models.geometry import Box

BULLETS = frozenset("•●·.*○oO■∗⚫-–—…●°")
"""What readers make of the dots of a hidden password."""
CHEVRONS = frozenset("VvYyUuwW~▾▼∨⌄˅⋁﹀")
"""What readers make of the arrow of a drop-down."""
MOSTLY = 0.75
ROUND = 0.85
STRONG = 60
"""Chroma from which a colour says "on"."""
_SAME_PAPER = 40
_ONE_LINE = 3.5
"""How many units high a field of one line is at most."""
SEEN_WELL = 2.3
"""Contrast below which a control's text looks switched off."""


def find_controls(scene: Scene) -> list[Draft]:
    """Buttons, fields, drop-downs and marks. Lines that are part of one are marked as used."""
    beside, stacked = _joined_boxes(scene)
    drafts: list[Draft] = []
    for index, region in enumerate(scene.regions):
        lines = scene.lines_in(index)
        draft = _mark(scene, region, lines)
        if draft is None and index not in beside & stacked:
            draft = _control(scene, region, lines)
            if draft is not None and draft.kind == "text_input" and index in stacked:
                for line in lines:  # a part of a side bar or a list, between two others
                    line.used = False
                draft = None
        if draft is not None and not any(_same(draft, other) for other in drafts):
            drafts.append(draft)
    drafts += _discs(scene, drafts)
    return drafts + find_rings(scene, drafts)


def find_dialog(scene: Scene) -> Draft | None:
    """The box that is bright while nearly all the rest is darkened: window titles and task bars stay as they are."""
    for region in scene.regions:
        box = region.box
        big = box.width >= 14 * scene.unit and box.height >= 6 * scene.unit
        if not big or box.area > 0.6 * scene.width * scene.height or region.squareness < 0.6:
            continue
        inside = [_brightness(line) for line in scene.lines if box.contains(line.box.center)]
        outside = [_brightness(line) for line in scene.lines if not box.padded(2).intersection(line.box)]
        if inside and len(outside) >= 3 and np.quantile(outside, MOSTLY) <= 0.85 * max(inside):
            return Draft("dialog", box, 0.85, paper=region.fill, shape=_shape(region))
    return None


def _brightness(line: Line) -> int:
    return max(*line.ink, *line.paper)


def is_bullets(text: str) -> bool:
    """Nothing but the same dot again and again."""
    marks = [char for char in text if not char.isspace()]
    return len(marks) >= 2 and all(char in BULLETS for char in marks) and len(set(marks)) <= 3


def _mark(scene: Scene, region: Region, lines: list[Line]) -> Draft | None:
    """A check box, radio button or switch: small, and with text beside it."""
    box, unit = region.box, scene.unit
    if any(len(line.text) > 1 for line in lines) or not 0.45 * unit <= box.height <= 1.7 * unit or box.height < 7:
        return None
    around = [line for line in scene.lines if line.box.encloses(box)]
    if any(len(line.text) > 1 or line.box.area > 4 * box.area for line in around):
        return None  # the inside of a letter
    ratio = box.width / box.height
    if 0.8 <= ratio <= 1.25:
        label = text_beside(scene, box)
        if label is None:
            return None
        disc = region.squareness < ROUND and _is_disc(scene, region)  # corners of a check box may be rounded, too
        draft = Draft("radio", box, 0.7, shape="circle") if disc else Draft("checkbox", box, 0.8)
        draft.checked = region.is_tinted or _has_drawing(scene, box)
        draft.label, draft.label_confidence = label.text, label.confidence
        draft.metadata["label_from"] = "right"
        for line in [*lines, *around]:
            line.used = True
    elif 1.6 <= ratio <= 2.4 and box.height >= 1.1 * unit and region.squareness < 0.8 and region.is_distinct:
        draft = Draft("toggle", box, 0.55, checked=region.is_tinted, shape="rounded")
    else:
        return None
    draft.paper, draft.ink = region.fill, region.border
    return draft


def _discs(scene: Scene, drafts: list[Draft]) -> list[Draft]:
    """Radio buttons that were taken for a letter O: round, alone, with text beside them."""
    found = []
    for line in scene.lines:
        square = 0.7 <= line.box.width / line.box.height <= 1.4 and line.box.height <= 2.1 * scene.unit
        if line.used or len(line.text) > 2 or not square or any(d.box.contains(line.box.center) for d in drafts):
            continue
        label = text_beside(scene, line.box, but=line)
        if label is None or not set(line.text) <= MARKS:
            continue
        line.used = True
        x, y = line.box.center
        middle = [int(value) for value in scene.image[y, x, :3]]
        checked = max(abs(a - b) for a, b in zip(middle, line.paper, strict=True)) > 60
        draft = Draft("radio", line.box.padded(-3), 0.6, label.text, label.confidence, shape="circle", checked=checked)
        draft.paper, draft.ink = line.paper, line.ink
        draft.metadata["label_from"] = "right"
        found.append(draft)
    return found


def _control(scene: Scene, region: Region, lines: list[Line]) -> Draft | None:
    box, unit = region.box, scene.unit
    if not region.is_distinct or box.width < 1.6 * unit or box.height < 1.35 * unit:
        return None
    if box.height > 6.5 * unit or any(inner.box.area > 2 * unit * unit for inner in scene.boxes_in(box)):
        return _text_area(scene, region, lines)
    rows = {round(line.box.center[1] / unit) for line in lines}
    if len(rows) > 2:
        return None
    if box.width > 75 * unit:
        return _long_field(scene, region, lines)
    worded = [line for line in lines if any(char.isalnum() for char in line.text)]
    if len(worded) > 1 and _is_chevron(scene, box, worded[-1]):
        worded = worded[:-1]
        if region.is_bordered and worded[0].box.x1 - box.x1 <= 3 * unit:
            return _field(scene, region, lines, clean_label(" ".join(line.text for line in worded)), arrow=True)
    if not worded or (len(worded) == 1 and _is_chevron(scene, box, worded[0]) and box.width > 3 * box.height):
        return _wordless(scene, region, lines)
    text = clean_label(" ".join(line.text for line in worded))
    if len(text) == 1 and worded[0].box.height > 2.4 * unit:
        return None  # a drawing, whatever was read into it
    content = worded[0].box
    for line in worded[1:]:
        content = content.union(line.box)
    left, right = content.x1 - box.x1, box.x2 - content.x2
    centred = abs(left - right) <= max(0.6 * unit, 0.1 * box.width)
    snug = left + right <= 7 * unit
    action = sounds_like_action(text)
    gaps = [second.box.x1 - first.box.x2 for first, second in pairwise(worded)]
    if len(worded) > 2 or (gaps and max(gaps) > 4 * unit):
        return None  # a row or a panel, not one control
    badge = not action and snug and box.height <= 2.2 * unit
    button = centred and len(text) <= 48 and (region.is_filled or snug or action)
    if badge and centred:
        return _notice(region, worded, text, "badge")
    if button and (action or region.is_filled or _beside_button(scene, box) or not _has_caption(scene, box)):
        return _button(scene, region, worded, text, action=action)
    if region.is_filled and left < right and action and (region.is_tinted or right <= 4 * left):
        return _button(scene, region, worded, text, action=True)
    if region.is_tinted and region.is_filled and left < right:
        return _notice(region, worded, text, "notice")
    plain = not (region.is_filled and region.is_tinted)
    one_row = len({round(line.box.center[1] / unit) for line in worded}) == 1  # a card has a title and more
    if region.is_bordered and plain and one_row and (left <= 3 * unit or button) and box.width >= 4 * unit:
        return _field(scene, region, lines, text)
    return None


def _beside_button(scene: Scene, box: Box) -> bool:
    """Right beside it stands a box of the same height in a strong colour with words in it: buttons come in rows."""
    for index, other in enumerate(scene.regions):
        level = abs(other.box.y1 - box.y1) <= 2 and abs(other.box.y2 - box.y2) <= 2
        near = max(other.box.x1 - box.x2, box.x1 - other.box.x2) <= 2 * scene.unit
        if level and near and other.is_filled and other.is_tinted and other.box != box and scene.lines_in(index):
            return True
    return False


def _button(scene: Scene, region: Region, lines: list[Line], text: str, *, action: bool) -> Draft:
    for line in lines:
        line.used = True
    ink = lines[0].ink
    surely = 0.62 + 0.13 * action + 0.13 * region.is_filled + 0.06 * region.is_bordered
    draft = Draft("button", region.box, min(0.95, surely), text, min(line.confidence for line in lines), text)
    draft.paper, draft.ink = region.fill, ink
    draft.shape = _shape(region)
    draft.stands_out = region.is_filled and region.is_tinted
    draft.enabled = contrast(region.fill, ink) >= SEEN_WELL
    return draft


def _is_chevron(scene: Scene, box: Box, line: Line) -> bool:
    """A letter alone at the right end of a box is the arrow of a drop-down."""
    small = line.box.width <= 2 * scene.unit and line.box.height <= 2.4 * scene.unit
    return len(line.text) == 1 and line.text in CHEVRONS and small and box.x2 - line.box.x2 <= 1.6 * scene.unit


def _field(scene: Scene, region: Region, lines: list[Line], text: str, *, arrow: bool = False) -> Draft:
    for line in lines:
        line.used = True
    arrow = arrow or any(_is_chevron(scene, region.box, line) for line in lines)
    arrow = arrow or _has_chevron(scene, region.box, lines)
    draft = Draft("dropdown" if arrow else "text_input", region.box, 0.82, text=text)
    draft.label_confidence = min((line.confidence for line in lines), default=0.0)
    draft.paper = region.fill
    draft.ink = _ink_of(region, lines)
    draft.border = region.border if region.is_bordered else None
    draft.shape = _shape(region)
    return draft


def _ink_of(region: Region, lines: list[Line]) -> Colour:
    """The colour of what is written in a field. Selected words have the colour of their mark around them and say
    nothing of it; where all are, they are as dark or bright as words can be."""
    plain = [line.ink for line in lines if distance(line.paper, region.fill) <= _SAME_PAPER]
    if plain or not lines:
        return plain[0] if plain else region.border
    return (0, 0, 0) if luminance(region.fill) > 0.18 else (255, 255, 255)


def _long_field(scene: Scene, region: Region, lines: list[Line]) -> Draft | None:
    """A frame of one line from one end of a window to the other: a bar, unless it has a caption, or paper of its own
    with nothing on it."""
    box, unit = region.box, scene.unit
    if not region.is_bordered or region.is_tinted or box.height > _ONE_LINE * unit:
        return None
    own_paper = not lines and region.has_own_paper
    ends = [box.x1, *(line.box.x2 for line in lines)]
    at_left = all(line.box.x1 - end <= 3 * unit for line, end in zip(lines, ends, strict=False))
    if own_paper or (at_left and _has_caption(scene, box)):
        return _field(scene, region, lines, " ".join(line.text for line in lines))
    return None


def _wordless(scene: Scene, region: Region, lines: list[Line]) -> Draft | None:
    """An empty field, a hidden password, or a button with a symbol only."""
    box, unit = region.box, scene.unit
    hidden = any(is_bullets(line.text) for line in lines)
    pale = not (region.is_tinted and region.is_filled)
    if (region.is_bordered or hidden) and pale and box.width >= max(4 * unit, 2 * box.height):
        draft = _field(scene, region, lines, " ".join(line.text for line in lines))
        if hidden:
            draft.metadata["hidden"] = True
        draft.confidence = 0.85 if hidden else 0.7
        return draft
    if lines and box.width <= 2.2 * box.height and box.height <= 4 * unit:
        return _button(scene, region, lines, lines[0].text, action=False)
    return None


def _text_area(scene: Scene, region: Region, lines: list[Line]) -> Draft | None:
    """A high, empty or left-written bordered box with a caption. Without one it is a pane or, likelier, a panel."""
    box, unit = region.box, scene.unit
    if not region.is_bordered or box.width < 10 * unit or region.is_tinted:
        return None
    if any(other.box.area > 2 * unit * unit for other in scene.boxes_in(box)):
        return None
    worded = [line for line in lines if len(line.text) > 1]  # the grip in the corner may be read as a letter
    large = any(line.font_px > 1.4 * scene.font_px for line in worded)  # a figure on a card
    captioned = box.height <= 32 * unit and not large and _has_caption(scene, box)
    if captioned and all(line.box.x1 - box.x1 <= 3 * unit for line in worded):
        draft = _field(scene, region, lines, " ".join(line.text for line in worded))
        draft.kind, draft.confidence = "textarea", 0.7
        return draft
    return _pane(scene, region, lines)


def _pane(scene: Scene, region: Region, lines: list[Line]) -> Draft | None:
    """The sheet of an editor: a large box that is empty or written from its very corner, where a panel leaves air. One
    that is written full may be drawn upon up to its edges, where its words go on."""
    box, unit = region.box, scene.unit
    first = min(lines, key=lambda line: (line.box.y1, line.box.x1), default=None)
    at_corner = first is None or (
        min(line.box.x1 for line in lines) - box.x1 <= 0.8 * unit and first.box.y1 - box.y1 <= 0.8 * unit
    )
    if box.width < 20 * unit or box.height < 10 * unit:
        return None
    if (region.squareness < 0.9 or not at_corner) and not is_written_full(scene, region, lines):
        return None
    draft = _field(scene, region, lines, " ".join(line.text for line in lines))
    draft.kind, draft.confidence = "textarea", 0.55
    draft.metadata["pane"] = True
    return draft


def _notice(region: Region, lines: list[Line], text: str, tag: str) -> Draft:
    for line in lines:
        line.used = True
    draft = Draft("label", region.box, 0.75, text, min(line.confidence for line in lines), text)
    draft.paper, draft.ink, draft.tags = region.fill, lines[0].ink, [tag]
    return draft


def _shape(region: Region) -> Shape:
    return "rounded" if region.squareness < 0.97 else "rectangle"


def _has_caption(scene: Scene, box: Box) -> bool:
    """Words stand at its left or right above it, as before a field."""
    for line in scene.lines:
        own = line.home >= 0 and scene.regions[line.home].box == box
        if own or sounds_like_action(line.text):
            continue
        level = min(line.box.y2, box.y2) - max(line.box.y1, box.y1) > 0.5 * line.box.height
        before = -4 <= box.x1 - line.box.x2 <= 16 * scene.unit
        over = -4 <= box.y1 - line.box.y2 <= 1.6 * scene.unit and abs(line.box.x1 - box.x1) <= 2 * scene.unit
        if (over or (level and before)) and fold(line.text):
            home = scene.regions[line.home].box if line.home >= 0 else None
            if home is None or home.encloses(box):
                return True
    return False


def _is_disc(scene: Scene, region: Region) -> bool:
    """Its corners show what lies around it."""
    box = region.box
    outside = 0
    for x, right in ((box.x1, 1), (box.x2 - 1, -1)):
        for y, down in ((box.y1, 1), (box.y2 - 1, -1)):
            for column, row in ((x, y), (x + right, y), (x, y + down)):
                blue, green, red = (int(value) for value in scene.image[row, column, :3])
                own = min(distance((blue, green, red), region.fill), distance((blue, green, red), region.border))
                outside += distance((blue, green, red), region.around) <= own
    return outside >= 8


def shows_mark(scene: Scene, box: Box) -> bool:
    """A tick or a dot is drawn in a check box or radio button, or all of it is in a strong colour."""
    inner = box.padded(-max(2, box.width // 5), -max(2, box.height // 5))
    if inner.width < 3 or inner.height < 3:
        return False
    paper, _ = paper_and_ink(scene.image[inner.y1 : inner.y2, inner.x1 : inner.x2])
    return chroma(paper) >= STRONG or _has_drawing(scene, box)


def _has_drawing(scene: Scene, box: Box) -> bool:
    inner = box.padded(-3)
    if inner.width < 3 or inner.height < 3:
        return False
    part = scene.image[inner.y1 : inner.y2, inner.x1 : inner.x2].reshape(-1, 3)
    return int(np.ptp(part, axis=0).max()) > 60  # in each colour: white on blue is no brighter than blue


def _has_chevron(scene: Scene, box: Box, lines: list[Line]) -> bool:
    """A small drawing alone at the right end."""
    size = min(box.height, round(2.6 * scene.unit))
    end = Box(box.x2 - size - round(0.4 * scene.unit), box.y1 + 4, box.x2 - 4, box.y2 - 4)
    if end.x1 <= box.x1 + 2 * scene.unit or end.height < 6:
        return False
    if any(line.box.x2 > end.x1 + 2 and len(fold(line.text)) > 1 for line in lines):
        return False
    grey = scene.image[end.y1 : end.y2, end.x1 : end.x2].astype(np.int16).sum(axis=2)
    drawn = np.abs(grey - np.median(grey)) > 120
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if rows.size < 3 or columns.size < 5:
        return False
    wide, high = columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1
    return bool(wide <= 1.6 * scene.unit and high <= 1.4 * scene.unit and wide >= high)


def _joined_boxes(scene: Scene) -> tuple[set[int], set[int]]:
    """Boxes that join others without a gap, sideways, and up or down. Those that do both are cells of a grid."""
    boxes = [region.box for region in scene.regions]
    beside: set[int] = set()
    stacked: set[int] = set()
    order = sorted(range(len(boxes)), key=lambda i: (boxes[i].y1, boxes[i].x1))
    for position, i in enumerate(order):
        for j in order[position + 1 : position + 60]:
            a, b = boxes[i], boxes[j]
            if b.y1 > a.y2 + 4:
                break
            if abs(a.y1 - b.y1) <= 2 and abs(a.y2 - b.y2) <= 2 and -3 <= b.x1 - a.x2 <= 3:
                beside |= {i, j}
            if abs(a.x1 - b.x1) <= 2 and abs(a.x2 - b.x2) <= 2 and -3 <= b.y1 - a.y2 <= 3:
                stacked |= {i, j}
    return beside, stacked


def _same(draft: Draft, other: Draft) -> bool:
    return draft.box.overlap(other.box) > 0.75
