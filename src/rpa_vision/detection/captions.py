"""Which words belong to which field: those at its left, above it, or written into it while it is empty."""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.detection.drawn_marks import hides_its_text
from rpa_vision.detection.mark_names import ROW
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.imaging.colour import contrast
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import FIELD_TYPES

PLACEHOLDER_CONTRAST = 5.2
"""Text paler than this inside a field is a hint, not a value."""
CLOSE = 0.5
"""Captions whose distances differ by no more, in units, may both be meant."""
DOUBTED = 0.5
"""How sure a name is at most where another is as near."""
_FAR = 18
"""How far at the left of a field its caption may stand, in units."""
_LAST = _FAR + 2
"""What stands above a field in large letters, or leads elsewhere, is its name only where nothing at its left is."""
_MARKS = ("checkbox", "radio", "toggle")
_FRAME_PX = 4
"""What the frame of a field takes at most."""


def caption_fields(scene: Scene, drafts: list[Draft]) -> None:
    """Name every field by the words beside it; what stands in it becomes its value."""
    marks = [draft for draft in drafts if draft.kind in _MARKS and draft.label]
    captions = [
        draft
        for draft in drafts
        if draft.kind in ("label", "heading", "link", "cell")
        and draft.text
        and not any(_is_named_by(scene, mark, draft) for mark in marks)
    ]
    controls = [draft.box for draft in drafts if draft.kind in FIELD_TYPES or draft.kind == "button"]
    for field in drafts:
        if field.kind not in FIELD_TYPES:
            continue
        if field.metadata.get("pane"):
            field.metadata["value"] = field.text  # a pane has no name: what stands above it is a menu or a toolbar
            continue
        hint = bool(field.text) and contrast(field.paper, field.ink) < PLACEHOLDER_CONTRAST
        near: list[tuple[float, str, Draft]] = []
        for caption in captions:
            cost, side = _cost(scene, field.box, caption, controls)
            if cost is not None:
                near.append((cost, side, caption))
        near.sort(key=lambda each: each[0])
        best = near[0] if near else None
        if best is not None and not (hint and best[0] > 5 * scene.unit):
            rivals = [other for cost, _, other in near[1:] if cost - best[0] <= CLOSE * scene.unit]
            doubted = any(other.text != best[2].text for other in rivals)
            sure = min(best[2].label_confidence, DOUBTED) if doubted else best[2].label_confidence
            _name(field, best[2].text, sure, best[1])
            best[2].metadata.setdefault("caption_of", "field")
            field.caption = best[2]
        elif field.text and not field.metadata.get("hidden"):
            _name(field, field.text, field.label_confidence, "placeholder" if hint else "content")
        else:
            field.label_confidence = 0.0
        if field.text and field.metadata.get("label_from") != "placeholder" and not field.metadata.get("hidden"):
            field.metadata["hint" if hint else "value"] = field.text


def _is_named_by(scene: Scene, mark: Draft, words: Draft) -> bool:
    """The words are the name of a mark beside them."""
    beside = -4 <= max(words.box.x1 - mark.box.x2, mark.box.x1 - words.box.x2) <= ROW * scene.unit
    level = abs(words.box.center[1] - mark.box.center[1]) <= 0.6 * scene.unit
    return words.text == mark.label and level and beside


def find_hidden(scene: Scene, drafts: Sequence[Draft]) -> None:
    """Say of fields for one line whether dots stand in them: the picture shows them, whatever was read."""
    for draft in drafts:
        if draft.kind != "text_input" or min(draft.box.width, draft.box.height) <= 3 * _FRAME_PX:
            continue
        if scene.work.of_place("hidden", scene.image, draft.box.padded(-_FRAME_PX), None, hides_its_text):
            draft.metadata["hidden"] = True


def _name(field: Draft, text: str, confidence: float, side: str) -> None:
    field.label = text.rstrip(" :*").strip() or text
    field.label_confidence = confidence
    field.metadata["label_from"] = side


def _cost(scene: Scene, field: Box, caption: Draft, controls: list[Box]) -> tuple[float | None, str]:
    box, unit = caption.box, scene.unit
    shared = min(box.y2, field.y2) - max(box.y1, field.y1)
    gap = field.x1 - box.x2
    if shared > 0.5 * box.height and -3 <= gap <= _FAR * unit:
        between = Box(box.x2, max(box.y1, field.y1), max(box.x2 + 1, field.x1 - 2), min(box.y2, field.y2))
        # What lies in the field does not part it from its name: words marked in it may be taken for a button.
        others = (control for control in controls if control != field and not field.contains(control.center))
        if not any(control.intersection(between) for control in others):
            return max(0, gap) * (0.6 if caption.text.rstrip().endswith(":") else 1.0), "left"
    above = field.y1 - box.y2
    starts = field.x1 - 2 * unit <= box.x1 <= field.x1 + 0.5 * field.width
    if -4 <= above <= 2.6 * unit and starts:
        return max(0, above) * 2.0 + (_LAST * unit if caption.kind in ("heading", "link") else 0.0), "above"
    return None, ""
