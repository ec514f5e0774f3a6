"""A list with pages, a rule by amount, a session that expires, rows of a file: run for real, judged by the clinic."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from accounts_office import SECRET, AccountsOffice, open_accounts

from rpa_vision.adapters.row_files import LocalRowFiles
from rpa_vision.adapters.storage.batches import FileBatchJournal
from rpa_vision.app import wiring
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.run_each import batch_id, planned_rows, run_each
from rpa_vision.demo.clinic.accounts_data import make_accounts
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD, DEMO_USER
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource, VariableValidation
from rpa_vision.models.workflow_graph import (
    EdgeCondition,
    Loop,
    PostConditions,
    RecoveryAction,
    Workflow,
    WorkflowEdge,
)
from rpa_vision.testing.screens import MOMENT

SCREEN = VariableSource(method="ui_element_extraction")
GIVEN = VariableSource(method="parameter")


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AccountsOffice]:
    with open_accounts(tmp_path_factory.mktemp("accounts")) as opened:
        yield opened


def click_on(label: str, kind: Any = "button", **target: Any) -> Action:
    return Action(type="mouse_click", target=TargetSpec(label=label, type=kind, **target))


def typed(label: str, text: str | None = None, secret: str | None = None) -> Action:
    kind: Any = "password_input" if secret else "text_input"
    parameters = ActionParameters(text=text, secret_ref=secret, replace_existing=True)
    return Action(type="text_input", target=TargetSpec(label=label, type=kind), parameters=parameters)


def step(edge_id: str, start: str, end: str, action: Action, *conditions: str, **fields: Any) -> WorkflowEdge:
    expected = PostConditions(expected_node=end, conditions=conditions, timeout_seconds=20.0)
    return WorkflowEdge(
        edge_id=edge_id, from_node=start, to_node=end, action=action, post_conditions=expected, **fields
    )


def document(office: AccountsOffice, workflow_id: str, nodes: Any, edges: Any, **fields: Any) -> Workflow:
    made = Workflow(
        workflow_id=workflow_id,
        name=workflow_id,
        created_at=MOMENT,
        updated_at=MOMENT,
        entry_nodes=(edges[0].from_node,),
        nodes=tuple(nodes),
        edges=tuple(edges),
        **fields,
    )
    office.data.workflows.save(made)
    return made


def slip_workflow(office: AccountsOffice, slip: str) -> Workflow:
    """For each payment of the slip that waits: open it and validate it."""
    payments = [one.number for one in make_accounts(11).payments if one.slip == slip]
    office.go_to("nav-slips", f"row:{slip}")
    office.show("slip")
    office.go_to("page-next")
    office.show("slip")
    office.go_to(f"row:{payments[-1]}")
    office.show("payment")
    office.go_to("back", "page-previous", f"row:{payments[0]}")
    office.show("payment")
    office.go_to("back")
    office.clinic.expire_sessions()
    office.go_to("nav-slips")
    office.show("expired")
    office.sign_in()
    office.go_to("nav-slips", f"row:{slip}")
    way_out = RecoveryAction(
        action="sign_in_again",
        return_to_node="slip",
        steps=(
            click_on("Se reconnecter", None),
            typed("Identifiant", DEMO_USER),
            typed("Mot de passe", secret=SECRET),
            click_on("Se connecter"),
            click_on("Bordereaux", None),
            click_on(slip, None),
        ),
    )
    name = "WF_slip"
    nodes = [
        office.node(name, "slip"),
        office.node(name, "payment"),
        office.node(name, "expired", is_error_node=True, error_type="authentication", recovery_actions=(way_out,)),
    ]
    loop = Loop(
        type="for_each",
        iterator="row",
        filter="statut == 'À valider'",
        max_iterations=50,
        variable_binding={"reglement": "row.N° règlement", "statut": "row.Statut"},
        last_edge="E2",
        next_page=click_on("Suivant", None),
    )
    edges = [
        step("E1", "slip", "payment", click_on("${reglement}", None), "text_present:Règlement ${reglement}", loop=loop),
        step("E2", "payment", "slip", click_on("Valider"), "text_appears:Règlement ${reglement} validé"),
    ]
    number = VariableValidation(regex=r"^REG-\d{4}-\d{5}$")
    return document(
        office,
        name,
        nodes,
        edges,
        end_nodes=("slip",),
        variables={
            "reglement": Variable(type="string", subtype="id", source=SCREEN, validation=number),
            "statut": Variable(type="string", source=SCREEN),
        },
    )


def test_every_waiting_payment_of_a_slip_is_validated_once_over_pages_and_an_expiry(office: AccountsOffice) -> None:
    """L4-5, L4-6, EX-7: two pages, and the session ends in the middle of it"""
    accounts = make_accounts(11)
    slip = next(
        one.number for one in accounts.slips if sum(payment.slip == one.number for payment in accounts.payments) > 8
    )
    before = {one.number: one.status.value for one in accounts.payments}
    workflow = slip_workflow(office, slip)
    begun: list[str] = []

    def on_begin(edge: WorkflowEdge, sentence: str) -> None:
        begun.append(sentence)
        if len(begun) == 4:
            office.clinic.expire_sessions()

    report = office.run(workflow, hooks=RunHooks(on_begin=on_begin), secrets={SECRET: DEMO_PASSWORD})
    assert report.status == "success", report.reason
    after = office.statuses("payments")
    meant = {one.number for one in accounts.payments if one.slip == slip and one.status.value == "to_validate"}
    assert len(meant) >= 3
    assert {number for number in after if after[number] != before[number]} == meant
    assert all(after[number] == "validated" for number in meant)
    assert report.reason.endswith(f"{len(meant)} rows done, interrupted once")
    recovered = [way for one in report.steps for way in one.recoveries]
    assert [(way.error_type, way.succeeded) for way in recovered] == [("authentication", True)]
    assert any(one.note.startswith("row ") for one in report.steps)


def claim_workflow(office: AccountsOffice) -> Workflow:
    """Open a claim, read its amount, validate it below 1000 and send it to the manager otherwise."""
    claims = make_accounts(11).claims
    office.go_to("nav-claims")
    office.show("claims")
    for claim in claims[:2]:
        office.go_to(f"row:{claim.number}")
        office.show("claim")
        office.go_to("back")
    name = "WF_claim"
    rule = EdgeCondition(type="expression", expression="montant < 1000", else_edge="E5")
    amount = Action(
        type="extract", target=TargetSpec(label="Montant"), parameters=ActionParameters(extract_to="montant")
    )
    edges = [
        step("E1", "claims", "claims", typed("Ouvrir une demande", "${demande}"), "field_contains:${demande}"),
        step("E2", "claims", "claim", click_on("Ouvrir"), "text_present:Demande ${demande}"),
        step("E3", "claim", "claim", amount),
        step("E4", "claim", "claim", click_on("Valider"), "text_appears:Demande ${demande} validée", condition=rule,
             next_edge="E6"),
        step("E5", "claim", "claim", click_on("Envoyer au responsable"), "text_appears:transmise au responsable"),
        step("E6", "claim", "claims", click_on("Remboursements", None)),
    ]  # fmt: skip
    number = VariableValidation(regex=r"^DR-\d{4}-\d{4}$")
    return document(
        office,
        name,
        [office.node(name, "claims"), office.node(name, "claim")],
        edges,
        end_nodes=("claims",),
        variables={
            "demande": Variable(type="string", subtype="id", source=GIVEN, validation=number),
            "montant": Variable(type="float", subtype="amount", source=SCREEN),
        },
    )


def test_each_row_of_a_file_goes_the_way_its_amount_says(office: AccountsOffice, tmp_path: Path) -> None:
    """L4-3, L4-4, L4-5: rows of a CSV file, a value read from the screen, a rule; done rows are not done again"""
    claims = make_accounts(11).claims
    small = [one for one in claims if not one.is_for_manager][:1]
    large = [one for one in claims if one.is_for_manager][:1]
    chosen = [*small, *large]
    workflow = claim_workflow(office)
    path = tmp_path / "demandes.csv"
    path.write_text("Demande\n" + "".join(f"{one.number}\n" for one in chosen), encoding="utf-8")
    rows, _ = planned_rows(workflow, LocalRowFiles().read(path), {}, path.name)
    journal = FileBatchJournal(office.data.files, batch_id(workflow, path.name))
    desktop = wiring.desktop(office.env["DISPLAY"])
    try:
        tools = wiring.run_tools(office.data, desktop, workflow, office.heal, office.observer)
        request = RunRequest(workflow, {}, "auto", "an integration test", 20.0)
        results = list(
            run_each(request, rows, journal, wiring.clock(), lambda one: run_workflow(one, tools, RunHooks()))
        )
        assert [one.status for one in results] == ["success", "success"], [one.reason for one in results]
        again = list(run_each(request, rows, journal, wiring.clock(), lambda one: run_workflow(one, tools, RunHooks())))
    finally:
        desktop.close()
    after = office.statuses("claims")
    expected = {one.number: "sent" if one.is_for_manager else "validated" for one in chosen}
    assert {number: status for number, status in after.items() if status != "to_validate"} == expected
    assert [one.status for one in again] == ["done_before", "done_before"]
