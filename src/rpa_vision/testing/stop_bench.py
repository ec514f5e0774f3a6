"""How fast a person stops or pauses the robot, measured on a desktop of our own.

In each trial the robot types, clicks, scrolls or presses keys without end; somebody else presses the stop key, or takes
the mouse, at some moment. Heard on the same ears with the server's own times: from that input to the last one of ours.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rpa_vision.adapters.desktop.x11.desktop import X11Desktop
from rpa_vision.app import wiring
from rpa_vision.errors import DesktopError
from rpa_vision.execution.foreign_input import AttentionSettings, PersonWatch
from rpa_vision.execution.guarded_desktop import GuardedDesktop, InputGate
from rpa_vision.models.document import JsonObject
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.ports.desktop import Hands
from rpa_vision.ports.runtime import Clock

_LONG_TEXT = "the quick brown fox jumps over the lazy dog " * 40
_WORK: dict[str, Callable[[Hands], None]] = {
    "typing": lambda hands: hands.type_text(_LONG_TEXT),
    "clicking": lambda hands: hands.click((300, 300), count=2),
    "scrolling": lambda hands: hands.scroll((300, 300), down=60),
    "keys": lambda hands: hands.press(("CTRL", "A")),
    "dragging": lambda hands: hands.drag((200, 200), (500, 400)),
}
_SETTLE_S = 0.5
"""So long after the person's input nothing of ours may come any more."""
_PATIENCE_S = 15.0


@dataclass(slots=True)
class _Ears:
    """What was heard: when a person acted, and when our hands last did."""

    persons_s: float | None = None
    ours_s: list[float] = field(default_factory=list)

    def hear(self, event: InputEvent) -> None:
        if event.own:
            self.ours_s.append(event.at_s)
        elif self.persons_s is None and event.kind is not InputKind.KEY_RELEASE:
            self.persons_s = event.at_s

    def late_ms(self, since_s: float) -> float:
        """How long after that moment our last press, move or release came."""
        after = [at_s for at_s in self.ours_s if at_s > since_s]
        return (max(after) - since_s) * 1000.0 if after else 0.0


def measure(trials: int, say: Callable[[str], None] = lambda text: None, *, seed: int = 7) -> JsonObject:
    """Stop and pause so many times each, and give the times by what the robot was doing."""
    clock, chance = wiring.clock(), random.Random(seed)
    report: JsonObject = {"trials": trials}
    with (
        wiring.virtual_desktop((1280, 800)) as place,
        X11Desktop(place.display, clock) as robot,
        X11Desktop(place.display, clock) as person,
    ):
        for what in ("stop_key", "mouse"):
            times: dict[str, list[float]] = {name: [] for name in _WORK}
            for number in range(trials):
                work = list(_WORK)[number % len(_WORK)]
                if number % 10 == 0:
                    say(f"{what}: trial {number + 1} of {trials}")
                times[work].append(_trial(robot, person, what, work, clock, chance.uniform(0.02, 0.4)))
            report[what] = _summary(times)
    return report


def lines(report: JsonObject) -> Iterator[str]:
    """The report for people."""
    yield f"{report['trials']} trials each; milliseconds from the person's input to the last of ours"
    for what in ("stop_key", "mouse"):
        for work, numbers in report[what].items():
            yield (
                f"{what.replace('_', ' '):9} {work:10} median {numbers['median_ms']:6.1f}   "
                f"95 % {numbers['p95_ms']:6.1f}   longest {numbers['max_ms']:6.1f}"
            )


def _trial(robot: X11Desktop, person: X11Desktop, what: str, work: str, clock: Clock, wait_s: float) -> float:
    gate, heard = InputGate(), _Ears()
    watch = PersonWatch(gate, clock, AttentionSettings(quiet_s=60.0))
    hands = GuardedDesktop(robot, gate).hands

    def both(event: InputEvent) -> None:
        heard.hear(event)
        watch.hear(event)

    with robot.ears.listen(both), _working(hands, work) as ended:
        _until(lambda: len(heard.ours_s) > 2, clock, "the robot to act")
        clock.sleep(wait_s)
        if what == "stop_key":
            person_stops(person)
        else:
            x, y = person.eyes.pointer()
            person.hands.move(((x + 400) % 1200, (y + 300) % 700))
        _until(lambda: heard.persons_s is not None and watch.presence != "acting", clock, "the person to be heard")
        ended.wait(_PATIENCE_S)
        clock.sleep(_SETTLE_S)
    assert heard.persons_s is not None
    return heard.late_ms(heard.persons_s)


def person_stops(person: X11Desktop) -> None:
    """Press the stop key as a person does who does not wait for the robot to let go of anything."""
    from Xlib import XK, X
    from Xlib.display import Display

    display = Display(person.display_name)
    try:
        codes = [display.keysym_to_keycode(XK.string_to_keysym(name)) for name in ("Control_L", "Alt_L", "End")]
        for kind, order in ((X.KeyPress, codes), (X.KeyRelease, codes[::-1])):
            for code in order:
                display.xtest_fake_input(kind, code)
                display.sync()
    finally:
        display.close()


@contextmanager
def _working(hands: Hands, work: str) -> Iterator[threading.Event]:
    """The robot works until its hands are tied."""
    ended = threading.Event()

    def go_on() -> None:
        try:
            while True:
                _WORK[work](hands)
        except DesktopError:
            ended.set()

    thread = threading.Thread(target=go_on, name=f"robot {work}", daemon=True)
    thread.start()
    yield ended
    thread.join(_PATIENCE_S)


def _until(fact: Callable[[], bool], clock: Clock, what: str) -> None:
    deadline_s = clock.monotonic() + _PATIENCE_S
    while not fact():
        if clock.monotonic() >= deadline_s:
            raise DesktopError(f"waited {_PATIENCE_S:g} s for {what}")
        clock.sleep(0.002)


def _summary(times: dict[str, list[float]]) -> JsonObject:
    every = sorted(one for some in times.values() for one in some)
    return {"all": _numbers(every)} | {work: _numbers(sorted(some)) for work, some in times.items() if some}


def _numbers(ordered: list[float]) -> JsonObject:
    return {
        "count": len(ordered),
        "median_ms": round(ordered[len(ordered) // 2], 1),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))], 1),
        "max_ms": round(ordered[-1], 1),
    }
