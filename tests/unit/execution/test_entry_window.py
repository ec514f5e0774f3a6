"""The window a run begins in, brought to the front where there is no doubt which one it is."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.execution.entry_window import EntryWindow
from rpa_vision.models.window import WindowContext
from rpa_vision.models.workflow_graph import WindowConstraints
from rpa_vision.testing.scripted_desktop import ScriptedDesktop

NOTES = WindowContext(app_name="Mousepad", title="journal.txt - Mousepad")
CLINIC = WindowContext(app_name="Chromium", title="Factures — Clinique")
NEWS = WindowContext(app_name="Chromium", title="Nouvelles")


def entry(*windows: WindowContext) -> tuple[EntryWindow, list[WindowContext]]:
    screens = {"blank": np.zeros((60, 80, 3), np.uint8)}
    desktop = ScriptedDesktop(screens, start="blank", windows=windows)
    decided: list[WindowContext] = []
    return EntryWindow(desktop, desktop.clock, decided.append), decided


def in_front(one: EntryWindow) -> WindowContext | None:
    return one.desktop.eyes.active_window()


def test_the_only_window_of_the_application_comes_to_the_front() -> None:
    """EX-7, L4-9"""
    one, decided = entry(NOTES, CLINIC)
    assert one.bring_to_front(WindowConstraints(app_name_any_of=("chromium",)))
    assert (in_front(one), decided) == (CLINIC, [CLINIC])


def test_what_is_in_front_already_is_left_alone() -> None:
    """EX-7"""
    one, decided = entry(CLINIC, NEWS, NOTES)
    assert one.bring_to_front(WindowConstraints(app_name_any_of=("Chromium",)))
    assert (in_front(one), decided) == (CLINIC, [])


@pytest.mark.parametrize("windows", [(NOTES, CLINIC, NEWS), (NOTES,), ()])
def test_where_none_or_several_could_be_meant_nothing_is_done(windows: tuple[WindowContext, ...]) -> None:
    """EX-7: doubt is not settled by taking the nearest"""
    one, decided = entry(*windows)
    assert not one.bring_to_front(WindowConstraints(app_name_any_of=("Chromium",)))
    assert (in_front(one), decided) == (windows[0] if windows else None, [])


def test_a_title_tells_two_windows_of_one_application_apart() -> None:
    """EX-7"""
    one, _ = entry(NOTES, NEWS, CLINIC)
    assert one.bring_to_front(WindowConstraints(app_name_any_of=("Chromium",), title_contains_any_of=("Factures",)))
    assert in_front(one) == CLINIC
