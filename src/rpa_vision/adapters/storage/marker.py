"""Whose directory is it? A marker says so, because nothing of ours may be poured into a folder of somebody else's."""

from __future__ import annotations

import json

from rpa_vision.adapters.storage.atomic import is_temporary, write_atomically
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.errors import DataDirectoryError, StorageError

LAYOUT = 1
# What file managers, version control and file systems put anywhere; no sign of another owner.
_HARMLESS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", "lost+found", ".gitignore", ".gitkeep"})


def check(paths: DataPaths) -> None:
    """Say why the directory cannot be used, if it cannot. Changes nothing; a directory yet to be made is fine."""
    root = paths.root
    try:
        if not root.exists():
            return
        if not root.is_dir():
            raise DataDirectoryError(f"{root} is not a directory")
        if paths.marker.exists():
            _check_layout(paths)
            return
        strays = [name for name in paths.strays() if name not in _HARMLESS and not is_temporary(name)]
    except OSError as error:
        raise DataDirectoryError(f"{root} cannot be used ({error.strerror})") from error
    if strays:
        more = f" and {len(strays) - 1} more" if len(strays) > 1 else ""
        raise DataDirectoryError(
            f"{root} is a foreign directory: it holds {strays[0]!r}{more} and was not made by rpa-vision",
            remedy="Choose an empty or new directory with --data or RPA_VISION_DATA.",
        )


def claim(paths: DataPaths) -> None:
    """Make the directory ours."""
    check(paths)
    if paths.marker.exists():
        return
    text = json.dumps({"program": "rpa-vision", "layout": LAYOUT})
    try:
        write_atomically(paths.marker, text.encode() + b"\n")
    except StorageError as error:
        raise DataDirectoryError(str(error)) from error


def _check_layout(paths: DataPaths) -> None:
    remedy = f"If this is a data directory of rpa-vision, remove {paths.marker} and try again."
    try:
        value = json.loads(paths.marker.read_bytes()[:4096])
    except ValueError as error:
        raise DataDirectoryError(f"{paths.marker}: not valid JSON ({error})", remedy=remedy) from error
    layout = value.get("layout") if isinstance(value, dict) else None
    if not isinstance(layout, int) or isinstance(layout, bool):
        raise DataDirectoryError(f"{paths.marker}: layout: a number was expected", remedy=remedy)
    if layout > LAYOUT:
        raise DataDirectoryError(
            f"{paths.root} was written by a newer rpa-vision (layout {layout}; this one knows {LAYOUT})",
            remedy="Update rpa-vision, or choose another directory with --data or RPA_VISION_DATA.",
        )
