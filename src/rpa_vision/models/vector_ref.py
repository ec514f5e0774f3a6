"""Where a vector or picture lies inside the data directory. Never absolute, never outside."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated

from pydantic.functional_validators import AfterValidator

_ODD = re.compile(r"[\x00-\x1f\\:]")


def _confined(path: str) -> str:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if _ODD.search(path) is not None or not parts or path.startswith("/") or ".." in parts:
        raise ValueError("must be a path inside the data directory, such as embeddings/states/x.npy")
    return path


DataPath = Annotated[str, AfterValidator(_confined)]
"""A path relative to the data directory; a leading `data/` is allowed, as the seeds write it."""


def inside_data(path: str) -> PurePosixPath:
    """The path below the data directory, without the optional leading `data/`."""
    pure = PurePosixPath(_confined(path))
    return PurePosixPath(*pure.parts[1:]) if pure.parts[0] == "data" and len(pure.parts) > 1 else pure
