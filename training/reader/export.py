"""From a checkpoint to the files that ship: ONNX in 32-bit numbers and in 8-bit ones, and a description.

    python training/reader/export.py CHECKPOINT… --shards DIRECTORY --out DIRECTORY

Beside them `ink-weights.npz`, the net in 16 bits, to go on training from (`weights.py`). The graph ends in the best class
of each step and how likely it is, so that nothing large is handed over. The 8-bit file is calibrated on training lines. Which of the two ships is said by `--kind`, after `evaluate.py` compared them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from pathlib import Path

import numpy as np
import onnx
import torch
from alphabet import CLASSES
from net import Net
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from shading import shaded
from shards import load
from torch import Tensor, nn
from weights import KEPT, keep, mix, sample

from rpa_vision.imaging.line_picture import HEIGHT_PX, as_ink

NAME = "ink-latin-1"
CALIBRATION_LINES = 400
OUTPUTS = ("best", "likely", "near", "around")


class _Answer(nn.Module):
    """The net with its decisions: class and likelihood of every step, and of the character most likely around it.

    A letter between two steps is half as likely at either and may lose to the blank at both; the sum over three steps
    shows it.
    """

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, ink: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        chances = torch.softmax(self.net(ink), dim=1)
        likely, best = chances.max(dim=1)
        around, near = torch.nn.functional.avg_pool1d(chances[:, 1:], 3, stride=1, padding=1).max(dim=1)
        return best.to(torch.int32), likely, (near + 1).to(torch.int32), around * 3


def averaged(checkpoints: list[Path]) -> dict[str, Tensor]:
    """The mean of the slow averages of several checkpoints: steadier on what either saw last."""
    parts = [torch.load(path)["average"] for path in checkpoints]
    return {
        name: sum(part[name] for part in parts) / len(parts) if value.dtype.is_floating_point else value
        for name, value in parts[-1].items()
    }


def made_of(checkpoints: list[Path], shipped_share: float) -> Net:
    """The net of the checkpoints, mixed with the one that ships."""
    net = Net(len(CLASSES))
    net.load_state_dict(averaged(checkpoints))
    if shipped_share:
        mix(net, shipped_share, sample())
    return net.eval()


def to_onnx(net: Net, out: Path) -> None:
    """A net as a 32-bit file."""
    torch.onnx.export(
        _Answer(net), (torch.zeros(1, 1, HEIGHT_PX, 160),), str(out), input_names=["ink"], output_names=list(OUTPUTS),
        dynamic_axes={"ink": {0: "lines", 3: "width"}, **{name: {0: "lines", 1: "steps"} for name in OUTPUTS}},
        opset_version=17, dynamo=False,
    )  # fmt: skip


class _Lines(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, folder: Path) -> None:
        chance = random.Random(5)
        paths = sorted(folder.glob("*.npz"))
        chosen = [
            chance.choice(load(path)) for path in chance.choices(paths, k=12) for _ in range(CALIBRATION_LINES // 12)
        ]
        self._inks = iter(
            [
                as_ink(shaded(line.picture, chance) if number % 3 == 0 else line.picture)
                for number, line in enumerate(chosen)
            ]
        )

    def get_next(self) -> dict[str, np.ndarray] | None:
        ink = next(self._inks, None)
        if ink is None:
            return None
        padded = np.zeros((1, 1, HEIGHT_PX, -(-ink.shape[1] // 16) * 16), np.float32)
        padded[0, 0, :, : ink.shape[1]] = ink
        return {"ink": padded}


def to_eight_bits(source: Path, shards: Path, out: Path) -> None:
    """The same net in 8-bit numbers, but for the last layer: in 8 bits its scores come in steps of nearly one, and a letter
    that two places share is lost between them."""
    ready = source.with_suffix(".ready.onnx")
    quant_pre_process(str(source), str(ready), skip_symbolic_shape=True)
    quantize_static(
        str(ready), str(out), _Lines(shards), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8, op_types_to_quantize=["Conv", "Add"], calibrate_method=CalibrationMethod.MinMax,
        nodes_to_exclude=[node.name for node in onnx.load(str(ready)).graph.node if "/head/" in node.name],
    )  # fmt: skip
    ready.unlink()


def describe(model: Path, *, confidence: dict[str, float], trained: dict[str, object]) -> None:
    """The JSON file beside a model."""
    data = model.read_bytes()
    onnx.checker.check_model(onnx.load_model_from_string(data))
    about = {
        "name": NAME, "file": model.name, "sha256": hashlib.sha256(data).hexdigest(), "input": "ink", "height_px": HEIGHT_PX, "blank": 0,
        "confidence": confidence, "characters": CLASSES, "trained": trained, "licence": "Apache-2.0", "made_by": "training/reader/export.py",
    }  # fmt: skip
    model.with_suffix(".json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("checkpoints", type=Path, nargs="+", help="of one training; the last says how long it was")
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--offset", type=float, default=0.0, help="of the confidence, from calibrate.py")
    parser.add_argument("--slope", type=float, default=-1.0)
    parser.add_argument("--shipped-share", type=float, default=0.0, help="mix in so much of the weights that ship")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    kept = torch.load(arguments.checkpoints[-1])
    trained = {
        "steps": kept["step"],
        "lines": kept["lines"],
        "cpu_minutes": round(kept["spent_s"] / 60, 1),
        "averaged": len(arguments.checkpoints),
        "shipped_share": arguments.shipped_share,
    }
    confidence = {"offset": arguments.offset, "slope": arguments.slope}
    net = made_of(arguments.checkpoints, arguments.shipped_share)
    whole, small = arguments.out / "fp32.onnx", arguments.out / "int8.onnx"
    to_onnx(net, whole)
    to_eight_bits(whole, arguments.shards, small)
    keep(net.state_dict(), small, arguments.out / KEPT.name)
    for path in (whole, small):
        describe(path, confidence=confidence, trained=trained)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
