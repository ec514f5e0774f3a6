"""A workflow reads like a procedure, in two languages, and can be handed on as Markdown and BPMN."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

import pytest
from office_workflow import office_workflow

from rpa_vision.app.bpmn import BPMN, bpmn_of
from rpa_vision.app.procedure import as_text, procedure_of
from rpa_vision.app.sop import plain, sop_of
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.action import Action
from rpa_vision.models.guidance import Language
from rpa_vision.models.workflow_graph import PostConditions, Workflow


@pytest.fixture(scope="module")
def workflow() -> Workflow:
    return office_workflow()


def test_a_workflow_reads_like_a_procedure(workflow: Workflow) -> None:
    """UX-6, L4-4, L4-5, L4-6"""
    lines = as_text(procedure_of(workflow))
    begin = lines.index("On the screen “Accueil”:")
    assert lines[begin:] == [
        "On the screen “Accueil”:",
        "  1. Replace what the field “Recherche” holds by “{mois}”",
        "For each row of “Factures” where statut == 'À valider':",
        "  Take from the row: “facture” is read from “N° facture”, “montant” is read from “Montant”, "
        "“statut” is read from “Statut”.",
        "  At most 50 rows.",
        "  On the screen “Factures”:",
        "    2. Click the link “{facture}”",
        "  If montant < 1000:",
        "    On the screen “Détail”:",
        "      3. Click the button “Approuver”",
        "           Expect « Validée » to appear.",
        "  Otherwise:",
        "    On the screen “Détail”:",
        "      4. Click the button “Envoyer au responsable”",
        "  On the screen “Détail”:",
        "    5. Click the link “Retour”",
        "  When no rows are left on the page: Click the button “Suivant”",
        "On the screen “Factures”:",
        "  6. Press CTRL+HOME",
        "If something comes up",
        "  Whenever the screen “Session expirée” appears (authentication):",
        "    Type the secret “clinique” into the field “Mot de passe”.",
        "    Click the button “Se connecter”.",
        "    Then go on at “Factures”.",
    ]


def test_it_reads_in_french_too(workflow: Workflow) -> None:
    """UX-6"""
    text = "\n".join(as_text(procedure_of(workflow, "fr")))
    for words in (
        "Pour chaque ligne de « Factures » où statut == 'À valider' :",
        "Si montant < 1000 :",
        "Sinon :",
        "Cliquer sur le bouton « Approuver »",
        "Ensuite : « Validée » apparaît.",
        "À tout moment, si l’écran « Session expirée » apparaît (authentification) :",
        "donné avant l’exécution, par exemple mars",
    ):
        assert words in text


def test_a_key_that_leads_to_another_screen_tells_what_is_expected(workflow: Workflow) -> None:
    """UX-6: no words were learned of it, so that the screen itself is the proof."""
    update = {
        "action": Action(type="key_press", keys=("ENTER",)),
        "post_conditions": PostConditions(expected_node="home"),
    }
    edges = [edge.model_copy(update=update) if edge.edge_id == "E6" else edge for edge in workflow.edges]
    changed = workflow.model_copy(update={"edges": tuple(edges)})
    lines = as_text(procedure_of(changed)) + as_text(procedure_of(changed, "fr"))
    at = [number for number, line in enumerate(lines) if "ENTER" in line or "Entrée" in line]
    assert [lines[number + 1].strip() for number in at] == [
        "Expect the screen “Accueil”.",
        "Ensuite : l’écran « Accueil ».",
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_step_is_told_once_whatever_the_language(workflow: Workflow, language: Language) -> None:
    """UX-6: nothing is left out and nothing said twice"""
    told = [line.edge.edge_id for line in procedure_of(workflow, language).steps if line.edge is not None]
    assert told == ["E1", "E2", "E3", "E4", "E5", "E6"]


def test_a_workflow_whose_steps_lead_nowhere_is_listed_with_what_is_wrong(workflow: Workflow) -> None:
    """UX-6"""
    edges = tuple(edge for edge in workflow.edges if edge.edge_id not in ("E5", "X1"))
    lost = [edge.model_copy(update={"next_edge": None, "loop": None}) for edge in edges]
    broken = workflow.model_copy(update={"edges": tuple(lost), "end_nodes": ("list",)})
    procedure = procedure_of(broken)
    assert procedure.problems
    assert sum(line.number is not None for line in procedure.steps) == 5
    with pytest.raises(UsageError, match="do not make a process"):
        bpmn_of(broken)


def no_picture(path: str) -> bytes:
    raise UnknownIdError(path)


def test_markdown_has_every_step_and_survives_missing_pictures(workflow: Workflow) -> None:
    """UX-6"""
    document = sop_of(workflow, no_picture, folder="x.files")
    assert document.pictures == {}
    assert document.markdown.startswith("# Valider les factures\n")
    for number in range(1, 7):
        assert f"- **{number}.** " in document.markdown
    assert "\\{mois\\}" in document.markdown


def test_what_people_wrote_is_never_markup() -> None:
    assert plain("a *b* <img src=x> [c](d)\n# e") == r"a \*b\* \<img src=x\> \[c\](d) \# e"


def elements(parent: Xml.Element) -> list[Xml.Element]:
    return [one for one in parent.iter() if one.get("id") is not None]


def test_bpmn_is_a_sound_process(workflow: Workflow) -> None:
    """Issue 5: BPMN 2.0, valid in its structure"""
    root = Xml.fromstring(bpmn_of(workflow))
    assert root.tag == f"{{{BPMN}}}definitions"
    ids = [one.get("id") for one in elements(root)]
    assert len(set(ids)) == len(ids)
    parents = {child: parent for parent in root.iter() for child in parent}
    by_id = {one.get("id"): one for one in elements(root)}
    for flow in root.iter(f"{{{BPMN}}}sequenceFlow"):
        ends = [by_id[flow.get(key)] for key in ("sourceRef", "targetRef")]
        assert {parents[end] for end in ends} == {parents[flow]}, "a flow never crosses the border of a subprocess"
        assert flow.get("id") in [one.text for one in ends[0].findall(f"{{{BPMN}}}outgoing")]
        assert flow.get("id") in [one.text for one in ends[1].findall(f"{{{BPMN}}}incoming")]
    for level in [root.find(f"{{{BPMN}}}process"), *root.iter(f"{{{BPMN}}}subProcess")]:
        assert level is not None
        starts, ends = level.findall(f"{{{BPMN}}}startEvent"), level.findall(f"{{{BPMN}}}endEvent")
        assert (len(starts), len(ends)) == (1, 1)
        reached, due = set[str | None](), [starts[0].get("id")]
        flows = level.findall(f"{{{BPMN}}}sequenceFlow")
        while due:
            here = due.pop()
            reached.add(here)
            due += [
                f.get("targetRef") for f in flows if f.get("sourceRef") == here and f.get("targetRef") not in reached
            ]
        nodes = {
            one.get("id")
            for one in level
            if one.tag != f"{{{BPMN}}}sequenceFlow" and one.get("id") and one.get("triggeredByEvent") is None
        }
        assert nodes == reached
    gateway = root.find(f".//{{{BPMN}}}exclusiveGateway")
    assert gateway is not None
    assert gateway.get("default") in [one.text for one in gateway.findall(f"{{{BPMN}}}outgoing")]
    loop = root.find(f".//{{{BPMN}}}multiInstanceLoopCharacteristics")
    assert loop is not None


def test_bpmn_children_come_in_the_order_of_the_standard(workflow: Workflow) -> None:
    """Issue 5: documentation, flows in and out, loop, then what is inside"""
    order = ["documentation", "incoming", "outgoing", "multiInstanceLoopCharacteristics"]
    for one in Xml.fromstring(bpmn_of(workflow)).iter(f"{{{BPMN}}}subProcess"):
        names = [child.tag.removeprefix(f"{{{BPMN}}}") for child in one]
        head = [name for name in names if name in order]
        assert names[: len(head)] == head
        assert [order.index(name) for name in head] == sorted(order.index(name) for name in head)


def test_what_xml_cannot_hold_does_not_break_it(workflow: Workflow) -> None:
    odd = workflow.model_copy(update={"name": "a\x00b <&> \ufffe"})
    Xml.fromstring(bpmn_of(odd))
