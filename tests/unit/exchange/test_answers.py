"""What demonstrations did not say, answered by a person: a new version, or nothing at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rpa_vision.adapters.storage.local_files import LocalFiles
from rpa_vision.app.answers import answer, open_questions
from rpa_vision.app.exchange import Importer
from rpa_vision.app.learn import EDITED
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.forks import row_doubt
from rpa_vision.models.branch_rule import BranchQuestion, BranchRule, Doubt, Support
from rpa_vision.models.document import JsonObject
from rpa_vision.models.expression import parse
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import END, EdgeCondition, Loop, Workflow
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld, open_world

ASKED = BranchQuestion(reason="by_chance", question="When is it validated?", ways=("Valider", "Transmettre"))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LearnedWorld]:
    opened = open_world(tmp_path / "data")
    opened.learn(nodes=3)
    yield opened
    opened.close()


def asking(world: LearnedWorld, **at_the_first_step: EdgeCondition | Loop | dict[str, JsonObject]) -> Workflow:
    """The workflow, kept with a question at its first step."""
    workflow = world.data.workflows.load(WORKFLOW_ID)
    first, *others = workflow.edges
    amount = Variable(type="float", subtype="amount", source=VariableSource(method="parameter"))
    status = Variable(type="string", source=VariableSource(method="parameter"), required=False)
    edges = (first.model_copy(update=at_the_first_step), *others[:-1], others[-1].model_copy(update={"to_node": "N1"}))
    changed = workflow.model_copy(
        update={"edges": edges, "end_nodes": ("N1",), "variables": {"montant": amount, "statut": status}}
    )
    world.data.workflows.save(changed)
    return changed


def fork() -> EdgeCondition:
    return EdgeCondition(type="expression", question=ASKED, else_edge=END)


def importer(world: LearnedWorld) -> Importer:
    return Importer(world.data, LocalFiles(), world.versions, world.clock)


def test_an_answer_decides_the_fork_in_the_next_version(world: LearnedWorld) -> None:
    """L4-4"""
    workflow = asking(world, condition=fork())
    assert open_questions(workflow) == {"E1": ASKED}
    result = answer(importer(world), workflow, "E1", "montant < 1000")
    stored = world.data.workflows.load(WORKFLOW_ID)
    condition = stored.edges[0].condition
    assert condition is not None
    assert (condition.expression, condition.question, condition.else_edge) == ("montant < 1000", None, END)
    assert (result.version_id, open_questions(stored)) == (f"v{stored.version:03d}", {})
    assert stored.version > workflow.version
    assert stored.metadata[EDITED] is True


def test_an_answer_says_which_rows_of_a_list_are_meant(world: LearnedWorld) -> None:
    """L4-5: over what the row binds"""
    binding = {"statut": "row.Statut"}
    rows = Loop(
        type="for_each", iterator="row", max_iterations=9, variable_binding=binding, last_edge="E2", question=ASKED
    )
    workflow = asking(world, loop=rows)
    answer(importer(world), workflow, "E1", "statut == 'À valider'")
    loop = world.data.workflows.load(WORKFLOW_ID).edges[0].loop
    assert loop is not None
    assert (loop.filter, loop.question) == ("statut == 'À valider'", None)


@pytest.mark.parametrize("rule", ["montant < 3000", "montant < 4000"])
def test_an_answer_closes_the_span_that_a_learned_rule_left_open(world: LearnedWorld, rule: str) -> None:
    """L4-5: also where the person says that the rule is right as it is"""
    rows = Loop(
        type="for_each",
        iterator="row",
        max_iterations=9,
        variable_binding={"montant": "row.Montant"},
        last_edge="E2",
        filter="montant < 3000",
    )
    learned = BranchRule(
        expression="montant < 3000",
        on_true="done",
        on_false="left out",
        support=Support(demonstrations=10, holds=5, fails=5, chance=0.01),
        doubts=(Doubt(variable="montant", above="200.0", up_to="5000.0", chosen="3000"),),
    )
    workflow = asking(world, loop=rows, metadata={"rule": learned.to_json()})
    assert open_questions(workflow) == {}
    answer(importer(world), workflow, "E1", rule)
    edge = world.data.workflows.load(WORKFLOW_ID).edges[0]
    assert edge.loop is not None
    assert edge.loop.filter == rule
    assert row_doubt(edge, parse(rule), {"montant": "2900"}) is None
    assert row_doubt(workflow.edges[0], parse("montant < 3000"), {"montant": "2900"}) is not None


@pytest.mark.parametrize(
    ("step", "rule"),
    [("E2", "montant < 1000"), ("E9", "montant < 1000"), ("E1", "montant <"), ("E1", "total < 1000"),
     ("E1", "__import__('os')"), ("E1", "")],
)  # fmt: skip
def test_an_answer_that_is_none_changes_nothing(world: LearnedWorld, step: str, rule: str) -> None:
    """L4-4: an error that says why, and not a byte is written"""
    workflow = asking(world, condition=fork())
    before = world.live()
    with pytest.raises(RpaVisionError):
        answer(importer(world), workflow, step, rule)
    assert world.live() == before
