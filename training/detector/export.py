"""Write a checkpoint's mean weights as ONNX with its description, after checking that it answers as torch does."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper

sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.kinds import INTERACTIVE
from detector.net import COARSE, CONTAINER, CONTENT, FINE, REACH_PX, Detector

THRESHOLDS = {"act": 0.35, "icon": 0.4, "image": 0.4, "dialog": 0.4, "scrollbar": 0.4, "table": 0.4}
TOLERANCE = 0.05
"""In logits: weights are kept with half the digits, which must not show."""


def export(checkpoint: Path, out: Path, scores: dict | None = None, thresholds: dict[str, float] | None = None) -> Path:
    """Write `elements.onnx` and `elements.json` into a folder; the path of the description."""
    kept = torch.load(checkpoint)
    net = Detector()
    net.load_state_dict(kept["mean"])
    net.eval()
    out.mkdir(parents=True, exist_ok=True)
    model = out / "elements.onnx"
    names = {
        "picture": {2: "height", 3: "width"},
        "fine": {2: "fine_rows", 3: "fine_columns"},
        "coarse": {2: "coarse_rows", 3: "coarse_columns"},
    }
    torch.onnx.export(
        net,
        (torch.rand(1, 3, 256, 320),),
        str(model),
        dynamo=False,
        input_names=["picture"],
        output_names=["fine", "coarse"],
        opset_version=17,
        dynamic_axes=names,
    )
    halve(model)
    torch.manual_seed(0)
    picture = torch.rand(1, 3, 352, 416)
    with torch.no_grad():
        wanted = [answer.numpy() for answer in net(picture)]
    given = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]).run(
        None, {"picture": picture.numpy()}
    )
    worst = max(float(np.abs(a - b).max()) for a, b in zip(wanted, given, strict=True))
    if worst > TOLERANCE:
        raise SystemExit(f"the exported net differs from torch by {worst}")
    about = {
        "name": "elements",
        "file": model.name,
        "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
        "interactive": INTERACTIVE,
        "content": CONTENT,
        "containers": CONTAINER,
        "strides": [FINE, COARSE],
        "reach_px": REACH_PX,
        "thresholds": thresholds or THRESHOLDS,
        "training": {"steps": kept["step"], "megapixels": round(kept["pixels"] / 1e6)},
        "scores": scores or {},
    }
    description = out / "elements.json"
    description.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return description


def halve(model: Path) -> None:
    """Keep large weights as 16-bit numbers, made 32-bit again when the net is loaded: half the file, the same speed."""
    net = onnx.load(str(model))
    casts = []
    for weights in list(net.graph.initializer):
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size >= 256:
            net.graph.initializer.remove(weights)
            net.graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), f"{weights.name}.half"))
            casts.append(
                onnx.helper.make_node("Cast", [f"{weights.name}.half"], [weights.name], to=onnx.TensorProto.FLOAT)
            )
    for cast in reversed(casts):
        net.graph.node.insert(0, cast)
    onnx.checker.check_model(net)
    onnx.save(net, str(model))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint", type=Path)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    print(export(given.checkpoint, given.out))


if __name__ == "__main__":
    main()
