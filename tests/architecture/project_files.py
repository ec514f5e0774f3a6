"""The files of the project, as version control knows them."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rpa_vision"


_NOT_OURS = {"__pycache__", "build", "dist", "data", "demo-data"}


@cache
def project_files() -> tuple[Path, ...]:
    """Every file that is tracked, or would be by the next commit; outside a clone, every file that is not hidden."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not _is_left_out(path.relative_to(ROOT))]
    return tuple(sorted(path for path in paths if path.is_file()))


def _is_left_out(path: Path) -> bool:
    return any(part.startswith(".") or part in _NOT_OURS or part.endswith(".egg-info") for part in path.parts)


def read(*parts: str) -> str:
    """A text file of the project."""
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def sources() -> list[Path]:
    """The Python files of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def markdown_files() -> list[Path]:
    """What people read."""
    return [path for path in project_files() if path.suffix == ".md"]
