"""Mousepad, the small text editor of Xfce: the demonstration that is not in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rpa_vision.demo.program import Program, find_program, own_environment

WM_CLASS = "Mousepad"
# A file that is kept is called by its name, wherever the folder happens to be.
_SETTINGS = "[org/xfce/mousepad/preferences/window]\npath-in-title=false\n"


def launch_mousepad(
    *,
    folder: Path,
    home: Path,
    file: Path | None = None,
    display: str | None = None,
    env: Mapping[str, str] | None = None,
) -> Program:
    """Open a file or an empty document; files are saved into `folder` unless the person goes elsewhere."""
    environment = own_environment(home, display, env)
    executable = find_program(("mousepad",), package="mousepad", search_path=environment.get("PATH"))
    if file is not None:
        environment["GSETTINGS_BACKEND"] = "keyfile"
        settings = home / ".config/glib-2.0/settings/keyfile"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(_SETTINGS)
    return Program(
        [executable, "--disable-server", *([str(file)] if file is not None else [])], env=environment, cwd=folder
    )
