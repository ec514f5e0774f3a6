"""Screens that interrupt become error nodes with the way out that was shown."""

from __future__ import annotations

import pytest
from clinic_by_hand import middle
from office_by_hand import BACK, OK, SEARCH, VALIDATE, Invoice, Office, learn, page_items, row_box

from rpa_vision.app.procedure import as_text, procedure_of
from rpa_vision.graph.dialog_words import DIALOG_SAYS
from rpa_vision.graph.error_nodes import WAYS_OUT_DIFFER
from rpa_vision.graph.interruptions import interruption
from rpa_vision.graph.plan import problems_of
from rpa_vision.models.workflow_graph import ANY_NODE, Workflow
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook, screen_state

USER, SECRET, LOGIN = (300, 200, 600, 230), (300, 260, 600, 290), (300, 320, 600, 360)


def expired(office: Office, one: Invoice) -> str:
    items: list[AnyItem] = [
        *page_items(one),
        ("dialog", "dialog", "Session expirée", (320, 240, 640, 420)),
        ("heading", "title", "Session expirée", (340, 260, 600, 284)),
        ("button", "ok_button", "Se reconnecter", OK),
    ]
    return office.draw(items, "Facture - Office")


def login(office: Office, user: str = "") -> str:
    items: list[AnyItem] = [
        ("heading", "title", "Connexion", (300, 120, 500, 150)),
        Item("text_input", "form_input", "Identifiant", USER, value=user),
        ("password_input", "form_input", "Mot de passe", SECRET),
        ("button", "submit", "Se connecter", LOGIN),
    ]
    return office.draw(items, "Connexion - Office")


def interrupted_go(office: Office, one: Invoice, user: str = "marie", *, types_user: bool = True) -> None:
    """The session expires on the page of the invoice; after logging in again the page is shown."""
    session = office.session
    empty, typed = office.list([one], search=""), office.list([one], search=one.number)
    notice = expired(office, one)
    session.click(empty, middle(SEARCH))
    session.type(empty, one.number, after=typed)
    session.click(typed, middle(row_box(0)), after=notice)
    filled = login(office, user)
    form = login(office) if types_user else filled
    session.click(notice, middle(OK), after=form)
    if types_user:
        session.click(form, middle(USER))
        session.type(form, user, after=filled)
    session.click(filled, middle(SECRET))
    session.secret(filled, "clinic_password")
    page, done = office.page(one), office.page(one, "validée")
    session.click(filled, middle(LOGIN), after=page)
    session.click(page, middle(VALIDATE), after=done)
    session.click(done, middle(BACK), after=office.list([one], search=""))


@pytest.fixture(scope="module")
def workflow(embedder) -> Workflow:  # type: ignore[no-untyped-def]
    office = Office(ScreenBook(embedder=embedder))
    for number in range(11, 17):
        one = Invoice(f"FAC-2026-0{number}")
        if number == 14:
            interrupted_go(office, one)
        else:
            office.one_invoice(one)
    return learn(office).workflow


def test_what_interrupts_is_no_step_of_the_task(workflow: Workflow) -> None:
    """L4-6"""
    steps = [edge for edge in workflow.edges if edge.from_node != ANY_NODE]
    assert len(steps) == 4
    assert workflow.stats.observed_runs == 6
    assert problems_of(workflow) == []


def test_the_way_out_is_kept_with_the_secret_as_a_reference(workflow: Workflow) -> None:
    """L4-6, L0-7"""
    (error,) = [node for node in workflow.nodes if node.is_error_node]
    assert (error.error_type, error.label) == ("authentication", "Session expirée")
    assert error.screen_template.required_text_any == ("Session expirée", "Se reconnecter")
    (recovery,) = error.recovery_actions
    assert recovery.steps is not None
    told = [(step.type, step.target.label if step.target else None) for step in recovery.steps]
    assert told == [
        ("mouse_click", "Se reconnecter"),
        ("text_input", "Identifiant"),
        ("text_input", "Mot de passe"),
        ("mouse_click", "Se connecter"),
    ]
    assert recovery.steps[1].parameters.text == "marie"
    assert recovery.steps[2].parameters.secret_ref == "clinic_password"
    validate = next(edge for edge in workflow.edges if edge.action and edge.action.target
                    and edge.action.target.label == "Valider")  # fmt: skip
    assert recovery.return_to_node == validate.from_node


def test_what_was_typed_otherwise_each_time_is_not_replayed(embedder) -> None:  # type: ignore[no-untyped-def]
    """L4-6, EX-7: only a person can say what it is the next time"""
    office = Office(ScreenBook(embedder=embedder))
    for number in range(11, 17):
        one = Invoice(f"FAC-2026-0{number}")
        if number in (13, 15):
            interrupted_go(office, one, user="marie" if number == 13 else "jeanne")
        else:
            office.one_invoice(one)
    learned = learn(office).workflow
    (error,) = [node for node in learned.nodes if node.is_error_node]
    steps = error.recovery_actions[0].steps
    assert steps is not None
    name = "N_error_1_2_identifiant"
    assert steps[1].parameters.text == f"${{{name}}}"
    asked = learned.variables[name]
    assert (asked.source.method, asked.required, asked.example_values) == ("parameter", False, ())
    assert not {"marie", "jeanne"} & set(str(steps).replace("'", " ").split())
    assert problems_of(learned) == []


