"""Which of the tasks that were found is the one a workflow does?

Steps are laid beside each other by what is done, and to what. Of several tasks it is the one with most of them in
common; a task with few of them is another one, whatever it is called, and must not take the place of the workflow.
"""

from __future__ import annotations

from typing import Final

from rapidfuzz.distance import LCSseq

from rpa_vision.graph.plan import in_order
from rpa_vision.graph.same_step import text_pattern
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import Workflow

_ONE_TASK: Final = 0.5

Step = tuple[str, tuple[str, ...], str]


def shared_steps(one: Workflow, other: Workflow) -> int:
    """How many steps both have, in the same order."""
    return int(LCSseq.similarity(_steps(one), _steps(other)))


def is_same_task(one: Workflow, other: Workflow) -> bool:
    """Whether the shorter has at least half of its steps in the other: one may know more ways than the other."""
    shorter = min(len(_steps(one)), len(_steps(other)))
    return shared_steps(one, other) >= max(1.0, _ONE_TASK * shorter)


def _steps(workflow: Workflow) -> list[Step]:
    """What is done to what; what is read from the screen is no deed."""
    actions = [edge.action for edge in in_order(workflow) if edge.action is not None]
    return [
        (one.type, tuple(one.keys or ()), folded(text_pattern(one.target.label if one.target is not None else None)))
        for one in actions
        if one.type != "extract"
    ]
