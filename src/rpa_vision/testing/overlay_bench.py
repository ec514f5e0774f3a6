"""How fast highlight and bubble are gone when the person acts, measured on a desktop of our own.

In each trial a step is suggested; then somebody clicks, types or turns the wheel. From the moment before her input is
handed to the X server, to the one in which another program hears that both windows are unmapped. Once while nothing
else is done, and once while the same process looks at the screen without a pause, as an observer does who works.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from Xlib import XK, X
from Xlib.display import Display

from rpa_vision.adapters.desktop.x11.beneath import PANES
from rpa_vision.adapters.desktop.x11.desktop import X11Desktop
from rpa_vision.app import wiring, wiring_guidance
from rpa_vision.app.guide import Guide, GuideTools, StepDone
from rpa_vision.errors import DesktopError
from rpa_vision.execution.modes import licence
from rpa_vision.execution.sight import Sight
from rpa_vision.graph.following import Sighting
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import Box
from rpa_vision.ports.runtime import Clock
from rpa_vision.testing.learned import small_workflow

SOON_MS = 100.0
_TARGET = Box(500, 300, 640, 330)
_SPOT = (200, 650)
_DEEDS = ("click", "key", "wheel")
_APART_S = 0.05
"""So that trials fall into every part of a look."""
_PATIENCE_S = 15.0


class PaneWatch:
    """Hears, as any program may, when our windows are shown and taken away."""

    def __init__(self, display_name: str) -> None:
        self._display = Display(display_name)
        self._root = self._display.screen().root
        self._root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self._display.sync()

    def mapped(self) -> list[int]:
        """Our windows that are on the screen now."""
        listed = self._root.get_full_property(self._display.get_atom(PANES), X.AnyPropertyType)
        panes = (self._display.create_resource_object("window", int(one)) for one in listed.value) if listed else ()
        return [pane.id for pane in panes if pane.get_attributes().map_state == X.IsViewable]

    def unmapped(self, panes: Sequence[int], clock: Clock) -> float:
        """Wait until all of these are gone, and give the moment."""
        left, deadline_s = set(panes), clock.monotonic() + _PATIENCE_S
        while left:
            while not self._display.pending_events():
                if clock.monotonic() >= deadline_s:
                    raise DesktopError(f"our windows were still there after {_PATIENCE_S:g} s")
                clock.sleep(0.0005)
            event = self._display.next_event()
            if event.type == X.UnmapNotify:
                left.discard(event.window.id)
        return clock.monotonic()

    def forget(self) -> None:
        """What was heard so far belongs to the trial before."""
        self._display.sync()
        while self._display.pending_events():
            self._display.next_event()

    def close(self) -> None:
        self._display.close()


def measure(trials: int, say: Callable[[str], None] = lambda text: None) -> JsonObject:
    """Act so many times, beside a quiet observer and beside one that looks at the screen all the time."""
    clock = wiring.clock()
    report: JsonObject = {"trials": trials}
    with ExitStack() as stack:
        place = stack.enter_context(wiring.virtual_desktop((1280, 800)))
        robot = stack.enter_context(X11Desktop(place.display, clock))
        watch, person = PaneWatch(place.display), Display(place.display)
        stack.callback(person.close)
        stack.callback(watch.close)
        _open_window(person)
        sight = Sight(robot.eyes, wiring.screen_observer(), clock, wiring.ids())
        guide = stack.enter_context(_guide(robot, sight, clock))
        for name in ("quiet", "looking"):
            times: dict[str, list[float]] = {deed: [] for deed in _DEEDS}
            with _looking(sight, wanted=name == "looking"):
                for number in range(trials):
                    deed = _DEEDS[number % len(_DEEDS)]
                    if number % 10 == 0:
                        say(f"{name}: trial {number + 1} of {trials}")
                    clock.sleep(_APART_S)
                    times[deed].append(_trial(guide, watch, person, deed, clock))
            report[name] = {"all": _numbers([one for some in times.values() for one in some])} | {
                deed: _numbers(some) for deed, some in times.items() if some
            }
    return report


def lines(report: JsonObject) -> Iterator[str]:
    """The report for people."""
    yield f"{report['trials']} trials each; milliseconds from the person's input until highlight and bubble are gone"
    words = {"quiet": "nothing else is done", "looking": "while it looks at the screen"}
    for name, what in words.items():
        for deed, numbers in report[name].items():
            yield (
                f"{what:28} {deed:6} median {numbers['median_ms']:6.1f}   95 % {numbers['p95_ms']:6.1f}   "
                f"longest {numbers['max_ms']:6.1f}   within {SOON_MS:g} ms {numbers['soon']} of {numbers['count']}"
            )


@contextmanager
def _guide(robot: X11Desktop, sight: Sight, clock: Clock) -> Iterator[Guide]:
    panes = wiring_guidance.overlay(robot)
    if panes is None:
        raise DesktopError("there is no overlay on this desktop")
    screen = sight.look()
    tools = GuideTools(
        overlay=panes,
        clock=clock,
        licence=lambda workflow: licence("assist", "AUTO_CANDIDATE", person_is_there=True),
        look=lambda: screen,
        find=lambda workflow, edge, shown, values: _TARGET,
        do_step=lambda workflow, edge, values: StepDone(False, "nothing is done here"),
        on_event=lambda event: None,
    )
    try:
        with Guide(tools) as guide, robot.ears.listen(guide.hear):
            yield guide
    finally:
        panes.close()


def _trial(guide: Guide, watch: PaneWatch, person: Any, deed: str, clock: Clock) -> float:
    workflow = small_workflow(clock, nodes=4).workflow
    guide.on_sighting(
        Sighting("step_seen", workflow, 5.0, "E1", 1, len(workflow.edges), began_t=1.0, next_step=workflow.edges[1])
    )
    shown = watch.mapped()
    if len(shown) != 2:
        raise DesktopError(f"highlight and bubble were expected, and {len(shown)} windows are there")
    person.xtest_fake_input(X.MotionNotify, x=_SPOT[0], y=_SPOT[1])
    person.sync()
    watch.forget()
    began_s = clock.monotonic()
    _act(person, deed)
    return (watch.unmapped(shown, clock) - began_s) * 1000.0


def _open_window(person: Any) -> None:
    """Something to work in, so that no window manager takes her clicks for its own."""
    screen = person.screen()
    size = screen.width_in_pixels, screen.height_in_pixels
    work = screen.root.create_window(
        0, 0, *size, 0, screen.root_depth, X.InputOutput, X.CopyFromParent,
        background_pixel=screen.white_pixel, override_redirect=True,
    )  # fmt: skip
    work.map()
    person.sync()


def _act(person: Any, deed: str) -> None:
    """One click, key or notch of the wheel, by a program that is not ours."""
    kinds, code = (X.ButtonPress, X.ButtonRelease), 1
    if deed == "wheel":
        code = 5
    elif deed == "key":
        kinds, code = (X.KeyPress, X.KeyRelease), person.keysym_to_keycode(XK.string_to_keysym("a"))
    for kind in kinds:
        person.xtest_fake_input(kind, code)
    person.sync()


@contextmanager
def _looking(sight: Sight, *, wanted: bool) -> Iterator[None]:
    """Let the screen be understood again and again in another thread."""
    enough = threading.Event()

    def look() -> None:
        while not enough.is_set():
            sight.look()

    thread = threading.Thread(target=look, name="looking", daemon=True)
    if wanted:
        thread.start()
    try:
        yield
    finally:
        enough.set()
        if wanted:
            thread.join()


def _numbers(times: Sequence[float]) -> JsonObject:
    ordered = sorted(times)
    return {
        "count": len(ordered),
        "soon": sum(one < SOON_MS for one in ordered),
        "median_ms": round(ordered[len(ordered) // 2], 1),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 1),
        "max_ms": round(ordered[-1], 1),
    }
