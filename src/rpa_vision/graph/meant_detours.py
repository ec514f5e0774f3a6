"""A way that was taken for an interruption, and is one that people choose.

« Validation impossible » that comes for every amount above a limit is a fork of the task: what to do there depends on
what is to be seen. So what came again is put back into the goes; where it is a way of a fork there, and visible values
explain when it was taken, it stays. Sessions that expire and servers that are away have nothing to do with values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rpa_vision.graph.clipboard import add_clipboard
from rpa_vision.graph.forks import Decision, decide, forks_of
from rpa_vision.graph.interruptions import Detour, StepKey, is_dialog, key_of
from rpa_vision.graph.loops import draft_loop, loops_of
from rpa_vision.graph.outline import Outline
from rpa_vision.graph.pattern_miner import alike_steps
from rpa_vision.graph.slots import infer_slots
from rpa_vision.graph.sources import in_order, read_sources
from rpa_vision.graph.tasks import Tasks
from rpa_vision.models.workflow_standing import ErrorType

_BY_ITSELF: Final[frozenset[ErrorType]] = frozenset({"authentication", "timeout", "network"})
_MIN_TIMES = 2


def repeated_detours(detours: Sequence[Detour]) -> Iterator[list[Detour]]:
    """Detours that began alike, at least twice, and may have been meant."""
    groups: list[list[Detour]] = []
    for detour in (one for one in detours if one.error_type not in _BY_ITSELF):
        group = next((one for one in groups if alike_steps(one[0].steps[0], detour.steps[0])), None)
        if group is None:
            groups.append([detour])
        else:
            group.append(detour)
    yield from (group for group in groups if len(group) >= _MIN_TIMES)


def goes_with_values(repeated: Sequence[Detour], tasks: Tasks) -> bool:
    """Whether these are a way of a fork in the tasks they were put back into, which visible values explain."""
    own = {key_of(step) for detour in repeated for step in detour.steps}
    on_page = not any(is_dialog(detour.steps[0].before.state) for detour in repeated)
    for task in tasks.found:
        for decision in _decisions(task.outline, own):
            question = decision.question
            if question is None or question.reason == "several_rules":
                return True
            if on_page and question.reason == "by_chance":  # a page is no pop-up: rather one question too many
                return True
    return False


def _decisions(outline: Outline, own: set[StepKey]) -> Iterator[Decision]:
    """How the forks are decided of which these steps are one way and not the others."""
    slots = infer_slots(outline)
    add_clipboard(outline, slots)
    sources = read_sources(outline, slots)
    for rounds in loops_of(outline.items):
        draft_loop(rounds, outline, slots)
    for fork, following in forks_of(outline.items):
        taken = [
            any(key_of(step) in own for place in in_order(way.items) for step in outline.places[place].steps)
            for way in fork.ways
        ]
        if any(taken) and not all(taken):
            yield decide(fork, following, outline, slots, sources)
