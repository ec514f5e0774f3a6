"""What check boxes, radio buttons and switches are called: by the words beside them."""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.detection.scene import Draft, Line, Scene
from rpa_vision.models.geometry import Box

MARKS = frozenset("0OoQC@©®°●○•DGe☐☑☒□■✓✔✕×[]()|")
"""What readers make of the marks themselves."""
ROW = 30
"""How far before a switch its words may stand, in units."""


def name_mark(scene: Scene, draft: Draft, marks: Sequence[Box] = ()) -> None:
    """Give a check box, radio button or switch the words beside it for a name. Words that run over other `marks` are
    those of several: they name none."""
    line = text_beside(scene, draft.box, may_precede=draft.kind == "toggle")
    if line is None:
        return
    if any(line.box.contains(other.center) and not draft.box.intersection(other) for other in marks):
        draft.label, draft.label_confidence = "", 0.0
        draft.metadata.pop("label_from", None)
        return
    name = line.text
    if _begins_over(scene, line, draft.box):
        line.used = True  # it lies over the mark: as a text of its own it would be there twice
        first, _, rest = name.partition(" ")
        name = rest.strip() if rest.strip() and _is_drawing(first) else name
    draft.label, draft.label_confidence = name, line.confidence
    draft.metadata["label_from"] = "left" if line.box.center[0] < draft.box.center[0] else "right"


def text_beside(scene: Scene, box: Box, but: Line | None = None, *, may_precede: bool = False) -> Line | None:
    """The words right after a mark. A line may begin over the mark, where that was taken for its first letter. Of a
    switch, the words may stand before it."""
    best: Line | None = None
    for line in scene.lines:
        if line is but or len(line.text) < 2 or abs(line.box.center[1] - box.center[1]) > 0.6 * scene.unit:
            continue
        beside = -4 <= line.box.x1 - box.x2 <= 2 * scene.unit or _begins_over(scene, line, box)
        if beside and (best is None or line.box.x1 < best.box.x1):
            best = line
    return best if best is not None or not may_precede else _text_before(scene, box)


def _begins_over(scene: Scene, line: Line, box: Box) -> bool:
    """Its box begins with a mark and goes on well beyond it; what lies further on in a line is part of a letter."""
    return -0.5 * scene.unit <= line.box.x1 - box.x1 < box.width - 4 and line.box.x2 - box.x2 >= scene.unit


def _text_before(scene: Scene, box: Box) -> Line | None:
    """The words right before a switch, or at the other end of its row where nothing stands between."""
    level = [
        line
        for line in scene.lines
        if abs(line.box.center[1] - box.center[1]) <= 0.6 * scene.unit and line.box.x1 < box.x1 and len(line.text) > 1
    ]
    last = max(level, key=lambda line: line.box.x2, default=None)
    return last if last is not None and -4 <= box.x1 - last.box.x2 <= ROW * scene.unit else None


def _is_drawing(word: str) -> bool:
    """What readers make of a check box or a radio button before its words."""
    return len(word) <= 2 and set(word) <= MARKS
