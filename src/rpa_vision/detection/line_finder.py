"""Find lines of text by their ink: no network, some twenty milliseconds for a whole screen.

Text is many small strokes side by side. What is not text is taken away first (frames of buttons and fields, rules,
long edges), the strokes that are left are joined to words, and words to lines where the gap is that of a space and
not that of a column. Symbols in front of or behind a text (icons, chevrons) are split off when they do not sit on
its baseline. Works on the steepness of the grey picture, so the theme does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.detection.box_arrays import array_of
from rpa_vision.detection.components import Parts
from rpa_vision.detection.line_papers import part_papers
from rpa_vision.detection.line_rules import without_rules
from rpa_vision.detection.line_symbols import runs, without_symbols
from rpa_vision.detection.pixel_work import PixelWork, PlainWork
from rpa_vision.detection.regions import slope_of
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

Mask = NDArray[np.uint8]
Ints = NDArray[np.int32]

STEEP = 28
"""Grey levels from one pixel to the next that make an edge; disabled text still has about 60."""
RULE_PX = 45
LONG_PX = 110
STEM_PX = 34
LETTER_GAP_PX = 5
WORD_GAP = 0.95
"""The widest space between words, in heights of ink: that of a typewriter face."""
SMALL_PX = 5
MAX_LINE_PX = 96
CHECK_BOX_PX = 21
SLIP_PX, CROSSED_PX = 3, 8
"""By how much the edge of a box may be off, and how deep one lies in another that it crosses."""
ALONG = 0.85
"""The share of a line's height that a rule beside it covers."""


@dataclass(slots=True)
class _Piece:
    """A word or part of one, growing to a line."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def height(self) -> int:
        return self.y2 - self.y1

    def take(self, other: _Piece) -> None:
        self.x1, self.y1 = min(self.x1, other.x1), min(self.y1, other.y1)
        self.x2, self.y2 = max(self.x2, other.x2), max(self.y2, other.y2)


def find_lines(image: Pixels, walls: Sequence[Box] = (), work: PixelWork | None = None) -> list[Box]:
    """Boxes close around the ink of each line of text, in reading order.

    `walls` are boxes whose outline is no text, those that lie under others first; `work` saves what was done before.
    """
    work = work or PlainWork()
    drawn, ink, rules = find_ink(image, work)
    _erase_all(ink, walls)
    words, specks = _words(ink, rules, work)
    lines, accents = _part_accents(_join(words))
    _attach(lines, specks + accents)
    boxes = [box for line in _join(lines) for box in _finished(line, image, drawn, ink, work)]
    return sorted(boxes, key=lambda box: (box.y1, box.x1))


def _finished(line: _Piece, image: Pixels, drawn: Mask, ink: Mask, work: PixelWork) -> list[Box]:
    """The lines of text that a joined one really is."""

    def finish() -> list[Box]:
        lines = _part_papers(line, image, ink)
        for part in lines:
            _complete(part, drawn)
        texts = [text for part in lines for text in _split_rules(part, ink)]
        parts = [part for text in texts for part in _split_symbols(text, ink, work)]
        return [Box(p.x1, p.y1, p.x2, p.y2) for p in parts if SMALL_PX <= p.height <= MAX_LINE_PX and not _is_stroke(p)]

    # Further than this nobody looks: not `_complete` to its sides, and not `part_papers` above and below.
    across, down = max(6, line.height) + 4, 4
    around = Box(line.x1 - across, line.y1 - down, line.x2 + across, line.y2 + down)
    return work.in_box(("slope", "joined"), around, finish)


def _erase_all(ink: Mask, walls: Sequence[Box]) -> None:
    """Take outlines away. Where one lies over another, that one's edge is not to be seen, but words may stand there."""
    fronts = _fronts(walls)
    for index, wall in enumerate(walls):
        kept = [(rows, ink[rows].copy()) for rows in map(_slices, fronts.get(index, ()))]
        _erase(ink, wall)
        for rows, before in kept:
            ink[rows] = before


def _fronts(walls: Sequence[Box]) -> dict[int, list[Box]]:
    """For each wall the later ones that it crosses: more than touched, and neither holds the other."""
    found: dict[int, list[Box]] = {}
    if len(walls) < 2:
        return found
    table = array_of(walls).astype(np.int32)
    low, high = (pick(table[:, None], table[None]) for pick in (np.maximum, np.minimum))
    common = high[..., 2:] - low[..., :2]
    outside = (table[None, :, :2] < table[:, None, :2] - SLIP_PX).any(axis=2)
    outside |= (table[None, :, 2:] > table[:, None, 2:] + SLIP_PX).any(axis=2)
    crossed = (common > CROSSED_PX).all(axis=2) & outside & outside.T
    for behind, front in np.argwhere(np.triu(crossed, 1)).tolist():
        found.setdefault(behind, []).append(walls[front])
    return found


