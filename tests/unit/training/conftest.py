"""The data factory is no part of the package: its folder is put on the path here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "training"))
