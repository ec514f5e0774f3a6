"""After a rollback: may the run that brought it about go on with the restored version, and where?

Only if what was done so far is what the restored version would have done, and if a step that failed left no trace: no
input was sent, or the screen proves that it had no effect. Input that may have arrived is never sent twice.
"""

from __future__ import annotations

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.execution_loop import ExecutedStep, in_order, obstacle
from rpa_vision.graph.node_matcher import Location
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge


def next_step(last: ExecutedStep, run: Workflow, restored: Workflow) -> int | None:
    """The number of the restored version's step that is due, if everything done before it is the same.

    That is the step that failed, or the one after it if it was verified after all.
    """
    done, path = in_order(run), in_order(restored)
    number = next((index for index, edge in enumerate(done) if edge.edge_id == last.edge.edge_id), None)
    if number is None:
        return None
    number += last.outcome.status is ExecutionStatus.SUCCESS
    if number >= len(path) or obstacle(restored) is not None:
        return None
    same = all(_does_the_same(one, other) for one, other in zip(done[:number], path[:number], strict=True))
    return number if same else None


def had_no_effect(failed: ExecutedStep, again: WorkflowEdge, now: ObservedScreen, location: Location) -> bool:
    """Whether the screen proves that the input of a step did nothing: still the same screen, saying the same.

    A step that stays on its screen when it works proves nothing by staying there.
    """
    before, match = failed.outcome.before, location.match
    if before is None or match is None or again.from_node == again.to_node:
        return False
    return match.node.node_id == again.from_node and _words(before) == _words(now)


def _does_the_same(one: WorkflowEdge, other: WorkflowEdge) -> bool:
    return _meaning(one) == _meaning(other)


def _meaning(edge: WorkflowEdge) -> tuple[object, ...]:
    action = edge.action
    if action is None:
        return ()
    said, target = action.parameters, action.target
    aimed = (target.label, target.row_contains, target.type) if target is not None else None
    return (action.type, action.keys, said.text, said.secret_ref, said.scroll, action.target_app, aimed)


def _words(screen: ObservedScreen) -> list[str]:
    return sorted(line.text for line in screen.state.perception.text_lines)
