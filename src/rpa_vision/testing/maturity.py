"""Maturity for tests: a book in memory, and workflows that grow up at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from pydantic import JsonValue

from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.models.document import JsonObject
from rpa_vision.models.maturity import CountedRun, Maturity, RunWay
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LEARNING_STATES, LearningStateName


class MemoryMaturityBook:
    """Implements `ports.maturity.MaturityBook` and `MaturityPages`; `entries` is what the audit trail would hold."""

    def __init__(self, *, keep_entries: bool = True) -> None:
        self.entries: list[tuple[str, JsonObject]] = []
        self._keeps = keep_entries
        self._known: dict[str, Maturity] = {}
        self._counted: set[tuple[str, str]] = set()

    @contextmanager
    def open(self) -> Iterator[MemoryMaturityBook]:
        """Itself: nobody else is there."""
        yield self

    def get(self, workflow_id: str) -> Maturity | None:
        return self._known.get(workflow_id)

    def all(self) -> list[Maturity]:
        return [self._known[name] for name in sorted(self._known)]

    def is_counted(self, workflow_id: str, source: str) -> bool:
        return (workflow_id, source) in self._counted

    def audit(self, kind: str, record: dict[str, JsonValue]) -> None:
        said: JsonObject = dict(record)
        known = Maturity.from_json(said["maturity"])
        if self._keeps:
            self.entries.append((kind, said))
        self._known[known.workflow_id] = known
        if "source" in said:
            self._counted.add((known.workflow_id, str(said["source"])))


def grow(manager: LearningManager, workflow: Workflow, level: LearningStateName) -> Maturity:
    """Let a new workflow earn a level as the design has it: by runs that are counted, and a person's approval."""
    name, numbers = workflow.workflow_id, count()

    def ran(way: RunWay, times: int) -> None:
        for _ in range(times):
            source = f"grown_{way}_{next(numbers)}"
            manager.count(name, CountedRun(way=way, source=source, confidence=0.98), workflow=workflow)

    thresholds = workflow.learning.thresholds
    steps: list[tuple[RunWay, int]] = [
        ("observed", thresholds.min_observed_runs_for_coaching),
        ("assisted", thresholds.min_assist_runs_for_auto_candidate),
        ("supervised", thresholds.min_auto_candidate_runs_for_auto_confirmed),
    ]
    for way, times in steps[: LEARNING_STATES.index(level)]:
        ran(way, times)
    if level == AUTO_CONFIRMED:
        manager.approve(name, who="anna", reason="seen often enough")
    return manager.maturity(name)
