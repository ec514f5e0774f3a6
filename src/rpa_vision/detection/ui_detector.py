"""From a screenshot to the things on it: the elements a person would name, with type, role, label and look.

Boxes and lines of text are proposed, put together by simple rules (controls, loose texts, tables, captions), and
described. No weights besides the reader's, no randomness: the same pixels always give the same elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rpa_vision.detection.affordance import affordance_of
from rpa_vision.detection.captions import FIELDS, caption_fields
from rpa_vision.detection.controls import find_controls, find_dialog
from rpa_vision.detection.loose_texts import find_texts, name_menus, place_in_tables
from rpa_vision.detection.regions import Region
from rpa_vision.detection.roles import is_secret_label, role_of
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.detection.stable_identity import stability_confidence, stable_id
from rpa_vision.detection.text_detector import TextDetector, as_bgr, regions_of
from rpa_vision.detection.words import fold
from rpa_vision.imaging.colour import as_hex
from rpa_vision.models.frame import Pixels
from rpa_vision.models.ids import slug
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.ui_element import ElementState, UIElement, VisualFeatures
from rpa_vision.models.window import WindowContext

Size = Literal["tiny", "small", "medium", "large"]


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """How sure an element must be to be told (P003-3)."""

    min_confidence: float = 0.4


class UIDetector:
    """The embedded detector: boxes and text lines, no network of its own."""

    name = "boxes_and_lines_1"

    def __init__(self, text_detector: TextDetector, settings: DetectorSettings | None = None) -> None:
        self._text = text_detector
        self._settings = settings or DetectorSettings()

    def detect_elements(
        self,
        screenshot: Pixels,
        window_context: WindowContext | None = None,
        *,
        text_lines: Sequence[TextLine] | None = None,
        regions: Sequence[Region] | None = None,
        screenshot_id: str | None = None,
    ) -> list[UIElement]:
        """The elements, in reading order. `text_lines` and `regions` save finding again what was found already."""
        image = as_bgr(screenshot)
        if min(image.shape[:2]) < 8:
            return []
        boxes = regions_of(image) if regions is None else regions
        lines = self._text.read(image, self._text.find(image, boxes)) if text_lines is None else text_lines
        drafts = _understand(Scene(image, boxes, lines))
        kept = [draft for draft in drafts if draft.confidence >= self._settings.min_confidence]
        return _describe(kept, window_context or WindowContext(), screenshot_id, (image.shape[1], image.shape[0]))


def _understand(scene: Scene) -> list[Draft]:
    drafts = find_controls(scene)
    drafts += find_texts(scene)
    dialog = find_dialog(scene)
    caption_fields(scene, drafts)
    for draft in drafts:
        if draft.kind == "text_input" and (is_secret_label(draft.label) or draft.metadata.get("hidden")):
            draft.kind = "password_input"
    drafts += place_in_tables(scene, drafts)
    name_menus(scene, drafts)
    if dialog is not None:
        for draft in drafts:
            if dialog.box.contains(draft.box.center):
                draft.parent = draft.parent or dialog
            else:
                draft.metadata["behind_dialog"] = True
        inside = [d for d in drafts if dialog.box.contains(d.box.center)]
        titles = [d for d in inside if d.kind in ("heading", "label") and len(fold(d.label)) >= 3]
        if titles:
            first = min(titles, key=lambda d: (d.kind != "heading", d.box.y1))
            dialog.label, dialog.label_confidence = first.label, first.label_confidence
        drafts.append(dialog)
    return sorted(drafts, key=lambda d: (d.box.y1, d.box.x1, d.box.x2, d.box.y2, d.kind))


def _describe(
    drafts: list[Draft], window: WindowContext, screenshot_id: str | None, size: tuple[int, int]
) -> list[UIElement]:
    ids = _ids(drafts)
    return [_element(draft, ids[id(draft)], ids.get(id(draft.parent)), window, screenshot_id, size) for draft in drafts]


def _ids(drafts: list[Draft]) -> dict[int, str]:
    """Ids that say what and where, unique (P003-13) and the same for the same pixels."""
    taken: set[str] = set()
    ids: dict[int, str] = {}
    for draft in drafts:
        base = f"{draft.kind}_{slug(draft.label, fallback='unnamed', limit=32)}_{draft.box.x1}_{draft.box.y1}"
        name, again = base, 1
        while name in taken:
            again += 1
            name = f"{base}_{again}"
        taken.add(name)
        ids[id(draft)] = name
    return ids


def _element(
    draft: Draft,
    element_id: str,
    parent: str | None,
    window: WindowContext,
    screenshot_id: str | None,
    size: tuple[int, int],
) -> UIElement:
    role = role_of(draft.kind, draft.label, stands_out=draft.stands_out)
    bbox = draft.box.bbox
    covered = bool(draft.metadata.get("behind_dialog"))
    known = (draft.enabled, draft.checked) != (None, None)
    confidence = round(min(1.0, max(0.0, draft.confidence)), 4)
    label_confidence = round(min(1.0, max(0.0, draft.label_confidence)), 4) if draft.label else 0.0
    return UIElement(
        element_id=element_id,
        type=draft.kind,
        role=role,
        bbox=bbox,
        center=draft.box.center,
        label=draft.label,
        label_confidence=label_confidence,
        visual_features=_look(draft, size),
        tags=tuple(_tags(draft, role)),
        confidence=confidence,
        state=ElementState(enabled=draft.enabled, checked=draft.checked) if known else None,
        parent_id=parent,
        screenshot_id=screenshot_id,
        stable_id=stable_id(window.app_name, window.title, role, draft.label, bbox),
        stability_confidence=stability_confidence(draft.label, label_confidence),
        action_affordance=affordance_of(
            draft.kind, role, draft.label,
            stands_out=draft.stands_out, paper=draft.paper, enabled=draft.enabled, covered=covered,
        ),
        metadata=draft.metadata,
    )  # fmt: skip


def _look(draft: Draft, size: tuple[int, int]) -> VisualFeatures:
    share = draft.box.area / (size[0] * size[1])
    category: Size = "tiny" if share < 0.0003 else "small" if share < 0.003 else "medium" if share < 0.03 else "large"
    colour = draft.ink if draft.shape == "text" else draft.paper
    return VisualFeatures(
        dominant_color=as_hex(colour),
        has_icon=draft.kind == "icon",
        shape=draft.shape,
        size_category=category,
    )


def _tags(draft: Draft, role: str) -> list[str]:
    tags = list(draft.tags)
    if draft.kind == "button":
        tags.append(f"{role}_button" if not role.endswith("_button") else role)
    if draft.kind in FIELDS:
        tags.append("field")
    if draft.kind == "password_input":
        tags.append("secret")
    return tags
