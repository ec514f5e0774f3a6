"""Which question a dialog asks: what was answered in the demonstrations may be answered again, and nothing else."""

from __future__ import annotations

import pytest
from list_office import (
    VALIDATE,
    ListOffice,
    click_on,
    error_node,
    go,
    invoices,
    list_items,
    page_items,
    run,
    validating,
)

from rpa_vision.execution.dialog_questions import asked_by, question_of
from rpa_vision.execution.error_screens import ErrorScreens
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.screen_witness import WitnessedMatcher
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.execution.unknown_dialogs import dialog_texts, unknown_dialog
from rpa_vision.graph.dialog_words import DIALOG_SAYS
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import RecoveryAction, Workflow, WorkflowNode
from rpa_vision.testing.screens import AnyItem, ScreenBook, index_over
from rpa_vision.testing.scripted_desktop import Deed

BOX, YES, NO = (280, 200, 680, 380), (420, 330, 520, 360), (560, 330, 660, 360)
CLINIC = [
    "Confirmer la validation\nVoulez-vous valider la facture FAC-0-0 de Noël Rémi\n(0,0 €) ?",
    "Confirmer la validation\nVoulez-vous valider la facture FAC-0-0 de Perez\nFrançoise (0 0,0 €) ?",
]


def asking(behind: list[AnyItem], title: str, question: str) -> list[AnyItem]:
    return [
        *behind,
        ("dialog", "dialog", "", BOX),
        ("heading", "title", title, (300, 210, 500, 236)),
        ("label", "data_display", question, (300, 250, 660, 276)),
        ("button", "primary_action", "Oui", YES),
        ("button", "cancel", "Non", NO),
    ]


def forgetful(node: WorkflowNode) -> WorkflowNode:
    """As it was learned before questions were kept."""
    kept = {name: value for name, value in node.metadata.items() if name != DIALOG_SAYS}
    return node.model_copy(update={"metadata": kept})


@pytest.mark.parametrize(
    "lines",
    [
        ["Confirmer la validation", "Voulez-vous valider la facture FAC-2026-00128 de Lacroix Léa", "(368,82 €) ?"],
        ["Confirmer la validation", "Voulez-vous valider la facture", "FAC-2026-00128 de Lacroix Léa (368,82 €) ?"],
        ["Approbation", "Voulez-vous approuver la facture FAC-2026-00128 de Lacroix Léa (1 368,82 €) ?"],
        ["Confirmer la validatlon", "Voulez-vousvalider la factvre FAC-2026-00128 de lacroix léa (368,82 €) ?"],
    ],
)
def test_the_same_question_about_another_case_is_the_same_question(lines: list[str]) -> None:
    """EX-5, L4-9: other values, other line ends, other words for the same deed, words badly read"""
    assert asked_by(CLINIC).objection(lines, lines) is None
    named = [*lines[:-1], lines[-1].replace("lacroix léa", "Lacroix Léa")]
    assert asked_by(CLINIC[:1]).objection(named, named) is None


@pytest.mark.parametrize(
    "lines",
    [
        ["Confirmer la validation", "Voulez-vous supprimer la facture FAC-2026-00128 de Lacroix Léa (368,82 €) ?"],
        ["Confirmer la validation", "Voulez-vous rembourser la facture FAC-2026-00128 de Lacroix Léa (368,82 €) ?"],
        ["Confirmer la validation", "Voulez-vous valider toutes les factures de Lacroix Léa (368,82 €) ?"],
        ["Confirmer la validation", "Voulez-vous ne pas valider la facture FAC-2026-00128 de Lacroix Léa (368,82 €) ?"],
        ["Confirmer la validation"],
        ["Confirmer la validation", "Fermer la session ?"],
        [*CLINIC[0].split("\n"), "Le dossier sera clôturé."],
        [*CLINIC[0].split("\n"), "Motif de validation (obligatoire)"],
        ["Confirm validation", "Validate invoice FAC-2026-00128 of Lacroix Léa (€368.82)?"],
    ],
)
def test_another_question_is_another_one_whatever_the_title_says(lines: list[str]) -> None:
    """EX-7: other deeds, other numbers of things, more than was asked; in another language it is not known"""
    assert asked_by(CLINIC).objection(lines, lines) is not None
    assert asked_by(CLINIC[:1]).objection(lines, lines) is not None


LIVE = [
    "Supprimer définitivement cette facture ?",
    "Toutes les factures seront supprimées. Continuer ?",
    "Fermer la session ?",
]


