"""A published reader, PP-OCR with a Latin alphabet: slower than our own, and it errs in other places.

A line is padded to a width that depends on that line alone, and only lines of one width share a batch: so what is
read never depends on what else was on the screen, and a cached answer is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.adapters.perception.shipped_model import load_model, open_model
from rpa_vision.errors import ModelMissingError
from rpa_vision.models.frame import Pixels
from rpa_vision.ports.perception import ReadText

BATCH = 4
WIDTH_STEP_PX = 32
MAX_WIDTH_PX = 3200
MIN_WIDTH_PX = 16
SIDE_PX = 3
"""Background added left and right: the model wants air around a text, the finder must not take in its neighbours."""


class OnnxTextRecognizer:
    """Reads lines with a CTC model described by a JSON file beside it."""

    def __init__(self, description: Path, *, threads: int = 2) -> None:
        about, model = load_model(description, "text reader", needs=("characters",))
        self._characters: list[str] = about["characters"]
        self._height = int(about["height_px"])
        self._name = f"{about['name']}-{about['sha256'][:8]}"
        self._session = open_model(model, threads, "text reader")
        self._input: str = self._session.get_inputs()[0].name

    @classmethod
    def shipped(cls, *, threads: int = 2) -> OnnxTextRecognizer:
        """The small one that comes with the package."""
        return cls(_resource("latin.json"), threads=threads)

    @classmethod
    def second(cls, *, threads: int = 2) -> OnnxTextRecognizer:
        """The strongest that comes with the package, to read again what decides something; else the small one."""
        try:
            return cls(_resource("second.json"), threads=threads)
        except ModelMissingError:
            return cls.shipped(threads=threads)

    @property
    def name(self) -> str:
        return self._name

    def read(self, lines: Sequence[Pixels]) -> list[ReadText]:
        prepared = [_prepare(line, self._height) for line in lines]
        answers = [ReadText("", 0.0)] * len(prepared)
        by_width: dict[int, list[int]] = {}
        for index, line in enumerate(prepared):
            by_width.setdefault(_padded_width(line.shape[1]), []).append(index)
        for width, indices in sorted(by_width.items()):
            for start in range(0, len(indices), BATCH):
                group = indices[start : start + BATCH]
                scores = self._run([prepared[index] for index in group], width)
                for index, score in zip(group, scores, strict=True):
                    answers[index] = self._decode(score)
        return answers

    def _run(self, lines: list[Pixels], width: int) -> NDArray[np.float32]:
        batch = np.zeros((len(lines), 3, self._height, width), np.float32)
        for row, line in zip(batch, lines, strict=True):
            row[:, :, : line.shape[1]] = (line.astype(np.float32) * (2 / 255) - 1).transpose(2, 0, 1)
        scores: NDArray[np.float32] = self._session.run(None, {self._input: batch})[0]
        return scores

    def _decode(self, scores: NDArray[np.float32]) -> ReadText:
        """Best character at each step, repeats merged, blanks dropped."""
        best = scores.argmax(axis=1)
        fresh = np.concatenate(([True], best[1:] != best[:-1])) & (best != 0)
        if not fresh.any():
            return ReadText("", 0.0)
        text = "".join(self._characters[index] for index in best[fresh])
        confidence = float(scores.max(axis=1)[fresh].mean())
        return ReadText(" ".join(text.split()), min(1.0, max(0.0, confidence)))


def _resource(name: str) -> Path:
    return Path(str(resources.files("rpa_vision") / "resources" / "reader" / name))


def _prepare(line: Pixels, height: int) -> Pixels:
    rows, columns = line.shape[:2]
    if rows < 1 or columns < 1:
        return np.zeros((height, MIN_WIDTH_PX, 3), np.uint8)
    wide = cv2.copyMakeBorder(line[:, :, :3], 0, 0, SIDE_PX, SIDE_PX, cv2.BORDER_REPLICATE)
    columns += 2 * SIDE_PX
    width = min(MAX_WIDTH_PX, max(MIN_WIDTH_PX, -(-columns * height // rows)))
    how = cv2.INTER_CUBIC if rows <= height else cv2.INTER_AREA
    resized: Pixels = cv2.resize(wide, (width, height), interpolation=how)  # type: ignore[assignment]
    return resized


def _padded_width(width: int) -> int:
    """Few different widths, so that batches fill: steps of 32 px, and coarser for long lines."""
    step = WIDTH_STEP_PX if width <= 320 else 2 * WIDTH_STEP_PX
    return -(-width // step) * step
