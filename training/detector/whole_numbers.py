"""The far half of the net in 8-bit whole numbers: it is asked for every changed picture, and so takes half the time.

Ranges are measured on screens the net was trained on. Weights keep seven bits, because processors without the newer
instructions add pairs of products in sixteen and would overflow with eight. The float half stays in the file, to learn
on from.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

SCREENS = 60
"""How many screens the ranges are measured on."""
STEP_PX = 32
LIKELY = -2.0
"""Where the net thinks of something at all, in logits: what is said elsewhere does not matter."""
TOLERANCE = 0.25
"""By how much the two may differ there in the mean."""


def some(folders: Sequence[Path], count: int = SCREENS) -> list[Path]:
    """Pictures from all folders, evenly spread over their names."""
    every = sorted(path for folder in folders for path in folder.glob("*.png"))
    return every[:: max(1, len(every) // count)][:count]


def planes(path: Path) -> np.ndarray:
    """A screen as the net takes it."""
    picture = cv2.imread(str(path))
    if picture is None:
        raise SystemExit(f"{path} is no picture")
    height, width = picture.shape[:2]
    whole = cv2.copyMakeBorder(picture, 0, -height % STEP_PX, 0, -width % STEP_PX, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(whole[..., ::-1].transpose(2, 0, 1)[None], np.float32) / 255


class Maps(CalibrationDataReader):
    """What the near half says of each screen, one after the other."""

    def __init__(self, near: onnxruntime.InferenceSession, pictures: Iterable[Path]) -> None:
        self._maps: Iterator[np.ndarray] = (near.run(None, {"picture": planes(path)})[0] for path in pictures)

    def get_next(self) -> dict[str, np.ndarray] | None:
        one = next(self._maps, None)
        return None if one is None else {"near": one}


def quantised(near: bytes, far: bytes, pictures: Sequence[Path]) -> bytes:
    """The far half in whole numbers; ends here where it then says something else."""
    first = session(near)
    with tempfile.TemporaryDirectory() as folder:
        plain, ready, small = (Path(folder) / name for name in ("plain.onnx", "ready.onnx", "small.onnx"))
        plain.write_bytes(far)
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        quantize_static(
            str(ready),
            str(small),
            Maps(first, pictures),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
        made = small.read_bytes()
    apart = difference(first, session(far), session(made), pictures[::10])
    if apart > TOLERANCE:
        raise SystemExit(f"in whole numbers the net differs by {apart:.2f} where it sees something")
    return made


def difference(
    near: onnxruntime.InferenceSession,
    one: onnxruntime.InferenceSession,
    other: onnxruntime.InferenceSession,
    pictures: Iterable[Path],
) -> float:
    """How far two far halves lie apart, in logits of *here is something*, where the first thinks of anything."""
    found = []
    for path in pictures:
        told = near.run(None, {"picture": planes(path)})[0]
        a, b = (half.run(None, {"near": told})[0][0, 0] for half in (one, other))
        found.append(np.abs(a - b)[a > LIKELY])
    every = np.concatenate(found)
    return float(every.mean()) if len(every) else 0.0


def session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
