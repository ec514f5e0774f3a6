"""Each thing a machine may lack is found, weighed and comes with its remedy."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from machines import GOOD_DISPLAY, GOOD_MACHINE, NO_DISPLAY

from rpa_vision.app.doctor import EXTENSIONS, Check, diagnose
from rpa_vision.models.machine import DataFacts, DisplayFacts, LearnedFacts, MachineFacts, ModelFacts, PackageFacts


def check(facts: MachineFacts, name: str) -> Check:
    return next(found for found in diagnose(facts).checks if found.name == name)


def test_a_good_machine_has_nothing_to_mend() -> None:
    diagnosis = diagnose(GOOD_MACHINE)
    assert diagnosis.ok
    assert [found for found in diagnosis.checks if found.status != "ok"] == []


BAD = {
    "unknown platform": ("platform", "fail", replace(GOOD_MACHINE, platform="freebsd14", system="FreeBSD 14")),
    "less tried platform": ("platform", "warn", replace(GOOD_MACHINE, platform="win32", system="Windows 11")),
    "locked": ("screen_lock", "fail", replace(GOOD_MACHINE, display=replace(GOOD_DISPLAY, is_locked=True))),
    "untold lock": ("screen_lock", "warn", replace(GOOD_MACHINE, display=replace(GOOD_DISPLAY, is_locked=None))),
    "wayland": ("display", "warn", replace(GOOD_MACHINE, display=replace(GOOD_DISPLAY, is_wayland=True))),
    "small": ("display", "warn", replace(GOOD_MACHINE, display=replace(GOOD_DISPLAY, resolution=(640, 480)))),
    "no XTEST": (
        "input", "fail", replace(GOOD_MACHINE, display=DisplayFacts(":0", extensions=frozenset({"RECORD", "DAMAGE"}))),
    ),
    "no RECORD": (
        "extensions", "fail",
        replace(GOOD_MACHINE, display=DisplayFacts(":0", extensions=frozenset(EXTENSIONS) - {"RECORD"})),
    ),
    "no SHM": (
        "extensions", "warn",
        replace(GOOD_MACHINE, display=replace(GOOD_DISPLAY, extensions=frozenset(EXTENSIONS) - {"MIT-SHM"})),
    ),
    "broken model": ("models", "fail", replace(GOOD_MACHINE, models=(ModelFacts("reader", "wrong checksum"),))),
    "no fonts": ("fonts", "warn", replace(GOOD_MACHINE, french_fonts=())),
    "no Xvfb": ("virtual_desktop", "warn", replace(GOOD_MACHINE, programs=GOOD_MACHINE.programs - {"Xvfb"})),
    "no xclip": ("clipboard", "warn", replace(GOOD_MACHINE, programs=GOOD_MACHINE.programs - {"xclip"})),
    "no browser": (
        "demo", "warn", replace(GOOD_MACHINE, programs=GOOD_MACHINE.programs - {"chromium", "chromium-browser"}),
    ),
    "foreign data": (
        "data_directory", "fail", replace(GOOD_MACHINE, data=DataFacts(Path("x"), "foreign", "it holds 'x'")),
    ),
    "read-only data": (
        "data_directory", "fail", replace(GOOD_MACHINE, data=DataFacts(Path("x"), "ours", is_writable=False)),
    ),
    "full disk": (
        "disk_space", "warn", replace(GOOD_MACHINE, data=DataFacts(Path("x"), "ours", free_bytes=999_999_999)),
    ),
    "learned by others": (
        "learned_with", "warn",
        replace(GOOD_MACHINE, learned=LearnedFacts(other=(("WF_a was learned with other eyes", "Learn it again."),))),
    ),
    "unreadable workflows": (
        "learned_with", "warn", replace(GOOD_MACHINE, learned=LearnedFacts(problem="not checked: no reader")),
    ),
    "old python": ("python", "fail", replace(GOOD_MACHINE, python=(3, 10, 12))),
    "missing package": ("packages", "fail", replace(GOOD_MACHINE, packages=(PackageFacts("mss", "10", None),))),
    "old package": ("packages", "warn", replace(GOOD_MACHINE, packages=(PackageFacts("mss", "10", "9.0.2"),))),
    "one core": ("cpu", "warn", replace(GOOD_MACHINE, cores=1)),
    "little memory": ("memory", "warn", replace(GOOD_MACHINE, memory_bytes=500_000_000)),
    "no clock": ("clock", "warn", replace(GOOD_MACHINE, now=datetime(1970, 1, 1, tzinfo=UTC))),
}  # fmt: skip


@pytest.mark.parametrize(("name", "status", "facts"), BAD.values(), ids=BAD.keys())
def test_what_is_amiss_is_found_and_comes_with_its_remedy(name: str, status: str, facts: MachineFacts) -> None:
    found = check(facts, name)
    assert found.status == status
    assert found.found
    assert found.remedy
    assert diagnose(facts).ok == (status != "fail")


def test_no_display_is_a_warning_where_a_virtual_desktop_can_be_started() -> None:
    facts = replace(GOOD_MACHINE, display=NO_DISPLAY)
    assert diagnose(facts).ok
    assert check(facts, "display").status == "warn"
    assert "rpa-vision desktop" in check(facts, "display").remedy


def test_no_display_fails_where_no_virtual_desktop_can_be_started_either() -> None:
    facts = replace(GOOD_MACHINE, display=NO_DISPLAY, programs=frozenset({"openbox"}))
    assert not diagnose(facts).ok
    assert "apt install xvfb x11-xkb-utils dbus-daemon" in check(facts, "display").remedy


def test_a_missing_extension_is_not_a_missing_display() -> None:
    facts = replace(GOOD_MACHINE, display=DisplayFacts(":0", extensions=frozenset({"XTEST"})))
    assert check(facts, "display").status == "ok"
    assert "RECORD, DAMAGE" in check(facts, "extensions").found


def test_on_linux_the_same_checks_are_told_on_every_machine() -> None:
    """Scripts look them up by name."""
    names = [found.name for found in diagnose(GOOD_MACHINE).checks]
    assert names == [found.name for found in diagnose(replace(GOOD_MACHINE, display=NO_DISPLAY)).checks]
    assert len(set(names)) == len(names)


def test_windows_is_not_asked_for_what_only_x11_has() -> None:
    names = {found.name for found in diagnose(replace(GOOD_MACHINE, platform="win32")).checks}
    assert not names & {"extensions", "fonts", "virtual_desktop", "clipboard", "demo"}


@pytest.mark.parametrize(
    ("wanted", "found", "new_enough"),
    [("4.10", "4.10.0.84", True), ("4.10", "4.9.1", False), ("10", "10.0.0rc1", True), ("", "0.1", True)],
)
def test_versions_are_compared_as_numbers(wanted: str, found: str, new_enough: bool) -> None:
    facts = replace(GOOD_MACHINE, packages=(PackageFacts("package", wanted, found),))
    assert (check(facts, "packages").status == "ok") == new_enough


def test_workflows_that_do_not_say_who_learned_them_are_unknown_and_nothing_fails() -> None:
    """UX-1"""
    found = check(replace(GOOD_MACHINE, learned=LearnedFacts(known=1, unknown=("WF_old",))), "learned_with")
    assert (found.status, "unknown for WF_old" in found.found) == ("ok", True)
