"""Where are we? The same answer to the same screen, and no answer where there is doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from clinic_by_hand import ROWS, invoice_items, list_items, question_items, validate

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.graph.graph_builder import GraphBuilder, LearnedWorkflow
from rpa_vision.graph.node_matcher import Location, NodeMatcher, NodeScore
from rpa_vision.models.workflow_graph import UIElementConstraint, Workflow
from rpa_vision.testing.screens import MOMENT, AnyItem, HandMadeSession, ScreenBook, index_over, moved, workflow_over
from rpa_vision.testing.supervisors import NORMAL_TERMS

NEW = "FAC-2026-00417"
PAGE_TITLE = f"Facture {NEW} - Clinique"


def matcher_of(learned: LearnedWorkflow, workflow: Workflow, embedder: StateEmbedder) -> NodeMatcher:
    index = FAISSManager(FaissIndex, workflow_id=workflow.workflow_id, space=embedder.space)
    for node in workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        assert prototype is not None
        index.add_embedding(learned.vectors[prototype.vector_id], {"node_id": node.node_id})
    return NodeMatcher(workflow, index)


@dataclass(frozen=True)
class Places:
    """The nodes by what they are."""

    listing: str
    found: str
    page: str
    ask: str


@pytest.fixture(scope="module")
def learned(embedder: StateEmbedder) -> LearnedWorkflow:
    book = ScreenBook(embedder=embedder)
    session = HandMadeSession(book)
    for number in ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013"):
        validate(session, book, number)
    builder = GraphBuilder(session.observe, embedder.space)
    return builder.build_from_sessions([session.session()], workflow_id="WF_test", name="Valider", now=MOMENT)


@pytest.fixture(scope="module")
def places(learned: LearnedWorkflow) -> Places:
    edges = learned.workflow.edges
    return Places(edges[0].from_node, edges[2].from_node, edges[3].from_node, edges[4].from_node)


@pytest.fixture(scope="module")
def matcher(learned: LearnedWorkflow, embedder: StateEmbedder) -> NodeMatcher:
    return matcher_of(learned, learned.workflow, embedder)


def test_known_screens_with_other_values_are_recognised(matcher: NodeMatcher, places: Places, book: ScreenBook) -> None:
    """L4-9"""
    others = ("FAC-2026-00101", "FAC-2026-00102", "FAC-2026-00103")
    seen = {
        "listing": book.draw("list", list_items(others), title="Factures - Clinique"),
        "found": book.draw("found", list_items([NEW], NEW), title="Recherche - Clinique"),
        "page": book.draw("page", invoice_items(NEW), title=PAGE_TITLE),
        "ask": book.draw("ask", question_items(NEW), title=PAGE_TITLE),
    }
    for name, screen in seen.items():
        match = matcher.match(screen)
        assert match is not None, name
        assert match.node.node_id == getattr(places, name)
        assert match.confidence >= 0.85
        assert match.margin > 0.04, name


def test_the_same_screen_always_gets_the_same_answer(
    learned: LearnedWorkflow, matcher: NodeMatcher, embedder: StateEmbedder, book: ScreenBook
) -> None:
    """P003-7"""
    page = book.draw("page", invoice_items(NEW), title=PAGE_TITLE)
    first = matcher.locate(page)
    matcher.locate(book.draw("list", list_items(ROWS), title="Factures - Clinique"))
    assert matcher.locate(page) == first
    backwards = learned.workflow.model_copy(update={"nodes": tuple(reversed(learned.workflow.nodes))})
    assert matcher_of(learned, backwards, embedder).locate(page) == first


def test_a_screen_nobody_showed_is_no_node(learned: LearnedWorkflow, matcher: NodeMatcher, book: ScreenBook) -> None:
    """L4-9"""
    strange: list[AnyItem] = [
        ("heading", "title", "Paramètres du compte", (40, 40, 400, 80)),
        ("checkbox", "form_input", "Recevoir des courriels", (40, 120, 60, 140)),
        ("button", "submit", "Enregistrer", (600, 480, 760, 520)),
    ]
    location = matcher.locate(book.draw("strange", strange, title="Compte"))
    assert location.match is None
    assert {score.node.node_id for score in location.scores} == {node.node_id for node in learned.workflow.nodes}
    assert "this looks like a screen never shown" in location.suggestion()


def test_another_program_is_no_node_at_all(matcher: NodeMatcher, book: ScreenBook) -> None:
    """L4-9"""
    location = matcher.locate(book.draw("page", invoice_items(NEW), title=PAGE_TITLE, app_name="autre"))
    assert (location.match, location.scores) == (None, ())
    assert "no screen of the workflow is like this one" in location.suggestion()


@pytest.mark.parametrize(
    ("confidence", "said"),
    [
        (0.8499, "learning it again may help"),
        (0.75, "learning it again may help"),
        (0.7499, "this looks like a screen never shown"),
        (0.1, "this looks like a screen never shown"),
    ],
)
def test_how_near_it_came_says_what_to_do(learned: LearnedWorkflow, confidence: float, said: str) -> None:
    """L4-9: [.75, .85) suggests updating the node, lower suggests a new one"""
    node = learned.workflow.nodes[0]
    location = Location(None, (NodeScore(node, confidence, 0.5, 0.5),))
    assert said in location.suggestion()
    assert repr(node.label) in location.suggestion()


def test_a_known_question_over_the_page_is_not_the_page(matcher: NodeMatcher, places: Places, book: ScreenBook) -> None:
    """L4-9"""
    match = matcher.match(book.draw("ask", question_items(NEW), title=PAGE_TITLE))
    assert match is not None
    assert match.node.node_id == places.ask


def test_an_unknown_dialog_over_a_known_page_is_no_node(matcher: NodeMatcher, places: Places, book: ScreenBook) -> None:
    """L4-9, EX-7: its buttons may say the same and mean something else"""
    notice: list[AnyItem] = [
        *invoice_items(NEW),
        ("dialog", "dialog", "", (560, 440, 800, 540)),
        ("label", "data_display", "Supprimer le dossier ?", (580, 450, 780, 474)),
        ("button", "validate", "Valider", (580, 490, 680, 530)),
    ]
    location = matcher.locate(book.draw("notice", notice, title=PAGE_TITLE))
    assert location.match is None
    assert [score.node.node_id for score in location.scores] == [places.ask]


def test_a_page_that_reports_an_error_is_no_node(matcher: NodeMatcher, book: ScreenBook) -> None:
    """L4-9, EX-7: everything else on it may be as always"""
    alarm: list[AnyItem] = [*invoice_items(NEW), ("label", "data_display", "Montant incorrect", (560, 300, 760, 330))]
    assert matcher.match(book.draw("alarm", alarm, title=PAGE_TITLE)) is None


def test_two_nodes_that_fit_as_well_are_no_answer(
    learned: LearnedWorkflow, places: Places, embedder: StateEmbedder, book: ScreenBook
) -> None:
    """L4-9: the margin decides, not the order"""
    page = learned.workflow.get_node(places.page)
    assert page is not None
    twin = page.model_copy(update={"node_id": "N99"})
    twins = learned.workflow.model_copy(update={"nodes": (*learned.workflow.nodes, twin)})
    location = matcher_of(learned, twins, embedder).locate(book.draw("page", invoice_items(NEW), title=PAGE_TITLE))
    assert location.match is None
    assert location.suggestion().startswith("it could be ")


@pytest.mark.parametrize(
    ("demand", "met"),
    [
        ({"required_text_any": ("Praticien", "Autre")}, True),
        ({"required_text_any": ("Autre",)}, False),
        ({"required_ui_elements": (UIElementConstraint(role="validate", label="Valider"),)}, True),
        ({"required_ui_elements": (UIElementConstraint(role="validate", min_count=2),)}, False),
        ({"required_ui_elements": (UIElementConstraint(role="validate", type_any_of=("link",)),)}, False),
    ],
)
def test_what_a_node_demands_by_hand_must_be_there(
    learned: LearnedWorkflow,
    places: Places,
    embedder: StateEmbedder,
    book: ScreenBook,
    demand: dict[str, object],
    met: bool,
) -> None:
    """L4-9"""
    nodes = [
        node.model_copy(update={"screen_template": node.screen_template.model_copy(update=demand)})
        if node.node_id == places.page
        else node
        for node in learned.workflow.nodes
    ]
    demanding = learned.workflow.model_copy(update={"nodes": tuple(nodes)})
    page = book.draw("page", invoice_items(NEW), title=PAGE_TITLE)
    match = matcher_of(learned, demanding, embedder).match(page)
    assert (match is not None and match.node.node_id == places.page) is met


def test_a_page_without_its_words_is_not_recognised_by_its_looks_alone(matcher: NodeMatcher, book: ScreenBook) -> None:
    """L4-9"""
    page: list[AnyItem] = [("label", "data_display", "xxxx", item.bbox) for item in moved(invoice_items(NEW))]
    assert matcher.match(book.draw("page", page, title="xxx")) is None


def test_the_margin_to_the_next_best_node_is_known(matcher: NodeMatcher, book: ScreenBook) -> None:
    """L4-9"""
    location = matcher.locate(book.draw("page", invoice_items(NEW), title=PAGE_TITLE))
    assert location.match is not None
    best, second = location.scores[:2]
    assert location.match.margin == pytest.approx(best.confidence - second.confidence)
    confidences = [score.confidence for score in location.scores]
    assert confidences == sorted(confidences, reverse=True)


def test_a_node_is_called_by_its_label(matcher: NodeMatcher, places: Places) -> None:
    """UX-4"""
    assert matcher.label_of(places.ask) == "Confirmer la validation"
    assert matcher.label_of("N99") == "N99"


def test_terms_ask_for_more_and_never_for_less(
    learned: LearnedWorkflow, places: Places, matcher: NodeMatcher, embedder: StateEmbedder
) -> None:
    """AH-3.1, AH-3.2: the supervisor's confidence and margin hold for screens too; the matcher's own floors stay."""
    screen = ScreenBook(embedder=embedder).draw("s", list_items(ROWS), title="Factures - Clinique")
    plain = matcher.locate(screen)
    assert plain.match is not None
    assert plain.margin == plain.match.margin
    loose = replace(NORMAL_TERMS, min_confidence=0.0, min_margin=0.0)
    assert matcher.locate(screen, loose) == plain
    wider = matcher.locate(screen, replace(NORMAL_TERMS, min_margin=plain.match.margin + 0.01))
    assert wider.match is None
    assert wider.scores == plain.scores
    assert wider.margin == plain.margin, "how close it was is told all the same"
    assert wider.suggestion().startswith("it could be ")
    surer = matcher.locate(screen, replace(NORMAL_TERMS, min_confidence=min(1.0, plain.match.confidence + 0.0001)))
    if plain.match.confidence < 1.0:
        assert surer.match is None
        assert surer.margin is None


def test_a_node_that_stands_for_any_screen_is_where_its_application_is(book: ScreenBook) -> None:
    """L4-9: a task that was begun on many screens; it never wins against a screen that is known"""
    book.draw("one", [("heading", "title", "Factures", (40, 40, 200, 60))], title="Factures")
    book.draw("new", [("heading", "title", "Autre chose", (40, 40, 200, 60))], title="Autre")
    book.draw("elsewhere", [("heading", "title", "Notes", (40, 40, 200, 60))], title="Notes", app_name="notes")
    nodes = {"N1": "one", "N2": "one"}
    workflow = workflow_over(book, nodes, [])
    entry = workflow.nodes[0].model_copy(update={"metadata": {**workflow.nodes[0].metadata, "any_screen": True}})
    workflow = workflow.model_copy(update={"nodes": (entry, workflow.nodes[1])})
    matcher = NodeMatcher(workflow, index_over(book, nodes))
    known = matcher.locate(book["one"])
    assert known.match is not None
    assert known.match.node.node_id == "N2"
    assert known.is_at("N1")
    assert known.is_at("N2")
    unknown = matcher.locate(book["new"])
    assert unknown.is_at("N1")
    assert not unknown.is_at("N2")
    assert not matcher.locate(book["elsewhere"]).is_at("N1")
