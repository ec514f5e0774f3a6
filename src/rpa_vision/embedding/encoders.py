"""The embedded encoders of screens: one whose pictures a shipped net encodes, and one without any weights.

`TrainedScreenEncoder` is the default: a small net knows a screen again in other themes, zooms and contents. Words are
hashed by both the same way.

`HashedScreenEncoder` needs nothing and gives the same bits everywhere. A picture becomes the structure one sees with
half-closed eyes: in every small block only the local contrast counts (largest minus smallest brightness), relative to
the strongest contrast on the screen. So an inverted theme looks the same, other words of the same length look the same,
and a page dimmed behind a dialog does not: its contrasts fall a level. Words become hashed words and letter triples,
where labels count and numbers, sentences and repetitions hardly do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.embedding.hashing import project, scatter, sign_matrix
from rpa_vision.embedding.spaces import STATE_DIMENSIONS, blank, unit
from rpa_vision.errors import ImageError
from rpa_vision.models.frame import Pixels
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.ports.perception import PictureEncoder, Vector

SPACE_ID: Final = "rpav_hashed_v1"
TRAINED_SPACE: Final = "rpav_screens_v1"
"""Of the default encoder, followed by the version of its weights: vectors of other weights lie in another space."""

BLOCK_COLUMNS, BLOCK_ROWS = 160, 90
GRIDS: Final = ((32, 18), (16, 9), (8, 5))
CONTRAST_LEVELS: Final = (1.0, 0.5, 0.25, 0.12)
LEVEL_WIDTH_OCTAVES = 1.5  # wider: themes come nearer to each other; narrower: a dimmed page goes further from itself
CONTRAST_FLOOR = 12  # of 255: below lie gradients and compression noise, not structure
REFERENCE_PERCENTILE = 98
REFERENCE_FLOOR = 60

WORD_WEIGHT = 256
TRIPLES_SHARE = 0.5
NUMBER_SHARE = 0.25  # numbers are nearly always content, and all look alike once folded
BESIDE_NUMBER_SHARE = 0.5  # « 12 rue des Lilas », « Page 3 sur 14 »
SHORT_LABEL_WORDS = 3

_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")


class HashedScreenEncoder:
    """Implements `ports.perception.ScreenEncoder` in the space `rpav_hashed_v1`."""

    def __init__(self) -> None:
        features = len(CONTRAST_LEVELS) * sum(columns * rows for columns, rows in GRIDS)
        self._projection = sign_matrix(f"{SPACE_ID}/image", features, STATE_DIMENSIONS)
        self._pools = tuple((_tents(rows, BLOCK_ROWS), _tents(columns, BLOCK_COLUMNS).T) for columns, rows in GRIDS)

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(
            id=SPACE_ID, version="1", model_name="contrast structure, hashed words", provider="rpa_vision",
            dimensions=STATE_DIMENSIONS, purpose="runtime",
        )  # fmt: skip

    def encode_image(self, image: Pixels) -> Vector:
        contrast = _block_contrast(_grey(image))
        structured = contrast[contrast > CONTRAST_FLOOR]
        if not structured.size:
            return blank(STATE_DIMENSIONS)
        reference = max(REFERENCE_FLOOR, round(float(np.percentile(structured, REFERENCE_PERCENTILE))))
        levels = _level_tables(reference)[:, contrast]
        parts = []
        for down, across in self._pools:
            pooled = np.stack([down @ level @ across for level in levels])
            centred = pooled - np.rint(pooled.mean(axis=(1, 2), keepdims=True))
            parts.append(unit(centred.ravel()).astype(np.float64))
        return unit(project(np.concatenate(parts), self._projection))

    def encode_text(self, texts: Sequence[str]) -> Vector:
        return hashed_words(texts, STATE_DIMENSIONS)


class TrainedScreenEncoder:
    """Implements `ports.perception.ScreenEncoder` over a net that encodes pictures."""

    def __init__(self, pictures: PictureEncoder) -> None:
        self._pictures = pictures
        self._space = EmbeddingSpace(
            id=f"{TRAINED_SPACE}_{pictures.version}", version=pictures.version, model_name="screen net, hashed words",
            provider="rpa_vision", dimensions=pictures.dimensions, purpose="runtime",
        )  # fmt: skip

    @property
    def space(self) -> EmbeddingSpace:
        return self._space

    def encode_image(self, image: Pixels) -> Vector:
        seen = self._pictures.encode(image)
        return blank(self._pictures.dimensions) if seen is None else unit(seen)

    def encode_text(self, texts: Sequence[str]) -> Vector:
        return hashed_words(texts, self._pictures.dimensions)


def hashed_words(texts: Sequence[str], dimensions: int) -> Vector:
    """Words that belong together, each counted once: hashed words and letter triples."""
    weights: dict[str, int] = {}
    for text in texts:
        for feature, weight in _features(text):
            weights[feature] = max(weight, weights.get(feature, 0))
    return unit(scatter(weights, dimensions))


def fold_words(text: str) -> list[str]:
    """The words of a text without accents and case; a run of digits is the word `0`."""
    spelled = text.replace("œ", "oe").replace("Œ", "OE").replace("æ", "ae").replace("Æ", "AE")
    decomposed = unicodedata.normalize("NFKD", spelled)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()
    return _WORD.findall(_DIGITS.sub(" 0 ", plain))


def _features(text: str) -> list[tuple[str, int]]:
    words = fold_words(text)
    share = min(1.0, SHORT_LABEL_WORDS / max(1, len(words))) * (BESIDE_NUMBER_SHARE if "0" in words else 1.0)
    found: list[tuple[str, int]] = []
    for word in words:
        weight = WORD_WEIGHT * share * (NUMBER_SHARE if len(word) == 1 else 1.0)
        found.append((f"word:{word}", max(1, round(weight))))
        if len(word) > 2:
            triples = _triples(word)
            each = max(1, round(weight * TRIPLES_SHARE / len(triples) ** 0.5))
            found.extend((f"triple:{triple}", each) for triple in triples)
    return found


def _triples(word: str) -> list[str]:
    framed = f"<{word}>"
    return [framed[start : start + 3] for start in range(len(framed) - 2)]


def _grey(image: Pixels) -> NDArray[np.uint8]:
    if image.ndim != 3 or image.shape[2] not in (3, 4) or image.dtype != np.uint8 or not image.size:
        raise ImageError(f"a picture of height × width × 3 bytes was expected, not {image.dtype} {image.shape}")
    code = cv2.COLOR_BGR2GRAY if image.shape[2] == 3 else cv2.COLOR_BGRA2GRAY
    return np.asarray(cv2.cvtColor(image, code), np.uint8)


def _block_contrast(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows, columns = grey.shape
    if rows < BLOCK_ROWS or columns < BLOCK_COLUMNS:  # smaller than the grid: a crop, enlarged without inventing edges
        size = (max(columns, BLOCK_COLUMNS), max(rows, BLOCK_ROWS))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_NEAREST), np.uint8)
        rows, columns = grey.shape
    tops = np.arange(BLOCK_ROWS) * rows // BLOCK_ROWS
    lefts = np.arange(BLOCK_COLUMNS) * columns // BLOCK_COLUMNS
    brightest = np.maximum.reduceat(np.maximum.reduceat(grey, tops, axis=0), lefts, axis=1)
    darkest = np.minimum.reduceat(np.minimum.reduceat(grey, tops, axis=0), lefts, axis=1)
    return np.asarray(brightest - darkest, np.uint8)


@lru_cache(maxsize=256)
def _level_tables(reference: int) -> NDArray[np.float64]:
    """For each level, how much a contrast of 0..255 belongs to it: 255 at its centre, 0 a level width away."""
    octaves = np.log2(np.clip(np.arange(256) / reference, 1e-3, 1.0))
    distances = np.abs(octaves[None, :] - np.log2(np.asarray(CONTRAST_LEVELS))[:, None])
    tables: NDArray[np.float64] = np.rint(255 * np.clip(1 - distances / LEVEL_WIDTH_OCTAVES, 0, 1))
    return tables


def _tents(cells: int, blocks: int) -> NDArray[np.float64]:
    """Overlapping cells, so that what moves by a few pixels moves a little from one cell to the next."""
    centres = (np.arange(cells) + 0.5) * blocks / cells
    distance = np.abs(np.arange(blocks)[None, :] + 0.5 - centres[:, None]) * cells / blocks
    tents: NDArray[np.float64] = np.rint(64 * np.clip(1 - distance, 0, 1))
    return tents
