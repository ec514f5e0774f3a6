"""Gnumeric, the spreadsheet of GNOME: a demonstration in a program nobody here wrote, with more on its screen."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

from rpa_vision.demo.program import Program, find_program, own_environment

WM_CLASS = "Gnumeric"
_CELL = "{http://www.gnumeric.org/v10.dtd}Cell"


def launch_gnumeric(
    *, folder: Path, home: Path, display: str | None = None, env: Mapping[str, str] | None = None
) -> Program:
    """Open an empty workbook; files are saved into `folder` unless the person goes elsewhere."""
    environment = own_environment(home, display, env)
    executable = find_program(("gnumeric",), package="gnumeric", search_path=environment.get("PATH"))
    return Program([executable, "--no-splash"], env=environment, cwd=folder)


def cells_of(workbook: Path) -> str:
    """What the cells of a saved workbook hold, one line each."""
    content = workbook.read_bytes()
    text = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    return "\n".join(cell.text or "" for cell in ElementTree.fromstring(text).iter(_CELL))
