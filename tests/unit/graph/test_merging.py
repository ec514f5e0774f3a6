"""Refining a workflow keeps what people set, mixes in no contradiction, and puts no secret among the examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from rpa_vision.errors import LearningError, ParameterError
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.graph.merging import _aligned, merged, merged_variables
from rpa_vision.graph.same_step import contradictions, is_the_step
from rpa_vision.graph.value_types import check_value, infer_variable
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource, VariableValidation, variables_in
from rpa_vision.models.workflow_graph import (
    EdgeStats,
    EmbeddingPrototype,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.models.workflow_standing import WorkflowStats
from rpa_vision.testing.screens import MOMENT

GIVEN = VariableSource(method="parameter")
SPACE = EmbeddingSpace(id="test_space", dimensions=2)


def amount(*examples: str, most: float | None = None) -> Variable:
    limits = VariableValidation(max=most) if most is not None else None
    return Variable(type="float", subtype="amount", source=GIVEN, example_values=examples, validation=limits)


def types(text: str, label: str = "Ville") -> Action:
    return Action(
        type="text_input", target=TargetSpec(label=label, type="text_input"), parameters=ActionParameters(text=text)
    )


def clicks(label: str = "Fiche", *rows: str, **how: Any) -> Action:
    target = TargetSpec(label=label, type="link", row_contains=rows)
    return Action(type="mouse_click", target=target, parameters=ActionParameters(**how))


def scrolls(*by: int) -> Action:
    return Action(type="scroll", parameters=ActionParameters(scroll=(by[0], by[1])))


def switches(title: str | None) -> Action:
    return Action(type="window_switch", target_app="gnumeric", parameters=ActionParameters(title_contains=title))


def workflow(actions: Sequence[Action], runs: int = 3, version: int = 1) -> Workflow:
    """These actions one after the other on a single screen."""
    prototype = EmbeddingPrototype(
        vector_id=f"workflows/WF_x/prototypes/N1_v{version:03d}.npy",
        space=SPACE,
        sample_count=runs,
        min_cosine_similarity=0.9,
    )
    node = WorkflowNode(node_id="N1", label="N1", screen_template=ScreenTemplate(embedding_prototype=prototype))
    edges = tuple(
        WorkflowEdge(
            edge_id=f"E{number}",
            from_node="N1",
            to_node="N1",
            action=action,
            stats=EdgeStats(manual_executions=runs, success_count=runs),
            metadata={"order": number},
        )
        for number, action in enumerate(actions, start=1)
    )
    said = [text for one in actions for text in (one.parameters.text, *(one.target.row_contains if one.target else ()))]
    names = sorted({name for text in said if text for name in variables_in(text)})
    return Workflow(
        workflow_id="WF_x",
        name="X",
        version=version,
        created_at=MOMENT,
        updated_at=MOMENT,
        entry_nodes=("N1",),
        end_nodes=("N1",),
        nodes=(node,),
        edges=edges,
        variables={
            name: Variable(type="string", source=GIVEN, example_values=(f"{name} {version}",)) for name in names
        },
        stats=WorkflowStats(observed_runs=runs),
        metadata={"sessions": [f"session_{version}"]},
    )


def refined(existing: Sequence[Action], shown: Sequence[Action]) -> LearnedWorkflow:
    new = workflow(shown, runs=4, version=2)
    vector = np.array([0.6, 0.8], np.float32)
    learned = LearnedWorkflow(new, 4, vectors={"workflows/WF_x/prototypes/N1_v002.npy": vector})
    return merged(workflow(existing), learned, {"N1": np.array([1.0, 0.0], np.float32)})


CONTRADICTIONS = [
    (types("Paris"), types("Lyon"), "« Paris »", "« Lyon »"),
    (types("Paris"), types("${ville}"), "« Paris »", "« ${ville} »"),
    (types("M. ${nom}"), types("Mme ${nom}"), "« M. ${nom} »", "« Mme ${nom} »"),
    (types("5 $$"), types("6 $$"), "« 5 $$ »", "« 6 $$ »"),
    (clicks(), clicks(button="right"), "1 left click", "1 right click"),
    (clicks(), clicks(click_count=2), "1 left click", "2 left clicks"),
    (clicks("Modifier", "Paris"), clicks("Modifier", "Lyon"), "the row of « Paris »", "the row of « Lyon »"),
    (clicks("Modifier", "Paris"), clicks("Modifier"), "the row of « Paris »", "the row of «  »"),
    (scrolls(0, 3), scrolls(0, -3), "to (0, 3)", "to (0, -3)"),
    (switches("Budget 2025"), switches("Budget 2026"), "the window « Budget 2025 »", "the window « Budget 2026 »"),
]


@pytest.mark.parametrize(("old", "new", "is_said", "was_shown"), CONTRADICTIONS)
def test_what_was_shown_otherwise_is_an_error_that_names_the_step_and_both(old, new, is_said, was_shown):
    """L4-2: the old constant does not become surer by being contradicted"""
    with pytest.raises(LearningError) as raised:
        refined([clicks("Ouvrir"), old], [clicks("Ouvrir"), new])
    assert "step E2" in str(raised.value)
    assert f"it says {is_said}, and {was_shown} was shown" in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (types("Paris"), types("Paris")),
        (types("${ville}"), types("${city}")),
        (types("${ville}"), types("Paris")),
        (types("M. ${nom}"), types("M. Durand")),
        (clicks("Modifier", "Paris"), clicks("Modifier", "PARIS", "Actif")),
        (clicks("Modifier", "${nom}"), clicks("Modifier", "Durand")),
        (clicks(click_offset=(3, 4)), clicks()),
        (scrolls(0, 3), scrolls(0, 5)),
        (switches("budget"), switches("Budget 2026 - Gnumeric")),
        (switches(None), switches("Budget")),
    ],
)
def test_what_was_shown_again_is_no_contradiction(old, new):
    """L4-2: a variable that was the same every time stays a variable"""
    assert refined([old], [new]).workflow.edges[0].action == old


@pytest.mark.parametrize("other", [types("Paris", "Pays"), clicks("Ville"), scrolls(0, 1)])
def test_another_thing_done_to_is_another_step(other):
    """L4-2"""
    (one,), (shown,) = workflow([types("Paris")]).edges, workflow([other]).edges
    assert not is_the_step(one, shown)
    with pytest.raises(LearningError, match="a step that WF_x does not have"):
        refined([types("Paris")], [other])


def test_one_value_that_was_two_now_is_a_contradiction():
    """L4-2, L4-3: what is typed twice is the same in the workflow, and was not in what was shown"""
    existing = [types("${nom}", "Nom"), types("${nom}", "Confirmer")]
    with pytest.raises(LearningError, match=r"step E2 .*the same « \$\{nom\} »"):
        refined(existing, [types("${nom}", "Nom"), types("${autre}", "Confirmer")])
    assert refined(existing, [types("${a}", "Nom"), types("${a}", "Confirmer")]).workflow.edges


def test_a_new_step_is_paired_with_the_one_that_does_what_was_shown():
    """L4-2: steps of ways that were not gone are left out"""
    existing = workflow([types("Paris"), types("Lyon"), clicks(), clicks(click_count=2)])
    shown = workflow([types("Lyon"), clicks(click_count=2)])
    assert [(old.edge_id, new.edge_id) for old, new in _aligned(existing, shown)] == [("E2", "E1"), ("E4", "E2")]


def test_steps_in_another_order_are_not_paired():
    """L4-2"""
    with pytest.raises(LearningError, match="a step that WF_x does not have"):
        _aligned(workflow([clicks("Un"), clicks("Deux")]), workflow([clicks("Deux"), clicks("Un")]))


def test_what_was_shown_again_makes_it_surer():
    """L4-2"""
    result = refined([types("${nom}", "Nom"), clicks("Valider")], [types("${name}", "Nom"), clicks("Valider")])
    refined_workflow = result.workflow
    assert refined_workflow.stats.observed_runs == 7
    assert [edge.stats.manual_executions for edge in refined_workflow.edges] == [7, 7]
    assert refined_workflow.variables["nom"].example_values == ("nom 1", "name 2")
    assert refined_workflow.metadata["sessions"] == ["session_1", "session_2"]
    prototype = refined_workflow.nodes[0].screen_template.embedding_prototype
    assert prototype is not None
    assert prototype.sample_count == 7
    mean = np.array([3 + 4 * 0.6, 4 * 0.8])
    assert np.allclose(result.vectors[prototype.vector_id], mean / np.linalg.norm(mean))


def test_the_same_step_contradicts_nothing():
    """L4-2"""
    for old, _new, _, _ in CONTRADICTIONS:
        (edge,) = workflow([old]).edges
        assert is_the_step(edge, edge)
        assert list(contradictions(edge, edge)) == []


def test_a_limit_that_a_person_set_stays():
    """L4-3"""
    existing = {"amount": amount("10,00", most=1000)}
    merged = merged_variables(existing, {"amount": amount("20,00", "30,00")}, {})
    assert merged["amount"].validation == VariableValidation(max=1000)
    assert merged["amount"].example_values == ("10,00", "20,00", "30,00")


def test_of_a_secret_there_are_no_examples():
    """L0-7: a person said it is one after it was learned"""
    existing = {"code": Variable(type="string", subtype="secret", source=GIVEN)}
    shown = {"code": Variable(type="string", source=GIVEN, example_values=("hunter2", "s3cret!"))}
    assert merged_variables(existing, shown, {})["code"].example_values == ()


def chosen(*values: str) -> dict[str, Variable]:
    return {"urgence": infer_variable(values, GIVEN)}


def test_a_choice_that_was_shown_is_one_from_then_on():
    """L4-3: what was demonstrated is never refused"""
    existing = chosen("haute", "basse", "haute", "basse", "haute")
    merged = merged_variables(existing, chosen("moyenne", "basse", "moyenne"), {})["urgence"]
    assert (merged.type, merged.example_values) == ("choice", ("haute", "basse", "moyenne"))
    assert [check_value("urgence", merged, str(one)) for one in merged.example_values] == ["haute", "basse", "moyenne"]
    with pytest.raises(ParameterError):
        check_value("urgence", merged, "extrême")


def test_more_new_values_than_were_known_make_no_choice():
    """L4-3"""
    existing = chosen("Durand", "Martin", "Durand", "Martin", "Durand")
    merged = merged_variables(existing, chosen("Petit", "Moreau", "Leroy"), {})["urgence"]
    assert (merged.type, merged.validation) == ("string", None)


def test_choices_that_a_person_set_stay():
    """L4-3"""
    existing = chosen("haute", "basse", "haute", "basse", "haute")
    set_by_hand = existing["urgence"].model_copy(update={"validation": VariableValidation(choices=("haute", "nulle"))})
    merged = merged_variables({"urgence": set_by_hand}, chosen("moyenne", "basse", "moyenne"), {})["urgence"]
    assert merged.validation == VariableValidation(choices=("haute", "nulle"))
