"""Where a task may begin: on the screens it was begun on, and wherever the bar stands that leads into it.

A person who opens « Bordereaux » from the bar of an application opens it from whatever screen she is on; that all of
her goes began on the same one says nothing. Where the entry she chose stands at its place on every screen of the
application that the task shows, these are screens to begin on too. Only what leads about may be chosen from anywhere: a
« Supprimer » that every screen has means something else on each of them. Goes that began with one on several screens
show no more than these, and the workflow begins on the one that was shown most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rpa_vision.detection.affordance import DANGER_ROLES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.screen_groups import Column, group_screens
from rpa_vision.graph.vocabulary import same_words
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

_LEADING_TYPES: Final = frozenset({"menu_item", "tab", "link"})
_LEADING_ROLE: Final = "navigation"
_DOING_KEYS: Final = frozenset({"delete", "backspace", "return", "enter", "kp_enter", "space"})
"""They do something to whatever is chosen."""
_SAME_PLACE_PX: Final = 8
_MOSTLY: Final = 0.8
_MIN_SCREENS: Final = 2


def beginnings(first: Sequence[DemoStep], entry: Column, later: Sequence[Column]) -> Column:
    """The screens a task may begin on: those of `entry`, and of later steps where the control of the `first` stands."""
    control = _one_control(first)
    if control is None:
        return entry
    apps = {screen.state.window.app_name for screen, _ in entry}
    here = [column for column in later if {screen.state.window.app_name for screen, _ in column} <= apps]
    standing = [column for column in here if _share(column, control) >= _MOSTLY]
    if len(standing) < max(_MIN_SCREENS, len(here)):
        return entry
    return [*entry, *(shown for column in standing for shown in column)]


def is_a_deed(first: Sequence[DemoStep]) -> bool:
    """Whether a task begins with what does something to the screen it is on, and so must know which one that is."""
    return any(
        (step.kind == "mouse_click" and step.element is not None and _does(step.element))
        or (step.kind == "key_press" and not _DOING_KEYS.isdisjoint(map(str.casefold, step.keys)))
        for step in first
    )


def _does(element: UIElement) -> bool:
    seen = element.action_affordance.dangerous_action_score if element.action_affordance is not None else 0.0
    return element.role in DANGER_ROLES or seen >= DANGER_ROLES["submit"]


def most_shown(entry: Column, space_id: str) -> Column:
    """The screens that are the one on which most goes began, of several the first."""
    _, which = group_screens([[shown] for shown in entry], space_id)
    most = Counter(which).most_common(1)[0][0]
    return [shown for shown, one in zip(entry, which, strict=True) if one == most]


def _one_control(steps: Sequence[DemoStep]) -> UIElement | None:
    """The control that all goes began with, if it is one that leads about."""
    controls = [step.element for step in steps if step.kind == "mouse_click" and step.element is not None]
    if not controls or len(controls) < len(steps):
        return None
    one = controls[0]
    leads_about = one.type in _LEADING_TYPES and one.role == _LEADING_ROLE and bool(one.label)
    return one if leads_about and all(_is_one(one, other.label, other.bbox) for other in controls) else None


def _share(column: Column, control: UIElement) -> float:
    return sum(_stands_on(screen, control) for screen, _ in column) / max(1, len(column))


def _stands_on(screen: ObservedScreen, control: UIElement) -> bool:
    texts = [(line.text, line.bbox) for line in screen.state.perception.text_lines]
    texts += [(element.label, element.bbox) for element in screen.state.ui_elements]
    return any(_is_one(control, text, place) for text, place in texts)


def _is_one(control: UIElement, text: str, place: tuple[int, int, int, int]) -> bool:
    (x, y), (other_x, other_y) = Box.of(control.bbox).center, Box.of(place).center
    near = abs(x - other_x) <= _SAME_PLACE_PX and abs(y - other_y) <= _SAME_PLACE_PX
    return near and same_words(text, control.label)
