"""What an edge does: the action that all cases of a step have in common, with the picture of its target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rpa_vision.graph.copying import pastes
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.outline import Outline
from rpa_vision.graph.places import Place
from rpa_vision.graph.slots import Slots
from rpa_vision.graph.targets import click_offset, place_of, target_of
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import BBox, Box, Point
from rpa_vision.models.target import TargetLook, TargetSpec
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import folded, title_words

_LOOK_PADDING_PX = 4


class ActionWriter:
    """Writes actions; the pictures they refer to are collected on the way."""

    def __init__(self, workflow_id: str, version: int) -> None:
        self._workflow_id = workflow_id
        self._version = version
        self.pictures: dict[str, Pixels] = {}

    def of_place(self, outline: Outline, slots: Slots, index: int, name: str) -> Action:
        """The action of a place; `name` tells its picture from others."""
        place = outline.places[index]
        label, rows = slots.labels.get(index), slots.rows.get(index, ())
        return self.action(
            place, name, text=slots.texts.get(index), label=label, rows=rows, copied=slots.copies.get(index)
        )

    def action(
        self,
        place: Place,
        name: str,
        *,
        text: str | None = None,
        label: str | None = None,
        rows: tuple[str, ...] = (),
        copied: str | None = None,
    ) -> Action:
        """What was done in all cases of a place."""
        steps = place.steps
        last = steps[-1]
        if last.kind == "window_switch":
            return window_switch(steps)
        if last.kind == "key_press":
            return _key(last, text, copied)
        if last.kind == "scroll":
            at = _share_of(last.point, last.window.geometry) if last.point is not None else None
            return Action(type="scroll", parameters=ActionParameters(scroll=last.scroll or (0, 1), scroll_at=at))
        target = self._target(steps, name, label, rows) if last.point is not None else None
        if last.kind == "text_input":
            parameters = ActionParameters(
                text=text if last.secret_ref is None else None,
                secret_ref=last.secret_ref,
                replace_existing=_replaces(steps),
                click_offset=click_offset(steps),
            )
            return Action(type="text_input", target=target, parameters=parameters)
        if last.kind == "drag":
            return Action(type="drag", target=target, parameters=ActionParameters(drag_offset=_drag_offset(last)))
        parameters = ActionParameters(
            button=_button(last.button), click_count=min(3, last.clicks), click_offset=click_offset(steps)
        )
        click = Action(type="mouse_click", target=target, parameters=parameters)
        if text is None:
            return click
        put = Action(type="clipboard", parameters=ActionParameters(clipboard_operation="set", text=text))
        return Action(type="compound", steps=(put, click))  # « Coller »: what it pastes is put there first

    def _target(self, steps: Sequence[DemoStep], name: str, label: str | None, rows: tuple[str, ...]) -> TargetSpec:
        look = None if label is not None and "${" in label else self._look(name, steps[-1])
        return target_of(steps, label=label, row_contains=rows, look=look)

    def _look(self, name: str, step: DemoStep) -> TargetLook | None:
        width, height = step.before.size
        box = place_of(step).padded(_LOOK_PADDING_PX).clamped(width, height)
        if box is None or box.area > 0.1 * width * height:
            return None
        path = f"workflows/{self._workflow_id}/targets/{name}_v{self._version:03d}.png"
        self.pictures[path] = step.before.pixels[box.y1 : box.y2, box.x1 : box.x2].copy()
        return TargetLook(image_path=path, size=(box.width, box.height), dominant_color=_colour(step))


def window_switch(steps: Sequence[DemoStep]) -> Action:
    """To the window in which the next step was done: its application, and what its titles share.

    A word that is the application's name too tells no window of it from another, and is the last to be taken.
    """
    titles = [step.window.title for step in steps]
    app = steps[-1].window.app_name
    shared = frozenset.intersection(*(title_words(title) for title in titles))
    constant = titles[0] if len(set(titles)) == 1 else None
    word = constant or max(shared, key=lambda one: (one not in folded(app), len(one), one), default=None)
    parameters = ActionParameters(title_contains=literal(word) if word else None)
    return Action(type="window_switch", target_app=app, parameters=parameters)


def _key(step: DemoStep, text: str | None, variable: str | None) -> Action:
    """A key; copying what becomes a variable, and pasting, are actions of their own."""
    if text is not None and pastes(step):
        return Action(type="clipboard", parameters=ActionParameters(clipboard_operation="paste", text=text))
    if variable is not None:
        return Action(type="clipboard", parameters=ActionParameters(clipboard_operation="copy", extract_to=variable))
    return Action(type="key_press", keys=step.keys)


def _replaces(steps: Sequence[DemoStep]) -> bool:
    """Once is enough in a field of one line; where a whole text could be lost, it must have been so every time."""
    one_line = all(step.element is not None and step.element.type == "text_input" for step in steps)
    return any(step.replaces for step in steps) if one_line else all(step.replaces for step in steps)


def _button(name: str) -> Literal["left", "middle", "right"]:
    return "middle" if name == "middle" else "right" if name == "right" else "left"


def _colour(step: DemoStep) -> str | None:
    features = step.element.visual_features if step.element is not None else None
    return features.dominant_color if features is not None else None


def _share_of(point: Point, geometry: BBox | None) -> tuple[float, float] | None:
    """Where a point is in its window, whatever size that has."""
    if geometry is None or not Box.of(geometry).contains(point):
        return None
    window = Box.of(geometry)
    return (round((point[0] - window.x1) / window.width, 4), round((point[1] - window.y1) / window.height, 4))


def _drag_offset(step: DemoStep) -> tuple[int, int]:
    start, end = step.point or (0, 0), step.end_point or step.point or (0, 0)
    return (end[0] - start[0], end[1] - start[1])
