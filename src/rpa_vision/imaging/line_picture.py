"""A line of text as its reader wants it: ink on paper, whatever the theme, at one height.

Paper becomes 0 and ink 1, so that dark and light themes, buttons and selections look the same. The paper is the level
that is common both among the letters and around them: in heavy capitals there is more ink than paper. Ink is what lies
furthest from it. Paper that is shaded from top to bottom, as in title bars and glossy buttons, is made even first, by
the level it has left and right of the letters. Rules and frames along a whole edge are wiped away. Small text is
enlarged twice at most: what is small stays small, so that a line of capitals can be told from one of small letters.
"""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels

Ink = NDArray[np.float32]

HEIGHT_PX = 32
MOST_ENLARGED = 2.0
SQUEEZE = 0.85
"""Letters are read as well when they are a little slimmer, and that much faster."""
MIN_WIDTH_PX = 8
MAX_WIDTH_PX = 3600
FAINT = 24
"""Levels between ink and paper below which grey is not trusted to show the text: red on green may vanish in it."""
DEEPEST = np.float32(-0.2)
"""How far beyond the paper, away from the ink, anything may lie: a letter's shadow does, and says little of it."""
RULED = 0.3
"""How far from paper, in shares of the ink, a rule is."""
ALONG = 0.9
"""The share of a side that a rule along it covers; letters stay clear of the sides."""
SHADED = 6
"""Levels between the lightest and the darkest row of paper that make it shaded."""
ALIKE = 5
"""Levels by which paper left and right of the letters may differ."""
RARE_INSIDE, RARE_AROUND = 0.03, 0.15
"""What a level that is missing among the letters, or around them, counts there: the other place may still decide."""


def grey_line(line: Pixels) -> Pixels:
    """One channel that shows the text: grey, or the colour in which ink and paper differ where grey does not."""
    if line.ndim == 2 or 0 in line.shape:
        return line if line.ndim == 2 else line[:, :, 0]
    grey = cast(Pixels, cv2.cvtColor(np.ascontiguousarray(line[:, :, :3]), cv2.COLOR_BGR2GRAY))
    low, high, _, _ = cv2.minMaxLoc(grey)
    if high - low >= FAINT:
        return grey
    spans = [int(np.ptp(line[:, :, channel])) for channel in range(3)]
    best = int(np.argmax(spans))
    return np.ascontiguousarray(line[:, :, best]) if spans[best] > 2 * (high - low) else grey


def as_ink(grey: Pixels, stretch: float = 1.0) -> Ink:
    """The line at the reader's height: paper 0, ink 1. `stretch` widens it, for training."""
    rows, columns = grey.shape
    if rows < 1 or columns < 1:
        return np.zeros((HEIGHT_PX, MIN_WIDTH_PX), np.float32)
    scale = min(HEIGHT_PX / rows, MOST_ENLARGED)
    tall = min(HEIGHT_PX, max(1, round(rows * scale)))
    wide = min(MAX_WIDTH_PX, max(MIN_WIDTH_PX, round(columns * scale * SQUEEZE * stretch)))
    how = cv2.INTER_LINEAR if scale >= 1 else cv2.INTER_AREA
    sized = _evened(cast(Pixels, cv2.resize(grey, (wide, tall), interpolation=how)))
    paper, reach = _levels(sized)
    canvas = np.zeros((HEIGHT_PX, wide), np.float32)
    top = (HEIGHT_PX - tall) // 2
    room = canvas[top : top + tall]
    np.subtract(sized, paper, out=room, dtype=np.float32)
    room *= np.float32(1 / reach)
    np.clip(room, -0.6, 1.2, out=room)
    _wipe_edges(room)
    np.maximum(room, DEEPEST, out=room)
    return canvas


