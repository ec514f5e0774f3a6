"""Detect the elements of a picture."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.vlm_summary import described
from rpa_vision.embedding.element_embedder import ElementEmbedder
from rpa_vision.errors import ImageError, UsageError
from rpa_vision.imaging.codec import decode, encode_png
from rpa_vision.imaging.draw import draw_elements
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import UIElement
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import VectorStore
from rpa_vision.ports.vlm import VisionLanguageModel


class ImageFiles(Protocol):
    """Pictures given by a person, anywhere on the disk."""

    def read(self, path: Path) -> bytes:
        """The bytes of a file."""

    def write(self, path: Path, data: bytes) -> None:
        """Write a file whole."""

    def has_folder(self, path: Path) -> bool:
        """Whether a folder is there."""


@dataclass(frozen=True, slots=True)
class SeenImage:
    """What was seen on a picture."""

    pixels: Pixels
    state: ScreenState
    timing_ms: dict[str, float]

    @property
    def elements(self) -> tuple[UIElement, ...]:
        return self.state.ui_elements

    def embedded(self, vectors: VectorStore) -> SeenImage:
        """The same, its elements with their embeddings (L2-3), whose vectors are kept there first. The same pixels have
        the same names, so that whoever looks again finds them."""
        name = "picture_" + hashlib.sha256(self.pixels.tobytes()).hexdigest()[:16]
        made = ElementEmbedder().embed(self.elements, self.pixels, name=name)
        for vector_id, vector in made.vectors.items():
            vectors.save(vector_id, vector)
        return replace(self, state=self.state.model_copy(update={"ui_elements": made.elements}))

    def overlay(self) -> bytes:
        """The picture with everything drawn on it, as PNG."""
        return encode_png(draw_elements(self.pixels, self.elements, self.state.groups))


def detect_image(
    files: ImageFiles, reader: ScreenReader, clock: Clock, path: Path, model: VisionLanguageModel | None = None
) -> SeenImage:
    """Read a picture and say what is on it; with a model, in its words."""
    began = clock.monotonic()
    try:
        pixels = decode(files.read(path))
    except ImageError as error:
        raise ImageError(f"{path}: {error}", remedy=error.remedy) from error
    decoded = clock.monotonic()
    state = reader.read(pixels, screen_state_id="picture", timestamp=clock.now())
    ended = clock.monotonic()
    stages = {name.removesuffix("_ms"): spent for name, spent in state.metadata.items() if name.endswith("_ms")}
    timing = {"decode": _ms(decoded - began), "detect": _ms(ended - decoded), "total": _ms(ended - began)}
    timing |= {name: round(spent, 1) for name, spent in stages.items() if isinstance(spent, float)}
    if model is not None:
        state = described(state, pixels, model)
        timing["vlm"] = _ms(clock.monotonic() - ended)
    return SeenImage(pixels, state, timing)


def _ms(seconds: float) -> float:
    return round(seconds * 1000.0, 1)


def overlay_paths(wanted: Path, images: Sequence[Path], files: ImageFiles) -> dict[Path, Path]:
    """Where each drawing goes: to the file given, or, for several pictures, into the folder given, which is made.

    No drawing replaces another, nor a picture it was made from. A folder above that is missing is a mistyped one.
    """
    if not files.has_folder(wanted.parent):
        what = f"--overlay {wanted}: there is no folder {wanted.parent}"
        raise UsageError(what, remedy="Make the folder first, or correct the name.")
    if len(images) == 1:
        places = {images[0]: wanted}
    else:
        places = {}
        for image in dict.fromkeys(images):
            place, number = wanted / f"{image.stem}.overlay.png", 2
            while place in places.values():
                place, number = wanted / f"{image.stem}.{number}.overlay.png", number + 1
            places[image] = place
    wrong = next((place for place in places.values() if place.suffix.lower() != ".png"), None)
    if wrong is not None:
        raise UsageError(f"--overlay {wrong} is not the name of a PNG picture", remedy="Give a name that ends in .png.")
    originals = {image.absolute() for image in images}
    for place in places.values():
        if place.absolute() in originals:
            raise UsageError(f"--overlay would replace the picture {place}", remedy="Choose another name.")
    return places