def _slices(box: Box) -> tuple[slice, slice]:
    return slice(max(0, box.y1), box.y2), slice(max(0, box.x1), box.x2)


def _erase(ink: Mask, wall: Box) -> None:
    """Take an outline away, rounded corners included."""
    left, top = max(0, wall.x1 - 2), max(0, wall.y1 - 2)
    corner = min(14, wall.height // 5)
    ink[top : wall.y1 + 3, left : wall.x2 + 2] = 0
    ink[max(0, wall.y2 - 3) : wall.y2 + 2, left : wall.x2 + 2] = 0
    ink[top : wall.y2 + 2, left : wall.x1 + 3] = 0
    ink[top : wall.y2 + 2, max(0, wall.x2 - 3) : wall.x2 + 2] = 0
    for rows in (slice(top, wall.y1 + corner), slice(max(0, wall.y2 - corner), wall.y2 + 2)):
        ink[rows, left : wall.x1 + corner] = 0
        ink[rows, max(0, wall.x2 - corner) : wall.x2 + 2] = 0


def _is_stroke(piece: _Piece) -> bool:
    """A caret or a divider, no letter."""
    return piece.x2 - piece.x1 <= 3 and (piece.height >= 13 or piece.x2 - piece.x1 < 3)


def find_ink(image: Pixels, work: PixelWork | None = None) -> tuple[Mask, Mask, Mask]:
    """Where something is drawn, where that could be text, and where rules and frames were."""
    work = work or PlainWork()
    ink = cast(Mask, cv2.threshold(slope_of(image, work), STEEP, 1, cv2.THRESH_BINARY)[1])
    rules = work.filtered("rules", ink, (2 * LONG_PX, STEM_PX + 4), _rules)
    _add_frames(ink, rules, work)
    return ink, _without(ink, _morph(cv2.MORPH_DILATE, rules, 3, 3)), rules


def _rules(ink: Mask) -> Mask:
    """Long upright strokes, and long level ones that stand alone.

    Bold letters touch and make long level strokes too, but with ink right beside.
    """
    level = _morph(cv2.MORPH_OPEN, ink, 1, RULE_PX)
    rules = _morph(cv2.MORPH_OPEN, ink, STEM_PX, 1)
    rows = np.flatnonzero(level.max(axis=1, initial=0))  # few: what follows is done for them only
    if rows.size:
        beside = _morph(cv2.MORPH_DILATE, _without(ink, level), 5, 1)
        strokes = level[rows]
        alone = _morph(cv2.MORPH_OPEN, _without(strokes, beside[rows]), 1, RULE_PX)
        frames = _morph(cv2.MORPH_OPEN, strokes, 1, LONG_PX)  # no word is so long a stroke, whatever stands beside
        rules[rows] |= alone | frames
    return rules


def _morph(operation: int, mask: Mask, rows: int, columns: int) -> Mask:
    return cast(Mask, cv2.morphologyEx(mask, operation, np.ones((rows, columns), np.uint8)))


def _without(mask: Mask, other: Mask) -> Mask:
    """What only the first has; of bytes nothing is less than 0."""
    return cast(Mask, cv2.subtract(mask, other))


def _add_frames(ink: Mask, rules: Mask, work: PixelWork) -> None:
    """Outlines of small boxes: too short to be rules, but closed on four sides."""
    parts = work.parts("ink", ink)
    x, y, w, h, area = (parts.stats[:, i] for i in range(5))
    hollow = area <= 4.5 * (w + h)
    wanted = np.flatnonzero((w >= 9) & (h >= 9) & (w <= 700) & (h <= 120) & hollow)
    for i in wanted[wanted > 0].tolist():
        box = Box(int(x[i]), int(y[i]), int(x[i] + w[i]), int(y[i] + h[i]))
        frame = work.in_box("ink", box, partial(_frame, parts, i, box))
        if frame is not None:
            rules[box.y1 : box.y2, box.x1 : box.x2] |= frame


def _frame(parts: Parts, i: int, box: Box) -> Mask | None:
    """The outline that a part of the ink is, if it is one."""
    w, h = box.width, box.height
    mine = parts.at(box) == i
    least = (0.6, 0.25) if w >= max(40, 1.4 * h) else (0.88, 0.88)  # a large C or O is nearly closed too
    level = [side.any(0).mean() for side in (mine[:2], mine[-2:])]
    if max(level) < 0.6:
        return None
    upright = [side.any(1).mean() for side in (mine[:, :2], mine[:, -2:])]
    across, along = min(level), min(upright)
    edge = 3 if h < 20 else 5
    inside = mine[edge:-edge, edge:-edge]
    empty = bool(inside.size) and inside.mean() <= 0.15  # letters that touch each other have ink inside, too
    closed = across >= least[0] and along >= least[1] and empty
    touched = across >= 0.9 and along >= 0.9 and w >= 40 and h >= 16  # a frame with text that touches it
    wide = w >= max(60, 1.8 * h) and h >= 14
    sunken = wide and empty and max(level) >= 0.9 and max(upright) >= 0.9  # drawn in relief: only two sides are seen
    if not (closed or touched or sunken):
        return None
    inside[:] = False
    whole = max(w, h) <= CHECK_BOX_PX  # the tick in a check box is no text either
    return np.ones_like(mine, np.uint8) if whole else mine.astype(np.uint8)


def _words(ink: Mask, rules: Mask, work: PixelWork) -> tuple[list[_Piece], list[_Piece]]:
    """Joined strokes that are as high as a letter, and those that are not (dots, accents, dashes)."""
    joined = _without(work.filtered("joined", ink, (2 * LETTER_GAP_PX, 6), _joined), rules)
    stats = work.parts("words", joined).stats
    kept = stats[1:][(stats[1:, 3] <= 400) & (stats[1:, 4] >= 3)]
    words: list[_Piece] = []
    specks: list[_Piece] = []
    usual = _usual_height(kept[:, 3])
    for x, y, w, h, _area in kept.tolist():
        parts = _split_rows(ink, x, y, w, h, usual) if h > 1.7 * usual and w > h else [_Piece(x, y, x + w, y + h)]
        for part in parts:
            (words if part.height >= SMALL_PX else specks).append(part)
    return words, specks


def _joined(ink: Mask) -> Mask:
    """Letters of a word as one."""
    return _morph(cv2.MORPH_CLOSE, _morph(cv2.MORPH_CLOSE, ink, 1, LETTER_GAP_PX), 3, 1)


def _usual_height(heights: Ints) -> float:
    letters = heights[(heights >= 6) & (heights <= 40)]
    return float(np.median(letters)) if letters.size else 12.0


def _split_rows(ink: Mask, x: int, y: int, w: int, h: int, usual: float) -> list[_Piece]:
    """Lines set so tightly that they touch come apart where there is least ink; accents stay with their letters."""
    inked = ink[y : y + h, x : x + w].sum(axis=1) > 0.06 * w
    bands = [band for band in runs(inked) if band[1] > band[0]]
    merged: list[list[int]] = []
    for top, bottom in bands:
        thin = merged and (bottom - top < 5 or merged[-1][1] - merged[-1][0] < 5)
        if thin and top - merged[-1][1] <= 3 and bottom - merged[-1][0] < 2 * usual:
            merged[-1][1] = bottom
        else:
            merged.append([top, bottom])
    if len(merged) < 2:
        return [_Piece(x, y, x + w, y + h)]
    pieces = []
    for top, bottom in merged:
        columns = np.flatnonzero(ink[y + top : y + bottom, x : x + w].any(axis=0))
        if columns.size:
            pieces.append(_Piece(x + int(columns[0]), y + top, x + int(columns[-1]) + 1, y + bottom))
    return pieces


def _join(pieces: list[_Piece]) -> list[_Piece]:
    """Neighbours on one line become one where the gap is a space; a column's gap is wider."""
    lines: list[_Piece] = []
    bands: dict[int, list[_Piece]] = {}
    for piece in sorted(pieces, key=lambda p: (p.x1, p.y1)):
        band = (piece.y1 + piece.y2) // 24
        best: _Piece | None = None
        for near in (band - 1, band, band + 1):
            for line in bands.get(near, ())[-4:]:
                if (best is None or line.x2 > best.x2) and _same_line(line, piece):
                    best = line
        if best is None:
            best = _Piece(piece.x1, piece.y1, piece.x2, piece.y2)
            lines.append(best)
            bands.setdefault(band, []).append(best)
        else:
            best.take(piece)
    return lines


def _same_line(line: _Piece, piece: _Piece) -> bool:
    """Level, near and of like height. Asked a thousand times of a screen: what says no most often comes first."""
    top, bottom, start, end = line.y1, line.y2, piece.y1, piece.y2
    shared = (bottom if bottom < end else end) - (top if top > start else start)
    if shared <= 0:
        return False
    high, low = bottom - top, end - start
    if high < low:
        high, low = low, high
    gap = piece.x1 - line.x2
    return shared > 0.5 * low and (gap <= 6 or gap <= WORD_GAP * high) and high < 2.2 * low + 4


def _part_accents(lines: list[_Piece]) -> tuple[list[_Piece], list[_Piece]]:
    """Accents and dots of large type are as high as small letters: small pieces above or behind something high."""
    table = np.array([(p.x1, p.y1, p.x2, p.y2) for p in lines]).reshape(-1, 4)
    height = table[:, 3] - table[:, 1]
    kept: list[_Piece] = []
    accents: list[_Piece] = []
    for piece in lines:
        if piece.height <= 14 and piece.x2 - piece.x1 <= 2.2 * piece.height:
            gap = table[:, 1] - piece.y2
            under = (gap >= -1) & (gap <= 0.25 * height) & (height >= 1.9 * piece.height)
            under &= (table[:, 0] - 2 <= piece.x1) & (table[:, 2] + 2 >= piece.x2)
            if under.any():
                accents.append(piece)
                continue
        if piece.height <= 14 and piece.x2 - piece.x1 <= 4.5 * piece.height and _is_behind(piece, table, height):
            accents.append(piece)
            continue
        kept.append(piece)
    return kept, accents


def _is_behind(piece: _Piece, table: Ints, height: Ints) -> bool:
    """Whether a small piece ends a line: a star or a degree at its top, dots at its foot, a dash close by.

    What stands off in the middle is the arrow of a control.
    """
    after = piece.x1 - table[:, 2]
    near = (after >= -1) & (after <= 0.6 * height) & (height >= 1.9 * piece.height)
    top, foot = table[:, 1], table[:, 3]
    slim = piece.x2 - piece.x1 < 2 * piece.height
    high = (piece.y1 >= top - 0.2 * height) & (piece.y2 <= top + 0.65 * height) & slim
    low = (piece.y1 >= top + 0.55 * height) & (piece.y2 <= foot + 0.15 * height)
    close = (after <= 0.2 * height) & (piece.y1 >= top) & (piece.y2 <= foot)
    return bool((near & (high | low | close)).any())


def _attach(lines: list[_Piece], specks: list[_Piece]) -> None:
    """Dots, accents and dashes go to the line they touch; accents may float above capitals."""
    if not lines or not specks:
        return
    table = np.array([(p.x1, p.y1, p.x2, p.y2) for p in lines])
    height = table[:, 3] - table[:, 1]
    for speck in sorted(specks, key=lambda p: (p.x1, p.y1)):
        beside = (speck.x1 <= table[:, 2] + 0.6 * height) & (speck.x2 >= table[:, 0] - 0.6 * height)
        level = (speck.y1 <= table[:, 3] + 2) & (speck.y2 >= table[:, 1] - np.maximum(3, 0.25 * height))
        slim = speck.x2 - speck.x1 <= np.maximum(30, 3 * height)
        for index in np.flatnonzero(beside & level & slim)[:1]:
            lines[index].take(speck)
            table[index] = (lines[index].x1, lines[index].y1, lines[index].x2, lines[index].y2)


def _complete(line: _Piece, drawn: Mask) -> None:
    """Give a line back what was taken for a part of the rule or frame beside it, where a letter touches that."""
    reach = max(6, line.height)
    if line.x1 and drawn[line.y1 : line.y2, line.x1 - 1].any():
        line.x1 -= _lost(drawn[line.y1 : line.y2, max(0, line.x1 - reach) : line.x1][:, ::-1])
    if line.x2 < drawn.shape[1] and drawn[line.y1 : line.y2, line.x2].any():
        line.x2 += _lost(drawn[line.y1 : line.y2, line.x2 : line.x2 + reach])


def _lost(beside: Mask) -> int:
    """How many columns beside a line hold parts of letters, up to a gap or a rule; none if there is neither."""
    rows = beside.sum(axis=0)
    ends = np.flatnonzero((rows == 0) | (rows >= ALONG * len(beside)))
    return int(ends[0]) if ends.size else 0


def _part_papers(line: _Piece, image: Pixels, ink: Mask) -> list[_Piece]:
    """Part a badge from the text beside it, and its own text from its outline."""
    parts = part_papers(image, ink, Box(line.x1, line.y1, line.x2, line.y2))
    return [_Piece(*part.bbox) for part in parts]


def _split_rules(line: _Piece, ink: Mask) -> list[_Piece]:
    """The texts of a line without the rules beside and between them."""
    parts = without_rules(ink[line.y1 : line.y2, line.x1 : line.x2])
    return [_Piece(line.x1 + x1, line.y1 + y1, line.x1 + x2, line.y1 + y2) for x1, y1, x2, y2 in parts]


def _split_symbols(line: _Piece, ink: Mask, work: PixelWork) -> list[_Piece]:
    """Part an icon or chevron from the text beside it: one lone shape that ignores the text's baseline and height."""
    part = ink[line.y1 : line.y2, line.x1 : line.x2]
    pieces = work.of_crop("symbols", part, None, lambda: without_symbols(part))
    return [_Piece(line.x1 + x1, line.y1 + y1, line.x1 + x2, line.y1 + y2) for x1, y1, x2, y2 in pieces]
