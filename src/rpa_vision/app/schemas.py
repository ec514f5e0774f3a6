"""The JSON Schemas of all stored documents, generated from the models so that they cannot disagree.

`python -m rpa_vision.app.schemas docs/schemas` writes them anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rpa_vision.adapters.storage.atomic import write_atomically
from rpa_vision.models.auto_heal import Alert, ExecutionStateInfo, FailureEvent, StateTransition, VersionInfo
from rpa_vision.models.batch import RowEntry
from rpa_vision.models.branch_rule import BranchQuestion, BranchRule
from rpa_vision.models.dataset import DatasetExport, LabelReview
from rpa_vision.models.document import Document, JsonObject
from rpa_vision.models.execution import ExecutionResult, RunReport
from rpa_vision.models.failure_case import CaseSightings, FailureCase
from rpa_vision.models.guidance import GuidanceEvent
from rpa_vision.models.heal_proposal import HealProposal
from rpa_vision.models.heal_question import HealAnswer, HealQuestion
from rpa_vision.models.maturity import Maturity
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.precision import PrecisionReport
from rpa_vision.models.queue import RunAsked, Schedule, WatchedFolder
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.running_run import RunningRun, StopRequest
from rpa_vision.models.scenario import Scenario, SimulationReport, WhatIfReport
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.state_embedding import StateEmbedding
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.undo import UndoLog
from rpa_vision.models.workflow_graph import Workflow

DOCUMENTS: dict[str, type[Document]] = {
    "alert": Alert,
    "auto_heal_policy": AutoHealPolicy,
    "batch_row": RowEntry,
    "branch_question": BranchQuestion,
    "branch_rule": BranchRule,
    "dataset_export": DatasetExport,
    "execution_result": ExecutionResult,
    "execution_state_info": ExecutionStateInfo,
    "failure_case": FailureCase,
    "failure_event": FailureEvent,
    "failure_sightings": CaseSightings,
    "guidance_event": GuidanceEvent,
    "heal_answer": HealAnswer,
    "heal_proposal": HealProposal,
    "heal_question": HealQuestion,
    "label_review": LabelReview,
    "maturity": Maturity,
    "precision_report": PrecisionReport,
    "raw_session": RecordedSession,
    "run_asked": RunAsked,
    "run_report": RunReport,
    "running_run": RunningRun,
    "scenario": Scenario,
    "schedule": Schedule,
    "screen_state": ScreenState,
    "simulation_report": SimulationReport,
    "state_embedding": StateEmbedding,
    "stop_request": StopRequest,
    "state_transition": StateTransition,
    "ui_element": UIElement,
    "undo_log": UndoLog,
    "version_info": VersionInfo,
    "watched_folder": WatchedFolder,
    "what_if_report": WhatIfReport,
    "workflow": Workflow,
}


def json_schemas() -> dict[str, JsonObject]:
    """The schema of each document, by the name of its file."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {f"{name}.schema.json": dialect | kind.model_json_schema() for name, kind in DOCUMENTS.items()}


def schema_text(schema: JsonObject) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def write_schemas(folder: Path) -> list[Path]:
    """Write all schemas into a folder and say where."""
    written = []
    for name, schema in json_schemas().items():
        write_atomically(folder / name, schema_text(schema).encode())
        written.append(folder / name)
    return written


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
