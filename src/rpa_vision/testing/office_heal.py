"""What happened in the generated office: steps that failed, a failure case, heals to decide about, a lost run."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import numpy as np

from rpa_vision.app.wiring import clock
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.failure_case import (
    CaseCandidate,
    CaseResolution,
    FailureCase,
    ResolverSettings,
    SearchTolerance,
)
from rpa_vision.models.heal_proposal import HealProof, HealProposal, TargetChange
from rpa_vision.models.heal_question import HealQuestion, QuestionCandidate
from rpa_vision.models.maturity import CountedRun, RunWay
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.workflow_graph import (
    Workflow,
)
from rpa_vision.testing.office_tasks import BUTTON, SIZE, TASKS, Task, drawn, learned, png


def history(heal: AutoHeal, task: Task, dice: random.Random) -> None:
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


def failure(heal: AutoHeal, task: Task, dice: random.Random) -> None:
    """A case with a picture and two near candidates."""
    workflow = learned(task, 1).workflow
    edge, page, now = workflow.edges[1], drawn(task, 1, moved_px=160), clock().now()
    x1, y1, x2, y2 = BUTTON
    boxes = ((x1 - 160, y1, x2 - 160, y2), (40, 170, 300, 220))
    candidates = tuple(
        CaseCandidate(label=label, type="button", bbox=box, score=score, reasons=reasons, element_id=f"el_{number}",
                      strategy="som_text_match")
        for number, (label, box, score, reasons) in enumerate(
            (("Valider tout", boxes[0], 0.69, ("says « Valider tout »", "is a button (validate)")),
             (f"{task.prefix}0012", boxes[1], 0.31, ("is about where it was (0.31)",))))
    )  # fmt: skip
    lost = f"the button « {task.screens[1][1]} » is not on the screen; nearest: « Valider tout » (0.69, 0.72 is needed)"
    case = FailureCase(
        case_id=f"case_{dice.getrandbits(60):015x}",
        workflow_id=task.workflow_id,
        workflow_version=1,
        step_id=edge.edge_id,
        failure_kind=FailureKind.LOW_CONFIDENCE,
        result=ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.LOW_CONFIDENCE,
                               message=lost),
        edge=edge,
        screen_state=_state(now),
        resolution=CaseResolution(
            outcome="not_found", message=lost, candidates=candidates,
            tolerance=SearchTolerance(min_ratio=0.72, pad_mul=1.7, expand_roles=True, attempt_level=2),
            settings=ResolverSettings(min_score=0.72, min_margin=0.08),
        ),
        first_seen=now - timedelta(days=2),
        last_seen=now - timedelta(hours=3),
        occurrences=4,
    )  # fmt: skip
    look = drawn(task, 1)[y1:y2, x1:x2]
    heal.failure_store.save(case, screen=png(page), look=png(np.ascontiguousarray(look)))


def without_effect(heal: AutoHeal, task: Task) -> None:
    """A case of a click that was sent and changed nothing: what was seen before and after."""
    workflow, now = learned(task, 1).workflow, clock().now() - timedelta(hours=7)
    title = task.screens[1][0]
    message = f"expected the screen « {title} », but the screen is « {task.screens[0][0]} »"
    case = FailureCase(
        case_id="case_office_without_effect",
        workflow_id=task.workflow_id,
        workflow_version=1,
        step_id=workflow.edges[0].edge_id,
        failure_kind=FailureKind.POSTCONDITION_FAILED,
        result=ExecutionResult(
            status=ExecutionStatus.FAILED, failure_kind=FailureKind.POSTCONDITION_FAILED, message=message
        ),
        expected=f"the screen « {title} »",
        observed=f"the screen is « {task.screens[0][0]} »",
        input_sent=True,
        edge=workflow.edges[0],
        screen_state=_state(now),
        first_seen=now,
        last_seen=now,
    )
    pages = (drawn(task, 0), drawn(task, 0, button="…"))
    heal.failure_store.save(case, screen=png(pages[0]), look=None, after=png(pages[1]))


def earned(heal: AutoHeal, workflow: Workflow) -> None:
    """A workflow that has done what it can by itself: only a person's yes is missing."""
    thresholds, name = workflow.learning.thresholds, workflow.workflow_id
    ways: list[tuple[RunWay, int]] = [
        ("observed", thresholds.min_observed_runs_for_coaching),
        ("assisted", thresholds.min_assist_runs_for_auto_candidate),
        ("supervised", thresholds.min_auto_candidate_runs_for_auto_confirmed),
    ]
    for way, times in ways:
        for number in range(times):
            counted = CountedRun(way=way, source=f"office_{way}_{number}", confidence=0.98)
            heal.learning.count(name, counted, workflow=workflow)


def proposal(heal: AutoHeal, task: Task, version: int, name: str) -> None:
    """A button that is called otherwise by now, and worked in three runs."""
    workflow, now = learned(task, version).workflow, clock().now()
    edge = workflow.edges[1]
    assert edge.action is not None
    assert edge.action.target is not None
    before = edge.action.target
    x1, y1, x2, y2 = BUTTON
    pages = (drawn(task, 1), drawn(task, 1, button=name))
    crops = [png(np.ascontiguousarray(page[y1:y2, x1:x2])) for page in pages]
    proofs = tuple(
        HealProof(run_id=f"run_{number:016x}", at=now, strategy="spatial_anchor", score=0.84, healing_level=1)
        for number in range(3)
    )
    proposal = HealProposal(
        proposal_id=f"proposal_office_{name.lower()}",
        workflow_id=task.workflow_id,
        workflow_version=version,
        edge_id=edge.edge_id,
        step=f"Click the button « {before.label} »",
        created_at=now - timedelta(hours=5),
        updated_at=now - timedelta(hours=1),
        changes=(TargetChange(kind="label", before=before.label or "", after=name),),
        before=before,
        after=before.model_copy(update={"aliases": (name,)}),
        is_found_again=True,
        verified_runs=3,
        proofs=proofs,
    )
    heal.proposals.store.save(proposal, {"before": crops[0], "after": crops[1]})


def question(heal: AutoHeal, task: Task) -> None:
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
        why="the button « Valider » could be two things (0.69 and 0.66)",
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
    heal.questions.store.ask(question, png(drawn(task, 1, moved_px=160)))


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
