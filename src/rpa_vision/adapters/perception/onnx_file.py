"""A model file somebody gives us: read whole, looked at before it is loaded, and never more than arithmetic.

ONNX files hold operators and numbers. The two ways out of that are refused: operators from libraries (none is ever
registered, and unknown domains are named in the error), and weights kept in other files, by which a model could point
at anything on the disk. What is loaded is what was hashed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rpa_vision.adapters.perception.onnx_session import cpu_session
from rpa_vision.errors import PluginError

MAX_BYTES: Final = 512 * 1024 * 1024
_STANDARD_DOMAINS: Final = frozenset({"", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc"})
_EXTERNAL: Final = 1
_MAX_DEPTH: Final = 32

# Numbers of the fields of onnx.proto through which tensors and operator sets can be reached.
_MODEL_GRAPH, _MODEL_OPSETS, _MODEL_TRAINING, _MODEL_FUNCTIONS = 7, 8, 20, 25
_OPSET_DOMAIN: Final = 1
_TENSOR_LOCATION: Final = 14
_CHILDREN: Final[dict[str, dict[int, str]]] = {
    "model": {_MODEL_GRAPH: "graph", _MODEL_TRAINING: "training", _MODEL_FUNCTIONS: "function"},
    "training": {1: "graph", 2: "graph"},
    "function": {7: "node", 11: "attribute"},
    "graph": {1: "node", 5: "tensor", 15: "sparse"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
    "sparse": {1: "tensor", 2: "tensor"},
    "tensor": {},
}


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The bytes of a model and what they are called by."""

    path: Path
    data: bytes
    sha256: str


def read_model(path: Path, *, max_bytes: int = MAX_BYTES) -> ModelFile:
    """Read a model's file, or say why that cannot be one."""
    remedy = "Give the path of an ONNX file of a detector; docs/plugins.md says which kinds are understood."
    try:
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "there is no such file"
            raise PluginError(f"the detector {path}: {what}", remedy=remedy)
        size = path.stat().st_size
        if size > max_bytes:
            raise PluginError(
                f"the detector {path} has {size:,} bytes; at most {max_bytes:,} are loaded",
                remedy="Export a smaller model, or one with smaller numbers (float16, int8).",
            )
        data = path.read_bytes()
    except OSError as error:
        raise PluginError(f"the detector {path} cannot be read ({error.strerror})", remedy=remedy) from error
    _check(data, path)
    return ModelFile(path, data, hashlib.sha256(data).hexdigest())


def open_session(model: ModelFile, *, threads: int = 2) -> Any:
    """A session over the model: on the CPU, deterministic, without libraries of operators."""
    try:
        return cpu_session(model.data, threads)
    except Exception as error:  # onnxruntime raises many types of its own, all meaning the same here
        raise PluginError(
            f"the detector {model.path} cannot be loaded: {one_line(error)}",
            remedy="Export the model again, with an operator set that this version of onnxruntime knows.",
        ) from error


def one_line(error: object, limit: int = 300) -> str:
    """What a library said, short enough to be read."""
    said = " ".join(str(error).split())
    return said if len(said) <= limit else said[: limit - 1] + "…"


def _check(data: bytes, path: Path) -> None:
    try:
        fields = dict.fromkeys(number for number, _ in _fields(memoryview(data)))
        is_model = _MODEL_GRAPH in fields and _MODEL_OPSETS in fields
        foreign = sorted(_domains(data) - _STANDARD_DOMAINS) if is_model else []
        is_whole = not is_model or not _keeps_weights_elsewhere(memoryview(data), "model")
    except (ValueError, IndexError, UnicodeDecodeError):
        is_model, foreign, is_whole = False, [], True
    if not is_model:
        raise PluginError(
            f"the detector {path} is not an ONNX file",
            remedy="Export the model to ONNX (a .pt, .pth, .engine or .tflite file is not loaded).",
        )
    if not is_whole:
        raise PluginError(
            f"the detector {path} keeps its weights in another file",
            remedy="Export it into one file (for PyTorch: external_data=False).",
        )
    if foreign:
        raise PluginError(
            f"the detector {path} needs operators of {', '.join(map(repr, foreign))}, which no part of ONNX has",
            remedy="Export the model with standard operators; libraries of operators are never loaded.",
        )


def _domains(data: bytes) -> set[str]:
    found = set()
    for number, value in _fields(memoryview(data)):
        if number == _MODEL_OPSETS and isinstance(value, memoryview):
            names = [
                bytes(part) for field, part in _fields(value) if field == _OPSET_DOMAIN and not isinstance(part, int)
            ]
            found.add(names[-1].decode("utf-8") if names else "")
    return found


def _keeps_weights_elsewhere(data: memoryview, kind: str, depth: int = 0) -> bool:
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    children = _CHILDREN[kind]
    for number, value in _fields(data):
        if kind == "tensor" and number == _TENSOR_LOCATION and value == _EXTERNAL:
            return True
        child = children.get(number)
        if child and isinstance(value, memoryview) and _keeps_weights_elsewhere(value, child, depth + 1):
            return True
    return False


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a protocol-buffer message; ValueError or IndexError where the bytes are none."""
    position, end = 0, len(data)
    while position < end:
        key, position = _varint(data, position)
        number, wire = key >> 3, key & 7
        if number == 0:
            raise ValueError("no field has the number 0")
        if wire == 0:
            value, position = _varint(data, position)
            yield number, value
            continue
        if wire == 2:
            length, position = _varint(data, position)
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise ValueError(f"no field is written as {wire}")
        if position + length > end:
            raise ValueError("cut short")
        yield number, data[position : position + length]
        position += length


def _varint(data: memoryview, position: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, position
    raise ValueError("a number too long")
