"""A data directory as an office would have after months, made at once: three workflows with drawn screens and versions,
as many runs as one likes, failures, changes of state. For the dashboard's tests and pictures; nothing in it was run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.learn import keep
from rpa_vision.app.wiring import clock
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.failure_case import (
    CaseCandidate,
    CaseResolution,
    FailureCase,
    ResolverSettings,
    SearchTolerance,
)
from rpa_vision.models.frame import Pixels
from rpa_vision.models.heal_proposal import HealProof, HealProposal, TargetChange
from rpa_vision.models.heal_question import HealQuestion, QuestionCandidate
from rpa_vision.models.screen_state import ScreenState
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


def make_office(root: Path, *, runs: int = 60, seed: int = 5, days: int = 45) -> FileDataDirectory:
    """Make it. The same seed makes the same office, but for the time it ends."""
    data = FileDataDirectory(root, clock=clock())
    dice = random.Random(seed)
    with auto_heal(data, quiet=True) as heal:
        for number, task in enumerate(TASKS):
            for version in range(1, 3 - number % 2 + 1):
                keep(data, learned(task, version), heal.versions, reason=f"{3 * version} demonstrations")
        for task in TASKS:
            _history(heal, task, dice)
        for task in TASKS[:2]:
            _failure(heal, task, dice)
        _proposal(heal, TASKS[0], 3)
        _question(heal, TASKS[0])
    _runs(root, data, runs, dice, days)
    return data


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
        stats=WorkflowStats(observed_runs=6, assist_runs=8, avg_duration_seconds=48.0),
    )
    return LearnedWorkflow(workflow, 3, vectors, pictures)


def drawn(task: Task, index: int, *, moved_px: int = 0) -> Pixels:
    """A screen of the office's application."""
    width, height = SIZE
    page = np.full((height, width, 4), 255, np.uint8)
    page[:, :, :3] = _PAPER
    cv2.rectangle(page, (0, 0), (width, 56), (*task.colour, 255), -1)
    _write(page, "Clinique des Lilas", (24, 36), 0.75, (255, 255, 255), 2)
    title, button = task.screens[index]
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


def _history(heal: AutoHeal, task: Task, dice: random.Random) -> None:
    """Steps as the supervisor hears of them: mostly well, one workflow failing until it is held closer."""
    worse = 0.75 if task is TASKS[2] else 0.12
    for _ in range(24):
        step = f"E{dice.randint(1, len(task.screens) - 1)}" if worse < 0.5 else "E2"
        allowed, _ = heal.manager.should_execute_step(task.workflow_id, step)
        if not allowed:
            return
        failed = dice.random() < worse
        result = (
            ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND,
                            message="no such button on the screen", confidence=0.41)
            if failed
            else ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=round(dice.uniform(0.86, 0.99), 3),
                                 margin=0.3, execution_time_ms=900)
        )  # fmt: skip
        heal.manager.on_step_result(task.workflow_id, step, result)


def _failure(heal: AutoHeal, task: Task, dice: random.Random) -> None:
    """A case with a picture and two near candidates."""
    workflow = learned(task, 1).workflow
    edge, page, now = workflow.edges[1], drawn(task, 1, moved_px=160), clock().now()
    x1, y1, x2, y2 = BUTTON
    boxes = ((x1 - 160, y1, x2 - 160, y2), (40, 170, 300, 220))
    candidates = tuple(
        CaseCandidate(label=label, type="button", bbox=box, score=score, reasons=reasons, element_id=f"el_{number}",
                      strategy="som_text_match")
        for number, (label, box, score, reasons) in enumerate(
            (("Valider tout", boxes[0], 0.69, ("says nearly the same", "moved 160 px to the left")),
             (f"{task.prefix}0012", boxes[1], 0.31, ("same column",))))
    )  # fmt: skip
    case = FailureCase(
        case_id=f"case_{dice.getrandbits(60):015x}",
        workflow_id=task.workflow_id,
        workflow_version=1,
        step_id=edge.edge_id,
        failure_kind=FailureKind.LOW_CONFIDENCE,
        result=ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.LOW_CONFIDENCE,
                               message="the best candidate « Valider tout » is not sure enough (0.69 < 0.72)"),
        expected="« Valider »",
        observed="« Valider tout »",
        edge=edge,
        screen_state=_state(now),
        resolution=CaseResolution(
            outcome="not_found", message="not sure enough", candidates=candidates,
            tolerance=SearchTolerance(min_ratio=0.72, pad_mul=1.7, expand_roles=True, attempt_level=2),
            settings=ResolverSettings(min_score=0.72, min_margin=0.08),
        ),
        first_seen=now - timedelta(days=2),
        last_seen=now - timedelta(hours=3),
        occurrences=4,
    )  # fmt: skip
    look = drawn(task, 1)[y1:y2, x1:x2]
    heal.failure_store.save(case, screen=_png(page), look=_png(np.ascontiguousarray(look)))


