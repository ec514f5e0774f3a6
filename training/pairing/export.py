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
sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from detector.export import halved

from pairing.net import PairingNet
from rpa_vision.execution.locating.pairing.features import OF_A_PAIR, OF_EACH, OF_TWO

TOLERANCE = 0.05
"""In logits: weights are kept with half the digits, which must not show."""
_INPUTS = ("then", "now", "within_then", "within_now", "across")
_AXES = {
    "then": {0: "n"}, "now": {0: "m"}, "within_then": {0: "n", 1: "n"}, "within_now": {0: "m", 1: "m"},
    "across": {0: "n", 1: "m"}, "scores": {0: "n", 1: "m1"},
}  # fmt: skip


def example(n: int, m: int) -> tuple[torch.Tensor, ...]:
    shapes = ((n, OF_EACH), (m, OF_EACH), (n, n, OF_TWO), (m, m, OF_TWO), (n, m, OF_A_PAIR))
    return tuple(torch.rand(*shape) for shape in shapes)


def export(checkpoint: Path, out: Path) -> Path:
    """Write `pairs.onnx` and `pairs.json` into a folder; the path of the description."""
    kept = torch.load(checkpoint)
    net = PairingNet(OF_EACH, OF_TWO, OF_A_PAIR)
    net.load_state_dict(kept["mean"])
    net.eval()
    out.mkdir(parents=True, exist_ok=True)
    model = out / "pairs.onnx"
    torch.manual_seed(0)
    torch.onnx.export(
        net, example(7, 9), str(model), dynamo=False, input_names=list(_INPUTS), output_names=["scores"],
        dynamic_axes=_AXES, opset_version=17,
    )  # fmt: skip
    model.write_bytes(halved(model.read_bytes()))
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    for n, m in ((7, 9), (40, 31), (1, 1)):
        given = example(n, m)
        with torch.no_grad():
            wanted = net(*given).numpy()
        answer = session.run(None, {name: one.numpy() for name, one in zip(_INPUTS, given, strict=True)})[0]
        worst = float(np.abs(wanted - answer).max())
        if worst > TOLERANCE:
            raise SystemExit(f"the exported net differs from torch by {worst}")
    about = {
        "name": "pairs",
        "file": model.name,
        "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
        "told": [OF_EACH, OF_TWO, OF_A_PAIR],
        "training": {name: kept[name] for name in ("step", "seconds")},
    }
    description = out / "pairs.json"
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
