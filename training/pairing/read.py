"""Read every picture of the families as the product reads it, and keep what was understood beside the pictures.

    python training/pairing/read.py FAMILIES [FAMILIES ...] [--wait]

With --wait it goes on until `families.py` has written its last line (`done`). What is read already is not read again,
and two may read at once, started together: each begins with the picture nobody has begun.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections.abc import Iterator
from pathlib import Path

from rpa_vision.app.wiring import clock, screen_reader
from rpa_vision.imaging.codec import decode

_PATIENCE_S = 2.0


def unread(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Each picture that is listed and not begun, and where its reading goes."""
    listed = folder / "families.jsonl"
    for line in listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []:
        family = json.loads(line)
        for one in (*family["screens"], *family["asked"]):
            kept = folder / "states" / f"{Path(one['file']).stem}.pkl"
            if not kept.exists():
                yield folder / one["file"], kept


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folders", type=Path, nargs="+")
    options.add_argument("--wait", action="store_true")
    given = options.parse_args()
    for folder in given.folders:
        for left in (folder / "states").glob("*.begun"):  # of a run that was broken off
            left.unlink()
    reader, began, count = screen_reader(), time.monotonic(), 0
    while True:
        done = not given.wait or all((folder / "done").exists() for folder in given.folders)
        for folder in given.folders:
            (folder / "states").mkdir(parents=True, exist_ok=True)
            for picture, kept in list(unread(folder)):
                mark = kept.with_suffix(".begun")
                try:
                    mark.open("x").close()
                except FileExistsError:
                    continue
                state = reader.read(decode(picture.read_bytes()), screen_state_id="picture", timestamp=clock().now())
                written = kept.with_suffix(".part")
                written.write_bytes(pickle.dumps((state, 0.0)))
                written.replace(kept)
                mark.unlink()
                count += 1
                if count % 200 == 0:
                    print(f"{count} pictures, {time.monotonic() - began:.0f} s", flush=True)
        if done:
            return
        time.sleep(_PATIENCE_S)


if __name__ == "__main__":
    main()
