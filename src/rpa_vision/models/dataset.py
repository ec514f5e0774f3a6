"""Datasets exported from what was observed, for training detectors offline."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from rpa_vision.models.document import Document, JsonObject, Part, unwrapped
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.vector_ref import DataPath
from rpa_vision.models.workflow_standing import LearningState


class ExportCriteria(Part):
    """Which screens were taken."""

    min_learning_state: LearningState
    min_confidence: UnitInterval
    user_validated: bool


class SampleAnnotations(Part):
    """What is known of a sample."""

    ui_elements: tuple[UIElement, ...]
    layout_signature: str | None = None
    workflow_context: Id | None = None
    node_id: Id | None = None


class DatasetSample(Part):
    """One picture and its truth."""

    sample_id: Id
    screen_state_id: Id
    screenshot_path: DataPath
    annotations: SampleAnnotations
    validation_status: Literal["user_confirmed", "unconfirmed", "rejected"]


class DatasetStatistics(Part):
    """The dataset in numbers."""

    total_samples: int = Field(ge=0)
    unique_layouts: int = Field(ge=0)
    unique_workflows: int = Field(ge=0)
    annotation_quality: UnitInterval | None = None


class DatasetExport(Document):
    """A version of a dataset."""

    schema_version: Literal["dataset_v1"] = "dataset_v1"
    dataset_id: Id
    version: str
    created_at: AwareDatetime
    source_workflows: tuple[Id, ...]
    export_criteria: ExportCriteria
    samples: tuple[DatasetSample, ...]
    statistics: DatasetStatistics

    @classmethod
    def _accept(cls, data: JsonObject) -> JsonObject:
        return unwrapped(data, "dataset_export")
