"""Write a checkpoint's mean weights as ONNX with its description, after checking that it answers as torch does."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.export import halved

from encoder.net import DIMENSIONS, ScreenNet

TOLERANCE = 5e-3
"""In a vector of length 1: weights are kept with half the digits, which must not show."""


def export(checkpoint: Path, out: Path) -> Path:
    """Write `screens.onnx` and `screens.json` into a folder; the path of the description."""
    kept = torch.load(checkpoint)
    net = ScreenNet()
    net.load_state_dict(kept["mean"])
    net.eval()
    out.mkdir(parents=True, exist_ok=True)
    model = out / "screens.onnx"
    torch.onnx.export(
        net, (torch.rand(1, 4, 144, 256),), str(model), dynamo=False, input_names=["maps"], output_names=["vector"],
        opset_version=17,
    )  # fmt: skip
    model.write_bytes(halved(model.read_bytes()))
    torch.manual_seed(0)
    maps = torch.rand(1, 4, 144, 256)
    with torch.no_grad():
        wanted = net(maps).numpy()
    given = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]).run(
        None, {"maps": maps.numpy()}
    )
    worst = float(np.abs(wanted - given[0]).max())
    if worst > TOLERANCE:
        raise SystemExit(f"the exported net differs from torch by {worst}")
    about = {
        "name": "screens",
        "file": model.name,
        "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
        "dimensions": DIMENSIONS,
        "training": {name: kept[name] for name in ("step", "screens", "seconds")},
    }
    description = out / "screens.json"
    description.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return description


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    print(export(given.checkpoint, given.out))


if __name__ == "__main__":
    main()