def _proposal(heal: AutoHeal, task: Task, version: int) -> None:
    """A button that says something else by now, and worked in three runs."""
    workflow, now = learned(task, version).workflow, clock().now()
    edge = workflow.edges[1]
    assert edge.action is not None
    assert edge.action.target is not None
    before = edge.action.target
    x1, y1, x2, y2 = BUTTON
    crops = [
        _png(np.ascontiguousarray(drawn(task, 1, moved_px=moved)[y1:y2, x1 - moved : x2 - moved])) for moved in (0, 160)
    ]
    proofs = tuple(
        HealProof(run_id=f"run_{number:016x}", at=now, strategy="spatial_anchor", score=0.84, healing_level=1)
        for number in range(3)
    )
    proposal = HealProposal(
        proposal_id="proposal_office",
        workflow_id=task.workflow_id,
        workflow_version=version,
        edge_id=edge.edge_id,
        step=f"Click the button « {before.label} »",
        created_at=now - timedelta(hours=5),
        updated_at=now - timedelta(hours=1),
        changes=(TargetChange(kind="label", before=before.label or "", after="Approuver"),),
        before=before,
        after=before.model_copy(update={"aliases": ("Approuver",)}),
        is_found_again=True,
        verified_runs=3,
        proofs=proofs,
    )
    heal.proposals.store.save(proposal, {"before": crops[0], "after": crops[1]})


def _question(heal: AutoHeal, task: Task) -> None:
    """A run that does not know which button is meant."""
    x1, y1, x2, y2 = BUTTON
    now = clock().now()
    question = HealQuestion(
        question_id="question_office",
        run_id="run_00000000000000aa",
        workflow_id=task.workflow_id,
        workflow_name=task.name,
        edge_id="E2",
        step="Click the button « Valider »",
        why="two candidates are as good as each other (0.69 and 0.66)",
        asked_at=now,
        expires_at=now + timedelta(hours=1),
        screen_size=SIZE,
        candidates=(
            QuestionCandidate(
                number=1, label="Valider tout", type="button", bbox=(x1 - 160, y1, x2 - 160, y2), score=0.69
            ),
            QuestionCandidate(number=2, label="Valider", type="button", bbox=(x1, y1, x2, y2), score=0.66),
        ),
    )
    heal.questions.store.ask(question, _png(drawn(task, 1, moved_px=160)))


def _state(now: datetime) -> ScreenState:
    return ScreenState.from_json(
        {
            "screen_state_id": "screen_office",
            "timestamp": now.isoformat(),
            "session_id": "office",
            "window": {"title": "Clinique des Lilas", "app_name": "chromium", "screen_resolution": list(SIZE)},
            "raw": {"screenshot_path": "screens/office.png", "capture_method": "mss", "file_size_bytes": 1},
            "perception": {
                "embedding": {"provider": "office", "vector_id": "embeddings/screens/office.npy", "dimensions": 8},
                "detected_text": [],
                "text_detection_method": "none",
                "confidence_avg": 0.0,
            },
            "context": {},
        },
        where="office",
    )


def _png(page: Pixels) -> bytes:
    return bytes(cv2.imencode(".png", page)[1])


