"""Workflows as a day should teach them, written by hand."""

from __future__ import annotations

from datetime import UTC, datetime

from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import (
    EdgeCondition,
    Loop,
    RecoveryAction,
    ScreenTemplate,
    WindowConstraints,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def click(label: str) -> Action:
    return Action(type="mouse_click", target=TargetSpec(label=label))


def type_(text: str) -> Action:
    return Action(type="text_input", target=TargetSpec(label="champ"), parameters=ActionParameters(text=text))


def press(*keys: str) -> Action:
    return Action(type="key_press", keys=keys)


def read(name: str) -> Action:
    return Action(type="extract", target=TargetSpec(label="Montant"), parameters=ActionParameters(extract_to=name))


def variable(method: str, *examples: str) -> Variable:
    return Variable(type="string", source=VariableSource(method=method), example_values=examples)


def workflow(
    name: str,
    edges: list[tuple[Action, dict[str, object]]],
    variables: dict[str, Variable],
    *,
    error: WorkflowNode | None = None,
    journal_from: int | None = None,
) -> Workflow:
    """One screen per step; from `journal_from` on the steps are in Mousepad."""
    nodes = [_node(f"n{index}", mousepad=journal_from is not None and index >= journal_from) for index in range(99)]
    nodes = nodes[: len(edges) + 1]
    steps = [
        WorkflowEdge(
            edge_id=f"e{index}", from_node=f"n{index}", to_node=f"n{index + 1}", action=action,
            metadata={"order": index}, **extra,
        )
        for index, (action, extra) in enumerate(edges)
    ]  # fmt: skip
    return Workflow(
        workflow_id=name,
        name=name,
        created_at=NOW,
        updated_at=NOW,
        variables=variables,
        entry_nodes=("n0",),
        end_nodes=(nodes[-1].node_id,),
        nodes=(*nodes, *([error] if error is not None else [])),
        edges=tuple(steps),
    )


def slips(filter_: str = "statut == 'À valider'", examples: tuple[str, ...] = ()) -> Workflow:
    loop = Loop(
        type="for_each", iterator="rows", filter=filter_, max_iterations=100, last_edge="e3",
        variable_binding={"reglement": "row.N° règlement", "statut": "row.Statut"}, next_page=click("Suivant"),
    )  # fmt: skip
    row = {name: variable("ui_element_extraction", "x") for name in ("reglement", "statut")}
    return workflow(
        "slips",
        [
            (click("Bordereaux"), {}),
            (click("${bordereau}"), {}),
            (click("${reglement}"), {"loop": loop}),
            (click("Valider"), {}),
            (click("Clôturer le bordereau"), {}),
        ],
        {"bordereau": variable("parameter", *examples), **row},
    )


def claims(expression: str = "montant < 1000", examples: dict[str, tuple[str, ...]] | None = None) -> Workflow:
    shown = examples or {}
    fork = EdgeCondition(type="expression", expression=expression, else_edge="e5")
    return workflow(
        "claims",
        [
            (click("Remboursements"), {}),
            (type_("${demande}"), {}),
            (press("ENTER"), {}),
            (read("montant"), {}),
            (click("Valider"), {"condition": fork, "next_edge": "e6"}),
            (click("Envoyer au responsable"), {}),
            (click("Retour aux demandes"), {}),
        ],
        {
            "demande": variable("parameter", *shown.get("claim", ())),
            "montant": variable("ui_element_extraction", *shown.get("amount", ())),
        },
    )


def journal(examples: dict[str, tuple[str, ...]], *, recovers: bool = True, signs_in: bool = True) -> Workflow:
    secret = Action(type="text_input", parameters=ActionParameters(secret_ref="secret_mot_de_passe"))
    steps = [click("Se reconnecter"), type_("marie.dupont"), secret, *([click("Se connecter")] if signs_in else [])]
    way_out = RecoveryAction(action="compound", steps=tuple(steps))
    expired = WorkflowNode(
        node_id="expired", label="Session expirée", is_error_node=True, error_type="authentication",
        screen_template=ScreenTemplate(stable_texts=("Session expirée, veuillez vous reconnecter",)),
        recovery_actions=(way_out,),
    )  # fmt: skip
    return workflow(
        "journal",
        [
            (click("Factures"), {}),
            (type_("${facture}"), {}),
            (press("ENTER"), {}),
            (click("${facture}"), {}),
            (read("montant"), {}),
            (Action(type="window_switch", target_app="Mousepad"), {}),
            (press("CTRL", "END"), {}),
            (type_("${facture} : ${montant}"), {}),
            (press("ENTER"), {}),
            (press("CTRL", "S"), {}),
        ],
        {
            "facture": variable("parameter", *examples["invoice"]),
            "montant": variable("ui_element_extraction", *examples["amount"]),
        },
        error=expired if recovers else None,
        journal_from=6,
    )


def _node(node_id: str, *, mousepad: bool) -> WorkflowNode:
    window = WindowConstraints(app_name_any_of=("Mousepad" if mousepad else "Chromium",))
    return WorkflowNode(node_id=node_id, label=node_id, screen_template=ScreenTemplate(window=window))
