"""A desktop that leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from Xlib import X
from Xlib.display import Display

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.virtual.keeper import MARK_VARIABLE, marked_processes
from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.errors import (
    DesktopError,
    EnvironmentMissingError,
    InputNotDeliveredError,
    NoDisplayError,
    UncertainDeliveryError,
)

PROGRAMS = Path(__file__).parent / "programs"


def is_running(pid: int) -> bool:
    """Whether the process exists and is more than a zombie that its parent has yet to bury."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children() -> set[int]:
    return {int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


def test_it_is_ready_in_well_under_a_second(system_clock):
    began_s = system_clock.monotonic()
    with VirtualDesktop(clock=system_clock, size=(1280, 720)) as desktop:
        ready_s = system_clock.monotonic() - began_s
        with X11Desktop(desktop.display, system_clock) as x11:
            assert x11.eyes.info().resolution == (1280, 720)
    assert ready_s < 1.0


def test_a_window_shown_at_once_is_managed(system_clock, wait):
    """The window manager says that it is there before it takes windows; what is shown in between is lost."""
    with VirtualDesktop(clock=system_clock, size=(640, 480)) as desktop:
        link = Display(desktop.display)
        window = link.screen().root.create_window(50, 50, 200, 100, 0, X.CopyFromParent)
        window.map()
        link.sync()
        wait.until(lambda: window.get_attributes().map_state == X.IsViewable, what="the window")
        link.close()


def test_leaving_ends_every_process_and_removes_the_folder(system_clock, wait):
    """Also what cut itself loose from its parent; and no zombie stays."""
    before = children()
    with VirtualDesktop(clock=system_clock, size=(640, 480)) as desktop:
        folder, mark = desktop.folder, desktop.env[MARK_VARIABLE]
        desktop.run(["sleep", "1000"])
        desktop.run(["sh", "-c", "setsid sleep 1000 & exit 0"]).wait()
        desktop.run([sys.executable, "-c", "import signal,time; signal.signal(15, signal.SIG_IGN); time.sleep(1000)"])
        started = wait.until(lambda: len(found := marked_processes(mark)) >= 6 and found)
        assert (folder / "run").stat().st_mode & 0o777 == 0o700
    assert not folder.exists()
    assert not [pid for pid in started if is_running(pid)]
    assert children() == before
    desktop.close()


def test_leaving_after_a_failure_clears_up_too(system_clock):
    before, folders = children(), []

    def fail():
        with VirtualDesktop(clock=system_clock, size=(640, 480)) as desktop:
            folders.append(desktop.folder)
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail()
    assert not folders[0].exists()
    assert children() == before


@pytest.mark.parametrize("order", [signal.SIGKILL, signal.SIGTERM])
def test_killing_the_owner_leaves_nothing_behind(wait, order):
    owner = subprocess.Popen([sys.executable, PROGRAMS / "owner.py"], stdout=subprocess.PIPE)
    told = json.loads(owner.stdout.readline())
    assert len(told["pids"]) >= 5
    assert all(is_running(pid) for pid in told["pids"])
    os.kill(owner.pid, order)
    owner.wait()
    owner.stdout.close()
    wait.until(lambda: not any(is_running(pid) for pid in told["pids"]), what="its processes ended")
    wait.until(lambda: not Path(told["folder"]).exists(), what="its folder removed")


def test_programs_have_a_home_and_a_bus_of_their_own(system_clock):
    with VirtualDesktop(clock=system_clock, size=(640, 480)) as desktop:
        told = desktop.run(["sh", "-c", "echo $HOME $DISPLAY; cd; pwd"], stdout=subprocess.PIPE).communicate()[0]
        home = str(desktop.folder / "home")
        assert told.decode().split() == [home, desktop.display, home]
        command = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId"
        assert desktop.run(command.split()).wait() == 0


def test_windows_fill_the_screen_when_asked(system_clock, wait):
    window = [sys.executable, PROGRAMS / "painted_window.py", "Full", "50", "50", "300", "200"]
    with VirtualDesktop(clock=system_clock, size=(800, 600), maximise=True) as desktop:
        desktop.run(window)
        with X11Desktop(desktop.display, system_clock) as x11:
            wait.until(lambda: (found := x11.eyes.active_window()) and found.geometry[2] - found.geometry[0] >= 790)


def test_a_click_on_the_empty_desktop_opens_nothing(x11, wait):
    before = x11.eyes.grab().pixels
    for button in ("left", "middle", "right"):
        x11.hands.click((1500, 900), button=button)
    assert wait.stays(lambda: (x11.eyes.grab().pixels == before).all(), for_s=0.2)


@pytest.mark.parametrize(("program", "package"), [("Xvfb", "xvfb"), ("openbox", "openbox")])
def test_a_missing_program_is_named_with_its_package(system_clock, monkeypatch, tmp_path, program, package):
    for present in {"Xvfb", "openbox", "xkbcomp", "dbus-daemon"} - {program}:
        (tmp_path / present).symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentMissingError, match=program) as caught, VirtualDesktop(clock=system_clock):
        pass
    assert f"apt install {package}" in caught.value.remedy