@pytest.mark.parametrize(
    ("title", "shown", "again"),
    [
        ("Attention", "Cette facture est ancienne. Continuer ?", "Cette facture est ancienne. Continuer ?"),
        ("Attention", "Cette facture date de 30 jours. Continuer ?", "Cette facture date de 45 jours. Continuer ?"),
        ("Confirmation", "Valider cette facture ?", "Approuver cette facture ?"),
        ("Confirmation", "Valider la facture FAC-2026-00001 ?", "Valider la facture FAC-2026-00002 ?"),
    ],
)
@pytest.mark.parametrize("is_error", [True, False])
def test_a_screen_is_not_recognised_by_the_title_and_the_buttons_of_its_dialog(
    title: str, shown: str, again: str, is_error: bool
) -> None:
    """EX-7, L4-6: neither a step nor a way out answers a question nobody was shown"""
    office = ListOffice(invoices("10,00", "20,00"))
    rows = list_items(office.rows)
    office.book.draw("warn", asking(rows, title, shown), title="Factures")
    workflow = validating(office=office, more_nodes={"warn": "warn"})
    way = RecoveryAction(action="demonstrated", steps=(click_on("Oui"),))
    nodes = tuple(
        error_node(node, recovery_actions=(way,)) if is_error and node.node_id == "warn" else node
        for node in workflow.nodes
    )
    workflow = workflow.model_copy(update={"nodes": nodes})
    index = index_over(office.book, {"list": "list", "detail": "detail", "warn": "warn"})
    for learned in (workflow, workflow.model_copy(update={"nodes": tuple(map(forgetful, nodes))})):
        matcher = WitnessedMatcher(learned, index)
        for question in (*LIVE, f"Rembourser {shown[0].lower()}{shown[1:]}"):
            screen = office.book.draw("live", asking(rows, title, question), title="Factures")
            location = matcher.locate(screen)
            assert location.match is None, question
            assert ErrorScreens(learned).recognise(screen, location) is None
            assert isinstance(unknown_dialog(screen, learned), str)
    screen = office.book.draw("again", asking(rows, title, again), title="Factures")
    found = WitnessedMatcher(workflow, index).locate(screen)
    assert found.match is not None, found.suggestion()
    assert found.match.node.node_id == "warn"


def test_what_is_not_known_of_a_question_is_not_answered() -> None:
    """EX-7: learned before questions were kept, and with a number in it: nothing holds it"""
    office = ListOffice(invoices("10,00"))
    office.book.draw("warn", asking([], "Attention", "Cette facture date de 30 jours. Continuer ?"), title="Factures")
    workflow = validating(office=office, more_nodes={"warn": "warn"})
    node = next(node for node in workflow.nodes if node.node_id == "warn")
    own, lines = dialog_texts(workflow)["warn"], ["Attention", "Cette facture date de 30 jours. Continuer ?"]
    assert question_of(node, own).objection(lines, lines) is None
    assert question_of(forgetful(node), own).objection(lines, lines) is not None
    told = node.screen_template.model_copy(
        update={"occasional_texts": ("cette facture date de 12 jours. continuer ?",)}
    )
    seen = forgetful(node).model_copy(update={"screen_template": told})
    assert question_of(seen, own).objection(lines, lines) is None
    other = ["Attention", "Supprimer la facture de 30 jours. Continuer ?"]
    assert question_of(seen, own).objection(other, other) is not None


@pytest.mark.parametrize(
    ("question", "status"), [("Valider cette facture ?", "success"), (LIVE[0], "failed"), (LIVE[1], "failed")]
)
def test_a_run_answers_only_what_was_answered_before(question: str, status: str) -> None:
    """EX-7: the same title, the same buttons; « Oui » deletes"""
    office = ListOffice(invoices("10,00", "20,00"))
    office.book.draw(
        "ask", asking(page_items(office.rows[0]), "Confirmation", "Valider cette facture ?"), title="Facture"
    )
    answered: list[str] = []

    def interrupts(screen: str, deed: Deed) -> str | None:
        at = deed.at or (0, 0)
        if deed.verb == "click" and screen == "detail" and Box(*VALIDATE).contains(at) and office.open is not None:
            items = asking(page_items(office.open), "Confirmation", question)
            return office.show("ask", office.book.draw("live_ask", items, title="Facture").pixels)
        if deed.verb == "click" and screen == "ask" and Box(*YES).contains(at):
            answered.append(question)
            return office.show_list()
        return None

    office.interrupts = interrupts
    done = run(office, line(office), {"numero": "FAC-2026-00001"}, matcher=WitnessedMatcher)
    assert done.outcome.status == status, done.outcome.reason
    assert answered == ([question] if status == "success" else [])


def line(office: ListOffice) -> Workflow:
    steps = (go("E2", "detail", "ask", click_on("Valider")), go("E3", "ask", "list", click_on("Oui")))
    made = validating(*steps, office=office, more_nodes={"ask": "ask"})
    return made.model_copy(update={"edges": tuple(edge.model_copy(update={"loop": None}) for edge in made.edges)})


def test_a_target_of_a_dialog_is_not_found_in_one_that_asks_something_else(book: ScreenBook) -> None:
    """EX-7: what stood around « Oui » was a question"""
    then = book.draw("then", asking([], "Confirmation", "Valider cette facture ?"))
    target, profile = target_on(then, Box(*YES)), HealingProfile.at_level(2)
    for question, found in (("Valider cette facture ?", True), ("Approuver cette facture ?", True), (LIVE[0], False)):
        now = book.draw("now", asking([], "Confirmation", question))
        answer = TargetResolver().resolve(target, now, {}, profile, on_its_screen=True)
        assert isinstance(answer, Resolved) is found, question
