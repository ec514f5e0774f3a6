"""Which weights the default encoder was calibrated with, and what a likeness is worth in its spaces.

Written by `training/encoder/calibrate.py` (`make model-encoder`); weights and calibration change together.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final = "90e6f668"
WEIGHTED: Final = ((0.0, 0.0), (0.164, 0.35), (0.533, 0.7), (0.673, 0.85), (0.858, 0.95), (1.0, 1.0))
CONCAT_PROJECTION: Final = ((0.0, 0.0), (0.237, 0.35), (0.502, 0.7), (0.64, 0.85), (0.837, 0.95), (1.0, 1.0))
