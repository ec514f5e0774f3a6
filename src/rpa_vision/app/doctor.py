"""Can this machine do the work? Judge its facts, and say how to mend what is amiss.

A failure is something without which nothing works; what only some commands need is a warning. Every check is a pure
function of the facts, so that each can be tried without the machine it describes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from rpa_vision.models.machine import MachineFacts

Status = Literal["ok", "warn", "fail"]

VIRTUAL_DESKTOP_PROGRAMS = {
    "Xvfb": "xvfb",
    "xkbcomp": "x11-xkb-utils",
    "openbox": "openbox",
    "dbus-daemon": "dbus-daemon",
}
"""Programs a virtual desktop is made of, and the Debian packages they come in."""
CLIPBOARD_PROGRAMS = {"xclip": "xclip"}
BROWSERS = ("chromium", "chromium-browser")
EXTENSIONS = ("RECORD", "XTEST", "DAMAGE", "MIT-SHM")
ALL_PROGRAMS = (*VIRTUAL_DESKTOP_PROGRAMS, *CLIPBOARD_PROGRAMS, *BROWSERS, "mousepad")

_MIN_PYTHON = (3, 11)
_MIN_RESOLUTION = (1024, 700)
_MIN_FREE_DISK = 1_000_000_000
_MIN_FREE_MEMORY = 1_000_000_000
_MIN_CORES = 2
_NOT_BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
"""Older than this program: a clock that says so is wrong."""
_NO_DISPLAY = "not checked: there is no display"
_SEE_DISPLAY = "Mend the display first, then run `rpa-vision doctor` again."


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: how it stands, what was found, and how to mend it (empty when there is nothing to mend)."""

    name: str
    status: Status
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All checks."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing fails; warnings are allowed."""
        return all(check.status != "fail" for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """As scripts read it."""
        checks = [
            {"name": check.name, "status": check.status, "found": check.found, "remedy": check.remedy}
            for check in self.checks
        ]
        return {"ok": self.ok, "checks": checks}


def diagnose(facts: MachineFacts) -> Diagnosis:
    """Judge a machine."""
    on_linux = facts.platform.startswith("linux")
    return Diagnosis(tuple(check(facts) for check in _CHECKS if on_linux or check not in _LINUX_ONLY))


def can_start_virtual_desktop(facts: MachineFacts) -> bool:
    """Whether `rpa-vision desktop` would work."""
    return facts.platform.startswith("linux") and facts.programs >= set(VIRTUAL_DESKTOP_PROGRAMS)


def check_platform(facts: MachineFacts) -> Check:
    if facts.platform.startswith("linux"):
        return Check("platform", "ok", facts.system)
    if facts.platform in ("win32", "darwin"):
        remedy = "Read docs/limits.md: this platform was tried less than Linux."
        return Check("platform", "warn", facts.system, remedy)
    return Check("platform", "fail", f"{facts.system} is not supported", "Use Linux with X11, Windows or macOS.")


def check_display(facts: MachineFacts) -> Check:
    display = facts.display
    if display.problem:
        if can_start_virtual_desktop(facts):
            remedy = "Set DISPLAY to a running X server, or start a virtual desktop with `rpa-vision desktop`."
            return Check("display", "warn", display.problem, remedy)
        packages = _packages_for(_missing_virtual(facts))
        how = f"apt install {packages}" if packages else "use a machine with a screen"
        return Check("display", "fail", display.problem, f"Set DISPLAY to a running X server, or: {how}.")
    size = display.resolution
    found = display.name if size is None else f"{display.name} ({size[0]}×{size[1]})"
    if display.is_wayland:
        remedy = "Log in to an Xorg session, or work in a virtual desktop (`rpa-vision desktop`)."
        return Check("display", "warn", f"{found}, inside Wayland: only X11 windows can be seen", remedy)
    if size is not None and (size[0] < _MIN_RESOLUTION[0] or size[1] < _MIN_RESOLUTION[1]):
        remedy = f"Use at least {_MIN_RESOLUTION[0]}×{_MIN_RESOLUTION[1]} pixels."
        return Check("display", "warn", f"{found}, small for reading", remedy)
    return Check("display", "ok", found)


def check_extensions(facts: MachineFacts) -> Check:
    if facts.display.problem:
        return Check("extensions", "warn", _NO_DISPLAY, _SEE_DISPLAY)
    missing = [name for name in EXTENSIONS if name not in facts.display.extensions]
    if not missing:
        return Check("extensions", "ok", ", ".join(EXTENSIONS))
    if missing == ["MIT-SHM"]:
        return Check("extensions", "warn", "MIT-SHM is missing: frames are slower", "Use a local X server.")
    remedy = "Use Xorg or Xvfb with these extensions, or a virtual desktop (`rpa-vision desktop`)."
    return Check("extensions", "fail", f"missing: {', '.join(missing)}", remedy)


def check_input(facts: MachineFacts) -> Check:
    if facts.display.problem:
        return Check("input", "warn", _NO_DISPLAY, _SEE_DISPLAY)
    if facts.platform.startswith("linux") and "XTEST" not in facts.display.extensions:
        remedy = "Enable XTEST in the X server, or use a virtual desktop (`rpa-vision desktop`)."
        return Check("input", "fail", "mouse and keyboard input cannot be sent", remedy)
    return Check("input", "ok", "mouse and keyboard input can be sent")


def check_screen_lock(facts: MachineFacts) -> Check:
    if facts.display.problem:
        return Check("screen_lock", "warn", _NO_DISPLAY, _SEE_DISPLAY)
    if facts.display.is_locked:
        remedy = "Unlock the screen, and keep it unlocked while recording and running."
        return Check("screen_lock", "fail", "the screen is locked", remedy)
    if facts.display.is_locked is None:
        remedy = "Make sure that it does not lock while a workflow runs."
        return Check("screen_lock", "warn", "this desktop does not tell whether it is locked", remedy)
    return Check("screen_lock", "ok", "not locked")


def check_models(facts: MachineFacts) -> Check:
    broken = [model for model in facts.models if model.problem]
    if broken:
        remedy = "Reinstall the package, remake the models with `make models`, or correct RPA_VISION_MODELS."
        return Check("models", "fail", broken[0].problem, remedy)
    return Check("models", "ok", ", ".join(model.name for model in facts.models))


def check_detector(facts: MachineFacts) -> Check:
    return _plugin(facts, "detector", "trained")


def check_encoder(facts: MachineFacts) -> Check:
    return _plugin(facts, "encoder", "embedded")


def check_vlm(facts: MachineFacts) -> Check:
    return _plugin(facts, "vlm", "none configured")


def check_fonts(facts: MachineFacts) -> Check:
    fonts = facts.french_fonts or ()
    if not fonts:
        found = "no font that can write French"
        return Check("fonts", "warn", found, "apt install fonts-dejavu fonts-liberation")
    return Check("fonts", "ok", f"{len(fonts)} families can write French")


def check_virtual_desktop(facts: MachineFacts) -> Check:
    missing = _missing_virtual(facts)
    if missing:
        remedy = f"apt install {_packages_for(missing)}"
        return Check("virtual_desktop", "warn", f"not installed: {', '.join(missing)}", remedy)
    return Check("virtual_desktop", "ok", ", ".join(VIRTUAL_DESKTOP_PROGRAMS))


def check_clipboard(facts: MachineFacts) -> Check:
    if "xclip" not in facts.programs:
        return Check("clipboard", "warn", "not installed: xclip", "apt install xclip")
    return Check("clipboard", "ok", "xclip")


def check_demo(facts: MachineFacts) -> Check:
    browser = next((name for name in BROWSERS if name in facts.programs), None)
    missing = [name for name, there in (("chromium", browser), ("mousepad", "mousepad" in facts.programs)) if not there]
    if missing:
        remedy = f"apt install {' '.join(missing)} (only the demonstrations need it)"
        return Check("demo", "warn", f"not installed: {', '.join(missing)}", remedy)
    return Check("demo", "ok", f"{browser}, mousepad")


def check_data_directory(facts: MachineFacts) -> Check:
    data = facts.data
    elsewhere = "Choose another directory with --data or RPA_VISION_DATA."
    if data.problem:
        return Check("data_directory", "fail", data.problem, elsewhere)
    if not data.is_writable:
        remedy = f"Give yourself the right to write there. {elsewhere}"
        return Check("data_directory", "fail", f"{data.path} cannot be written to", remedy)
    what = {"absent": "will be made", "empty": "is empty", "ours": "is ours"}[data.state]
    return Check("data_directory", "ok", f"{data.path} {what}")


def check_learned_with(facts: MachineFacts) -> Check:
    """Workflows learned with a detector, judge or reader that would not run them now."""
    learned = facts.learned
    if learned.problem:
        return Check("learned_with", "warn", learned.problem, "Mend what the other checks name, then look again.")
    unknown = f"unknown for {', '.join(learned.unknown)}" if learned.unknown else ""
    if learned.other:
        found = "; ".join([*(told for told, _ in learned.other), *([unknown] if unknown else [])])
        return Check("learned_with", "warn", found, "\n  ".join(remedy for _, remedy in learned.other))
    if unknown:
        return Check("learned_with", "ok", f"{unknown}: learned before it was kept, or written by hand")
    if not learned.known:
        return Check("learned_with", "ok", "no workflow yet")
    return Check("learned_with", "ok", "every workflow by those who would run it")


def check_disk_space(facts: MachineFacts) -> Check:
    found = f"{facts.data.free_bytes / 1e9:.1f} GB free"
    if facts.data.free_bytes < _MIN_FREE_DISK:
        remedy = "Free at least 1 GB, or choose a directory on another disk with --data or RPA_VISION_DATA."
        return Check("disk_space", "warn", found, remedy)
    return Check("disk_space", "ok", found)


def check_python(facts: MachineFacts) -> Check:
    found = ".".join(map(str, facts.python))
    if facts.python[:2] < _MIN_PYTHON:
        return Check("python", "fail", f"{found} is too old", "Install Python 3.11 or newer and run `make setup`.")
    return Check("python", "ok", found)


def check_packages(facts: MachineFacts) -> Check:
    missing = [package.name for package in facts.packages if package.found is None]
    if missing:
        return Check("packages", "fail", f"not installed: {', '.join(missing)}", "Run `make setup`, or reinstall.")
    old = [
        f"{package.name} {package.found} (wanted {package.wanted})"
        for package in facts.packages
        if package.found is not None and _release(package.found) < _release(package.wanted)
    ]
    if old:
        return Check("packages", "warn", f"too old: {', '.join(old)}", "Run `make setup`, or reinstall.")
    return Check("packages", "ok", f"{len(facts.packages)} packages, all new enough")


def check_cpu(facts: MachineFacts) -> Check:
    found = f"{facts.cores} core{'s' if facts.cores != 1 else ''}"
    if facts.cores < _MIN_CORES:
        return Check("cpu", "warn", found, "Two cores are recommended: with one, reading screens slows recording down.")
    return Check("cpu", "ok", found)


def check_memory(facts: MachineFacts) -> Check:
    if facts.memory_bytes is None:
        return Check("memory", "ok", "not told by this system")
    found = f"{facts.memory_bytes / 1e9:.1f} GB available"
    if facts.memory_bytes < _MIN_FREE_MEMORY:
        return Check("memory", "warn", found, "Close programs until 1 GB is available.")
    return Check("memory", "ok", found)


def check_clock(facts: MachineFacts) -> Check:
    found = facts.now.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    if facts.now < _NOT_BEFORE:
        remedy = "Set the clock: sessions are filed under their date, and the audit trail depends on it."
        return Check("clock", "warn", f"{found} cannot be right", remedy)
    return Check("clock", "ok", found)


_CHECKS: tuple[Callable[[MachineFacts], Check], ...] = (
    check_platform,
    check_display,
    check_extensions,
    check_input,
    check_screen_lock,
    check_models,
    check_detector,
    check_encoder,
    check_vlm,
    check_fonts,
    check_virtual_desktop,
    check_clipboard,
    check_demo,
    check_data_directory,
    check_learned_with,
    check_disk_space,
    check_python,
    check_packages,
    check_cpu,
    check_memory,
    check_clock,
)
_LINUX_ONLY = frozenset({check_extensions, check_fonts, check_virtual_desktop, check_clipboard, check_demo})


def _plugin(facts: MachineFacts, role: str, usual: str) -> Check:
    plugin = next((plugin for plugin in facts.plugins if plugin.role == role), None)
    if plugin is None or not plugin.problem:
        return Check(role, "ok", plugin.name if plugin is not None else usual)
    return Check(role, "fail" if plugin.is_broken else "warn", plugin.problem, plugin.remedy)


def _missing_virtual(facts: MachineFacts) -> list[str]:
    return [program for program in VIRTUAL_DESKTOP_PROGRAMS if program not in facts.programs]


def _packages_for(programs: list[str]) -> str:
    return " ".join(VIRTUAL_DESKTOP_PROGRAMS[program] for program in programs)


def _release(version: str) -> tuple[int, ...]:
    """The numbers a version begins with, without zeros at the end: 4.10.0.84rc1 is (4, 10, 0, 84), 10.0 is (10,)."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = re.match(r"\d+", part)
        if digits is None:
            break
        numbers.append(int(digits.group()))
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
