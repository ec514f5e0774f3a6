"""The sheet beside a detector's file: what its classes are called here, and what its numbers mean.

A model says "class 3"; only its maker knows that this is a button. The sheet (JSON or YAML) tells, and settles what the
shapes of the outputs leave open. Everything in it is checked before a screen is looked at.
"""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any, Final, Literal, Self, cast

import yaml
from pydantic import Field, model_validator

from rpa_vision.adapters.plain_yaml import PlainLoader
from rpa_vision.errors import DocumentError, PluginError
from rpa_vision.models.document import Document
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ui_element import ELEMENT_TYPES, ElementType

Layout = Literal["yolo_v8", "yolo_v5", "end_to_end", "detr", "detr_scored", "detr_labelled"]
MAX_BYTES: Final = 1024 * 1024
MAX_INPUT_PX: Final = 4096
SUFFIXES: Final = (".json", ".yaml", ".yml")
_REMEDY: Final = "docs/plugins.md describes the sheet, with examples."


class DetectorSheet(Document):
    """What the maker of a detector knows about it."""

    names: tuple[str, ...] | None = Field(default=None, min_length=1, max_length=2000)
    """The classes in the order of their numbers; without it, what the model itself says."""
    types: dict[str, str | None] = Field(default_factory=dict)
    """Name → element type; None leaves the class out. A name that is an element type needs no line."""
    layout: Layout | None = None
    input_size: tuple[int, int] | None = None
    """Width and height, where the model takes any."""
    resize: Literal["letterbox", "stretch"] | None = None
    colour: Literal["rgb", "bgr"] = "rgb"
    normalise: Literal["unit", "imagenet", "none"] = "unit"
    scores: Literal["sigmoid", "softmax", "plain"] | None = None
    boxes: Literal["pixels", "fractions"] | None = None
    min_confidence: UnitInterval = 0.25
    max_overlap: UnitInterval | None = None
    max_found: int = Field(default=500, ge=1, le=5000)
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")

    @model_validator(mode="after")
    def _types_are_known(self) -> Self:
        for name, kind in self.types.items():
            if kind is not None and kind not in ELEMENT_TYPES:
                near = difflib.get_close_matches(kind, ELEMENT_TYPES, 1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(ELEMENT_TYPES)}"
                raise ValueError(f"types.{name}: there is no element type {kind!r}{hint}")
        if self.names is not None and len(set(self.names)) != len(self.names):
            raise ValueError("names: a class is named twice")
        if self.input_size is not None and not all(16 <= side <= MAX_INPUT_PX for side in self.input_size):
            raise ValueError(f"input_size: a side is 16 to {MAX_INPUT_PX} pixels")
        return self

    def kinds(self, names: tuple[str, ...], where: str) -> tuple[ElementType | None, ...]:
        """The element type of every class, in order, or an error for a class nobody mapped."""
        unknown = sorted(set(self.types) - set(names))
        if unknown:
            raise PluginError(f"{where}: types names {unknown[0]!r}, but the model has no such class", remedy=_REMEDY)
        unmapped = [name for name in names if name not in self.types and name not in ELEMENT_TYPES]
        if unmapped:
            raise PluginError(
                f"{where}: the class {unmapped[0]!r} has no element type"
                + (f" (nor have {len(unmapped) - 1} others)" if len(unmapped) > 1 else ""),
                remedy=f"Add it to types, with null to leave it out. {_REMEDY}",
            )
        return tuple(cast("ElementType | None", self.types.get(name, name)) for name in names)


def read_sheet(model: Path, given: Path | None = None) -> tuple[DetectorSheet, Path | None]:
    """The sheet that is given, or the one beside the model's file, or an empty one where there is none."""
    path = given or next((model.with_suffix(end) for end in SUFFIXES if model.with_suffix(end).is_file()), None)
    if path is None:
        return DetectorSheet(), None
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PluginError(f"the sheet {path} cannot be read ({error.strerror})", remedy=_REMEDY) from error
    if len(data) > MAX_BYTES:
        raise PluginError(f"the sheet {path} has more than {MAX_BYTES:,} bytes", remedy=_REMEDY)
    try:
        return DetectorSheet.from_json(_plain(data, path), where=str(path)), path
    except DocumentError as error:
        raise PluginError(f"the sheet {error}", remedy=_REMEDY) from error


def parse_names(text: str) -> tuple[str, ...] | None:
    """The classes a model's own metadata names, as exporters write them: `{0: 'button', 1: 'link'}` or a list."""
    if len(text) > MAX_BYTES:
        return None
    try:
        value = yaml.load(text, Loader=PlainLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if isinstance(value, dict) and set(value) == set(range(len(value))):
        value = [value[number] for number in range(len(value))]
    is_list = isinstance(value, list) and value and all(isinstance(name, str) for name in value)
    return tuple(value) if is_list and len(set(value)) == len(value) else None


def _plain(data: bytes, path: Path) -> dict[str, Any]:
    try:
        text = data.decode("utf-8")
        value = json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader=PlainLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        said = " ".join(str(error).split()) or "nested too deeply"
        raise PluginError(f"the sheet {path} is neither JSON nor YAML: {said}", remedy=_REMEDY) from error
    if not isinstance(value, dict):
        raise PluginError(f"the sheet {path} is not a mapping of keys to values", remedy=_REMEDY)
    return value
