"""The machine we run on: programs, fonts, packages, disk and memory. Only looks, never changes anything."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from rpa_vision.adapters.storage import marker
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.errors import DataDirectoryError
from rpa_vision.models.machine import DataFacts, DataState, PackageFacts

_DISTRIBUTION = "rpa-vision"
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
_FRENCH_FAMILIES = ("DejaVu", "Liberation", "Noto", "FreeSans", "Ubuntu", "Cantarell", "OpenSans", "Roboto", "Carlito")
"""Known to write French; asked for by file name where fontconfig is not there to tell."""
_FONT_LIST_TIMEOUT_S = 10.0
_REQUIREMENT = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(\[[^\]]*\])?\s*(>=\s*(?P<wanted>[0-9][0-9A-Za-z.]*))?")
_PLATFORM_MARKER = re.compile(r"sys_platform\s*==\s*['\"](\w+)['\"]")


class LocalMachine:
    """Answers questions about the machine this process runs on."""

    @property
    def system(self) -> str:
        """Name and release of the operating system."""
        return f"{platform.system()} {platform.release()}".strip()

    @property
    def python(self) -> tuple[int, int, int]:
        return sys.version_info[:3]

    @property
    def cores(self) -> int:
        """Cores this process may use, which a container may have fewer of than the machine."""
        if sys.platform == "linux":
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1

    def installed(self, programs: Iterable[str]) -> frozenset[str]:
        """Those of the programs that are on the path."""
        return frozenset(name for name in programs if shutil.which(name) is not None)

    def french_fonts(self) -> tuple[str, ...]:
        """Font families that can write French."""
        told = _fontconfig_families()
        return told if told is not None else _families_by_file()

    def packages(self) -> tuple[PackageFacts, ...]:
        """What the package says it depends on here, and what is installed of it."""
        try:
            requirements = metadata.requires(_DISTRIBUTION) or []
        except metadata.PackageNotFoundError:  # run from a copy of the sources
            return ()
        return tuple(_package(requirement) for requirement in requirements if _applies_here(requirement))

    def data_directory(self, path: Path) -> DataFacts:
        """Whose it is, and whether there is room and permission to write."""
        paths = DataPaths(path)
        problem = ""
        try:
            marker.check(paths)
        except DataDirectoryError as error:
            problem = str(error)
        existing = _nearest_existing(paths.root)
        return DataFacts(
            path=paths.root,
            state="foreign" if problem else _state(paths),
            problem=problem,
            is_writable=existing.is_dir() and os.access(existing, os.W_OK | os.X_OK),
            free_bytes=shutil.disk_usage(existing).free,
        )

    def free_memory_bytes(self) -> int | None:
        """Memory that programs can still use; None where the system does not tell."""
        try:
            text = Path("/proc/meminfo").read_text(encoding="ascii")
        except OSError:
            return None
        found = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE)
        return int(found.group(1)) * 1024 if found else None


def _fontconfig_families() -> tuple[str, ...] | None:
    program = shutil.which("fc-list")
    if program is None:
        return None
    try:
        ended = subprocess.run(
            [program, ":lang=fr", "family"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_FONT_LIST_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if ended.returncode != 0:
        return None
    return tuple(sorted({line.split(",")[0].strip() for line in ended.stdout.splitlines() if line.strip()}))


def _families_by_file() -> tuple[str, ...]:
    found = set()
    for folder in _FONT_FOLDERS:
        for pattern in ("*.ttf", "*.otf", "*.ttc"):
            names = {file.name for file in Path(folder).expanduser().rglob(pattern)}
            found |= {family for family in _FRENCH_FAMILIES if any(name.startswith(family) for name in names)}
    return tuple(sorted(found))


def _applies_here(requirement: str) -> bool:
    _, _, condition = requirement.partition(";")
    if "extra" in condition:
        return False
    wanted = _PLATFORM_MARKER.search(condition)
    return wanted is None or wanted.group(1) == sys.platform


def _package(requirement: str) -> PackageFacts:
    parsed = _REQUIREMENT.match(requirement)
    name = parsed.group("name") if parsed else requirement
    wanted = (parsed.group("wanted") if parsed else None) or ""
    try:
        found: str | None = metadata.version(name)
    except metadata.PackageNotFoundError:
        found = None
    return PackageFacts(name, wanted, found)


def _nearest_existing(path: Path) -> Path:
    """The folder itself, or the one in which it would be made."""
    for candidate in (path, *path.parents):
        try:
            if candidate.exists():
                return candidate
        except OSError:  # no right to look there
            continue
    return Path(path.anchor)


def _state(paths: DataPaths) -> DataState:
    try:
        if not paths.root.exists():
            return "absent"
        return "ours" if paths.marker.exists() else "empty"
    except OSError:
        return "absent"
