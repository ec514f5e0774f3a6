"""The page of a real editor stays a field to write in when it is written full, from its beginning and at its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rpa_vision.app import wiring
from rpa_vision.demo.mousepad import launch_mousepad
from rpa_vision.execution.sight import Sight
from rpa_vision.models.geometry import Box

WORDS = (
    "Le",
    "patient",
    "est",
    "venu",
    "pour",
    "une",
    "douleur",
    "au",
    "genou",
    "droit",
    "depuis",
    "trois",
    "semaines",
)


def sentence(number: int) -> str:
    length = 5 + number * 7 % 40
    return " ".join(WORDS[(number * 5 + at * 3) % len(WORDS)] for at in range(length))


def test_a_page_full_of_text_is_still_a_sheet(tmp_path: Path, wait: Any) -> None:
    """L2-1: some lines go on beyond the window, and more of them below"""
    note = tmp_path / "note.txt"
    note.write_text("\n".join(map(sentence, range(120))), encoding="utf-8")
    with (
        wiring.virtual_desktop() as virtual,
        launch_mousepad(folder=tmp_path, home=tmp_path / "home", file=note, env=virtual.env),
    ):
        desktop = wiring.desktop(virtual.env["DISPLAY"])
        try:
            wait.until(lambda: any("note" in window.title for window in desktop.windows.all()), timeout_s=60.0)
            sight = Sight(desktop.eyes, wiring.screen_observer(), wiring.clock(), wiring.ids())

            def sheets() -> list[Box]:
                elements = sight.look().state.ui_elements
                return [Box.of(one.bbox) for one in elements if one.type == "textarea"]

            wait.until(lambda: len(sheets()) == 1, timeout_s=30.0)
            [page] = sheets()
            top = desktop.eyes.grab()
            desktop.hands.click(page.center)
            desktop.hands.press(("CTRL", "END"))
            sight.look(since=top, change_timeout_s=10.0)
            [end] = sheets()
            assert page.overlap(end) >= 0.9
        finally:
            desktop.close()
