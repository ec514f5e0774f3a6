"""Boxes and lines of text of screens, found once and kept: they do not depend on the net, and take most of the time.

A folder of them is good for as long as the reader and the finders of boxes and lines stay as they are.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

from rpa_vision.adapters.perception.ink_reader import InkTextReader
from rpa_vision.detection.regions import Region
from rpa_vision.detection.text_detector import TextDetector, regions_of
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import TextLine

Found = tuple[Sequence[Region], Sequence[TextLine]]


class KeptLines:
    """Finds boxes and lines as what ships does, and keeps them in a folder where one is given."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.text = TextDetector.over(InkTextReader.shipped())

    def of(self, image: Pixels, name: str) -> Found:
        """Those of a picture; `name` is its own."""
        kept = self._folder / f"{name}.pickle" if self._folder is not None else None
        if kept is not None and kept.exists():
            found: Found = pickle.loads(kept.read_bytes())
            return found
        regions = regions_of(image)
        found = regions, self.text.read(image, self.text.find(image, regions))
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(pickle.dumps(found))
        return found