def _runs(root: Path, data: FileDataDirectory, count: int, dice: random.Random, days: int) -> None:
    """Reports, the newest today. Only the last few have pictures: ten thousand would fill the disk."""
    now = clock().now()
    moments = sorted((now - timedelta(seconds=dice.uniform(60, days * 86_400)) for _ in range(count)), reverse=True)
    shots = {task.workflow_id: [_jpeg(drawn(task, index)) for index in range(len(task.screens))] for task in TASKS}
    for number, (moment, report) in enumerate(zip(moments, _reports(dice), strict=False)):
        run_id, steps = f"run_{dice.getrandbits(64):016x}", report["steps"]
        report |= {"run_id": run_id, "started_at": moment.isoformat(),
                   "ended_at": (moment + timedelta(seconds=report["duration_s"])).isoformat()}  # fmt: skip
        folder = root / "runs" / run_id
        (folder / "pictures").mkdir(parents=True)
        if number < 5:
            for step in steps:
                name = f"step_{step['index'] + 1:02d}_before"
                picture = shots[report["workflow_id"]][step["index"]]
                step["screenshot_before"] = data.runs.save_picture(run_id, f"{name}.jpg", picture)
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
        (folder / "report.html").write_text(
            f"<!doctype html><title>{run_id}</title><h1>{run_id}</h1>", encoding="utf-8"
        )


def _reports(dice: random.Random) -> Iterator[JsonObject]:
    while True:
        task = dice.choices(TASKS, (6, 3, 1))[0]
        luck, last = dice.random(), len(task.screens) - 1
        status = "success" if luck < 0.93 else ("halted" if luck < 0.98 else ("failed" if luck < 0.995 else "blocked"))
        done = last if status == "success" else dice.randint(1, last)
        steps: list[JsonObject] = []
        for index in range(done):
            good = status == "success" or index < done - 1
            healed = dice.random() < 0.04
            sure = round(dice.uniform(0.76, 0.86) if healed else dice.uniform(0.9, 1.0), 3) if good else 0.61
            box = list(BUTTON)
            candidate = {"label": task.screens[index][1], "type": "button", "bbox": box, "score": sure,
                         "reasons": ["says the same", "same role"]}  # fmt: skip
            steps.append({
                "index": index, "edge_id": f"E{index + 1}", "action": "mouse_click",
                "description": f"Click the button « {task.screens[index][1]} »",
                "status": "success" if good else "failed", "reason": "" if good else "not sure enough (0.61 < 0.72)",
                "strategy": dice.choices(("som_text_match", "spatial_anchor", "anchor_template"), (8, 1, 1))[0],
                "score": sure, "chosen": candidate, "runner_up": {**candidate, "label": "Annuler", "score": 0.2},
                "point": [(box[0] + box[2]) // 2, (box[1] + box[3]) // 2], "healing_level": int(healed),
                "duration_ms": round(dice.uniform(600, 1800), 1), "verified": good,
                "expected": task.screens[index + 1][0], "observed": task.screens[index + 1][0] if good else "",
                "timing_ms": {"look": 210.0, "resolve": 12.0}, "recoveries": [], "extracted": {}, "note": "",
            })  # fmt: skip
        reason = f"all {done} steps verified" if status == "success" else f"step {done}: not sure enough (0.61 < 0.72)"
        yield {
            "schema_version": "run_v1", "workflow_id": task.workflow_id, "workflow_name": task.name,
            "workflow_version": 1,
            "mode": "auto", "status": status, "reason": reason, "authorised_because": "pilot",
            "parameters": {task.variable: f"{task.prefix}{dice.randint(1, 9999):04d}"},
            "duration_s": round(sum(step["duration_ms"] for step in steps) / 1000 + 0.4, 2), "steps": steps,
            "values": {}, "input_sent": True,
        }  # fmt: skip


def _jpeg(page: Pixels) -> bytes:
    return bytes(cv2.imencode(".jpg", np.ascontiguousarray(page[:, :, :3]))[1])
