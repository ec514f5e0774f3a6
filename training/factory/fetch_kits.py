"""Fetch the packages of a lock file, and check each against its integrity.

`kits.lock.json` names style sheets, icons and fonts (into `build/kits`), `demo_pages.lock.json` packages with whole
pages (into `build/demo-pages`).
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def fetch(name: str, about: dict[str, str], out: Path) -> None:
    """One package, by name and version, with npm; nothing of it is run."""
    with tempfile.TemporaryDirectory() as folder:
        spec = f"{about['package']}@{about['version']}"
        made = subprocess.run(
            ["npm", "pack", "--json", "--ignore-scripts", spec], cwd=folder, capture_output=True, text=True, check=True
        )
        archive = Path(folder) / json.loads(made.stdout)[0]["filename"]
        kind, _, expected = about["integrity"].partition("-")
        found = base64.b64encode(hashlib.new(kind, archive.read_bytes()).digest()).decode()
        if found != expected:
            raise SystemExit(f"{spec} is not what was locked: {found} instead of {expected}")
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        inner = next(path for path in Path(folder).iterdir() if path.is_dir())
        target = out / name
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(inner, target)


def fetch_all(lock: Path, out: Path) -> None:
    """Every package of the lock that is not there yet."""
    for name, about in json.loads(lock.read_text(encoding="utf-8")).items():
        mark = out / name / ".fetched"
        if mark.exists() and mark.read_text(encoding="utf-8") == about["integrity"]:
            continue
        print(f"{name} {about['version']}", flush=True)
        fetch(name, about, out)
        mark.write_text(about["integrity"], encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lock", type=Path, default=Path(__file__).with_name("kits.lock.json"))
    options.add_argument("--out", type=Path, default=ROOT / "build" / "kits")
    given = options.parse_args()
    fetch_all(given.lock, given.out)


if __name__ == "__main__":
    main()
