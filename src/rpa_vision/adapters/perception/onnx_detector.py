"""A detector somebody gives us as an ONNX file, behind the port the embedded one stands behind.

The picture is fitted into the model's input (padded for YOLO, stretched for DETR), and what the model finds is brought
back to the pixels of the picture, whatever its size. Everything that can be wrong with a file or its sheet is found
when it is opened, by looking at an empty picture once; the same pixels always give the same answer.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.adapters.perception.detector_outputs import (
    STRETCHED,
    WITHOUT_NMS,
    Candidates,
    decode,
    layout_of,
    suppress,
)
from rpa_vision.adapters.perception.detector_sheet import MAX_INPUT_PX, DetectorSheet, parse_names, read_sheet
from rpa_vision.adapters.perception.onnx_file import ModelFile, one_line, open_session, read_model
from rpa_vision.errors import PluginError
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.ids import slug
from rpa_vision.ports.perception import FoundElement

PADDING: Final = 114
"""The grey around a padded picture, as YOLO models are trained with."""
IMAGENET_MEAN, IMAGENET_DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_NMS_OVERLAP: Final = 0.5
_DUPLICATE_OVERLAP: Final = 0.9
_MIN_SIDE_PX: Final = 2
_TYPES: Final = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8}
_SIZE_INPUT: Final = "orig_target_sizes"


@dataclass(frozen=True, slots=True)
class Fit:
    """How a picture lies in the model's input."""

    left: int
    top: int
    width: int
    height: int

    @classmethod
    def of(cls, picture: tuple[int, int], size: tuple[int, int], *, padded: bool) -> Fit:
        """Width and height of the picture and of the input."""
        if not padded:
            return cls(0, 0, *size)
        scale = min(size[0] / picture[0], size[1] / picture[1])
        width, height = (min(size[i], max(1, round(picture[i] * scale))) for i in (0, 1))
        return cls((size[0] - width) // 2, (size[1] - height) // 2, width, height)


class OnnxDetector:
    """Implements `ports.perception.ElementFinder` over a YOLO- or DETR-style file."""

    def __init__(self, model: Path, sheet: Path | None = None, *, threads: int = 2) -> None:
        self._model = read_model(model)
        self._sheet, sheet_path = read_sheet(model, sheet)
        self._where = f"the detector {model}"
        if self._sheet.sha256 not in (None, self._model.sha256):
            raise PluginError(f"{self._where} is not the file its sheet was written for: wrong checksum")
        self._session = open_session(self._model, threads=threads)
        self._names = _names(self._session, self._sheet, self._where, sheet_path)
        self._kinds = self._sheet.kinds(self._names, self._where)
        self._input, self._dtype, self._size = _input_of(self._session, self._sheet, self._where)
        self._wants_size = any(value.name == _SIZE_INPUT for value in self._session.get_inputs())
        outputs = self._run(np.full((self._size[1], self._size[0], 3), PADDING, np.uint8))
        shapes = {name: value.shape for name, value in outputs.items()}
        self._layout = layout_of(shapes, len(self._names), self._sheet, self._where)
        self._padded = (self._sheet.resize or ("stretch" if self._layout in STRETCHED else "letterbox")) == "letterbox"
        usual = _DUPLICATE_OVERLAP if self._layout in WITHOUT_NMS else _NMS_OVERLAP
        self._max_overlap = self._sheet.max_overlap if self._sheet.max_overlap is not None else usual
        self._name = _name(self._model, self._sheet)
        self._decode(outputs)

    @property
    def name(self) -> str:
        return self._name

    @property
    def layout(self) -> str:
        """How the model answers, for people."""
        return self._layout

    @property
    def types(self) -> tuple[str, ...]:
        """The element types it can find."""
        return tuple(sorted({kind for kind in self._kinds if kind is not None}))

    def find(self, image: Pixels) -> list[FoundElement]:
        height, width = image.shape[:2]
        if min(height, width) < _MIN_SIDE_PX:
            return []
        fit = Fit.of((width, height), self._size, padded=self._padded)
        candidates = self._decode(self._run(self._fitted(image, fit)))
        found = list[FoundElement]()
        for index in suppress(candidates, self._kinds, self._max_overlap):
            kind = self._kinds[candidates.classes[index]]
            box = _in_picture(candidates.boxes[index], fit, width, height)
            if kind is not None and box is not None:
                found.append(FoundElement(box, kind, round(float(candidates.scores[index]), 4)))
            if len(found) == self._sheet.max_found:
                break
        return found

    def _fitted(self, image: Pixels, fit: Fit) -> Pixels:
        plain = np.ascontiguousarray(image[:, :, :3])
        resized = np.asarray(cv2.resize(plain, (fit.width, fit.height), interpolation=cv2.INTER_LINEAR), np.uint8)
        if (fit.width, fit.height) == self._size:
            return resized
        canvas = np.full((self._size[1], self._size[0], 3), PADDING, np.uint8)
        canvas[fit.top : fit.top + fit.height, fit.left : fit.left + fit.width] = resized
        return canvas

    def _run(self, fitted: Pixels) -> dict[str, NDArray[Any]]:
        inputs: dict[str, NDArray[Any]] = {self._input: self._numbers(fitted)}
        if (
            self._wants_size
        ):  # the model scales its boxes by this: asked for the size of its input, it gives pixels of it
            inputs[_SIZE_INPUT] = np.array([self._size], np.int64)
        names = [value.name for value in self._session.get_outputs()]
        try:
            values = self._session.run(names, inputs)
        except Exception as error:  # onnxruntime raises many types of its own, all meaning the same here
            raise PluginError(f"{self._where} failed on a picture: {one_line(error)}") from error
        return dict(zip(names, (np.asarray(value) for value in values), strict=True))

    def _numbers(self, fitted: Pixels) -> NDArray[Any]:
        planes = (fitted[:, :, ::-1] if self._sheet.colour == "rgb" else fitted).transpose(2, 0, 1)
        if self._sheet.normalise == "none":
            return np.ascontiguousarray(planes[None].astype(self._dtype))
        values = planes.astype(np.float32) / 255
        if self._sheet.normalise == "imagenet":
            mean, deviation = (
                np.array(three, np.float32)[:, None, None] for three in (IMAGENET_MEAN, IMAGENET_DEVIATION)
            )
            values = (values - mean) / deviation
        return np.ascontiguousarray(values[None].astype(self._dtype))

    def _decode(self, outputs: dict[str, NDArray[Any]]) -> Candidates:
        return decode(outputs, self._layout, self._sheet, len(self._names), self._size, self._where)


def _in_picture(corners: NDArray[np.float64], fit: Fit, width: int, height: int) -> Box | None:
    """A box of the model's input in pixels of the picture, as far as it lies inside."""
    across, down = width / fit.width, height / fit.height
    x1, y1 = (corners[0] - fit.left) * across, (corners[1] - fit.top) * down
    x2, y2 = (corners[2] - fit.left) * across, (corners[3] - fit.top) * down
    limit = (width, height, width, height)
    x1, y1, x2, y2 = (round(min(max(value, 0.0), most)) for value, most in zip((x1, y1, x2, y2), limit, strict=True))
    return Box(x1, y1, x2, y2) if x2 - x1 >= 1 and y2 - y1 >= 1 else None


def _names(session: Any, sheet: DetectorSheet, where: str, sheet_path: Path | None) -> tuple[str, ...]:
    own = parse_names(session.get_modelmeta().custom_metadata_map.get("names", ""))
    names = sheet.names or own
    if names is None:
        missing = f"the sheet {sheet_path} has no `names`" if sheet_path else "there is no sheet beside it"
        raise PluginError(
            f"{where} does not say what its classes are called, and {missing}",
            remedy="Write a sheet with `names` and `types` beside the model's file; docs/plugins.md has examples.",
        )
    if own is not None and len(own) != len(names):
        raise PluginError(f"{where}: its sheet names {len(names)} classes, the model itself {len(own)}")
    return names


def _input_of(session: Any, sheet: DetectorSheet, where: str) -> tuple[str, Any, tuple[int, int]]:
    """Name, number type and size (width, height) of the picture the model takes."""
    pictures = [value for value in session.get_inputs() if value.name != _SIZE_INPUT]
    if len(pictures) != 1:
        others = ", ".join(value.name for value in pictures[1:])
        raise PluginError(f"{where} asks for more than a picture: {others}", remedy="Export it with one input.")
    (given,) = pictures
    batch, channels, height, width = given.shape if len(given.shape) == 4 else (0, 0, 0, 0)
    if channels != 3 or (isinstance(batch, int) and batch != 1):
        raise PluginError(
            f"{where} takes {given.shape}; a picture of [1, 3, height, width] is what is given to a detector",
            remedy="Export the model with its channels first and for one picture at a time.",
        )
    dtype = _TYPES.get(given.type)
    if dtype is None or (dtype is np.uint8) != (sheet.normalise == "none" and given.type == "tensor(uint8)"):
        raise PluginError(
            f"{where} takes {given.type}, which does not go with `normalise: {sheet.normalise}`",
            remedy="Bytes go with `normalise: none` in the sheet, floats with any.",
        )
    fixed = (width, height) if isinstance(width, int) and isinstance(height, int) else None
    size = fixed or sheet.input_size or _own_size(session)
    if size is None or not all(1 <= side <= MAX_INPUT_PX for side in size):
        what = f"pictures of {size[0]}×{size[1]}" if size else "pictures of any size"
        raise PluginError(f"{where} takes {what}", remedy="Say `input_size: [640, 640]`, or what it was trained with.")
    if fixed and sheet.input_size not in (None, fixed):
        raise PluginError(
            f"{where} takes pictures of {fixed[0]}×{fixed[1]}, its sheet says {list(sheet.input_size or ())}"
        )
    return given.name, dtype, size


def _own_size(session: Any) -> tuple[int, int] | None:
    """The size an Ultralytics export notes down: `[height, width]`."""
    words = session.get_modelmeta().custom_metadata_map.get("imgsz", "").strip("[] ").split(",")
    sides = [int(word) for word in words if word.strip().isdecimal() and len(word) < 6]
    return (sides[1], sides[0]) if len(sides) == len(words) == 2 else None


def _name(model: ModelFile, sheet: DetectorSheet) -> str:
    how = hashlib.sha256(sheet.model_dump_json().encode()).hexdigest()
    return f"onnx-{slug(model.path.stem, fallback='detector', limit=32)}-{model.sha256[:8]}-{how[:6]}"
