"""Files of lines: pictures of one channel, what they say, and where they come from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Line:
    """A line as the finder cut it out, and what it says: nothing, where it is no text."""

    picture: np.ndarray
    text: str
    source: str = ""


def save(path: Path, lines: list[Line]) -> None:
    """All lines in one file, whole or not at all."""
    shapes = np.array([line.picture.shape for line in lines], np.int32).reshape(-1, 2)
    pixels = np.concatenate([line.picture.ravel() for line in lines]) if lines else np.zeros(0, np.uint8)
    texts = json.dumps([[line.text, line.source] for line in lines], ensure_ascii=False).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, shapes=shapes, pixels=pixels, texts=np.frombuffer(texts, np.uint8))
    part.rename(path)


def load(path: Path) -> list[Line]:
    """The lines of a file."""
    with np.load(path) as stored:
        shapes, pixels, texts = stored["shapes"], stored["pixels"], json.loads(stored["texts"].tobytes())
    lines, at = [], 0
    for (rows, columns), (text, source) in zip(shapes.tolist(), texts, strict=True):
        lines.append(Line(pixels[at : at + rows * columns].reshape(rows, columns), text, source))
        at += rows * columns
    return lines
