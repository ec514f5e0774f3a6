"""From one window to another: where the next step happens in another application that nothing inside brought there.

Alt+Tab is how it was done, not what was meant; a run brings the window it needs to the front.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.rounds import Done

SWITCH_KIND = 1_000_000
"""Kinds of switches, one for each application; kinds of other steps are smaller."""
_SWITCH_KEYS = ({"ALT", "TAB"}, {"ALT", "SHIFT", "TAB"}, {"SUPER", "TAB"}, {"CMD", "TAB"}, {"ALT", "ESCAPE"})


def with_switches(done: Sequence[Done]) -> list[Done]:
    """The steps of a go, with a step for each change of window that needs one."""
    found: list[Done] = []
    switched = False
    for kind, step in done:
        if is_switch(step):
            switched = True
            continue
        previous = found[-1][1] if found else None
        if previous is not None and _needs_switch(previous, step, switched):
            found.append((_kind(step), _switch(previous, step)))
        found.append((kind, step))
        switched = False
    return found


def without_glances(steps: Sequence[DemoStep]) -> list[int]:
    """Which steps are left without glances: switches to other windows and back to where the person was."""
    kept: list[int] = []
    at = 0
    while at < len(steps):
        end = at
        while end < len(steps) and is_switch(steps[end]) and steps[end].session_id == steps[at].session_id:
            end += 1
        if end == at or end == len(steps) or not _same_window(steps[at], steps[end]):
            end = max(end, at + 1)
            kept += range(at, end)
        at = end
    return kept


def _same_window(one: DemoStep, other: DemoStep) -> bool:
    here, there = one.before.state.window, other.before.state.window
    return one.session_id == other.session_id and (here.app_name, here.title) == (there.app_name, there.title)


def is_switch(step: DemoStep) -> bool:
    """Whether a step is the keys by which people change windows."""
    return step.kind == "key_press" and set(step.keys) in _SWITCH_KEYS


def _needs_switch(previous: DemoStep, step: DemoStep, switched: bool) -> bool:
    came_to_rest = previous.settled or previous.after
    front = came_to_rest.state.window if came_to_rest is not None else previous.window
    if not step.before.state.window.app_name or not front.app_name:
        return False
    if front.app_name != step.before.state.window.app_name:
        return True
    return switched and front.title != step.before.state.window.title


def _switch(previous: DemoStep, step: DemoStep) -> DemoStep:
    came_to_rest = previous.settled or previous.after or previous.before
    return replace(
        step,
        kind="window_switch",
        before=came_to_rest,
        window=step.before.state.window,
        after=step.before,
        settled=step.before,
        point=None,
        element=None,
        text=None,
        secret_ref=None,
        keys=(),
        scroll=None,
        end_point=None,
        replaces=False,
        at_focus=False,
        was_seen=True,
    )


def _kind(step: DemoStep) -> int:
    return SWITCH_KIND + sum(map(ord, step.before.state.window.app_name))
