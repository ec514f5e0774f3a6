"""What reads a screen, in one word: two processes with the same word read any picture alike, to the last bit.

It is made of our own files that have a part in it, the libraries they stand on and the settings that choose between
readers, with the files these name. Files are told by size and time: to look into them would take longer than reading.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from importlib import metadata, resources
from pathlib import Path
from typing import Final

_PARTS: Final = (
    "adapters/perception", "app/session_screens.py", "app/wiring_plugins.py", "app/wiring_reading.py",
    "detection", "embedding", "imaging", "models", "resources",
)  # fmt: skip
_LIBRARIES: Final = ("numpy", "opencv-python-headless", "onnxruntime", "rapidfuzz")


def reader_identity(environment: Mapping[str, str], settings: Iterable[str]) -> str:
    """The word for this program under these settings."""
    root = Path(str(resources.files("rpa_vision")))
    told = [platform.machine(), platform.python_version()]
    told += [f"{name} {_version(name)}" for name in _LIBRARIES]
    told += [line for part in _PARTS for line in _files(root / part)]
    for name in sorted(settings):
        value = environment.get(name, "")
        told += [f"{name}={value}", *(_files(Path(value)) if value else ())]
    return blake2b("\n".join(told).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


def _files(path: Path) -> Iterator[str]:
    found = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.suffix != ".pyc")
    for one in found:
        about = one.stat()
        if one.is_file():
            yield f"{one} {about.st_size} {about.st_mtime_ns}"
