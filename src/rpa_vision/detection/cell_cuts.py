"""Cells that stand so close that they were taken for one line: cut where the picture and the other rows agree, and read
again each for itself.

A cut is made only at the widest gaps of the line, and only where they leave a part for each column. What cannot be cut
stays whole and is no cell: a value that has swallowed its neighbour must not be taken for a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.detection.tables import Bridge, Span, Table
from rpa_vision.detection.words import clean_label
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.wording import squeezed

Read = Callable[[Sequence[Box]], Sequence[TextLine]]

WIDER = 1.4
"""By how much the gap between two columns must be wider than any between the words of a cell."""
_INKED = 0.35
_MARGIN_PX = 3
_READ_OTHERWISE = 0.5
"""How sure a part is at most that does not say what the whole said there."""


def cut_bridges(scene: Scene, members: Sequence[Draft], table: Table, read: Read) -> dict[int, list[Draft]]:
    """The parts of each line over several columns that can be cut, by its index among the members."""
    found = {}
    for index, bridge in table.bridges.items():
        draft = members[index]
        if draft.shape != "text" or "caption_of" in draft.metadata:
            continue
        parts = _parts(scene, draft, bridge, table.columns)
        said = read(parts) if parts else []
        if parts and len(said) == len(parts):
            found[index] = _cells(draft, parts, said)
    return found


def _cells(draft: Draft, parts: Sequence[Box], said: Sequence[TextLine]) -> list[Draft]:
    agreed = squeezed("".join(line.text for line in said)) == squeezed(draft.text)
    most = 1.0 if agreed else _READ_OTHERWISE
    return [
        replace(
            draft, box=box, text=line.text, label=clean_label(line.text), label_confidence=min(line.confidence, most),
            tags=list(draft.tags), metadata=dict(draft.metadata),
        )
        for box, line in zip(parts, said, strict=True)
    ]  # fmt: skip


def _parts(scene: Scene, draft: Draft, bridge: Bridge, columns: Sequence[Span]) -> list[Box]:
    """One box for each column it reaches over; none where the gaps do not tell."""
    box, wanted = draft.box, len(bridge.columns)
    gaps = _gaps(scene, draft)
    if wanted < 2 or len(gaps) < wanted - 1:
        return []
    widest = sorted(gaps, key=lambda gap: (gap[0] - gap[1], gap[0]))
    chosen, others = sorted(widest[: wanted - 1]), widest[wanted - 1 :]
    least = min(end - start for start, end in chosen)
    if any(WIDER * (end - start) > least for start, end in others):
        return []
    edges = [(box.x1, box.x1), *chosen, (box.x2, box.x2)]
    parts = [
        Box(max(box.x1, start[1] - _MARGIN_PX), box.y1, min(box.x2, end[0] + _MARGIN_PX), box.y2)
        for start, end in pairwise(edges)
    ]
    under = [max(range(len(columns)), key=lambda at: _shared(columns[at], part)) for part in parts]
    return parts if under == list(bridge.columns) else []


def _shared(column: Span, box: Box) -> int:
    return min(column[1], box.x2) - max(column[0], box.x1)


def _gaps(scene: Scene, draft: Draft) -> list[Span]:
    """The ranges without ink between its words and letters."""
    box = draft.box
    part = scene.image[box.y1 : box.y2, box.x1 : box.x2].astype(np.int16)
    off = np.abs(part - np.array(draft.paper, np.int16)).max(axis=2)
    inked = np.flatnonzero((off > _INKED * off.max()).any(axis=0)) + box.x1
    return [(left + 1, right) for left, right in pairwise(inked.tolist()) if right - left > 1]