def _evened(sized: Pixels) -> Pixels:
    """The line on even paper, where its paper is shaded from top to bottom; the line as it is otherwise.

    The shade is that of the margins where left and right agree; it is believed when most of each row follows it.
    """
    tall, wide = sized.shape
    if tall < 8 or wide < 12:
        return sized
    left, right = sized[:, 0].astype(np.float32), sized[:, -1].astype(np.float32)
    clear = np.flatnonzero(np.abs(left - right) <= ALIKE)
    if clear.size < tall // 2:
        return sized
    seen = (left[clear] + right[clear]) / 2
    if float(np.ptp(seen)) < SHADED:
        return sized
    shade = np.interp(np.arange(tall), clear, seen).astype(np.float32)
    middle = float(np.median(shade))
    usual = np.median(sized, axis=1)
    if float(np.abs(usual - shade).mean()) >= 0.7 * float(np.abs(usual - middle).mean()):
        return sized
    even = sized - (shade - middle)[:, None]
    return cast(Pixels, np.clip(np.rint(even), 0, 255).astype(np.uint8))


def _wipe_edges(room: Ink) -> None:
    """Make paper of what runs along a whole side: a rule under a menu, a field's frame, other paper beyond it."""
    tall, wide = room.shape
    band, side = max(1, tall // 5), min(6, wide // 4)
    if not side:
        return
    level = cv2.reduce(room, 1, cv2.REDUCE_AVG).ravel().tolist()
    upright = cv2.reduce(room, 0, cv2.REDUCE_AVG).ravel()
    ends = [*upright[:side].tolist(), *upright[wide - side :].tolist()]
    least = ALONG * RULED
    rows = [row for row in (*range(band), *range(tall - band, tall)) if abs(level[row]) > least]
    columns = [i if i < side else wide - 2 * side + i for i, mean in enumerate(ends) if abs(mean) > least]
    ruled = _ruled(room, rows)
    # Of an upright rule only what lies between level ones counts: they cross it, and a letter that is as high as the
    # paper between them is no rule for that.
    free = np.delete(room, ruled, axis=0) if ruled else room
    upright_rules = _ruled(free.T, columns) if len(free) else []
    room[ruled] = 0
    room[:, upright_rules] = 0


def _ruled(lines: Ink, suspects: list[int]) -> list[int]:
    """Those of the lines that are drawn nearly from end to end."""
    return [index for index in suspects if float((np.abs(lines[index]) > RULED).mean()) > ALONG]


def _runs_through(levels: NDArray[np.signedinteger] | Pixels, level: int) -> bool:
    """Whether whole rows above and below the letters have that level: a badge's paper does, heavy letters do not."""
    tall, wide = levels.shape
    band, side = max(2, tall // 3), min(7, wide // 4)
    same = np.abs(levels[:, side : wide - side].astype(np.int16) - level) <= 1
    rows = same.mean(axis=1) > ALONG
    return bool(rows[:band].any() and rows[tall - band :].any())


def _levels(sized: Pixels) -> tuple[float, float]:
    """The paper's level, and how far the ink lies from it: negative where ink is darker."""
    tall, wide = sized.shape
    edge = max(1, tall // 7)
    levels = sized >> 2
    counts = whole = np.bincount(levels.ravel(), minlength=64)
    if wide > 24 and tall > 3 * edge:
        counts = np.bincount(levels[edge : tall - edge, 4:-4].ravel(), minlength=64)
    around = whole - counts if counts is not whole else whole
    total = int(counts.sum())
    share = (counts / total + RARE_INSIDE) * (around / around.sum() + RARE_AROUND)
    usual, common = int(counts.argmax()), int(share.argmax())
    paper = 4.0 * (usual if usual != common and _runs_through(levels, usual) else common) + 1.5
    running = np.cumsum(counts)
    low = 4.0 * int(np.searchsorted(running, 0.015 * total))
    high = 4.0 * int(np.searchsorted(running, 0.985 * total)) + 3
    darker, lighter = paper - low, high - paper
    return paper, max(lighter, 12.0) if lighter > darker else -max(darker, 12.0)
