"""Which weights the default encoder was calibrated with, and what a likeness is worth in its spaces.

Written by `training/encoder/calibrate.py` (`make model-encoder`); weights and calibration change together.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final = "4c74af43"
WEIGHTED: Final = ((0.0, 0.0), (0.176, 0.35), (0.621, 0.7), (0.681, 0.85), (0.834, 0.95), (1.0, 1.0))
CONCAT_PROJECTION: Final = ((0.0, 0.0), (0.25, 0.35), (0.58, 0.7), (0.656, 0.85), (0.813, 0.95), (1.0, 1.0))
