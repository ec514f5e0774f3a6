"""A session as a sequence of deeds: what was done to what, named so that the same thing has the same name next time.

There are three kinds of witnesses. An event log says in words what was done. Steps with understood screens say which
element, by type and label. Events alone say where in which window, which is little, and enough to see that something
was repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.routines.stream import Deed
from rpa_vision.graph.sightings import row_around
from rpa_vision.models.raw_session import Event, RecordedSession
from rpa_vision.models.wording import folded, shape

_CELL_PX = 48
_COLUMN_PX = 60
_SILENT_MODIFIERS = frozenset({"SHIFT", "ALTGR"})


@dataclass(frozen=True, slots=True)
class Done:
    """A deed and the events it is made of."""

    deed: Deed
    events: tuple[int, ...]


def deeds_of_log(session: RecordedSession, ignored: frozenset[int]) -> list[Done]:
    """Each line of an event log is a deed."""
    return [
        Done(_logged_deed(event), (index,))
        for index, event in enumerate(session.events)
        if index not in ignored and event.logged is not None
    ]


def deeds_of_events(session: RecordedSession, ignored: frozenset[int]) -> list[Done]:
    """Gestures of a recording whose screens nobody read; characters typed after each other are one deed."""
    done: list[Done] = []
    typing: str | None = None
    for index, event in enumerate(session.events):
        if index in ignored or event.type in ("mouse_move", "window_change"):
            continue
        deed = _gesture_deed(event)
        field = deed.names[0] if deed.names[0].endswith("|type") else None
        if field is not None and field == typing:
            last = done[-1]
            lasted = max(0.0, event.t - last.deed.t)
            written = replace(last.deed, value=last.deed.value + deed.value, lasted_s=lasted)
            done[-1] = Done(written, (*last.events, index))
        else:
            done.append(Done(deed, (index,)))
        typing = field
    return done


def deeds_of_steps(steps: Sequence[DemoStep], session: RecordedSession, ignored: frozenset[int]) -> list[Done]:
    """Steps on understood screens; between the first and the last event of one lie moves, which are not its own."""
    done = []
    for step in steps:
        own = tuple(index for index in own_events(step, session) if index not in ignored)
        if own:
            lasted = max(0.0, session.events[own[-1]].t - session.events[own[0]].t)
            done.append(Done(replace(deed_of_step(step), lasted_s=lasted), own))
    return done


def own_events(step: DemoStep, session: RecordedSession) -> tuple[int, ...]:
    """The events of a step, without the moves that lie between them."""
    first, last = step.events
    between = ("mouse_move", "window_change")
    return tuple(index for index in range(first, last + 1) if session.events[index].type not in between)


def deed_of_step(step: DemoStep) -> Deed:
    """What a step is called: by its element's words, by the form of them, by what and where it is."""
    base = f"{step.app}|{step.kind}"
    if step.kind == "key_press":
        return Deed((f"{base}|{'+'.join(step.keys)}",), step.t, step.app)
    if step.kind == "scroll":
        return Deed((base,), step.t, step.app)
    element = step.element
    if element is None:
        x, y = step.point or (0, 0)
        return Deed(
            (f"{base}|{x // _CELL_PX},{y // _CELL_PX}",),
            step.t,
            step.app,
            "" if step.secret_ref else step.text or "",
        )
    said = "" if element.metadata.get("label_from") == "content" else element.label
    column = element.center[0] // _COLUMN_PX
    value = (step.text or "") if step.kind == "text_input" else said
    names = [f"{base}|{element.type}|{folded(said)}", f"{base}|{element.type}|{shape(said)}"]
    no_number = names[0] == names[1]
    if no_number and step.kind == "mouse_click" and row_around(element, step.before.state) is not None:
        names.pop()  # the words of a row are those of one case, also where there is no number in them
    return Deed(
        (*names, f"{base}|{element.type}|@{column}"),
        step.t,
        step.app,
        "" if step.secret_ref else value,
    )


def _logged_deed(event: Event) -> Deed:
    logged = event.logged
    assert logged is not None
    target = logged.target or logged.url.split("?")[0].split("#")[0]
    app, action = event.window.app_name, logged.action
    return Deed(
        (f"{app}|{action}|{target}", f"{app}|{action}|{shape(target)}"),
        event.t,
        app,
        logged.value,
        logged.row,
    )


def _gesture_deed(event: Event) -> Deed:
    app, title = event.window.app_name, shape(event.window.title)
    base = f"{app}|{title}|{event.type}"
    if event.type == "text_input" or event.secret_ref is not None:
        return Deed((f"{app}|{title}|type",), event.t, app, event.text or "")
    if event.type == "key_press":
        held = set(event.modifiers) - _SILENT_MODIFIERS
        if not held and event.char and event.char.isprintable():
            return Deed((f"{app}|{title}|type",), event.t, app, event.char)
        return Deed((f"{base}|{'+'.join((*sorted(held), event.key or ''))}",), event.t, app)
    if event.pos is None:
        return Deed((base,), event.t, app)
    x, y = event.pos
    return Deed((f"{base}|{x // _CELL_PX},{y // _CELL_PX}", f"{base}|@{x // _COLUMN_PX}"), event.t, app)
