"""The tasks of the generated office: three workflows with screens that are drawn, as learning would give them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import cv2
import numpy as np

from rpa_vision.app.wiring import clock
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.frame import Pixels
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.target import TargetLook, TargetSpec
from rpa_vision.models.variables import VariableSource
from rpa_vision.models.workflow_graph import (
    EdgeStats,
    EmbeddingPrototype,
    PostConditions,
    ScreenSample,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.models.workflow_standing import LearningConfig, WorkflowStats

SIZE = (1280, 800)
BUTTON = (1010, 96, 1190, 140)
_INK, _LINE, _PAPER = (52, 38, 32), (228, 222, 218), (250, 248, 246)


@dataclass(frozen=True, slots=True)
class Task:
    """A workflow of the office: its screens, and the button of each that leads to the next."""

    workflow_id: str
    name: str
    variable: str
    prefix: str
    screens: tuple[tuple[str, str], ...]
    colour: tuple[int, int, int]


TASKS = (
    Task("WF_factures", "Validation des factures", "facture", "FAC-2026-",
         (("Factures", "Rechercher"), ("Facture", "Valider"), ("Confirmation", "Confirmer"), ("Facture validée", "")),
         (172, 84, 66)),
    Task("WF_remboursements", "Remboursements", "demande", "DR-2026-",
         (("Demandes", "Ouvrir"), ("Demande", "Approuver"), ("Demande traitée", "")), (96, 140, 40)),
    Task("WF_rendez_vous", "Prise de rendez-vous", "patient", "PAT-",
         (("Agenda", "Nouveau"), ("Rendez-vous", "Enregistrer"), ("Rappel", "Envoyer"), ("Agenda à jour", "")),
         (60, 96, 200)),
)  # fmt: skip


def learned(task: Task, version: int) -> LearnedWorkflow:
    """A workflow as learning would give it, with pictures of its screens and targets."""
    space = EmbeddingSpace(id="office-8", dimensions=8, provider="office")
    where, now = f"workflows/{task.workflow_id}", clock().now() - timedelta(days=40 - 10 * version)
    vectors, pictures, nodes, edges = {}, {}, [], []
    for index, (title, button) in enumerate(task.screens):
        node_id, edge_id = f"N{index + 1}", f"E{index + 1}"
        vector_id, shot = (
            f"{where}/prototypes/{node_id}_v{version:03d}.npy",
            f"{where}/screens/{node_id}_v{version:03d}.png",
        )
        vectors[vector_id] = np.random.default_rng(index + version).random(8, np.float32) + np.float32(0.1)
        page = drawn(task, index)
        pictures[shot] = page
        prototype = EmbeddingPrototype(
            vector_id=vector_id, min_cosine_similarity=0.8, sample_count=6, space=space,
            samples=(ScreenSample(image_path=shot),),
        )  # fmt: skip
        texts = (title, button) if button else (title,)
        template = ScreenTemplate(embedding_prototype=prototype, stable_texts=texts)
        nodes.append(WorkflowNode(node_id=node_id, label=title, screen_template=template))
        if button:
            look = f"{where}/targets/{edge_id}_v{version:03d}.png"
            x1, y1, x2, y2 = BUTTON
            pictures[look] = np.ascontiguousarray(page[y1:y2, x1:x2])
            spec = TargetSpec(type="button", role="validate", label=button,
                              look=TargetLook(image_path=look, size=(x2 - x1, y2 - y1)))  # fmt: skip
            first = index == 0
            action = (
                Action(type="text_input", target=TargetSpec(type="text_input", role="search", label=task.variable),
                       parameters=ActionParameters(text="${" + task.variable + "}"))
                if first and version > 1
                else Action(type="mouse_click", target=spec)
            )  # fmt: skip
            edges.append(
                WorkflowEdge(
                    edge_id=edge_id,
                    from_node=node_id,
                    to_node=f"N{index + 2}",
                    action=action,
                    post_conditions=PostConditions(conditions=(f"text_appears:{task.screens[index + 1][0]}",)),
                    stats=EdgeStats(auto_executions=40, success_count=38, failure_count=2),
                )
            )
    examples = [f"{task.prefix}{number:04d}" for number in (12, 48, 107)]
    workflow = Workflow(
        workflow_id=task.workflow_id,
        name=task.name,
        description=f"{task.name}, {len(edges)} étapes",
        version=version,
        learning_state="COACHING",
        learning=LearningConfig(state="COACHING"),
        created_at=now,
        updated_at=now,
        applications=("chromium",),
        variables={task.variable: infer_variable(examples, VariableSource(method="parameter"))},
        entry_nodes=("N1",),
        end_nodes=(f"N{len(nodes)}",),
        nodes=tuple(nodes),
        edges=tuple(edges),
        metadata={"sessions": [f"sess_office_{task.variable}"]},
        stats=WorkflowStats(observed_runs=6, assist_runs=8, avg_duration_seconds=48.0),
    )
    return LearnedWorkflow(workflow, 3, vectors, pictures)


def drawn(task: Task, index: int, *, moved_px: int = 0, button: str = "") -> Pixels:
    """A screen of the office's application, with its own button or one that is called otherwise."""
    width, height = SIZE
    page = np.full((height, width, 4), 255, np.uint8)
    page[:, :, :3] = _PAPER
    cv2.rectangle(page, (0, 0), (width, 56), (*task.colour, 255), -1)
    _write(page, "Clinique des Lilas", (24, 36), 0.75, (255, 255, 255), 2)
    title, own = task.screens[index]
    button = button or own
    _write(page, title, (40, 124), 1.0, _INK, 2)
    for row in range(9):
        top = 170 + row * 60
        cv2.rectangle(page, (40, top), (width - 90, top + 50), (255, 255, 255, 255), -1)
        cv2.rectangle(page, (40, top), (width - 90, top + 50), (*_LINE, 255), 1)
        _write(page, f"{task.prefix}{12 + row * 7:04d}", (60, top + 32), 0.6, task.colour, 1)
        _write(page, f"{180 + row * 37},50 EUR", (620, top + 32), 0.6, _INK, 1)
    if button:
        x1, y1, x2, y2 = BUTTON
        cv2.rectangle(page, (x1 - moved_px, y1), (x2 - moved_px, y2), (*task.colour, 255), -1)
        _write(page, button, (x1 + 24 - moved_px, y1 + 29), 0.65, (255, 255, 255), 2)
    return page


def _write(page: Pixels, text: str, at: tuple[int, int], size: float, ink: tuple[int, int, int], weight: int) -> None:
    plain = text.translate(str.maketrans("éèàùç", "eeauc"))
    cv2.putText(page, plain, at, cv2.FONT_HERSHEY_SIMPLEX, size, (*ink, 255), weight, cv2.LINE_AA)


def png(page: Pixels) -> bytes:
    return bytes(cv2.imencode(".png", page)[1])
