"""Understand the screens of families as the product does, and keep what was understood beside each picture.

    .venv/bin/python training/encoder/read_families.py FAMILIES [--fresh]

Reading is the slow part of every measurement here; what is kept (`{id}.state.json`) is read again only when asked to.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from rpa_vision.app.wiring import screen_reader
from rpa_vision.models.window import WindowContext

READ_AT = datetime(2026, 1, 1, tzinfo=UTC)


def read_folder(folder: Path, *, fresh: bool = False, changes: list[str] | None = None, families: int = 0) -> None:
    """Read every screen of a folder that was not read yet."""
    reader, start, done = screen_reader(), time.monotonic(), 0
    paths = sorted(path for path in folder.glob("*.json") if not path.name.endswith(".state.json"))
    known = sorted({json.loads(path.read_text())["family"] for path in paths if path.name.endswith("-none.json")})
    wanted = set(known[:families] if families else known)
    for path in paths:
        about = json.loads(path.read_text(encoding="utf-8"))
        out = path.with_suffix(".state.json")
        if (
            about["family"] not in wanted
            or (changes and about["change"] not in changes)
            or (out.exists() and not fresh)
        ):
            continue
        pixels = cv2.imread(str(path.with_suffix(".png")))
        window = WindowContext(app_name="browser", title="Application")
        state = reader.read(pixels, window=window, screen_state_id="state_" + about["id"], timestamp=READ_AT)
        partial = out.with_suffix(".part")
        partial.write_text(state.model_dump_json(), encoding="utf-8")
        partial.rename(out)
        done += 1
        if done % 100 == 0:
            print(f"{done} read, {(time.monotonic() - start) / done:.2f} s each", flush=True)
    print(f"{done} read in {time.monotonic() - start:.0f} s")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--fresh", action="store_true", help="read again what was read before")
    options.add_argument("--changes", nargs="+", help="only these variations")
    options.add_argument("--families", type=int, default=0, help="only so many families")
    given = options.parse_args()
    read_folder(given.folder, fresh=given.fresh, changes=given.changes, families=given.families)


if __name__ == "__main__":
    main()
