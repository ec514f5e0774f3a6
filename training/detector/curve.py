"""The learning curve: every kept checkpoint of a run, scored on the same held-out screens.

Exports with torch (`.venv-train`), scores with what ships (`.venv`); prints one line of JSON for each checkpoint.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.export import export

ROOT = Path(__file__).parents[2]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("run", type=Path, help="folder with mean-*.pt")
    options.add_argument("--screens", type=Path, required=True)
    options.add_argument("--limit", type=int, default=40, help="screens of each toolkit")
    options.add_argument("--every", type=int, default=1, help="only every so many checkpoints")
    given = options.parse_args()
    for checkpoint in sorted(given.run.glob("mean-*.pt"))[:: given.every]:
        with tempfile.TemporaryDirectory() as folder:
            description = export(checkpoint, Path(folder))
            training = json.loads(description.read_text(encoding="utf-8"))["training"]
            point = dict(training)
            for toolkit in ("web", "qt", "gtk", "tk"):
                command = [
                    ROOT / ".venv" / "bin" / "python",
                    ROOT / "training" / "detector" / "evaluate.py",
                    description,
                ]
                command += ["--screens", given.screens, "--only", toolkit, "--limit", given.limit]
                told = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
                scores = json.loads(told.stdout.splitlines()[0])["all"]
                point[toolkit] = {name: scores[name] for name in ("click_f1", "f1_at_50", "type_accuracy")}
            print(json.dumps(point), flush=True)


if __name__ == "__main__":
    main()
