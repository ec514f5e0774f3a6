"""A workflow with two lists that do not show what is done: what is left of one is told by what became of both."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.batches import FileBatchJournal
from rpa_vision.app.list_journal import NOTHING_LEFT, ListJournal
from rpa_vision.execution.run_outcome import DoneRow, Progress, Rounds
from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import (
    Loop,
    PostConditions,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.testing.manual_clock import ManualClock

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def edge(edge_id: str, there: str, then: str, *, over_rows: bool = True) -> WorkflowEdge:
    bound = {"numero": "row.Numéro"}
    return WorkflowEdge(
        edge_id=edge_id, from_node=there, to_node=then,
        action=Action(type="mouse_click", target=TargetSpec(type="button", role="validate", label="Valider")),
        post_conditions=PostConditions(conditions=("text_appears:Validée",)),
        loop=Loop(type="for_each", iterator="row", max_iterations=9, variable_binding=bound) if over_rows else None,
    )  # fmt: skip


class Lists:
    """The lists at E1 and E3, one after the other."""

    def __init__(self, root: Path) -> None:
        data = FileDataDirectory(root, clock=ManualClock())
        self.journal = FileBatchJournal(data.files, "lists")
        self.workflow = Workflow(
            workflow_id="WF", name="Two lists", created_at=NOW, updated_at=NOW, entry_nodes=("a",), end_nodes=("b",),
            edges=(edge("E1", "a", "a"), edge("E2", "a", "b", over_rows=False), edge("E3", "b", "b")),
            nodes=tuple(WorkflowNode(node_id=name, label=name, screen_template=ScreenTemplate()) for name in "ab"),
            variables={"numero": Variable(type="string", source=VariableSource(method="ui_element_extraction"))},
        )  # fmt: skip

    def of(self, run_id: str) -> ListJournal:
        return ListJournal(self.journal, self.workflow, run_id, {}, ManualClock())

    def does(self, run_id: str, first: str, *rows: str, to_the_end: bool = False) -> None:
        """A run does rows of a list."""
        lists, progress = self.of(run_id), Progress(rounds={first: Rounds()})
        for row in rows:
            progress.rounds[first].current = done = DoneRow((row,), (row,))
            lists.hear("round_begins", first, progress)
            progress.rounds[first].done.append(done)
        progress.rounds[first].current = None
        lists.hear("loop_ended" if to_the_end else "round_ends", first, progress)


@pytest.fixture
def lists(tmp_path: Path) -> Lists:
    return Lists(tmp_path / "data")


def test_the_rest_of_the_first_list_can_be_done(lists: Lists) -> None:
    """L4-5: nothing of the second was done."""
    lists.does("run_1", "E1", "FAC-1")
    assert lists.of("run_2").refusal(rest=True) is None


def test_who_did_one_list_to_its_end_and_left_another_has_no_rest(lists: Lists) -> None:
    """L4-5, EX-7: the rows of the first list would be done twice."""
    lists.does("run_1", "E1", "FAC-1", "FAC-2", to_the_end=True)
    lists.does("run_1", "E3", "FAC-7")
    refused = lists.of("run_2").refusal(rest=True)
    assert refused is not None
    assert "--rest" not in refused
    assert "--again" in refused


def test_a_list_that_another_run_did_before_does_not_matter(lists: Lists) -> None:
    """L4-5: that was last month."""
    lists.does("run_1", "E1", "FAC-1", to_the_end=True)
    lists.does("run_2", "E3", "FAC-7")
    assert lists.of("run_3").refusal(rest=True) is None


def test_what_was_left_and_done_since_is_known(lists: Lists) -> None:
    """L4-5: by whom does not matter, in a queue or in a terminal."""
    lists.does("run_1", "E1", "FAC-1")
    assert not lists.of("").is_done_since("run_1")
    lists.does("run_2", "E1", "FAC-2", to_the_end=True)
    assert lists.of("").is_done_since("run_1")
    assert not lists.of("").is_done_since("run_2")
    assert lists.of("run_3").refusal(rest=True) == NOTHING_LEFT
