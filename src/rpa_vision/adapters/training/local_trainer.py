"""Training on this machine, in a process of its own: torch is never part of what runs every day."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Self

from rpa_vision.errors import EnvironmentMissingError

_REMEDY = (
    "Install the project's training/requirements.txt, then set RPA_VISION_TRAINING_PYTHON to the Python that has them "
    "and RPA_VISION_TRAINING to the project's `training` folder."
)
_SCRIPTS: Final[Mapping[str, tuple[str, str]]] = {
    "detector": ("detector/fine_tune.py", "elements.json"),
    "encoder": ("encoder/fine_tune.py", "screens.json"),
}
"""What is trained by which script, and the description it writes."""
_LAST_LINES = 5


class LocalTrainer:
    """Implements `app.dataset_work.Trainer` by the project's training scripts."""

    def __init__(self, python: Path, scripts: Path) -> None:
        self._python = python
        self._scripts = scripts

    @classmethod
    def found(cls, python: str | None, scripts: str | None) -> Self:
        """The Python and the scripts that are named, or those beside this package; an error says what is missing."""
        folder = Path(scripts) if scripts else Path(__file__).parents[4] / "training"
        if not all((folder / script).is_file() for script, _ in _SCRIPTS.values()):
            raise EnvironmentMissingError(f"the training scripts are not in {folder}", remedy=_REMEDY)
        if python:
            if not Path(python).is_file():
                raise EnvironmentMissingError(f"there is no Python at {python}", remedy=_REMEDY)
            return cls(Path(python), folder)
        if importlib.util.find_spec("torch") is None:
            raise EnvironmentMissingError("training needs torch, which is not installed here", remedy=_REMEDY)
        return cls(Path(sys.executable), folder)

    def train(
        self,
        what: str,
        screens: Path,
        out: Path,
        *,
        steps: int,
        seed: int,
        base: Path | None,
        tell: Callable[[str], None],
    ) -> Path:
        """Train a model further and give the description of the new one."""
        script, name = _SCRIPTS[what]
        command = [str(self._python), str(self._scripts / script), "--screens", str(screens), "--out", str(out)]
        command += ["--steps", str(steps), "--seed", str(seed), *(["--base", str(base)] if base is not None else [])]
        last: list[str] = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                last = [*last[-_LAST_LINES + 1 :], line.rstrip()]
                tell(line.rstrip())
        description = out / name
        if process.returncode != 0 or not description.is_file():
            raise EnvironmentMissingError(
                f"training ended with {process.returncode}: {' | '.join(last) or 'without a word'}", remedy=_REMEDY
            )
        return description
