"""Connected components with their boxes, cheaply: small labels where they suffice, for they halve the time."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels

Labels = NDArray[np.integer]
Stats = NDArray[np.int32]
"""One row a component: x, y, width, height, area; row 0 is what the mask leaves out."""


def components(mask: Pixels, *, connectivity: int = 8) -> tuple[Labels, Stats]:
    """Label the parts of a 0/1 mask."""
    try:
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity, ltype=cv2.CV_16U)
    except cv2.error:  # a noisy picture has more parts than 16 bits can count
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity, ltype=cv2.CV_32S)
    return cast(Labels, labels), cast(Stats, stats)
