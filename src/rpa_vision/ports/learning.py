"""What versions and the target memory ask of the world.

Paths here are relative to the data directory, with forward slashes, as documents write them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from rpa_vision.models.screen_state import LayoutSignature, ScreenState
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import ElementType


@dataclass(frozen=True, slots=True)
class FileDigest:
    """What a file holds, in short."""

    sha256: str
    size_bytes: int


class VersionFiles(Protocol):
    """The files of versions. A file is replaced whole or not at all, and never changed: so a link to it stays true."""

    def alone(self, workflow_id: str) -> AbstractContextManager[None]:
        """Hold off everybody else who wants to change what was learned of a workflow, in any process."""

    def has(self, path: str) -> bool:
        """Whether a file is there."""

    def names(self, folder: str) -> list[str]:
        """What lies in a folder, in order; nothing where there is no such folder. Hidden things are left out."""

    def below(self, folder: str) -> list[str]:
        """All files below a folder, in order; none where there is no such folder. Hidden ones are left out."""

    def read(self, path: str) -> bytes | None:
        """A whole file, or None where there is none."""

    def write(self, path: str, data: bytes) -> None:
        """Replace a file, durably."""

    def link(self, source: str, target: str) -> None:
        """Give a file a second name, in place of what had it; a copy where the disk knows no links. See `sync`."""

    def same(self, one: str, other: str) -> bool:
        """Whether both names are names of one and the same file."""

    def digests(self, paths: Iterable[str]) -> Mapping[str, FileDigest]:
        """What files hold. Those that are not there, or are no plain files, are left out."""

    def remove(self, path: str) -> None:
        """Take a name away, durably, if it is there."""

    def remove_folder(self, folder: str) -> None:
        """Remove a folder and everything in it, if it is there."""

    def sync(self, paths: Iterable[str]) -> None:
        """Make the names of linked files durable."""


class MemorySnapshots(Protocol):
    """One workflow's part of the target memory, as a file of its own."""

    def export_rows(self, workflow_id: str) -> bytes:
        """All rows of a workflow as a SQLite file. The same rows give the same bytes."""

    def import_rows(self, workflow_id: str, snapshot: bytes) -> None:
        """Make these the rows of the workflow, all of them or none; other workflows keep theirs."""


@dataclass(frozen=True, slots=True)
class TargetPlace:
    """Which target, on which screen: the key of a memory."""

    workflow_id: str
    edge_id: str
    target_key: str
    """What was looked for (`learning.target_memory_store.target_key`), so that a memory never serves another target."""
    context: str
    """The screen it was looked for on, by its layout (`layout_signature.hash`), with its size where that matters."""
    layout: LayoutSignature | None = field(default=None, compare=False)
    """The layout itself: one that is known under another context is the same place."""


@dataclass(frozen=True, slots=True)
class FoundTarget:
    """What a target turned out to be."""

    stable_id: str
    label: str
    type: ElementType
    role: str
    bbox_relative: tuple[float, float, float, float]
    """[x1, y1, x2, y2] as shares of the screen's width and height."""
    strategy: str
    score: float


@dataclass(frozen=True, slots=True)
class RememberedTarget:
    """Something that was the target before, and how often that proved right."""

    found: FoundTarget
    successes: int
    first_at: datetime
    last_at: datetime


class TargetMemory(Protocol):
    """What resolved where. The resolver asks it, and tells it after a step was verified."""

    def recall(self, place: TargetPlace) -> tuple[RememberedTarget, ...]:
        """What the target was on such a screen, the most often confirmed first."""

    def remember(
        self, place: TargetPlace, found: FoundTarget, *, verified: bool, learning_enabled: bool = True
    ) -> bool:
        """Keep a success whose post-conditions held; anything else is not written. Says whether it was."""

    def forget(self, place: TargetPlace, stable_id: str | None = None) -> int:
        """Drop what misled (one element, or all of a place) and say how much that was."""


class RunMemory(Protocol):
    """The target memory of one workflow, as a run asks it before each search."""

    def recall(
        self, edge_id: str, target: TargetSpec, screen: ScreenState, resolution: tuple[int, int]
    ) -> tuple[RememberedTarget, ...]:
        """What the target, its variables filled in, was on such a screen; nothing where that cannot be told."""


class TargetMemoryTable(MemorySnapshots, Protocol):
    """The rows of the target memory, as they are kept."""

    def add(self, place: TargetPlace, found: FoundTarget, at: datetime) -> None:
        """Count one more success; what is known of the element is brought up to date."""

    def find(self, place: TargetPlace) -> Sequence[RememberedTarget]:
        """The rows of a place, the most often confirmed first, then the latest."""

    def layouts(self, place: TargetPlace) -> Mapping[str, LayoutSignature]:
        """The layouts on which that target was found, by their context; of a row without one nothing is told."""

    def drop(self, place: TargetPlace, stable_id: str | None) -> int:
        """Remove rows of a place and say how many."""

    def trim(self, workflow_id: str, edge_id: str, *, per_edge: int, per_workflow: int) -> int:
        """Remove what was confirmed longest ago until no more rows are left than that, and say how many went."""

    def count(self, workflow_id: str) -> int:
        """How many rows a workflow has."""


Keep = Callable[[int], None]
"""Puts something newly learned in its place, under the number it is given."""
