"""A workflow by hand with everything that can be written down: variables, a fork, a loop with paging, a way out."""

from __future__ import annotations

from datetime import UTC, datetime

from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import (
    END,
    EdgeCondition,
    Loop,
    PostConditions,
    RecoveryAction,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)

MOMENT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def click(label: str, *, kind: str = "button", row: tuple[str, ...] = ()) -> Action:
    return Action(type="mouse_click", target=TargetSpec(type=kind, label=label, row_contains=row))  # type: ignore[arg-type]


def node(node_id: str, label: str) -> WorkflowNode:
    return WorkflowNode(node_id=node_id, label=label, screen_template=ScreenTemplate())


def edge(number: int, one: str, other: str, action: Action | None, **fields: object) -> WorkflowEdge:
    return WorkflowEdge(
        edge_id=f"E{number}", from_node=one, to_node=other, action=action, metadata={"order": number}, **fields
    )  # type: ignore[arg-type]


def read_variable(kind: str = "string") -> Variable:
    return Variable(type=kind, source=VariableSource(method="ui_element_extraction"), example_values=("F-1", "F-2"))  # type: ignore[arg-type]


def office_workflow() -> Workflow:
    """Search, then for each waiting invoice: approve it, above 1000 send it to the manager; log in when it expires."""
    search = Action(
        type="text_input",
        target=TargetSpec(type="text_input", label="Recherche"),
        parameters=ActionParameters(text="${mois}", replace_existing=True),
    )
    appears = PostConditions(conditions=("text_appears:Validée",))
    login = Action(type="text_input", target=TargetSpec(type="password_input", label="Mot de passe"),
                   parameters=ActionParameters(secret_ref="clinique"))  # fmt: skip
    expired = WorkflowNode(
        node_id="expired", label="Session expirée", screen_template=ScreenTemplate(), is_error_node=True,
        error_type="authentication",
        recovery_actions=(RecoveryAction(action="steps", steps=(login, click("Se connecter")), return_to_node="list"),),
    )  # fmt: skip
    return Workflow(
        workflow_id="WF_factures",
        name="Valider les factures",
        description="Learned from 5 repetitions.",
        created_at=MOMENT,
        updated_at=MOMENT,
        variables={
            "mois": Variable(
                type="string", subtype="month", source=VariableSource(method="parameter"), example_values=("mars",)
            ),
            "facture": read_variable(),
            "montant": read_variable("float"),
            "statut": read_variable(),
        },
        entry_nodes=("home",),
        end_nodes=("home",),
        nodes=(node("home", "Accueil"), node("list", "Factures"), node("detail", "Détail"), expired),
        edges=(
            edge(1, "home", "list", search),
            edge(
                2, "list", "detail", click("${facture}", kind="link"),
                loop=Loop(
                    type="for_each", iterator="Factures", filter="variables.statut == 'À valider'", max_iterations=50,
                    variable_binding={"facture": "row.N° facture", "montant": "row.Montant", "statut": "row.Statut"},
                    last_edge="E5", next_page=click("Suivant"),
                ),
            ),
            edge(3, "detail", "detail", click("Approuver"), post_conditions=appears, next_edge="E5",
                 condition=EdgeCondition(type="expression", expression="variables.montant < 1000", else_edge="E4")),
            edge(4, "detail", "detail", click("Envoyer au responsable"), next_edge="E5"),
            edge(5, "detail", "list", click("Retour", kind="link"), next_edge="E6"),
            edge(6, "list", "home", Action(type="key_press", keys=("CTRL", "HOME")), next_edge=END),
            WorkflowEdge(edge_id="X1", from_node="ANY", to_node="expired", trigger="unexpected_screen", priority=-1,
                         condition=EdgeCondition(type="screen_similarity", target_node="expired")),
        ),
    )  # fmt: skip
