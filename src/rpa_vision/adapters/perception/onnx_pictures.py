"""The shipped net that knows screens again: four small maps of a picture's structure in, a direction out.

The maps carry neither colours nor the size of the screen, so the net sees the same in a dark and a light theme and at
any device scale; that other words and another zoom are still the same screen is what it has learned.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np

from rpa_vision.adapters.perception.shipped_model import load_model, open_model
from rpa_vision.imaging.structure import structure_maps
from rpa_vision.models.frame import Pixels
from rpa_vision.ports.perception import Vector


class OnnxPictureEncoder:
    """Implements `ports.perception.PictureEncoder` over a net described by a JSON file beside it."""

    def __init__(self, description: Path) -> None:
        about, model = load_model(description, "screen encoder", needs=("dimensions",))
        self._version = str(about["sha256"])[:8]
        self._dimensions = int(about["dimensions"])
        self._session = open_model(model, 1, "screen encoder")  # one thread: sums in one order, the same bits each time
        self._input: str = self._session.get_inputs()[0].name

    @classmethod
    def shipped(cls) -> OnnxPictureEncoder:
        """The one that comes with the package."""
        return cls(Path(str(resources.files("rpa_vision") / "resources" / "encoder" / "screens.json")))

    @property
    def version(self) -> str:
        return self._version

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def encode(self, image: Pixels) -> Vector | None:
        maps = structure_maps(image)
        if maps is None:
            return None
        given = maps[None].astype(np.float32) * np.float32(1 / 255)
        vector: Vector = self._session.run(None, {self._input: given})[0][0]
        return vector
