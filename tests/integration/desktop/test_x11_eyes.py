"""Seeing a real X server."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from Xlib import X
from Xlib.display import Display

from rpa_vision.adapters.desktop.virtual.desktop import DEFAULT_BACKGROUND
from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.capture.frame_ring import FrameRing
from rpa_vision.errors import NoDisplayError, UsageError
from rpa_vision.imaging.settle import SettleDetector
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import InputKind

BACKGROUND_BGR = [DEFAULT_BACKGROUND & 0xFF, DEFAULT_BACKGROUND >> 8 & 0xFF, DEFAULT_BACKGROUND >> 16]


def test_a_grab_has_the_size_and_the_pixels_of_the_screen(x11, open_window, system_clock):
    """L0-2"""
    open_window("Client — Été", 200, 150, 400, 300)
    before_s = system_clock.monotonic()
    frame = x11.eyes.grab()
    assert frame.pixels.shape == (1080, 1920, 4)
    assert before_s <= frame.began_s <= frame.ended_s <= system_clock.monotonic()
    assert frame.pixels[1000, 1800, :3].tolist() == BACKGROUND_BGR
    assert frame.window is not None
    box = Box.of(frame.window.geometry)
    assert (box.width, box.height) == (400, 300)
    assert (frame.pixels[box.y1 : box.y2, box.x1 : box.x2, :3] == [100, 0, 0]).all()
    assert frame.pointer == x11.eyes.pointer()


def test_the_active_window_is_told_as_a_person_would(x11, open_window):
    """L0-2"""
    program = open_window("Client — Été")
    window = x11.eyes.active_window()
    assert window.title == "Client — Été"
    assert window.app_name == "PaintedWindow"
    assert window.pid == program.pid
    assert window.screen_resolution == (1920, 1080)


def test_no_window_is_active_on_an_empty_desktop(x11):
    assert x11.eyes.active_window() is None


def test_a_region_is_the_same_part_of_the_whole(x11, open_window):
    open_window("Region", 200, 150)
    whole = x11.eyes.grab().pixels
    part = x11.eyes.grab(Box(190, 120, 350, 260)).pixels
    assert np.array_equal(part[:, :, :3], whole[120:260, 190:350, :3])


def test_a_region_is_clamped_to_the_screen(x11):
    assert x11.eyes.grab(Box(1900, 1070, 2500, 2000)).pixels.shape == (10, 20, 4)
    with pytest.raises(UsageError, match="outside"):
        x11.eyes.grab(Box(5000, 5000, 5010, 5010))


def test_frames_cannot_be_drawn_on(x11):
    with pytest.raises(ValueError, match="read-only"):
        x11.eyes.grab().pixels[0, 0] = 0


def test_the_screen_is_described(x11):
    """L0-1"""
    info = x11.eyes.info()
    assert (info.platform, info.resolution, info.scale) == ("linux", (1920, 1080), 1.0)
    assert info.monitors == ((0, 0, 1920, 1080),)


def test_threads_grab_side_by_side(x11):
    shapes = []
    threads = [threading.Thread(target=lambda: shapes.append(x11.eyes.grab().pixels.shape)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shapes == [(1080, 1920, 4)] * 4


def test_a_screen_nobody_painted_on_is_not_copied_again(x11, open_window, wait):
    """PF: and what was painted is in the very next frame, 20 of 20 times"""
    open_window("Still", 200, 150)
    x11.hands.move((300, 300))
    first = x11.eyes.grab()
    again = x11.eyes.grab()
    assert again.pixels is first.pixels
    assert again.began_s >= first.ended_s
    assert again.pointer == (300, 300)
    spot = Box(300, 300, 301, 301)
    for shade in range(1, 21):
        x11.hands.click((300, 300))
        wait.until(lambda shade=shade: x11.eyes.grab(spot).pixels[0, 0, 0] == 100 + shade)
        assert x11.eyes.grab().pixels[300, 300, 0] == 100 + shade


def test_each_thread_is_told_of_what_was_painted(x11, open_window, wait):
    """PF: what one of them has seen is new to the other"""
    open_window("Two", 200, 150)
    x11.hands.move((300, 300))
    seen, shown, stop = [], threading.Barrier(2, timeout=10), threading.Event()

    def look() -> None:
        while not stop.is_set():
            shown.wait()
            seen.append(int(x11.eyes.grab().pixels[300, 300, 0]))
            shown.wait()

    other = threading.Thread(target=look)
    other.start()
    for shade in range(1, 6):
        x11.hands.click((300, 300))
        wait.until(lambda shade=shade: x11.eyes.grab().pixels[300, 300, 0] == 100 + shade)
        if shade == 5:
            stop.set()
        shown.wait()
        shown.wait()
    other.join()
    assert seen == [101, 102, 103, 104, 105]


def test_watching_gives_the_current_frame_and_nothing_more_while_idle(x11, wait):
    """L0-6"""
    frames = []
    with x11.eyes.watch(frames.append):
        wait.until(lambda: frames)
        used_s = time.process_time()
        assert wait.stays(lambda: len(frames) == 1, for_s=0.4)
        assert time.process_time() - used_s < 0.2


def test_watching_gives_a_frame_for_each_change(x11, open_window, wait):
    """L0-2"""
    open_window("Watched", 200, 150)
    x11.hands.move((300, 300))
    ring = FrameRing()
    with x11.eyes.watch(ring.push):
        wait.until(ring.latest)
        for shade in range(1, 6):
            x11.hands.click((300, 300))
            wait.until(lambda shade=shade: ring.latest().pixels[300, 300, 0] == 100 + shade)
    assert ring.latest().window.title == "Watched"
    assert ring.latest().pointer == (300, 300)


def test_frames_say_when_they_were_painted(x11, open_window, wait):
    """L0-2: also when they were taken late, so that it can be told who was behind"""
    open_window("Late", 200, 150)
    x11.hands.move((300, 300))
    ring, go_on = FrameRing(), threading.Event()

    def push_when_told(frame):
        go_on.wait()
        ring.push(frame)

    go_on.set()
    with x11.eyes.watch(push_when_told):
        wait.until(ring.latest)
        go_on.clear()
        x11.hands.click((300, 300))  # the frame of this one is held up, and that of the next not even taken
        wait.until(lambda: x11.eyes.grab().pixels[300, 300, 0] == 101)
        x11.hands.click((300, 300))
        wait.until(lambda: x11.eyes.grab().pixels[300, 300, 0] == 102)
        painted_by_s = time.monotonic()
        assert wait.stays(lambda: True, for_s=0.3)
        clicked_s = time.monotonic()
        go_on.set()
        wait.until(lambda: ring.latest().pixels[300, 300, 0] == 102)
    assert ring.latest().painted_s < painted_by_s < clicked_s < ring.latest().ended_s


def test_watching_keeps_to_its_rate(x11, open_window):
    open_window("Rate", 200, 150)
    moments = []
    with x11.eyes.watch(lambda frame: moments.append(frame.began_s), max_fps=10):
        while len(moments) < 5:
            x11.hands.click((300, 300))
    gaps = np.diff(moments)
    assert (gaps > 0.09).all()


def test_a_failing_receiver_is_not_silent(x11, open_window, wait):
    """A recorder that went blind must not look like one that saw nothing."""
    open_window("Failing", 200, 150)
    called = threading.Event()

    def receive(frame):
        called.set()
        raise RuntimeError("full")

    with pytest.raises(RuntimeError, match="full"), x11.eyes.watch(receive):
        wait.until(called.is_set)


def test_the_frame_before_a_click_is_the_one_before_it(x11, open_window, wait):
    """L0-2: right in 20 of 20 cases, though the window paints at once when pressed."""
    open_window("Press me", 200, 150)
    ring, presses = FrameRing(), []

    def hear(event):
        if event.kind == InputKind.BUTTON_PRESS:
            presses.append(event)

    right = 0
    with x11.eyes.watch(ring.push), x11.ears.listen(hear):
        for number in range(20):
            wait.until(lambda number=number: ring.latest() and ring.latest().pixels[300, 300, 0] == 100 + number)
            x11.hands.click((300, 300))
            wait.until(lambda number=number: len(presses) > number)
            before = ring.before(presses[number].at_s)
            right += before is not None and before.pixels[300, 300, :3].tolist() == [100 + number, 0, 0]
    assert right == 20


def test_the_screen_settles_though_a_caret_blinks(x11, mousepad, wait, system_clock):
    """L0-2"""
    ring = FrameRing()
    with x11.eyes.watch(ring.push):
        wait.until(ring.latest)
        settled = SettleDetector(ring.latest().pixels, system_clock.monotonic(), change_timeout_s=0.5)
        wait.until(lambda: settled.feed(ring.latest().pixels, system_clock.monotonic()), timeout_s=8)
        first = ring.statistics().frames
        wait.until(lambda: ring.statistics().frames >= first + 2, timeout_s=4, what="two blinks")
        blinking = SettleDetector(ring.before(system_clock.monotonic()).pixels, 0.0)
        for frame in ring.since(0.0)[-3:]:
            blinking.feed(frame.pixels, frame.ended_s)
    assert not blinking.changed


@pytest.mark.parametrize("name", [":9999", "no-such-host.invalid:0", "nonsense"])
def test_a_display_that_is_not_there_is_named(name, system_clock):
    with pytest.raises(NoDisplayError, match=name) as caught:
        X11Desktop(name, system_clock)
    assert "DISPLAY" in caught.value.remedy


def test_no_display_at_all_is_said(monkeypatch, system_clock):
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(NoDisplayError, match="DISPLAY is not set"):
        X11Desktop(None, system_clock)


def test_nobody_locked_the_virtual_screen(x11):
    assert x11.is_locked() is False


def test_a_screen_blanked_for_want_of_input_is_not_locked(x11, virtual_desktop):
    """After ten idle minutes the server turns the picture off; the next input brings it back."""
    link = Display(virtual_desktop.display)
    link.force_screen_saver(X.ScreenSaverActive)
    link.sync()
    assert x11.is_locked() is False
    x11.hands.move((10, 10))
    assert link.screen().root.screensaver_query_info().state == 0
    link.close()
