"""How alike two screens are: the cosine of their vectors, and what that cosine is worth.

A cosine has no meaning of its own: .80 is a match in one space and a stranger in another. So each space has a
calibration, a rising line through measured points, that turns it into a confidence on the scale the rest of the house
uses: .85 and more is a match, .75 to .85 suggests that the node changed, below .70 it is another screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rpa_vision.embedding import trained_space
from rpa_vision.embedding.encoders import SPACE_ID, TRAINED_SPACE
from rpa_vision.embedding.spaces import InvalidVectorError, UncalibratedSpaceError, checked, require_same_space
from rpa_vision.errors import UsageError

MATCH_CONFIDENCE: Final = 0.85
UPDATE_CONFIDENCE: Final = 0.75
CHANGED_CONFIDENCE: Final = 0.70


def cosine_similarity(first: NDArray[Any], second: NDArray[Any]) -> float:
    """The cosine of two vectors, in [-1, 1], the same both ways. A vector of length 0 is like nothing: 0."""
    one = checked(first, what="first vector")
    other = checked(second, dimensions=one.size, what="second vector")
    one, other = _in_range(one), _in_range(other)
    lengths = math.sqrt(float(one @ one)) * math.sqrt(float(other @ other))
    if lengths == 0.0:
        return 0.0
    return min(1.0, max(-1.0, float(one @ other) / lengths))


def similarity(first: NDArray[Any], first_space: str, second: NDArray[Any], second_space: str) -> float:
    """The cosine of two vectors of one space; vectors of different spaces are refused."""
    require_same_space(first_space, second_space)
    return cosine_similarity(first, second)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Points (cosine, confidence), rising in both, between which confidence is a straight line."""

    points: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        cosines, confidences = zip(*self.points, strict=True) if len(self.points) > 1 else ((), ())
        rising = all(a < b for a, b in pairwise(cosines))
        never_falling = all(a <= b for a, b in pairwise(confidences))
        if not cosines or not rising or not never_falling or confidences[0] < 0.0 or confidences[-1] > 1.0:
            raise UsageError("a calibration is two or more points, rising from confidence 0 or more to 1 or less")

    def confidence(self, similarity: float) -> float:
        """What the cosine is worth; beyond the first and the last point it stays what it is there."""
        if math.isnan(similarity):
            raise InvalidVectorError("a similarity that is not a number has no confidence")
        cosines, confidences = zip(*self.points, strict=True)
        return float(np.interp(similarity, cosines, confidences))


_TRAINED: Final = f"{TRAINED_SPACE}_{trained_space.WEIGHTS}"
DEFAULT_SPACE_ID: Final = f"{_TRAINED}.weighted_v1.ui_v1"

# The trained spaces: measured on applications the encoder was trained on, see training/encoder/calibrate.py and
# docs/models/encoder.md.
# The hashed ones: chosen on six applications rendered in Chromium (list, detail, form, dialog, login; four contents
# each; light and dark; 1366×768 and 1920×1080), then checked on three more that nothing was chosen by. There, in the
# weighted space: one screen with other content .940 or more (182 pairs), in the other theme .864 or more (260), two
# screens of one application .735 or less (880), two applications .424 or less. Worst of the six: a page of free text
# whose paragraphs grow and shrink, .769. Words, boxes and dialogs were the page's own, not a reader's: a small dialog
# that dims nothing and is not recognised as one leaves its page a match (.96).
CALIBRATIONS: Final[Mapping[str, Calibration]] = MappingProxyType({
    DEFAULT_SPACE_ID: Calibration(trained_space.WEIGHTED),
    f"{_TRAINED}.concat_projection_v1.ui_v1": Calibration(trained_space.CONCAT_PROJECTION),
    f"{SPACE_ID}.weighted_v1.ui_v1": Calibration(
        ((0.0, 0.0), (0.50, 0.40), (0.70, 0.60), (0.79, 0.74), (0.82, 0.85), (0.855, 0.90), (1.0, 1.0))
    ),
    f"{SPACE_ID}.concat_projection_v1.ui_v1": Calibration(
        ((0.0, 0.0), (0.50, 0.40), (0.68, 0.60), (0.75, 0.74), (0.79, 0.85), (0.83, 0.90), (1.0, 1.0))
    ),
})  # fmt: skip


def calibration_of(space_id: str) -> Calibration:
    """The calibration of a space, or an error where nobody has measured one."""
    try:
        return CALIBRATIONS[space_id]
    except KeyError:
        raise UncalibratedSpaceError(f"the space {space_id!r} has no calibration") from None


def measured_calibration(own: Sequence[float], other: Sequence[float]) -> Calibration:
    """A calibration for a space nobody has measured, from one workflow: how near its screens are to their own
    prototype, and how near to those of other screens.

    A match (.85) lies nearer to the own screens than to the others, as live screens differ more from a prototype than
    those it was made of. Where both overlap, only what is as near as the own screens is a match.
    """
    if not own or not other:
        raise UncalibratedSpaceError(
            "two different screens are the least that a space can be measured by", remedy="Use the embedded encoder."
        )
    near = min(0.985, *own)
    gap = max(0.08, near - max(other))
    points = ((near - 2.5 * gap, 0.0), (near - gap, 0.6), (near - 0.6 * gap, 0.74), (near - 0.35 * gap, 0.85))
    return Calibration((*points, (near, 0.92), (1.0, 1.0)))


def calibrate(similarity: float, space_id: str = DEFAULT_SPACE_ID) -> float:
    """Turn a raw cosine of that space into a confidence in [0, 1]."""
    return calibration_of(space_id).confidence(similarity)


def _in_range(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Squares of very large and very small numbers leave the range of floats; ratios do not."""
    largest = float(np.abs(values).max())
    return values / largest if largest > 0.0 else values
