"""What resolved where (Fiche 18): the next search for a target starts with what it turned out to be before.

A memory is evidence for the resolver, never an answer. Only what was proven by its post-conditions is written, never
while learning is switched off, and each memory belongs to exactly what was looked for: a workflow that is learned anew,
or a variable with another value, does not inherit it. A screen in another theme or zoom is known by the layout it was
remembered under. What was confirmed longest ago makes room.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from typing import Final

from rpa_vision.detection.layout_likeness import KnownLayouts
from rpa_vision.errors import UsageError
from rpa_vision.models.ids import checked_id
from rpa_vision.models.target import TargetSpec
from rpa_vision.ports.learning import FoundTarget, RememberedTarget, TargetMemoryTable, TargetPlace
from rpa_vision.ports.runtime import Clock

MAX_PER_EDGE: Final = 64
MAX_PER_WORKFLOW: Final = 4096
_MAX_TEXT: Final = 512
_NOT_MEANING = frozenset(
    {"aliases", "place", "look", "look_is_unique", "landmarks", "min_similarity", "fallback_strategy"}
)


class TargetMemoryStore:
    """Implements `ports.learning.TargetMemory` over a table, and gives its snapshots to versions."""

    def __init__(
        self,
        table: TargetMemoryTable,
        clock: Clock,
        *,
        max_per_edge: int = MAX_PER_EDGE,
        max_per_workflow: int = MAX_PER_WORKFLOW,
    ) -> None:
        if not 1 <= max_per_edge <= max_per_workflow:
            raise UsageError(f"room for {max_per_edge} memories per edge and {max_per_workflow} per workflow")
        self._table = table
        self._clock = clock
        self._max_per_edge = max_per_edge
        self._max_per_workflow = max_per_workflow

    def recall(self, place: TargetPlace) -> tuple[RememberedTarget, ...]:
        """What the target was on such a screen, the most often confirmed first."""
        return tuple(self._table.find(self._known(place)))

    def remember(
        self, place: TargetPlace, found: FoundTarget, *, verified: bool, learning_enabled: bool = True
    ) -> bool:
        """Keep a success whose post-conditions held; anything else is not written. Says whether it was."""
        if not verified or not learning_enabled:
            return False
        self._table.add(_checked(place), _fitting(found), self._clock.now())  # its own screen's: likeness may err
        self._table.trim(
            place.workflow_id, place.edge_id, per_edge=self._max_per_edge, per_workflow=self._max_per_workflow
        )
        return True

    def forget(self, place: TargetPlace, stable_id: str | None = None) -> int:
        """Drop what misled (one element, or all of a place) and say how much that was."""
        return self._table.drop(self._known(place), stable_id)

    def _known(self, place: TargetPlace) -> TargetPlace:
        """The place under the context by which its layout is known already, in another theme or zoom of the same size
        of screen; else as it is. Only contexts of the same target of the same edge are asked."""
        layout = _checked(place).layout
        if layout is None or self._table.find(place):
            return place
        size = _size(place.context)
        known = {context: one for context, one in self._table.layouts(place).items() if _size(context) == size}
        nearest = KnownLayouts(known.values()).known_as(layout)
        contexts = [context for context, one in known.items() if one is nearest]
        return replace(place, context=contexts[0]) if contexts else place

    def count(self, workflow_id: str) -> int:
        """How much is remembered of a workflow."""
        return self._table.count(checked_id(workflow_id, what="workflow"))

    def export_rows(self, workflow_id: str) -> bytes:
        """All that is remembered of a workflow, as a SQLite file."""
        return self._table.export_rows(checked_id(workflow_id, what="workflow"))

    def import_rows(self, workflow_id: str, snapshot: bytes) -> None:
        """Make this all that is remembered of the workflow."""
        self._table.import_rows(checked_id(workflow_id, what="workflow"), snapshot)


def target_key(target: TargetSpec) -> str:
    """Which target this is. Give it with its variables filled in: the row of « Dupont » is not that of « Martin ».

    Where it was recorded and how it looked then are not part of it: they are what a memory is there to overcome.
    """
    meaning = target.model_dump_json(exclude=set(_NOT_MEANING), exclude_defaults=True)
    return hashlib.sha256(meaning.encode()).hexdigest()[:32]


def screen_context(layout_hash: str, resolution: tuple[int, int]) -> str:
    """On which screen: the layout and its size, because places are remembered as shares of it."""
    return f"{layout_hash}@{resolution[0]}x{resolution[1]}"


def _size(context: str) -> str:
    return context.partition("@")[2]


def _checked(place: TargetPlace) -> TargetPlace:
    checked_id(place.workflow_id, what="workflow")
    checked_id(place.edge_id, what="edge")
    for name, text in (("target_key", place.target_key), ("context", place.context)):
        if not text or len(text) > _MAX_TEXT:
            raise UsageError(f"{name}: between 1 and {_MAX_TEXT} characters are expected, not {len(text)}")
    return place


def _fitting(found: FoundTarget) -> FoundTarget:
    """Without texts nobody needs whole: a label may be the page of a text area."""
    x1, y1, x2, y2 = found.bbox_relative
    if not all(math.isfinite(share) for share in found.bbox_relative) or not (x1 < x2 and y1 < y2):
        raise UsageError(f"bbox_relative: {found.bbox_relative} is not a box in shares of the screen")
    if not 0.0 <= found.score <= 1.0:
        raise UsageError(f"score: {found.score} is not between 0 and 1")
    if not 1 <= len(found.stable_id) <= _MAX_TEXT:
        raise UsageError(f"stable_id: between 1 and {_MAX_TEXT} characters are expected, not {len(found.stable_id)}")
    return replace(found, label=found.label[:_MAX_TEXT], role=found.role[:_MAX_TEXT])
