"""Where we are on a changed screen: the order of landmarks and the words take away doubt, and only that."""

from __future__ import annotations

import pytest

from rpa_vision.execution.screen_witness import LEAST_CONFIDENCE, WitnessedMatcher, kept_arrangement
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.graph.targets import target_on
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook, index_over, workflow_over

NAMES = ("Patients", "Factures", "Agenda", "Stocks", "Praticien", "Motif", "Montant", "Échéance", "Mutuelle", "Suivant")
PAGE: list[AnyItem] = [
    ("label", "x", name, (40 + 220 * (i % 3), 60 + 50 * (i // 3), 140 + 220 * (i % 3), 82 + 50 * (i // 3)))
    for i, name in enumerate(NAMES)
]
BUTTON = (400, 400, 500, 430)
LIST: list[AnyItem] = [*PAGE, ("button", "validate", "Valider", BUTTON)]
OTHER: list[AnyItem] = [
    ("heading", "title", "Statistiques", (300, 60, 640, 100)),
    ("label", "x", "Total", (40, 300, 140, 324)),
]


def matchers(book: ScreenBook) -> tuple[NodeMatcher, WitnessedMatcher, TargetSpec]:
    book.draw("list", LIST)
    book.draw("other", OTHER)
    target = target_on(book["list"], Box(*BUTTON))
    edge = WorkflowEdge(
        edge_id="E1", from_node="list", to_node="other", action=Action(type="mouse_click", target=target)
    )
    nodes = {"list": "list", "other": "other"}
    workflow, index = workflow_over(book, nodes, [edge]), index_over(book, nodes)
    return NodeMatcher(workflow, index), WitnessedMatcher(workflow, index), target


def zoomed(items: list[AnyItem], scale: float) -> list[AnyItem]:
    made = [item if isinstance(item, Item) else Item(*item) for item in items]
    boxes = [tuple(round(value * scale) for value in one.bbox) for one in made]
    return [
        Item(one.type, one.role, one.label, box)  # type: ignore[arg-type]
        for one, box in zip(made, boxes, strict=True)
        if box[3] < 590 and box[2] < 950
    ]


def test_a_zoomed_screen_keeps_its_arrangement(book: ScreenBook) -> None:
    """L4-9, EX-5: what lies below the edge is not missing"""
    _, _, target = matchers(book)
    assert kept_arrangement(target, book["list"]) == 1.0
    assert kept_arrangement(target, book.draw("large", zoomed(LIST, 1.4))) > 0.6
    names = [item[2] for item in PAGE]  # type: ignore[index]
    turned = [(kind, role, names[-1 - i], box) for i, (kind, role, _, box) in enumerate(PAGE)]  # type: ignore[misc]
    assert kept_arrangement(target, book.draw("turned", turned)) == 0.0
    assert kept_arrangement(target, book["other"]) == 0.0


def test_doubt_about_a_known_screen_is_taken_away_and_a_strange_one_stays_strange(book: ScreenBook) -> None:
    """L4-9, L4-10"""
    plain, witnessed, _ = matchers(book)
    scale = next(s / 20 for s in range(21, 60) if plain.locate(book.draw(f"z{s}", zoomed(LIST, s / 20))).match is None)
    large = book.draw("large", zoomed(LIST, scale))
    before, after = plain.locate(large), witnessed.locate(large)
    assert before.best is not None
    assert before.best.confidence >= LEAST_CONFIDENCE, "nearly sure"
    assert after.match is not None
    assert after.match.node.node_id == "list"
    assert before.best.confidence < after.match.confidence <= 1 - (1 - before.best.confidence) / 2 + 1e-4
    strange = book.draw("strange", [("heading", "title", "Archives", (300, 60, 640, 100))])
    assert witnessed.locate(strange).match is None


@pytest.mark.parametrize("min_confidence", [0.85, 0.99])
def test_the_bar_of_the_supervisor_is_never_lowered(book: ScreenBook, min_confidence: float) -> None:
    """AH: healing widens the search, never lowers the floor"""
    plain, witnessed, _ = matchers(book)
    terms = StepThresholds(
        min_confidence=min_confidence, min_margin=0.04, learning_enabled=True, hard_constraints_required=False,
        ambiguity_refused=False, policy_digest="test",
    )  # fmt: skip
    for scale in (1.0, 1.1, 1.2, 1.3, 1.4):
        found = witnessed.locate(book.draw(f"at{scale}", zoomed(LIST, scale)), terms)
        assert found.match is None or found.match.confidence >= min_confidence
        if plain.locate(book[f"at{scale}"], terms).match is not None:
            assert found == plain.locate(book[f"at{scale}"], terms)
