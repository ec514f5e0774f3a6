"""What every desktop must do, whatever it is made of.

`DESKTOP_CHECKS` is a list of functions; each takes a `DesktopUnderTest`: the desktop, and the means to play the world
around it. A check raises AssertionError when the desktop breaks its port, NotApplicable when that world cannot be
played here. Checks wait for what must come and never sleep, so they run with a manual clock and with a real one.

One file although it is long: it is a list to be read from top to bottom, and nothing in it leans on its neighbours.

    @pytest.mark.parametrize("check", DESKTOP_CHECKS, ids=lambda check: check.__name__)
    def test_my_desktop_keeps_the_port(check): ...
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

from rpa_vision.errors import InputNotDeliveredError, UncertainDeliveryError, UsageError
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind, MouseButton
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.desktop import Desktop, Hands

T = TypeVar("T")
PATIENCE_S = 10.0
"""How long a check waits, in real seconds, for something that must come."""
_RED, _BLUE = (20, 30, 220), (220, 40, 10)


class NotApplicable(Exception):  # noqa: N818  (not an error: this check cannot be made here)
    """The world around this desktop cannot be made to do that."""


class DesktopUnderTest(Protocol):
    """A desktop and the world around it. Every check gets a fresh one."""

    @property
    def desktop(self) -> Desktop:
        """What is checked."""

    @property
    def person(self) -> Hands:
        """Somebody else at the same desktop: their input does not come from `desktop.hands`."""

    @property
    def free_area(self) -> Box:
        """At least 100 by 60 pixels, not at an edge, where painting, clicking and dragging have no consequences."""

    @property
    def expected_windows(self) -> Sequence[WindowContext]:
        """At least two windows with different titles and app names, the active one first."""

    def paint(self, box: Box, bgr: tuple[int, int, int]) -> None:
        """Make a box of the screen show one colour."""

    def settle(self) -> None:
        """Return when everything asked so far has reached the screen and the programs."""

    def arrived(self) -> list[InputEvent]:
        """The input programs got since asked last, whoever gave it. Only kind, pos, button, scroll, key, modifiers."""

    def arrived_text(self) -> str:
        """The text that a text field with the focus got since asked last."""

    def copy_as_person(self, text: str | None) -> None:
        """Another program puts text on the clipboard; None leaves it without text."""

    def refuse_input(self, after: int) -> None:
        """Let the next `after` single events of the hands through and refuse the one after; or NotApplicable."""

    def lock(self) -> None:
        """Lock the screen; or NotApplicable."""


class Heard(Generic[T]):
    """What callbacks were called with, and from which thread."""

    def __init__(self) -> None:
        self.items: list[T] = []
        self.threads: set[int] = set()
        self._changed = threading.Condition()

    def __call__(self, item: T) -> None:
        with self._changed:
            self.items.append(item)
            self.threads.add(threading.get_ident())
            self._changed.notify_all()

    def wait_for(self, enough: Callable[[list[T]], bool], what: str) -> list[T]:
        """Wait until the items are enough; fail, saying what did not come."""
        with self._changed:
            came = self._changed.wait_for(lambda: enough(self.items), PATIENCE_S)
            expect(came, f"{what} did not come; came: {self.items[-12:]}")
            return list(self.items)


def expect(fact: bool, otherwise: str) -> None:
    """Assert, also when Python runs without assertions."""
    if not fact:
        raise AssertionError(otherwise)


def expect_equal(actual: object, wanted: object, what: str) -> None:
    expect(actual == wanted, f"{what}: {actual!r} instead of {wanted!r}")


# Eyes


def check_a_grab_is_the_whole_screen_in_order_of_time(rig: DesktopUnderTest) -> None:
    eyes = rig.desktop.eyes
    first, second = eyes.grab(), eyes.grab()
    width, height = eyes.info().resolution
    expect_equal(first.pixels.shape, (height, width, 4), "shape")
    expect_equal(first.pixels.dtype, np.dtype(np.uint8), "dtype")
    times = [first.began_s, first.ended_s, second.began_s, second.ended_s]
    expect(times == sorted(times), f"frames are not in order of time: {times}")


def check_colours_are_blue_green_red(rig: DesktopUnderTest) -> None:
    box = _inner(rig)
    rig.paint(box, _RED)
    rig.settle()
    pixels = rig.desktop.eyes.grab().pixels[box.y1 : box.y2, box.x1 : box.x2, :3]
    expect(bool((pixels == np.array(_RED, np.uint8)).all()), f"painted {_RED}, saw {pixels[0, 0].tolist()}")
    outside = rig.desktop.eyes.grab().pixels[box.y1 - 1, box.x1 : box.x2, :3]
    expect(not bool((outside == np.array(_RED, np.uint8)).all()), "the colour is one row too high")


def check_a_region_is_a_crop_of_the_whole(rig: DesktopUnderTest) -> None:
    box = _inner(rig)
    rig.paint(box, _BLUE)
    rig.settle()
    region = box.padded(7, 5)
    whole, part = rig.desktop.eyes.grab(), rig.desktop.eyes.grab(region)
    crop = whole.pixels[region.y1 : region.y2, region.x1 : region.x2, :3]
    expect(np.array_equal(part.pixels[:, :, :3], crop), "a region differs from the same part of the whole")


def check_a_region_is_clamped_to_the_screen(rig: DesktopUnderTest) -> None:
    width, height = rig.desktop.eyes.info().resolution
    grab = rig.desktop.eyes.grab
    expect_equal(grab(Box(-50, -40, 30, 20)).pixels.shape, (20, 30, 4), "shape at the top left")
    corner = Box(width - 12, height - 8, width + 100, height + 100)
    expect_equal(grab(corner).pixels.shape, (8, 12, 4), "shape at the bottom right")


def check_a_region_off_the_screen_is_a_mistake(rig: DesktopUnderTest) -> None:
    width, height = rig.desktop.eyes.info().resolution
    _expect_mistake(lambda: rig.desktop.eyes.grab(Box(width, 0, width + 20, height)), "a region right of the screen")
    _expect_mistake(lambda: rig.desktop.eyes.grab(Box(-20, -20, 0, 0)), "a region above the screen")


def check_info_is_consistent(rig: DesktopUnderTest) -> None:
    info = rig.desktop.eyes.info()
    screen = Box(0, 0, *info.resolution)
    expect(bool(info.platform), "no platform")
    expect(info.scale > 0, f"scale {info.scale}")
    expect(len(info.monitors) >= 1, "no monitor")
    expect(all(screen.encloses(Box.of(monitor)) for monitor in info.monitors), f"{info.monitors} beyond {screen}")


def check_the_active_window_is_told(rig: DesktopUnderTest) -> None:
    wanted = rig.expected_windows[0]
    active = rig.desktop.eyes.active_window()
    expect(active is not None, "no active window")
    if active is not None:
        expect_equal((active.title, active.app_name), (wanted.title, wanted.app_name), "active window")
        if wanted.geometry is not None:
            expect_equal(active.geometry, wanted.geometry, "its place")
        if wanted.pid is not None:
            expect_equal(active.pid, wanted.pid, "its process")


def check_the_pointer_is_told(rig: DesktopUnderTest) -> None:
    for point in (_inner(rig).center, (rig.free_area.x1, rig.free_area.y1), (rig.free_area.x2 - 1, rig.free_area.y1)):
        rig.person.move(point)
        rig.settle()
        expect_equal(rig.desktop.eyes.pointer(), point, "pointer")
    frame = rig.desktop.eyes.grab()
    expect(frame.pointer in (None, rig.desktop.eyes.pointer()), f"the frame says the pointer was at {frame.pointer}")


def check_watching_gives_the_current_frame_and_then_changes(rig: DesktopUnderTest) -> None:
    box = _inner(rig)
    rig.paint(box, _RED)
    rig.settle()
    frames: Heard[Frame] = Heard()
    with rig.desktop.eyes.watch(frames, max_fps=30.0):
        frames.wait_for(lambda seen: bool(seen) and _shows(seen[0], box, _RED), "the current frame")
        rig.paint(box, _BLUE)
        seen = frames.wait_for(lambda seen: _shows(seen[-1], box, _BLUE), "the changed frame")
    expect(threading.get_ident() not in frames.threads, "called back on the caller's thread")
    for earlier, later in itertools.pairwise(seen):
        expect(not np.array_equal(earlier.pixels, later.pixels), "a frame without a change")
        expect(earlier.ended_s <= later.began_s, "frames are not in order of time")


def check_watching_ends(rig: DesktopUnderTest) -> None:
    frames: Heard[Frame] = Heard()
    with rig.desktop.eyes.watch(frames, max_fps=30.0):
        frames.wait_for(bool, "the current frame")
    count = len(frames.items)
    rig.paint(_inner(rig), _RED)
    rig.settle()
    expect_equal(len(frames.items), count, "frames after the end")
    with rig.desktop.eyes.watch(frames, max_fps=30.0):
        frames.wait_for(lambda seen: len(seen) > count, "a frame of a second watch")


def check_a_failing_watcher_is_told(rig: DesktopUnderTest) -> None:
    called = threading.Event()

    def fail(_frame: Frame) -> None:
        called.set()
        raise _TroubleError

    def watch() -> None:
        with rig.desktop.eyes.watch(fail):
            expect(called.wait(PATIENCE_S), "the current frame did not come")

    _expect_trouble(watch)


# Ears


def check_a_click_is_heard(rig: DesktopUnderTest) -> None:
    at = _inner(rig).center
    for button in MouseButton:
        heard = _hear(rig, lambda b=button: rig.person.click(at, button=b), _buttons(2))  # type: ignore[misc]
        _expect_buttons(heard, [(InputKind.BUTTON_PRESS, button, at), (InputKind.BUTTON_RELEASE, button, at)])


def check_a_double_click_is_heard_as_two(rig: DesktopUnderTest) -> None:
    at = _inner(rig).center
    heard = _hear(rig, lambda: rig.person.click(at, count=2), _buttons(4))
    once = [(InputKind.BUTTON_PRESS, MouseButton.LEFT, at), (InputKind.BUTTON_RELEASE, MouseButton.LEFT, at)]
    _expect_buttons(heard, once * 2)


def check_a_drag_is_heard_with_its_way(rig: DesktopUnderTest) -> None:
    start, end = _ends(rig)
    heard = _hear(rig, lambda: rig.person.drag(start, end), _buttons(2))
    _expect_drag(heard, start, end, "heard")


def check_moves_are_heard(rig: DesktopUnderTest) -> None:
    start, end = _ends(rig)
    rig.person.move(start)
    heard = _hear(rig, lambda: rig.person.move(end), lambda events: any(e.pos == end for e in events))
    expect(heard[-1].kind is InputKind.MOTION, f"a move was heard as {heard[-1].kind}")


def check_scrolling_is_heard_with_its_direction(rig: DesktopUnderTest) -> None:
    at = _inner(rig).center
    for right, down in ((0, 2), (0, -1), (1, 0), (-2, 0)):
        heard = _hear(
            rig,
            lambda r=right, d=down: rig.person.scroll(at, right=r, down=d),  # type: ignore[misc]
            lambda events, r=right, d=down: _scrolled(events) == (r, d),  # type: ignore[misc]
        )
        expect(all(e.pos == at for e in heard if e.kind is InputKind.SCROLL), "scrolled somewhere else")


def check_keys_are_heard_with_names_and_characters(rig: DesktopUnderTest) -> None:
    heard = _hear(rig, lambda: rig.person.type_text("ab Z"), lambda events: _written(events) == "ab Z")
    presses = [e for e in heard if e.kind is InputKind.KEY_PRESS and e.key not in MODIFIER_NAMES]
    expect_equal([e.key for e in presses], ["A", "B", "SPACE", "Z"], "names of the keys")
    expect("SHIFT" in presses[-1].modifiers, f"Z was written with {set(presses[-1].modifiers)}")


def check_accents_are_heard(rig: DesktopUnderTest) -> None:
    _hear(rig, lambda: rig.person.type_text("é€"), lambda events: _written(events) == "é€")


def check_accents_still_arrive_while_listening(rig: DesktopUnderTest) -> None:
    rig.arrived_text()
    _hear(rig, lambda: rig.person.type_text("ê"), lambda events: _written(events) == "ê")
    rig.settle()
    expect_equal(rig.arrived_text(), "ê", "what the person wrote while we listened")


def check_a_chord_is_heard_with_its_modifiers(rig: DesktopUnderTest) -> None:
    heard = _hear(rig, lambda: rig.person.press(("CTRL", "S")), _releases(2))
    keys = [(e.kind, e.key) for e in heard if e.key]
    press, release = InputKind.KEY_PRESS, InputKind.KEY_RELEASE
    expect_equal(keys, [(press, "CTRL"), (press, "S"), (release, "S"), (release, "CTRL")], "keys of CTRL + S")
    letter = next(e for e in heard if e.key == "S")
    expect_equal(letter.modifiers, frozenset({"CTRL"}), "modifiers of the S")
    expect(not (letter.char or "").isprintable() or letter.char is None, f"CTRL + S writes {letter.char!r}")


def check_named_keys_are_heard(rig: DesktopUnderTest) -> None:
    names = ["ENTER", "TAB", "ESCAPE", "BACKSPACE", "DELETE", "HOME", "PAGE_DOWN", "LEFT", "UP", "F5", "F12"]

    def play() -> None:
        for name in names:
            rig.person.press((name,))

    heard = _hear(rig, play, _releases(len(names)))
    expect_equal([e.key for e in heard if e.kind is InputKind.KEY_PRESS], names, "names of the keys")


def check_event_times_only_go_forward(rig: DesktopUnderTest) -> None:
    at = _inner(rig).center

    def play() -> None:
        rig.person.click(at, count=2)
        rig.person.type_text("abc")
        rig.person.scroll(at, down=2)

    before_s = rig.desktop.eyes.grab().ended_s
    heard = _hear(rig, play, lambda events: _scrolled(events) == (0, 2))
    times = [e.at_s for e in heard]
    expect(times == sorted(times), f"events are not in order of time: {times}")
    expect(all(e.at_s <= e.heard_s for e in heard), "an event was heard before it happened")
    # The devices' clock may be coarse; a tick of Windows is 16 ms.
    expect(times[0] >= before_s - 0.05, "an event is older than the frame before it")
    after_s = rig.desktop.eyes.grab().began_s
    expect(times[-1] <= after_s, "an event is younger than the frame after it")


def check_events_know_their_window(rig: DesktopUnderTest) -> None:
    heard = _hear(rig, lambda: rig.person.type_text("a"), _releases(1))
    window = heard[0].window
    wanted = rig.expected_windows[0]
    expect(window is not None, "the event has no window")
    if window is not None:
        expect_equal((window.title, window.app_name), (wanted.title, wanted.app_name), "window of the event")


def check_listening_ends(rig: DesktopUnderTest) -> None:
    at = _inner(rig).center
    events: Heard[InputEvent] = Heard()
    with rig.desktop.ears.listen(events):
        rig.person.click(at)
        events.wait_for(_buttons(2), "the click")
    expect(threading.get_ident() not in events.threads, "called back on the caller's thread")
    count = len(events.items)
    rig.person.click(at)
    rig.settle()
    expect_equal(len(events.items), count, "events after the end")
    with rig.desktop.ears.listen(events):
        rig.person.click(at)
        events.wait_for(_buttons(4), "the click of a second listening")


def check_a_failing_listener_is_told(rig: DesktopUnderTest) -> None:
    called = threading.Event()

    def fail(_event: InputEvent) -> None:
        called.set()
        raise _TroubleError

    def listen() -> None:
        with rig.desktop.ears.listen(fail):
            rig.person.click(_inner(rig).center)
            expect(called.wait(PATIENCE_S), "the click did not come")

    _expect_trouble(listen)


def check_lost_ears_are_told_at_once(rig: DesktopUnderTest) -> None:
    told, lost = list[Exception](), threading.Event()

    def fail(_event: InputEvent) -> None:
        raise _TroubleError

    def lose(error: Exception) -> None:
        told.append(error)
        lost.set()

    with rig.desktop.ears.listen(fail, on_lost=lose):
        rig.person.click(_inner(rig).center)
        expect(lost.wait(PATIENCE_S), "nobody said that nothing is heard any more")
    expect_equal([type(error) for error in told], [_TroubleError], "what was told, and not raised again")


# Hands


def check_the_pointer_moves(rig: DesktopUnderTest) -> None:
    area = rig.free_area
    for point in (area.center, (area.x1, area.y1), (area.x2 - 1, area.y2 - 1), (area.x1 + 1, area.y2 - 2)):
        rig.desktop.hands.move(point)
        rig.settle()
        expect_equal(rig.desktop.eyes.pointer(), point, "pointer")


def check_clicks_arrive_where_and_as_often_as_asked(rig: DesktopUnderTest) -> None:
    at = _inner(rig).center
    for button, count in (
        (MouseButton.LEFT, 1),
        (MouseButton.LEFT, 2),
        (MouseButton.RIGHT, 1),
        (MouseButton.MIDDLE, 1),
    ):
        rig.arrived()
        rig.desktop.hands.click(at, button=button, count=count)
        rig.settle()
        once = [(InputKind.BUTTON_PRESS, button, at), (InputKind.BUTTON_RELEASE, button, at)]
        _expect_buttons(rig.arrived(), once * count)


def check_a_drag_arrives_with_its_ends(rig: DesktopUnderTest) -> None:
    start, end = _ends(rig)
    rig.arrived()
    rig.desktop.hands.drag(start, end)
    rig.settle()
    _expect_drag(rig.arrived(), start, end, "arrived")


def check_scrolling_arrives_with_its_direction(rig: DesktopUnderTest) -> None:
    at = _inner(rig).center
    for right, down in ((0, 3), (0, -2), (1, 0), (-1, 0)):
        rig.arrived()
        rig.desktop.hands.scroll(at, right=right, down=down)
        rig.settle()
        expect_equal(_scrolled(rig.arrived()), (right, down), "notches")


def check_text_arrives_unchanged(rig: DesktopUnderTest) -> None:
    for text in ("Hello, World 123", "éàüßñ Œuvre €", "quotes \"' <>|\\ @#~{}[]^`", "two\nlines"):
        rig.arrived_text()
        rig.desktop.hands.type_text(text)
        rig.settle()
        expect_equal(rig.arrived_text(), text, "typed text")


def check_a_chord_arrives_in_order(rig: DesktopUnderTest) -> None:
    rig.arrived()
    rig.desktop.hands.press(("CTRL", "SHIFT", "S"))
    rig.settle()
    keys = [e for e in rig.arrived() if e.kind in (InputKind.KEY_PRESS, InputKind.KEY_RELEASE)]
    pressed = [e.key for e in keys if e.kind is InputKind.KEY_PRESS]
    released = [e.key for e in keys if e.kind is InputKind.KEY_RELEASE]
    expect_equal((pressed, released), (["CTRL", "SHIFT", "S"], ["S", "SHIFT", "CTRL"]), "keys")
    letter = next(e for e in keys if e.key == "S")
    expect_equal(letter.modifiers, frozenset({"CTRL", "SHIFT"}), "modifiers of the S")


def check_named_keys_arrive(rig: DesktopUnderTest) -> None:
    names = ["ENTER", "TAB", "ESCAPE", "DELETE", "HOME", "PAGE_UP", "RIGHT", "DOWN", "F1", "F12", "A", "7"]
    rig.arrived()
    for name in names:
        rig.desktop.hands.press((name,))
    rig.settle()
    expect_equal([e.key for e in rig.arrived() if e.kind is InputKind.KEY_PRESS], names, "keys")


def check_an_unknown_key_sends_nothing(rig: DesktopUnderTest) -> None:
    rig.arrived()
    _expect_mistake(lambda: rig.desktop.hands.press(("CTRL", "NO_SUCH_KEY")), "an unknown key")
    rig.settle()
    expect_equal(rig.arrived(), [], "what arrived")


def check_what_no_desktop_can_do_sends_nothing(rig: DesktopUnderTest) -> None:
    hands = rig.desktop.hands
    rig.arrived()
    _expect_mistake(lambda: hands.press(()), "a chord without keys")
    _expect_mistake(lambda: hands.press("CTRL"), "a string as a chord")
    _expect_mistake(lambda: hands.type_text("a\x07"), "a character that no key writes")
    _expect_mistake(lambda: hands.click(_inner(rig).center, count=0), "no click at all")
    rig.settle()
    expect_equal(rig.arrived(), [], "what arrived")


def check_points_off_the_screen_get_nothing(rig: DesktopUnderTest) -> None:
    hands, inside = rig.desktop.hands, _inner(rig).center
    width, height = rig.desktop.eyes.info().resolution
    verbs: list[Callable[[], None]] = [
        lambda: hands.move((-1, 0)),
        lambda: hands.click((width, 0)),
        lambda: hands.scroll((0, height), down=1),
        lambda: hands.drag((0, -1), inside),
        lambda: hands.drag(inside, (width, height)),
    ]
    for number, verb in enumerate(verbs):
        rig.arrived()
        try:
            verb()
        except InputNotDeliveredError:
            rig.settle()
            expect_equal(rig.arrived(), [], "what arrived")
        else:
            raise AssertionError(f"a point off the screen was accepted (verb {number})")


def check_refused_input_is_told_and_safe_to_repeat(rig: DesktopUnderTest) -> None:
    hands, at = rig.desktop.hands, _inner(rig).center
    verbs: list[Callable[[], None]] = [
        lambda: hands.click(at),
        lambda: hands.drag(*_ends(rig)),
        lambda: hands.type_text("abc"),
        lambda: hands.press(("CTRL", "S")),
    ]
    for verb in verbs:
        rig.arrived()
        rig.refuse_input(after=0)
        try:
            verb()
        except InputNotDeliveredError:
            rig.settle()
            expect_equal(rig.arrived(), [], "what arrived of refused input")
        else:
            raise AssertionError("refused input was not told")
        verb()


def check_input_refused_halfway_is_uncertain_and_leaves_nothing_pressed(rig: DesktopUnderTest) -> None:
    hands, at = rig.desktop.hands, _inner(rig).center
    verbs: list[Callable[[], None]] = [
        lambda: hands.click(at, count=2),
        lambda: hands.drag(*_ends(rig)),
        lambda: hands.press(("CTRL", "SHIFT", "S")),
        lambda: hands.type_text("abc"),
    ]
    for verb in verbs:
        rig.arrived()
        rig.refuse_input(after=2)
        try:
            verb()
        except UncertainDeliveryError:
            rig.settle()
            _expect_nothing_pressed(rig.arrived())
        else:
            raise AssertionError("input refused halfway was not told")


# Clipboard


def check_the_clipboard_is_read_and_written(rig: DesktopUnderTest) -> None:
    clipboard = rig.desktop.clipboard
    rig.copy_as_person("the person's é€")
    expect_equal(clipboard.read(), "the person's é€", "clipboard")
    clipboard.write("ours: œ 😀\nsecond line")
    expect_equal(clipboard.read(), "ours: œ 😀\nsecond line", "clipboard")


def check_a_clipboard_without_text_reads_none(rig: DesktopUnderTest) -> None:
    rig.copy_as_person(None)
    expect_equal(rig.desktop.clipboard.read(), None, "clipboard")


def check_a_borrowed_clipboard_is_given_back(rig: DesktopUnderTest) -> None:
    clipboard = rig.desktop.clipboard
    for before in ("the person's é€\nin two lines", None):
        rig.copy_as_person(before)
        with clipboard.borrowed():
            clipboard.write("ours")
            expect_equal(clipboard.read(), "ours", "clipboard while borrowed")
        expect_equal(clipboard.read(), before, "clipboard afterwards")


def check_a_borrowed_clipboard_is_given_back_after_an_error(rig: DesktopUnderTest) -> None:
    clipboard = rig.desktop.clipboard
    rig.copy_as_person("the person's")

    def borrow() -> None:
        with clipboard.borrowed():
            clipboard.write("ours")
            raise _TroubleError

    _expect_trouble(borrow)
    expect_equal(clipboard.read(), "the person's", "clipboard afterwards")


# Windows


def check_windows_are_listed_front_first(rig: DesktopUnderTest) -> None:
    listed = [(w.title, w.app_name) for w in rig.desktop.windows.all()]
    wanted = [(w.title, w.app_name) for w in rig.expected_windows]
    expect_equal(listed[0], wanted[0], "the front window")
    expect(set(wanted) <= set(listed), f"{set(wanted) - set(listed)} is not listed")
    expect(all(title for title, _ in listed), "a window without a title is listed")


def check_a_window_is_activated_by_app_or_title(rig: DesktopUnderTest) -> None:
    front, behind = rig.expected_windows[0], rig.expected_windows[1]
    windows, eyes = rig.desktop.windows, rig.desktop.eyes
    given = windows.activate(app_name=behind.app_name)
    expect(given is not None and given.title == behind.title, f"activating {behind.app_name!r} gave {given}")
    active = eyes.active_window()
    expect(active is not None and active.title == behind.title, f"active is {active}")
    expect_equal(windows.all()[0].title, behind.title, "the front window")
    given = windows.activate(title_contains=front.title[1:-1])
    expect(given is not None and given.title == front.title, f"activating by title gave {given}")
    active = eyes.active_window()
    expect(active is not None and active.title == front.title, f"active is {active}")
    both = windows.activate(app_name=front.app_name, title_contains=behind.title)
    expect_equal(both, None, "a window of one app with the title of another")


def check_activating_an_unknown_window_gives_none(rig: DesktopUnderTest) -> None:
    before = rig.desktop.eyes.active_window()
    expect_equal(rig.desktop.windows.activate(app_name="no-such-program-7f3a"), None, "by app")
    expect_equal(rig.desktop.windows.activate(title_contains="no such title 7f3a"), None, "by title")
    expect_equal(rig.desktop.eyes.active_window(), before, "active window")


def check_of_several_windows_that_fit_none_is_activated(rig: DesktopUnderTest) -> None:
    front, behind = rig.expected_windows[0], rig.expected_windows[1]
    before = rig.desktop.eyes.active_window()
    shared = next(one for one in front.title.casefold() if one.isalnum() and one in behind.title.casefold())
    said = ""
    try:
        rig.desktop.windows.activate(title_contains=shared)
    except InputNotDeliveredError as error:
        said = str(error)
    expect(front.title in said and behind.title in said, f"the windows that fit are not named: {said!r}")
    expect_equal(rig.desktop.eyes.active_window(), before, "active window")


def check_a_window_to_activate_must_be_named(rig: DesktopUnderTest) -> None:
    _expect_mistake(rig.desktop.windows.activate, "a window by no name")


# The desktop


def check_a_locked_screen_is_told_and_takes_no_input(rig: DesktopUnderTest) -> None:
    expect(rig.desktop.is_locked() is not True, "a screen in use counts as locked")
    rig.arrived()
    rig.lock()
    expect_equal(rig.desktop.is_locked(), True, "locked")
    try:
        rig.desktop.hands.type_text("secret")
    except InputNotDeliveredError:
        expect_equal(rig.arrived(), [], "what arrived")
    else:
        raise AssertionError("typed into a locked screen")


def check_closing_twice_is_closing_once(rig: DesktopUnderTest) -> None:
    rig.desktop.eyes.grab()
    rig.desktop.close()
    rig.desktop.close()


DESKTOP_CHECKS: tuple[Callable[[DesktopUnderTest], None], ...] = (
    check_a_grab_is_the_whole_screen_in_order_of_time,
    check_colours_are_blue_green_red,
    check_a_region_is_a_crop_of_the_whole,
    check_a_region_is_clamped_to_the_screen,
    check_a_region_off_the_screen_is_a_mistake,
    check_info_is_consistent,
    check_the_active_window_is_told,
    check_the_pointer_is_told,
    check_watching_gives_the_current_frame_and_then_changes,
    check_watching_ends,
    check_a_failing_watcher_is_told,
    check_a_click_is_heard,
    check_a_double_click_is_heard_as_two,
    check_a_drag_is_heard_with_its_way,
    check_moves_are_heard,
    check_scrolling_is_heard_with_its_direction,
    check_keys_are_heard_with_names_and_characters,
    check_accents_are_heard,
    check_accents_still_arrive_while_listening,
    check_a_chord_is_heard_with_its_modifiers,
    check_named_keys_are_heard,
    check_event_times_only_go_forward,
    check_events_know_their_window,
    check_listening_ends,
    check_a_failing_listener_is_told,
    check_lost_ears_are_told_at_once,
    check_the_pointer_moves,
    check_clicks_arrive_where_and_as_often_as_asked,
    check_a_drag_arrives_with_its_ends,
    check_scrolling_arrives_with_its_direction,
    check_text_arrives_unchanged,
    check_a_chord_arrives_in_order,
    check_named_keys_arrive,
    check_an_unknown_key_sends_nothing,
    check_what_no_desktop_can_do_sends_nothing,
    check_points_off_the_screen_get_nothing,
    check_refused_input_is_told_and_safe_to_repeat,
    check_input_refused_halfway_is_uncertain_and_leaves_nothing_pressed,
    check_the_clipboard_is_read_and_written,
    check_a_clipboard_without_text_reads_none,
    check_a_borrowed_clipboard_is_given_back,
    check_a_borrowed_clipboard_is_given_back_after_an_error,
    check_windows_are_listed_front_first,
    check_a_window_is_activated_by_app_or_title,
    check_activating_an_unknown_window_gives_none,
    check_of_several_windows_that_fit_none_is_activated,
    check_a_window_to_activate_must_be_named,
    check_a_locked_screen_is_told_and_takes_no_input,
    check_closing_twice_is_closing_once,
)


class _TroubleError(Exception):
    """What only a check raises."""


def _expect_mistake(ask: Callable[[], object], what: str) -> None:
    try:
        ask()
    except UsageError:
        return
    raise AssertionError(f"{what} was accepted")


def _expect_trouble(act: Callable[[], None]) -> None:
    try:
        act()
    except _TroubleError:
        return
    raise AssertionError("the error was swallowed")


def _inner(rig: DesktopUnderTest) -> Box:
    area = rig.free_area
    return Box(area.x1 + 20, area.y1 + 15, area.x1 + 60, area.y1 + 35)


def _ends(rig: DesktopUnderTest) -> tuple[tuple[int, int], tuple[int, int]]:
    area = rig.free_area
    return (area.x1 + 5, area.y1 + 6), (area.x1 + 71, area.y1 + 43)


def _shows(frame: Frame, box: Box, bgr: tuple[int, int, int]) -> bool:
    return bool((frame.pixels[box.y1 : box.y2, box.x1 : box.x2, :3] == np.array(bgr, np.uint8)).all())


def _hear(
    rig: DesktopUnderTest, play: Callable[[], object], enough: Callable[[list[InputEvent]], bool]
) -> list[InputEvent]:
    events: Heard[InputEvent] = Heard()
    with rig.desktop.ears.listen(events):
        play()
        return events.wait_for(enough, "what the person did")


def _buttons(count: int) -> Callable[[list[InputEvent]], bool]:
    return lambda events: sum(e.button is not None for e in events) >= count


def _releases(count: int) -> Callable[[list[InputEvent]], bool]:
    return lambda events: sum(e.kind is InputKind.KEY_RELEASE for e in events) >= count


def _expect_buttons(events: list[InputEvent], wanted: list[tuple[InputKind, MouseButton, tuple[int, int]]]) -> None:
    expect_equal([(e.kind, e.button, e.pos) for e in events if e.button is not None], wanted, "buttons")


def _expect_drag(events: list[InputEvent], start: tuple[int, int], end: tuple[int, int], what: str) -> None:
    left = MouseButton.LEFT
    _expect_buttons(events, [(InputKind.BUTTON_PRESS, left, start), (InputKind.BUTTON_RELEASE, left, end)])
    kinds = [e.kind for e in events]
    way = events[kinds.index(InputKind.BUTTON_PRESS) + 1 : kinds.index(InputKind.BUTTON_RELEASE)]
    moves = [e.pos for e in way if e.kind is InputKind.MOTION]
    expect(bool(moves) and moves[-1] == end, f"{what}: the way of the drag is {moves}")


def _scrolled(events: list[InputEvent]) -> tuple[int, int]:
    notches = [e.scroll for e in events if e.scroll is not None]
    return sum(right for right, _ in notches), sum(down for _, down in notches)


def _written(events: list[InputEvent]) -> str:
    return "".join(e.char or "" for e in events if e.kind is InputKind.KEY_PRESS)


def _expect_nothing_pressed(events: list[InputEvent]) -> None:
    expect(bool(events), "nothing arrived although some of it was let through")
    pressed: list[object] = []
    for event in events:
        name = event.button or event.key
        if event.kind in (InputKind.BUTTON_PRESS, InputKind.KEY_PRESS):
            pressed.append(name)
        elif name in pressed:
            pressed.remove(name)
    expect_equal(pressed, [], "what is still pressed")
