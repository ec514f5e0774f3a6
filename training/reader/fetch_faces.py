"""Fetch the typefaces of `faces.lock.json` and unpack them to TrueType, for pages in faces a desktop may have.

    python training/reader/fetch_faces.py --out build/reader/faces

A reader that only knows the usual faces fails on a heavy or narrow one. The files are free to use (Open Font Licence);
they are drawn with, not shipped. `fonts.conf` beside them makes Chromium, Qt and Pango see them: FONTCONFIG_FILE.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path

from fontTools.ttLib import TTFont

KINDS = ("400-normal", "700-normal", "900-normal", "300-normal", "400-italic")
LOCK = Path(__file__).with_name("faces.lock.json")
_CONFIGURATION = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{folder}</dir></fontconfig>
"""


def packed(package: str, version: str, folder: Path) -> tuple[Path, dict[str, str]]:
    """The package's archive by npm; nothing of it is run."""
    spec = f"{package}@{version}"
    made = subprocess.run(
        ["npm", "pack", "--json", "--ignore-scripts", spec], cwd=folder, capture_output=True, text=True, check=True
    )
    about = json.loads(made.stdout)[0]
    archive = folder / about["filename"]
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    return archive, {"package": package, "version": about["version"], "integrity": f"sha512-{digest}"}


def unpack(archive: Path, name: str, out: Path) -> int:
    """The Latin faces of an archive as TrueType files."""
    count = 0
    with tarfile.open(archive) as files:
        for member in files.getmembers():
            if member.name.endswith(tuple(f"-latin-{kind}.woff2" for kind in KINDS)):
                data = files.extractfile(member)
                assert data is not None
                face = TTFont(io.BytesIO(data.read()))
                face.flavor = None
                face.save(out / f"{Path(member.name).stem}.ttf")
                count += 1
    (out / f"{name}.done").write_text("")
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lock", nargs="*", help="names of typefaces to add to the lock, at their newest version")
    arguments = parser.parse_args()
    out: Path = arguments.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    lock: dict[str, dict[str, str]] = json.loads(LOCK.read_text(encoding="utf-8")) if LOCK.exists() else {}
    names = arguments.lock if arguments.lock is not None else sorted(lock)
    for name in names:
        if (out / f"{name}.done").exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            wanted = lock.get(name, {"package": f"@fontsource/{name}", "version": "latest"})
            archive, about = packed(wanted["package"], wanted["version"], Path(folder))
            if about["integrity"] != wanted.get("integrity", about["integrity"]):
                raise SystemExit(f"{name} is not what was locked: {about['integrity']}")
            print(f"{name} {about['version']}: {unpack(archive, name, out)} files", flush=True)
        if arguments.lock is not None:
            lock[name] = about
            LOCK.write_text(json.dumps(dict(sorted(lock.items())), indent=1) + "\n", encoding="utf-8")
    (out / "fonts.conf").write_text(_CONFIGURATION.format(folder=out), encoding="utf-8")


if __name__ == "__main__":
    main()
