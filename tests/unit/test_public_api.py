"""What `import rpa_vision` offers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rpa_vision


@pytest.mark.parametrize("name", rpa_vision.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(rpa_vision, name) is not None
    assert name in dir(rpa_vision)


def test_every_public_name_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in rpa_vision.__all__ if f"`{name}`" not in text and name != "__version__"] == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_like_this"):
        _ = rpa_vision.nothing_like_this


def test_importing_the_package_loads_nothing_heavy() -> None:
    check = "import sys, rpa_vision; sys.exit(any(m in sys.modules for m in ('numpy', 'cv2', 'pydantic')))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
