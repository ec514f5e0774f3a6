"""Put an exported reader among the package's resources, and its weights beside this module.

python training/reader/install.py build/reader/export/int8.json
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from weights import KEPT

OUT = Path(__file__).parents[2] / "src" / "rpa_vision" / "resources" / "reader"


def main() -> None:
    description = Path(sys.argv[1])
    about = json.loads(description.read_text(encoding="utf-8"))
    shutil.copyfile(description.parent / about["file"], OUT / "ink.onnx")
    shutil.copyfile(description.parent / KEPT.name, KEPT)
    about["file"] = "ink.onnx"
    (OUT / "ink.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{OUT / 'ink.onnx'}: {about['sha256']}")


if __name__ == "__main__":
    main()
