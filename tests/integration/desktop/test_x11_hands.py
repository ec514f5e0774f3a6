"""Acting on programs that nobody in the project wrote."""

from __future__ import annotations

import pytest

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.errors import InputNotDeliveredError, UsageError
from rpa_vision.models.input import KEY_NAMES, InputKind

TEXT = "Été à ça: 12€ ñ œ [Z]@# É"
SHIFT, CAPS = 50, 66
PAGE = "<meta charset=utf-8><title>Champ</title><textarea autofocus style='width:600px;height:300px'></textarea>"


class NotingClock(SystemClock):
    """Notes how long its users slept."""

    def __init__(self) -> None:
        self.slept_s: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept_s.append(seconds)
        super().sleep(seconds)


@pytest.fixture
def editor_text(x11, wait):
    """Give what is in the field that has the focus, by way of the clipboard."""

    def read(at_least: int) -> str:
        def copied():
            x11.clipboard.write("")
            x11.hands.press(("CTRL", "A"))
            x11.hands.press(("CTRL", "C"))
            wait.stays(lambda: not x11.clipboard.read(), for_s=0.3)
            found = x11.clipboard.read() or ""
            return found if len(found) >= at_least else None

        return wait.until(copied, timeout_s=5, what=f"{at_least} characters")

    return read


@pytest.fixture(scope="module")
def chromium(virtual_desktop, tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    options = "--no-sandbox --test-type --no-first-run --no-default-browser-check --password-store=basic --disable-gpu"
    options += " --disable-background-networking --disable-component-update --disable-sync"
    page = f"--app=file://{folder}/page.html"
    return lambda: virtual_desktop.run(["chromium", *options.split(), f"--user-data-dir={folder}/profile", page])


@pytest.mark.parametrize("name", ["us", "fr"])
def test_accents_arrive_exactly_in_mousepad(x11, mousepad, layout, editor_text, name):
    """L2-6, L4-8"""
    layout(name)
    x11.hands.type_text(TEXT)
    assert editor_text(len(TEXT)) == TEXT


def test_accents_arrive_exactly_in_chromium_on_two_layouts(x11, chromium, layout, editor_text, wait):
    """L2-6, L4-8"""
    browser = chromium()
    try:
        wait.until(lambda: (w := x11.eyes.active_window()) and "Champ" in w.title, timeout_s=20, what="chromium")
        for name in ("us", "fr"):
            layout(name)
            x11.hands.click(_center(x11.eyes.active_window()))
            x11.hands.press(("CTRL", "A"))
            x11.hands.press(("DELETE",))
            x11.hands.type_text(TEXT)
            assert editor_text(len(TEXT)) == TEXT
    finally:
        browser.terminate()
        browser.wait()
        wait.until(lambda: not x11.windows.all(), what="chromium closed")


def _center(window):
    # Near the top left corner, where the field is.
    return (window.geometry[0] + 100, window.geometry[1] + 100)


def test_several_lines_and_tabs_are_typed(x11, mousepad, layout, editor_text):
    x11.hands.type_text("un\r\ndeux\n\ttrois")
    assert editor_text(14) == "un\ndeux\n\ttrois"


def test_more_characters_than_free_keys_are_typed(x11, mousepad, layout, editor_text):
    text = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 50))
    x11.hands.type_text(text)
    assert editor_text(len(text)) == text


def test_caps_lock_does_not_change_what_is_typed(x11, mousepad, layout, person, editor_text):
    person(f"{CAPS}")
    try:
        x11.hands.type_text("Abc Été €")
    finally:
        person(f"{CAPS}")
    assert editor_text(9) == "Abc Été €"


def test_the_keys_of_a_secret_are_given_more_time(virtual_desktop):
    """L4-8: nobody can read on the screen whether they arrived whole"""
    from rpa_vision.adapters.desktop.x11 import X11Desktop

    clock = NotingClock()
    with X11Desktop(virtual_desktop.display, clock) as desktop:
        clock.slept_s.clear()
        desktop.hands.type_text("secret", is_secret=True)
        assert clock.slept_s == [0.01] * len("secret")
        clock.slept_s.clear()
        desktop.hands.type_text("text")
        assert clock.slept_s == [0.004] * len("text")


def test_borrowed_keys_are_given_back(virtual_desktop, system_clock, layout):
    """Closing the desktop gives back what it took."""
    from rpa_vision.adapters.desktop.x11 import X11Desktop
    from rpa_vision.adapters.desktop.x11.connection import Connection
    from rpa_vision.adapters.desktop.x11.keymap import KeyMap

    layout("us")
    look = Connection(virtual_desktop.display)
    free = KeyMap.fetch(look).free_keycodes()
    with X11Desktop(virtual_desktop.display, system_clock) as desktop:
        desktop.hands.type_text("é€œ")
        assert len(KeyMap.fetch(look).free_keycodes()) == len(free) - 3
    assert KeyMap.fetch(look).free_keycodes() == free
    look.close()


def test_a_held_key_stops_input_before_it_is_sent(x11, layout, person, wait):
    """EX-7: with Shift held, a click or a letter means something else."""
    events = []
    person(f"+{SHIFT}")
    try:
        with x11.ears.listen(events.append):
            with pytest.raises(InputNotDeliveredError, match="SHIFT"):
                x11.hands.type_text("a")
            with pytest.raises(InputNotDeliveredError, match="SHIFT"):
                x11.hands.click((300, 300))
    finally:
        person(f"-{SHIFT}")
    assert not [event for event in events if event.kind in (InputKind.KEY_PRESS, InputKind.BUTTON_PRESS)]


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda hands: hands.click((1920, 10)), InputNotDeliveredError),
        (lambda hands: hands.click((-1, 10)), InputNotDeliveredError),
        (lambda hands: hands.drag((10, 10), (10, 5000)), InputNotDeliveredError),
        (lambda hands: hands.press(("CTRL", "NO_SUCH_KEY")), UsageError),
        (lambda hands: hands.type_text("a\x07"), UsageError),
        (lambda hands: hands.press(()), UsageError),
        (lambda hands: hands.press("CTRL"), UsageError),
        (lambda hands: hands.click((10, 10), count=0), UsageError),
    ],
)
def test_what_cannot_be_sent_is_refused_before_anything_is(x11, layout, act, error):
    events = []
    with x11.ears.listen(events.append), pytest.raises(error):
        act(x11.hands)
    assert [event for event in events if event.kind != InputKind.MOTION] == []


@pytest.mark.parametrize("name", ["us", "fr", "de"])
def test_every_key_name_can_be_pressed_and_is_heard_by_that_name(x11, layout, wait, name):
    """L4-8"""
    layout(name)
    keys = [key for key in KEY_NAMES if key not in ("CAPS_LOCK", "NUM_LOCK", "PRINT", "PAUSE")]
    heard = []
    with x11.ears.listen(lambda event: heard.append(event.key) if event.kind == InputKind.KEY_PRESS else None):
        for key in (*keys, "A", "Z", "1"):
            x11.hands.press((key,))
        wait.until(lambda: len(heard) >= len(keys) + 3)
    assert heard[: len(keys) + 2] == [*keys, "A", "Z"]
