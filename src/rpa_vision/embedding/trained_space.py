"""Which weights the default encoder was calibrated with, and what a likeness is worth in its spaces.

Written by `training/encoder/calibrate.py` (`make model-encoder`); weights and calibration change together.
"""

from __future__ import annotations

from typing import Final

WEIGHTS: Final = "ccaddc89"
WEIGHTED: Final = ((0.0, 0.0), (0.155, 0.35), (0.6, 0.7), (0.681, 0.85), (0.855, 0.95), (1.0, 1.0))
CONCAT_PROJECTION: Final = ((0.0, 0.0), (0.239, 0.35), (0.565, 0.7), (0.664, 0.85), (0.834, 0.95), (1.0, 1.0))
