"""From drafts to elements: role, look, tags, identity and affordance, told by type, words, place, colour and group."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Literal

from rpa_vision.detection.affordance import affordance_of
from rpa_vision.detection.business_roles import business_roles
from rpa_vision.detection.roles import role_of
from rpa_vision.detection.scene import Draft, Scene, Shape
from rpa_vision.detection.stable_identity import stability_confidence, stable_id
from rpa_vision.imaging.colour import Colour, as_hex
from rpa_vision.models.ids import slug
from rpa_vision.models.ui_element import FIELD_TYPES, ElementState, UIElement, VisualFeatures
from rpa_vision.models.window import WindowContext

Size = Literal["tiny", "small", "medium", "large"]


def describe(scene: Scene, drafts: list[Draft], window: WindowContext, screenshot_id: str | None) -> list[UIElement]:
    """The elements the drafts stand for, in the same order."""
    ids = _ids(drafts)
    about = _Surroundings(scene, drafts, window)
    captions = {id(draft): ids[id(draft.caption)] for draft in drafts if draft.caption and id(draft.caption) in ids}
    return [
        _element(scene, draft, ids, captions.get(id(draft)), window, screenshot_id, about) for draft in drafts
    ]  # fmt: skip


class _Surroundings:
    """What stands around an element: what the screen is about, and where the thing to press is expected."""

    def __init__(self, scene: Scene, drafts: Sequence[Draft], window: WindowContext) -> None:
        self._size = (scene.width, scene.height)
        self._unit = scene.unit
        self._title = window.title
        headings = [draft for draft in drafts if draft.kind == "heading"]
        self._headings = tuple(draft.label for draft in sorted(headings, key=lambda d: -d.box.height)[:3])
        self._fields = [draft.box for draft in drafts if draft.kind in FIELD_TYPES]
        columns: dict[Hashable, list[str]] = {}
        for draft in drafts:
            if draft.metadata.get("header") and draft.kind == "cell":
                columns.setdefault(_whole(draft), []).append(draft.label)
        self._columns = {table: " ".join(labels) for table, labels in columns.items()}

    def subject(self, draft: Draft) -> tuple[str, ...]:
        """Words that tell what an element is about, the nearest first."""
        table = self._columns.get(_whole(draft), "")
        dialog = draft.parent.label if draft.parent is not None and draft.parent.kind == "dialog" else ""
        return (dialog, *self._headings, self._title, table) if not table else (*self._headings, table, self._title)

    def place(self, draft: Draft) -> float:
        """How much its place says "press me": in a dialog, at the end of a form, in the middle; least at the edges."""
        if draft.parent is not None and draft.parent.kind == "dialog":
            return 0.9
        x, y = draft.box.center
        under = any(0 <= draft.box.y1 - field.y2 <= 6 * self._unit and field.x1 - 40 <= x for field in self._fields)
        if under:
            return 0.8
        central = 0.15 * self._size[0] <= x <= 0.85 * self._size[0] and y >= 0.12 * self._size[1]
        return 0.6 if central else 0.4


def _whole(draft: Draft) -> Hashable:
    """The table an element stands in."""
    row = draft if draft.kind == "table_row" else draft.parent
    return id(row.parent) if row is not None and row.kind == "table_row" else None


def _ids(drafts: list[Draft]) -> dict[int, str]:
    """Ids that say what and where, unique (P003-13) and the same for the same pixels."""
    taken: set[str] = set()
    ids: dict[int, str] = {}
    for draft in drafts:
        base = f"{draft.kind}_{_slug(draft.label)}_{draft.box.x1}_{draft.box.y1}"
        name, again = base, 1
        while name in taken:
            again += 1
            name = f"{base}_{again}"
        taken.add(name)
        ids[id(draft)] = name
    return ids


@lru_cache(maxsize=16_384)  # the same labels come back on every screen
def _slug(label: str) -> str:
    return slug(label, fallback="unnamed", limit=32)


def _element(
    scene: Scene,
    draft: Draft,
    ids: dict[int, str],
    caption: str | None,
    window: WindowContext,
    screenshot_id: str | None,
    about: _Surroundings,
) -> UIElement:
    role = role_of(draft.kind, draft.label, stands_out=draft.stands_out)
    column = draft.metadata.get("column_title")
    business = business_roles(
        draft.kind, role, draft.label, column if isinstance(column, str) else "", about.subject(draft)
    )
    place = about.place(draft) if draft.kind in ("button", "link", "menu_item", "icon") else None
    metadata = {**draft.metadata, "caption_id": caption} if caption is not None else dict(draft.metadata)
    parent = ids.get(id(draft.parent))
    size = (scene.width, scene.height)

    def make() -> UIElement:
        bbox = draft.box.bbox
        label_confidence = round(min(1.0, max(0.0, draft.label_confidence)), 4) if draft.label else 0.0
        return UIElement(
            element_id=ids[id(draft)],
            type=draft.kind,
            role=role,
            bbox=bbox,
            center=draft.box.center,
            label=draft.label,
            label_confidence=label_confidence,
            visual_features=_look(
                draft.ink if draft.shape == "text" else draft.paper,
                draft.shape,
                _category(draft.box.area / (size[0] * size[1])),
                has_icon=draft.has_icon or draft.kind == "icon",
            ),
            tags=(*_tags(draft, role), *business),
            confidence=round(min(1.0, max(0.0, draft.confidence)), 4),
            state=_state(draft.enabled, draft.checked, draft.focused, draft.selected),
            parent_id=parent,
            screenshot_id=screenshot_id,
            stable_id=stable_id(window.app_name, window.title, role, draft.label, bbox),
            stability_confidence=stability_confidence(draft.label, label_confidence),
            action_affordance=affordance_of(
                draft.kind, role, draft.label, stands_out=draft.stands_out, paper=draft.paper, enabled=draft.enabled,
                covered=bool(draft.metadata.get("behind_dialog")), label_confidence=label_confidence, place=place,
            ),
            metadata=metadata,
        )  # fmt: skip

    key = (
        draft.kind, draft.box.bbox, draft.confidence, draft.label, draft.label_confidence, draft.paper, draft.ink,
        draft.shape, draft.stands_out, draft.has_icon, draft.enabled, draft.checked, draft.focused, draft.selected,
        tuple(draft.tags), tuple(metadata.items()), ids[id(draft)], parent, business, place, window.app_name,
        window.title, screenshot_id, size,
    )  # fmt: skip
    return scene.work.made("element", key, make)


@lru_cache(maxsize=64)
def _state(
    enabled: bool | None, checked: bool | None, focused: bool | None, selected: bool | None
) -> ElementState | None:
    if (enabled, checked, focused, selected) == (None, None, None, None):
        return None
    return ElementState(enabled=enabled, checked=checked, focused=focused, selected=selected)


@lru_cache(maxsize=4096)
def _look(colour: Colour, shape: Shape, category: Size, *, has_icon: bool) -> VisualFeatures:
    return VisualFeatures(dominant_color=as_hex(colour), has_icon=has_icon, shape=shape, size_category=category)


def _category(share: float) -> Size:
    return "tiny" if share < 0.0003 else "small" if share < 0.003 else "medium" if share < 0.03 else "large"


def _tags(draft: Draft, role: str) -> list[str]:
    tags = list(draft.tags)
    if draft.kind == "button":
        tags.append(f"{role}_button" if not role.endswith("_button") else role)
    if draft.kind in FIELD_TYPES:
        tags.append("field")
    if draft.kind == "password_input":
        tags.append("secret")
    return tags
