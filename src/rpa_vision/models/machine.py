"""Facts of a machine, as `rpa-vision doctor` finds them. Lives in memory only; judging is done elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

DataState = Literal["absent", "empty", "ours", "foreign"]


@dataclass(frozen=True, slots=True)
class DisplayFacts:
    """The desktop in front of us, as far as it can be reached."""

    name: str = ""
    """What DISPLAY says; empty where it says nothing."""
    problem: str = ""
    """Why it cannot be opened; empty when it can."""
    resolution: tuple[int, int] | None = None
    extensions: frozenset[str] = frozenset()
    """X extensions the server has; only asked for on X11."""
    is_locked: bool | None = None
    is_wayland: bool = False


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """A model file that ships with the package."""

    name: str
    problem: str = ""
    """Why it cannot be used; empty when it was read, its checksum fits and it could be loaded."""


@dataclass(frozen=True, slots=True)
class PluginFacts:
    """What stands behind a port that settings choose the filling of: the detector, the encoder, the VLM."""

    role: Literal["detector", "encoder", "vlm"]
    name: str
    problem: str = ""
    """What is wrong with it; empty when it was loaded, or its server answers and has the model."""
    is_broken: bool = False
    """Whether commands refuse to start with it; otherwise they go on without it."""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """A Python package we depend on."""

    name: str
    wanted: str
    """The oldest version that will do; empty where any will."""
    found: str | None


@dataclass(frozen=True, slots=True)
class DataFacts:
    """The data directory."""

    path: Path
    state: DataState
    problem: str = ""
    """Why it is not ours to use."""
    is_writable: bool = True
    free_bytes: int = 0


@dataclass(frozen=True, slots=True)
class LearnedFacts:
    """The workflows of the data directory, and whether those who would run them have learned them."""

    known: int = 0
    other: tuple[tuple[str, str], ...] = ()
    """Of those that were learned with another detector, judge or reader: what is told, and the remedy."""
    unknown: tuple[str, ...] = ()
    """The ids of those that do not say what they were learned with."""
    problem: str = ""
    """Why nothing can be said."""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """Everything doctor looks at."""

    platform: str
    """As `sys.platform` says."""
    system: str
    """For people, such as "Linux 6.1"."""
    display: DisplayFacts
    programs: frozenset[str]
    """Names of the programs that are installed, of those asked for."""
    french_fonts: tuple[str, ...] | None
    """Families that can write French; None where nothing needs to be asked."""
    models: tuple[ModelFacts, ...]
    packages: tuple[PackageFacts, ...]
    python: tuple[int, int, int]
    data: DataFacts
    cores: int
    memory_bytes: int | None
    """Memory that can still be used; None where it cannot be told."""
    now: datetime
    plugins: tuple[PluginFacts, ...] = ()
    learned: LearnedFacts = LearnedFacts()
