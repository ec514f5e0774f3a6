"""Write a checkpoint's mean weights as ONNX with its description, after checking that it answers as torch does.

The parts of the net are ONNX models in one archive, so that a description names and vouches for one file. Where screens
are given to measure ranges on, the far half is there a second time, in whole numbers: that one is used.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper

sys.path.insert(0, str(Path(__file__).parents[1]))

from detector.kinds import INTERACTIVE
from detector.net import COARSE, CONTAINER, CONTENT, FINE, NEAR_CHANNELS, NEAR_MARGIN, Detector
from detector.whole_numbers import quantised, some

THRESHOLDS = {"act": 0.35, "icon": 0.4, "image": 0.4, "dialog": 0.4, "scrollbar": 0.4, "table": 0.4}
NEAR, FAR, FAR_WHOLE = "near.onnx", "far.onnx", "far-int8.onnx"
TOLERANCE = 0.05
"""In logits: weights are kept with half the digits, which must not show."""


def export(
    checkpoint: Path,
    out: Path,
    scores: dict | None = None,
    thresholds: dict[str, float] | None = None,
    screens: Sequence[Path] = (),
) -> Path:
    """Write `elements.zip` and `elements.json` into a folder; the path of the description. `screens`: folders of
    pictures, by which the far half can be put into whole numbers."""
    kept = torch.load(checkpoint)
    net = Detector()
    net.load_state_dict(kept["mean"])
    net.eval()
    parts = {
        NEAR: as_onnx(net.near, torch.rand(1, 3, 256, 320), "picture", {"near": FINE}),
        FAR: as_onnx(net.far, torch.rand(1, NEAR_CHANNELS, 32, 40), "near", {"fine": FINE, "coarse": COARSE}),
    }
    check(net, {name: halved(part) for name, part in parts.items()})
    if pictures := some(screens):
        parts[FAR_WHOLE] = quantised(parts[NEAR], parts[FAR], pictures)
    parts |= {name: halved(parts[name]) for name in (NEAR, FAR)}
    out.mkdir(parents=True, exist_ok=True)
    model = out / "elements.zip"
    with zipfile.ZipFile(model, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)  # without the time: the same weights are the same file
    about = {
        "name": "elements",
        "file": model.name,
        "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
        "interactive": INTERACTIVE,
        "content": CONTENT,
        "containers": CONTAINER,
        "strides": [FINE, COARSE],
        "near_margin": NEAR_MARGIN,
        "thresholds": thresholds or THRESHOLDS,
        "training": {"steps": kept["step"], "megapixels": round(kept["pixels"] / 1e6)},
        "scores": scores or {},
    }
    description = out / "elements.json"
    description.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return description


def as_onnx(part: torch.nn.Module, sample: torch.Tensor, takes: str, gives: dict[str, int]) -> bytes:
    """One part of the net, for pictures of any size."""
    written = io.BytesIO()
    axes = {name: {2: f"{name}_rows", 3: f"{name}_columns"} for name in (takes, *gives)}
    torch.onnx.export(
        part,
        (sample,),
        written,
        dynamo=False,
        input_names=[takes],
        output_names=list(gives),
        opset_version=17,
        dynamic_axes=axes,
    )
    return written.getvalue()


def check(net: Detector, parts: dict[str, bytes]) -> None:
    """End here where the files answer otherwise than the net."""
    torch.manual_seed(0)
    picture = torch.rand(1, 3, 352, 416)
    with torch.no_grad():
        wanted = [answer.numpy() for answer in net(picture)]
    near, far = (onnxruntime.InferenceSession(parts[name], providers=["CPUExecutionProvider"]) for name in (NEAR, FAR))
    given = far.run(None, {"near": near.run(None, {"picture": picture.numpy()})[0]})
    worst = max(float(np.abs(a - b).max()) for a, b in zip(wanted, given, strict=True))
    if worst > TOLERANCE:
        raise SystemExit(f"the exported net differs from torch by {worst}")


def halved(model: bytes) -> bytes:
    """Keep large weights as 16-bit numbers, made 32-bit again when the net is loaded: half the file, the same speed."""
    net = onnx.load_from_string(model)
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
    return bytes(net.SerializeToString())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("checkpoint", type=Path)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--screens", type=Path, nargs="*", default=(), help="folders of screens it was trained on")
    given = options.parse_args()
    print(export(given.checkpoint, given.out, screens=given.screens))


if __name__ == "__main__":
    main()