def test_it_is_recognised_from_anywhere_and_counted(workflow: Workflow) -> None:
    """L4-6"""
    (anywhere,) = [edge for edge in workflow.edges if edge.from_node == ANY_NODE]
    assert (anywhere.trigger, anywhere.priority) == ("unexpected_screen", -1)
    assert anywhere.condition is not None
    assert anywhere.condition.target_node == anywhere.to_node
    assert workflow.stats.errors_by_type == {"authentication": 1}
    assert workflow.stats.error_count == 1
    assert workflow.stats.recovery_success_rate == 1.0
    assert [one.to_node for one in workflow.stats.error_transitions] == [anywhere.to_node]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Session expirée", "authentication"),
        ("Your session has expired", "authentication"),
        ("Erreur inattendue", "generic"),
        ("Validation impossible", "business_logic"),
        ("Server unavailable", "network"),
        ("Délai dépassé", "timeout"),
        ("Confirmer la validation", None),
        ("Liste des factures", None),
    ],
)
def test_trouble_is_told_by_what_a_dialog_says(said: str, kind: str | None) -> None:
    """L4-6"""
    state = screen_state(
        [("dialog", "dialog", said, (100, 100, 400, 300)), ("heading", "title", said, (120, 120, 380, 150))]
    )
    assert interruption(state) == kind


LEFT_BUTTON, RIGHT_BUTTON = (320, 360, 440, 400), (480, 360, 620, 400)
LOCKED, FULL = "Le document est verrouillé", "Le disque est plein"


def learned_with(embedder, *errors: tuple[int, str, tuple[int, int, int, int]]) -> Workflow:  # type: ignore[no-untyped-def]
    """Ten goes; before the last step of some of them an error comes up: which, and which button was pressed."""
    office = Office(ScreenBook(embedder=embedder))
    session = office.session
    said = {go: (text, button) for go, text, button in errors}
    for go in range(10):
        one = Invoice(f"FAC-2026-0{go + 11}", amount=f"{100 + 37 * go},00 €")
        empty, typed = office.list([one], search=""), office.list([one], search=one.number)
        page, done = office.page(one), office.page(one, "validée")
        session.click(empty, middle(SEARCH))
        session.type(empty, one.number, after=typed)
        session.click(typed, middle(row_box(0)), after=page)
        if go in said:
            text, button = said[go]
            items: list[AnyItem] = [
                *page_items(one),
                ("dialog", "dialog", "Erreur", (300, 200, 660, 420)),
                ("heading", "title", "Erreur", (320, 220, 600, 244)),
                ("label", "x", text, (320, 270, 640, 292)),
                ("button", "ok_button", "Ignorer", LEFT_BUTTON),
                ("button", "cancel", "Annuler", RIGHT_BUTTON),
            ]
            session.click(office.draw(items, "Facture - Office"), middle(button), after=page)
        session.click(page, middle(VALIDATE), after=done)
        session.click(done, middle(BACK), after=office.list([one], search=""))
    return learn(office).workflow


def ways_out(workflow: Workflow) -> dict[str, list[str | None]]:
    """What each error says, and what is clicked to get out of it."""
    return {
        str(node.metadata[DIALOG_SAYS]): [
            step.target.label for way in node.recovery_actions for step in way.steps or () if step.target is not None
        ]
        for node in workflow.nodes
        if node.is_error_node
    }


def test_two_errors_of_one_look_have_two_ways_out(embedder) -> None:  # type: ignore[no-untyped-def]
    """L4-6, EX-7: what was ignored twice is not the disk that is full"""
    learned = learned_with(embedder, (2, LOCKED, LEFT_BUTTON), (4, LOCKED, LEFT_BUTTON), (7, FULL, RIGHT_BUTTON))
    assert ways_out(learned) == {f"['Erreur\\n{LOCKED}']": ["Ignorer"], f"['Erreur\\n{FULL}']": ["Annuler"]}
    assert problems_of(learned) == []
    assert learned.stats.error_count == 3


def test_one_error_left_in_two_ways_has_none_that_is_taken(embedder) -> None:  # type: ignore[no-untyped-def]
    """L4-6: contradictory demonstrations are a question, whatever was shown more often or last"""
    learned = learned_with(embedder, (2, LOCKED, LEFT_BUTTON), (4, LOCKED, LEFT_BUTTON), (7, LOCKED, RIGHT_BUTTON))
    (error,) = [node for node in learned.nodes if node.is_error_node]
    assert error.recovery_actions == ()
    assert error.metadata[WAYS_OUT_DIFFER] == ["Ignorer", "Annuler"]
    told = as_text(procedure_of(learned))
    assert any("different ways (Ignorer; Annuler): a person has to choose" in line for line in told), told


def test_a_file_that_is_quoted_or_a_name_makes_no_other_error(embedder) -> None:  # type: ignore[no-untyped-def]
    """L4-6"""
    said = [f"Le dossier 12 de {name} est verrouillé" for name in ("Anne", "Hugo")]
    learned = learned_with(embedder, (2, said[0], LEFT_BUTTON), (7, said[1], LEFT_BUTTON))
    assert list(ways_out(learned).values()) == [["Ignorer"]]


def test_how_a_password_is_sent_makes_no_other_way_out(embedder) -> None:  # type: ignore[no-untyped-def]
    """L4-6: the user name stood there already the second time"""
    office = Office(ScreenBook(embedder=embedder))
    for number in range(11, 18):
        one = Invoice(f"FAC-2026-0{number}")
        if number in (13, 15, 16):
            interrupted_go(office, one, types_user=number != 15)
        else:
            office.one_invoice(one)
    (error,) = [node for node in learn(office).workflow.nodes if node.is_error_node]
    (recovery,) = error.recovery_actions
    assert len(recovery.steps or ()) == 4