def test_a_size_no_server_can_have_is_an_error_and_leaves_nothing(system_clock):
    before = children()
    with pytest.raises(DesktopError, match="Xvfb"), VirtualDesktop(clock=system_clock, size=(0, 0)):
        pass
    assert children() == before


def test_it_must_be_entered_first(system_clock):
    with pytest.raises(DesktopError, match="not running"):
        _ = VirtualDesktop(clock=system_clock).display


class TestAServerThatGoesAway:
    """The X server may end at any moment; each part says what is known."""

    @pytest.fixture
    def doomed(self, system_clock):
        with (
            VirtualDesktop(clock=system_clock, size=(640, 480)) as desktop,
            X11Desktop(desktop.display, system_clock) as x11,
        ):
            yield x11, lambda: end_server(desktop)

    def test_eyes_say_that_there_is_no_display(self, doomed):
        x11, end = doomed
        x11.eyes.grab()
        end()
        with pytest.raises(NoDisplayError):
            x11.eyes.grab()

    def test_hands_know_that_nothing_was_sent(self, doomed):
        x11, end = doomed
        end()
        with pytest.raises(InputNotDeliveredError):
            x11.hands.click((10, 10))
        with pytest.raises(InputNotDeliveredError):
            x11.hands.type_text("a")

    def test_hands_know_that_something_may_have_arrived(self, doomed):
        """EX-3"""
        x11, end = doomed
        heard = threading.Event()
        timer = threading.Thread(target=lambda: (heard.wait(10), end()))
        timer.start()
        with pytest.raises(UncertainDeliveryError), x11.ears.listen(lambda event: heard.set()):
            x11.hands.type_text("abc" * 1000)
        timer.join()

    def test_ears_and_watching_do_not_end_in_silence(self, doomed, wait):
        x11, end = doomed

        def end_and_notice():
            end()
            wait.until(lambda: not {"watching the screen", "listening to input"} & thread_names(), what="both ended")

        with pytest.raises(NoDisplayError), x11.eyes.watch(lambda frame: None), x11.ears.listen(lambda event: None):
            end_and_notice()
        with pytest.raises(NoDisplayError), x11.ears.listen(lambda event: None):
            pass

    def test_ears_that_die_are_told_at_once(self, doomed):
        """EX-7: whoever acts must know that nobody can stop it any more"""
        x11, end = doomed
        told: list[Exception] = []
        lost = threading.Event()
        with x11.ears.listen(lambda event: None, on_lost=lambda error: (told.append(error), lost.set())):
            end()
            assert lost.wait(10)
        assert [type(error) for error in told] == [NoDisplayError]


def end_server(desktop: VirtualDesktop) -> None:
    servers = [pid for pid in marked_processes(desktop.env[MARK_VARIABLE]) if "Xvfb" in command_of(pid)]
    assert len(servers) == 1
    os.kill(servers[0], signal.SIGKILL)


def thread_names() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode()
