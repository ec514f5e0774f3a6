"""From recordings to a workflow, whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from clinic_by_hand import list_items, middle, validate

from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.errors import LearningError
from rpa_vision.graph.graph_builder import GraphBuilder, LearnedWorkflow
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import MOMENT, AnyItem, HandMadeSession, Item, ScreenBook

NUMBERS = ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013")


def learn(book: ScreenBook, embedder: StateEmbedder, *sessions: HandMadeSession) -> LearnedWorkflow:
    builder = GraphBuilder(sessions[0].observe, embedder.space)
    recorded: list[RecordedSession] = [session.session() for session in sessions]
    return builder.build_from_sessions(recorded, workflow_id="WF_test", name="Valider", now=MOMENT, version=3)


@pytest.fixture(scope="module")
def learned(embedder: StateEmbedder) -> LearnedWorkflow:
    """The validation of three invoices, recorded and learned."""
    book = ScreenBook(embedder=embedder)
    session = HandMadeSession(book)
    for number in NUMBERS:
        validate(session, book, number)
    return learn(book, embedder, session)


def test_a_task_shown_three_times_becomes_a_workflow(learned: LearnedWorkflow) -> None:
    """L4-2, P003-16"""
    workflow = learned.workflow
    assert (learned.repetitions, workflow.version, workflow.learning_state) == (3, 3, "OBSERVATION")
    actions = [edge.action for edge in workflow.edges]
    assert [action.type if action else None for action in actions] == [
        "text_input", "key_press", "mouse_click", "mouse_click", "mouse_click", "mouse_click",
    ]  # fmt: skip
    targets = [action.target.label if action and action.target else None for action in actions]
    assert targets == ["Rechercher une facture", None, "${facture}", "Valider", "Confirmer", "Retour à la liste"]
    assert list(workflow.variables) == ["facture"]
    assert workflow.variables["facture"].example_values == NUMBERS
    assert workflow.stats.observed_runs == 3


def test_the_edges_lead_from_screen_to_screen(learned: LearnedWorkflow) -> None:
    """L4-1, P003-12"""
    workflow = learned.workflow
    for one, following in zip(workflow.edges, workflow.edges[1:], strict=False):
        assert one.to_node == following.from_node
    assert workflow.entry_nodes == (workflow.edges[0].from_node,)
    assert workflow.end_nodes == (workflow.edges[-1].to_node,)
    assert workflow.edges[0].from_node == workflow.edges[-1].to_node
    assert all(edge.post_conditions and edge.post_conditions.expected_node == edge.to_node for edge in workflow.edges)


def test_the_same_screen_is_one_node_and_a_question_over_it_another(learned: LearnedWorkflow) -> None:
    """L4-1"""
    search, enter, opening, validating, confirming, back = learned.workflow.edges
    assert search.from_node == enter.from_node == back.to_node
    assert len({search.from_node, opening.from_node, validating.from_node, confirming.from_node}) == 4
    ask = learned.workflow.get_node(confirming.from_node)
    assert ask is not None
    assert ask.label == "Confirmer la validation"
    assert ask.metadata["has_dialog"] is True
    page = learned.workflow.get_node(validating.from_node)
    assert page is not None
    assert page.metadata["has_dialog"] is False


def test_every_node_has_a_prototype_with_samples(learned: LearnedWorkflow, embedder: StateEmbedder) -> None:
    """P003-14"""
    for node in learned.workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        assert prototype is not None
        assert prototype.sample_count >= 3
        assert prototype.space_id == embedder.space.id
        vector = learned.vectors[prototype.vector_id]
        assert vector.shape == (embedder.space.dimensions,)
        assert float((vector**2).sum()) == pytest.approx(1.0, abs=1e-5)
    assert set(learned.vectors) == {
        node.screen_template.embedding_prototype.vector_id
        for node in learned.workflow.nodes
        if node.screen_template.embedding_prototype
    }


def test_what_a_workflow_refers_to_comes_with_it(learned: LearnedWorkflow) -> None:
    """P003-12"""
    looks = [
        edge.action.target.look
        for edge in learned.workflow.edges
        if edge.action is not None and edge.action.target is not None
    ]
    paths = {look.image_path for look in looks if look is not None}
    assert paths == set(learned.pictures)
    for look in looks:
        if look is not None:
            assert learned.pictures[look.image_path].shape[:2] == (look.size[1], look.size[0])


def test_a_target_whose_words_change_has_no_recorded_look(learned: LearnedWorkflow) -> None:
    """EX-7: the look of one invoice is not the look of another"""
    opening = learned.workflow.edges[2]
    assert opening.action is not None
    assert opening.action.target is not None
    assert opening.action.target.look is None


def test_a_learned_workflow_comes_back_from_json_as_it_was(learned: LearnedWorkflow) -> None:
    """P003-18"""
    assert Workflow.from_json(learned.workflow.to_json()) == learned.workflow


def test_each_step_expects_what_was_seen_after_it(learned: LearnedWorkflow) -> None:
    """L4-15"""
    conditions = [edge.post_conditions.conditions if edge.post_conditions else () for edge in learned.workflow.edges]
    assert conditions[0] == ("field_contains:${facture}",)
    assert "text_appears:Facture ${facture}" in conditions[2]
    assert conditions[3] == ("text_appears:Confirmer la validation",)
    assert conditions[4][0] == "text_appears:Facture ${facture} validée"


def test_several_sessions_teach_one_workflow(book: ScreenBook, embedder: StateEmbedder) -> None:
    """L4-2"""
    sessions = [HandMadeSession(book, f"session_{index}") for index in range(3)]
    for session, number in zip(sessions, NUMBERS, strict=True):
        validate(session, book, number)
    assert learn(book, embedder, *sessions).repetitions == 3


def test_a_task_shown_twice_is_not_learned(book: ScreenBook, embedder: StateEmbedder) -> None:
    """P003-16"""
    session = HandMadeSession(book)
    for number in NUMBERS[:2]:
        validate(session, book, number)
    with pytest.raises(LearningError, match="no task was repeated at least 3 times in 12 recorded steps"):
        learn(book, embedder, session)


def test_steps_that_were_not_seen_are_said_when_nothing_is_learned(book: ScreenBook, embedder: StateEmbedder) -> None:
    """L4-2: the remedy is another one"""
    book.draw("list", list_items(["FAC-2026-00011"]), title="Factures")
    session = HandMadeSession(book)
    session.press("list", "TAB")
    for _ in range(4):
        session.click(None, (110, 160))
    with pytest.raises(LearningError, match=r"5 recorded steps, 4 of which teach nothing") as refused:
        learn(book, embedder, session)
    assert "not busy" in refused.value.remedy


def test_a_recording_without_deeds_is_not_learned(book: ScreenBook, embedder: StateEmbedder) -> None:
    """UX-1"""
    with pytest.raises(LearningError, match="no clicks, keys or text"):
        learn(book, embedder, HandMadeSession(book))


def test_a_secret_becomes_a_reference_in_the_workflow(book: ScreenBook, embedder: StateEmbedder) -> None:
    """L0-7"""
    field = (300, 200, 600, 230)
    form: list[AnyItem] = [
        ("password_input", "form_input", "Mot de passe", field),
        ("button", "submit", "Se connecter", (300, 260, 600, 300)),
    ]
    book.draw("login", form, title="Connexion")
    book.draw("in", list_items(["FAC-2026-00011"]), title="Factures")
    session = HandMadeSession(book)
    for index in (1, 2, 3):
        session.click("login", middle(field))
        session.secret("login", f"secret_{index}")
        session.click("login", (450, 280))
        session.click("in", (70, 33), after="login")
    workflow = learn(book, embedder, session).workflow
    action = workflow.edges[0].action
    assert action is not None
    assert (action.type, action.parameters.secret_ref, action.parameters.text) == ("text_input", "secret_3", None)
    assert workflow.variables == {}


@pytest.mark.parametrize(
    ("kind", "selected", "replaces"),
    [
        ("text_input", (True, False, False), True),
        ("text_input", (False, False, False), False),
        ("textarea", (True, False, False), False),
        ("textarea", (True, True, True), True),
    ],
)
def test_a_whole_text_is_replaced_only_where_it_always_was(
    book: ScreenBook, embedder: StateEmbedder, kind: str, selected: tuple[bool, ...], replaces: bool
) -> None:
    """EX-7: select-all in a document deletes it"""
    place = (40, 60, 300, 90)
    items: list[AnyItem] = [
        Item(kind, "form_input", "Note", place),  # type: ignore[arg-type]
        ("button", "x", "Envoyer", (40, 120, 140, 150)),
    ]
    book.draw("page", items, title="Notes")
    session = HandMadeSession(book)
    for index, everything in enumerate(selected):
        session.click("page", middle(place))
        if everything:
            session.press("page", "A", "CTRL")
        session.type("page", f"note {index}")
        session.click("page", (90, 135), after="page")
    action = learn(book, embedder, session).workflow.edges[0].action
    assert action is not None
    assert action.parameters.replace_existing is replaces


def test_learning_twice_from_the_same_recording_gives_the_same_workflow(
    learned: LearnedWorkflow, embedder: StateEmbedder
) -> None:
    """P003-7"""
    book = ScreenBook(embedder=embedder)
    session = HandMadeSession(book)
    for number in NUMBERS:
        validate(session, book, number)
    again = learn(book, embedder, session)
    assert again.workflow == learned.workflow
    assert replace(again, workflow=learned.workflow).repetitions == learned.repetitions
