"""A desktop made of pictures, for tests.

Screens are arrays; what is done to them leads from one to another, by a table or by a function. Everything that was
done is kept to be looked at, a person can be played, and input can be made to fail.

    desktop = ScriptedDesktop(
        {"login": login_pixels, "home": home_pixels},
        start="login",
        script=[on_click("login", Box(40, 80, 120, 100), to="home")],
    )
    run_something_with(desktop)
    assert desktop.screen == "home"
    assert desktop.deeds == [Deed("click", at=(80, 90))]

It passes the same conformance checks as the real desktops. Its time is a ManualClock unless told otherwise; each
single input event takes 10 ms of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from rpa_vision.adapters.desktop.delivery import Delivery
from rpa_vision.errors import InputNotDeliveredError, UncertainDeliveryError, UsageError
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import (
    KEY_NAMES,
    MODIFIER_NAMES,
    InputEvent,
    InputKind,
    MouseButton,
    ScreenInfo,
)
from rpa_vision.models.window import WindowContext, only_fit
from rpa_vision.ports.runtime import Clock
from rpa_vision.testing.manual_clock import ManualClock

_EVENT_S = 0.01
T = TypeVar("T")


@dataclass(frozen=True)
class Deed:
    """One thing that was done to the desktop, by the hands or by the person."""

    verb: str
    """move, click, drag, scroll, type_text or press"""
    at: Point | None = None
    to: Point | None = None
    button: MouseButton = MouseButton.LEFT
    count: int = 1
    scroll: Point = (0, 0)
    text: str = ""
    keys: tuple[str, ...] = ()
    is_secret: bool = False


@dataclass(frozen=True)
class Transition:
    """On this screen, this deed leads to that screen."""

    screen: str
    matches: Callable[[Deed], bool]
    to: str


Script = Sequence[Transition] | Callable[[str, Deed], str | None]
"""A table, or a function that gives the next screen (None: stay) for the current one and a deed."""


def on_click(screen: str, box: Box, *, to: str, button: MouseButton = MouseButton.LEFT, count: int = 1) -> Transition:
    """A click in a box."""

    def matches(deed: Deed) -> bool:
        inside = deed.at is not None and box.contains(deed.at)
        return deed.verb == "click" and inside and deed.button is button and deed.count == count

    return Transition(screen, matches, to)


def on_text(screen: str, text: str, *, to: str) -> Transition:
    """A text typed in one go."""
    return Transition(screen, lambda deed: deed.verb == "type_text" and deed.text == text, to)


def on_press(screen: str, *keys: str, to: str) -> Transition:
    """A chord."""
    return Transition(screen, lambda deed: deed.verb == "press" and deed.keys == keys, to)


class ScriptedDesktop:
    """Implements `ports.desktop.Desktop` in memory."""

    def __init__(
        self,
        screens: Mapping[str, Pixels],
        *,
        start: str,
        script: Script = (),
        windows: Sequence[WindowContext] = (),
        clock: Clock | None = None,
        scale: float = 1.0,
    ) -> None:
        sizes = {pixels.shape for pixels in screens.values()}
        if len(sizes) != 1 or any(len(size) != 3 or size[2] not in (3, 4) for size in sizes):
            raise UsageError("screens must be arrays of one size, height by width by 3 or 4 (blue, green, red)")
        self.clock: Clock = clock if clock is not None else ManualClock()
        self.scale = scale
        self.screen = start
        """The name of the screen shown now."""
        self.deeds: list[Deed] = []
        """What the hands did, in order."""
        self.persons_deeds: list[Deed] = []
        self.arrived: list[InputEvent] = []
        """The single events of both, as programs would have got them."""
        self.text = ""
        """What a text field with the focus would have got."""
        self.locked = False
        self.front_to_back = list(windows)
        self.clipboard_text: str | None = None
        self._screens = {name: _bgra(pixels) for name, pixels in screens.items()}
        self._shown = self._screens[start]
        self._script = script
        self._refuse_after: int | None = None
        self._watchers: list[Delivery[Frame]] = []
        self._listeners: list[Delivery[InputEvent]] = []
        self._lock = threading.RLock()
        self.pointer_at: Point = (0, 0)
        self.eyes = _Eyes(self)
        self.ears = _Ears(self)
        self.hands = _Hands(self, by_person=False)
        self.person = _Hands(self, by_person=True)
        """The same verbs, done by somebody else."""
        self.clipboard = _Clipboard(self)
        self.windows = _Windows(self)

    def show(self, screen: str) -> None:
        """Change to another screen."""
        with self._lock:
            self.screen = screen
            self._change(self._screens[screen])

    def paint(self, box: Box, bgr: tuple[int, int, int]) -> None:
        """Change a part of what is shown now."""
        with self._lock:
            pixels = self._shown.copy()
            pixels[box.y1 : box.y2, box.x1 : box.x2, :3] = bgr
            self._change(pixels)

    def settle(self) -> None:
        """Wait until every watcher and listener has got what there was for it."""
        for watcher in list(self._watchers):
            watcher.flush()
        for listener in list(self._listeners):
            listener.flush()

    def refuse_input(self, after: int = 0) -> None:
        """Let that many more single events of the hands through, refuse the next, then be as before."""
        self._refuse_after = after

    def is_locked(self) -> bool | None:
        return self.locked

    def close(self) -> None:
        for watcher in self._watchers:
            watcher.stop()
        for listener in self._listeners:
            listener.stop()
        self._watchers.clear()
        self._listeners.clear()

    # for the parts below

    @property
    def size(self) -> Point:
        return int(self._shown.shape[1]), int(self._shown.shape[0])

    @property
    def active(self) -> WindowContext | None:
        return self.front_to_back[0] if self.front_to_back else None

    def frame(self, region: Box | None = None) -> Frame:
        box = Box(0, 0, *self.size) if region is None else region.clamped(*self.size)
        if box is None:
            raise UsageError(f"the region {region} is not on the screen", remedy=f"Choose one inside {self.size}.")
        with self._lock:
            began_s = self.clock.monotonic()
            pixels = self._shown[box.y1 : box.y2, box.x1 : box.x2].copy()
            return Frame(pixels, began_s, self.clock.monotonic(), self.pointer_at, self.active)

    def watching(self, on_frame: Callable[[Frame], None]) -> AbstractContextManager[None]:
        delivery: Delivery[Frame] = Delivery(on_frame, "scripted-watch")
        return _Open(self._watchers, delivery, self._lock, lambda: delivery.put(self.frame()))

    def listening(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        delivery = Delivery(on_event, "scripted-listen", on_lost)
        return _Open(self._listeners, delivery, self._lock, lambda: None, raises=on_lost is None)

    def do(self, deed: Deed, events: Sequence[InputEvent], by_person: bool) -> None:
        """Let single events arrive one by one, then note the deed and follow the script."""
        if not by_person and self.locked:
            raise InputNotDeliveredError("the screen is locked", remedy="Unlock it.")
        for number, event in enumerate(events):
            if not by_person and self._is_refused():
                if number == 0:
                    raise InputNotDeliveredError("the scripted desktop refused the input")
                for release in _releases(events[:number]):
                    self._arrive(release)
                raise UncertainDeliveryError(f"the scripted desktop took {number} of {len(events)} events")
            self._arrive(event)
        (self.persons_deeds if by_person else self.deeds).append(deed)
        following = self._following(deed)
        if following is not None:
            self.show(following)

    def _is_refused(self) -> bool:
        if self._refuse_after is None:
            return False
        if self._refuse_after == 0:
            self._refuse_after = None
            return True
        self._refuse_after -= 1
        return False

    def _arrive(self, event: InputEvent) -> None:
        self.clock.sleep(_EVENT_S)
        now_s = self.clock.monotonic()
        with self._lock:
            if event.kind in (InputKind.KEY_PRESS, InputKind.KEY_RELEASE):
                event = replace(event, pos=self.pointer_at)
            self.pointer_at = event.pos
            event = replace(event, at_s=now_s, heard_s=now_s, window=self.active)
            self.arrived.append(event)
            self._write(event)
            for listener in self._listeners:
                listener.put(event)

    def _write(self, event: InputEvent) -> None:
        if event.kind is not InputKind.KEY_PRESS or event.modifiers & {"CTRL", "ALT", "SUPER"}:
            return
        self.text += {"ENTER": "\n", "TAB": "\t"}.get(event.key or "", event.char or "")

    def _following(self, deed: Deed) -> str | None:
        if callable(self._script):
            return self._script(self.screen, deed)
        table = (t.to for t in self._script if t.screen == self.screen and t.matches(deed))
        return next(table, None)

    def _change(self, pixels: Pixels) -> None:
        if np.array_equal(pixels, self._shown):
            return
        self._shown = pixels
        for watcher in self._watchers:
            watcher.put(self.frame())


class _Open(Generic[T]):
    """One watch or listen: registered while entered."""

    def __init__(
        self,
        opened: list[Delivery[T]],
        delivery: Delivery[T],
        lock: threading.RLock,
        begin: Callable[[], None],
        *,
        raises: bool = True,
    ) -> None:
        self._opened = opened
        self._delivery = delivery
        self._lock = lock
        self._begin = begin
        self._raises = raises

    def __enter__(self) -> None:
        self._delivery.start()
        with self._lock:
            self._opened.append(self._delivery)
            self._begin()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with self._lock:
            if self._delivery in self._opened:
                self._opened.remove(self._delivery)
        failure = self._delivery.stop()
        if failure is not None and error is None and self._raises:
            raise failure


class _Eyes:
    def __init__(self, desktop: ScriptedDesktop) -> None:
        self._desktop = desktop

    def info(self) -> ScreenInfo:
        size = self._desktop.size
        return ScreenInfo("scripted", size, self._desktop.scale, ((0, 0, *size),))

    def grab(self, region: Box | None = None) -> Frame:
        return self._desktop.frame(region)

    def active_window(self) -> WindowContext | None:
        return self._desktop.active

    def pointer(self) -> Point:
        return self._desktop.pointer_at

    def watch(self, on_frame: Callable[[Frame], None], *, max_fps: float = 30.0) -> AbstractContextManager[None]:
        # Every change is one frame: a test wants to see each, and the manual clock has no frame rate.
        del max_fps
        return self._desktop.watching(on_frame)


class _Ears:
    def __init__(self, desktop: ScriptedDesktop) -> None:
        self._desktop = desktop

    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        return self._desktop.listening(on_event, on_lost)


class _Hands:
    """Breaks each verb into the single events programs would get."""

    def __init__(self, desktop: ScriptedDesktop, *, by_person: bool) -> None:
        self._desktop = desktop
        self._by_person = by_person

    def move(self, to: Point) -> None:
        self._do(Deed("move", at=to), [_mouse(InputKind.MOTION, self._on_screen(to))])

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        if count < 1:
            raise UsageError(f"{count} clicks cannot be made", remedy="Click at least once.")
        clicks = [_mouse(kind, at, button) for _ in range(count) for kind in _CLICK]
        events = [_mouse(InputKind.MOTION, self._on_screen(at)), *clicks]
        self._do(Deed("click", at=at, button=button, count=count), events)

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
        events = [
            _mouse(InputKind.MOTION, self._on_screen(start)),
            _mouse(InputKind.BUTTON_PRESS, start, button),
            _mouse(InputKind.MOTION, middle),
            _mouse(InputKind.MOTION, self._on_screen(end)),
            _mouse(InputKind.BUTTON_RELEASE, end, button),
        ]
        self._do(Deed("drag", at=start, to=end, button=button), events)

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        steps = [(0, 1 if down > 0 else -1)] * abs(down) + [(1 if right > 0 else -1, 0)] * abs(right)
        turns = [replace(_mouse(InputKind.SCROLL, at), scroll=step) for step in steps]
        events = [_mouse(InputKind.MOTION, self._on_screen(at)), *turns]
        self._do(Deed("scroll", at=at, scroll=(right, down)), events)

    def type_text(self, text: str, *, is_secret: bool = False) -> None:
        events: list[InputEvent] = []
        for character in text:
            if not character.isprintable() and character not in "\n\t":
                raise UsageError(f"the character {character!r} cannot be typed", remedy="Press the key instead.")
            name = {"\n": "ENTER", "\t": "TAB", " ": "SPACE"}.get(character, character.upper())
            held = frozenset({"SHIFT"}) if character != character.lower() else frozenset[str]()
            written = character if character.isprintable() else None
            events += [_key(InputKind.KEY_PRESS, name, held, written), _key(InputKind.KEY_RELEASE, name, held)]
        self._do(Deed("type_text", text=text, is_secret=is_secret), events)

    def press(self, keys: Sequence[str]) -> None:
        if isinstance(keys, str):
            raise UsageError('a chord is a sequence of key names, such as ("CTRL", "S")')
        unknown = [name for name in keys if name not in KEY_NAMES and len(name) != 1]
        if unknown or not keys:
            raise UsageError(f"there is no key {unknown}", remedy="Use the names of models.input.KEY_NAMES.")
        held: frozenset[str] = frozenset()
        presses: list[InputEvent] = []
        releases: list[InputEvent] = []
        for name in keys:
            written = name.lower() if len(name) == 1 and not held - {"SHIFT"} else None
            presses.append(_key(InputKind.KEY_PRESS, name, held, written))
            held |= {name} & set(MODIFIER_NAMES)
            releases.insert(0, _key(InputKind.KEY_RELEASE, name, held))
        self._do(Deed("press", keys=tuple(keys)), [*presses, *releases])

    def _do(self, deed: Deed, events: Sequence[InputEvent]) -> None:
        self._desktop.do(deed, events, self._by_person)

    def _on_screen(self, point: Point) -> Point:
        if not Box(0, 0, *self._desktop.size).contains(point):
            raise InputNotDeliveredError(f"the point {point} is not on the screen of {self._desktop.size}")
        return point


class _Clipboard:
    def __init__(self, desktop: ScriptedDesktop) -> None:
        self._desktop = desktop

    def read(self) -> str | None:
        return self._desktop.clipboard_text

    def write(self, text: str) -> None:
        self._desktop.clipboard_text = text

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        before = self._desktop.clipboard_text
        try:
            yield
        finally:
            self._desktop.clipboard_text = before


class _Windows:
    def __init__(self, desktop: ScriptedDesktop) -> None:
        self._desktop = desktop

    def all(self) -> list[WindowContext]:
        return list(self._desktop.front_to_back)

    def activate(self, *, app_name: str | None = None, title_contains: str | None = None) -> WindowContext | None:
        if app_name is None and title_contains is None:
            raise UsageError("no window was named", remedy="Give app_name, title_contains or both.")
        meant = only_fit(self._desktop.front_to_back, app_name, title_contains)
        if meant is None:
            return None
        window = self._desktop.front_to_back.pop(meant)
        self._desktop.front_to_back.insert(0, window)
        return window


_CLICK = (InputKind.BUTTON_PRESS, InputKind.BUTTON_RELEASE)


def _mouse(kind: InputKind, at: Point, button: MouseButton | None = None) -> InputEvent:
    return InputEvent(kind, 0.0, 0.0, at, button)


def _key(kind: InputKind, name: str, held: frozenset[str], written: str | None = None) -> InputEvent:
    return InputEvent(kind, 0.0, 0.0, (0, 0), key=name, char=written, modifiers=held)


def _releases(events: Sequence[InputEvent]) -> list[InputEvent]:
    """What lets go of everything these left pressed."""
    held: dict[object, InputEvent] = {}
    for event in events:
        name = event.button or event.key
        if event.kind is InputKind.BUTTON_PRESS:
            held[name] = replace(event, kind=InputKind.BUTTON_RELEASE)
        elif event.kind is InputKind.KEY_PRESS:
            held[name] = replace(event, kind=InputKind.KEY_RELEASE, char=None)
        else:
            held.pop(name, None)
    return list(reversed(held.values()))


def _bgra(pixels: Pixels) -> Pixels:
    if pixels.shape[2] == 4:
        return pixels.astype(np.uint8, copy=True)
    whole = np.zeros((*pixels.shape[:2], 4), np.uint8)
    whole[:, :, :3] = pixels
    return whole
