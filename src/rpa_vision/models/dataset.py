"""Datasets exported from what was observed, for training detectors offline."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from rpa_vision.models.document import Document, JsonObject, Part, unwrapped
from rpa_vision.models.geometry import BBox, UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.ui_element import ElementType, UIElement
from rpa_vision.models.vector_ref import DataPath
from rpa_vision.models.workflow_standing import LearningState


class ExportCriteria(Part):
    """Which screens were taken."""

    min_learning_state: LearningState
    min_confidence: UnitInterval
    user_validated: bool
    workflows: tuple[Id, ...] = Field(default=(), description="of these only; empty: of all, and of none")
    element_types: tuple[ElementType, ...] = Field(default=(), description="these only; empty: all")
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None


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
    session_id: Id | None = None
    split: Literal["train", "held_out"] = Field(default="train", description="whole sessions are on one side")
    width: int | None = Field(default=None, ge=1)
    height: int | None = Field(default=None, ge=1)


class DatasetStatistics(Part):
    """The dataset in numbers."""

    total_samples: int = Field(ge=0)
    unique_layouts: int = Field(ge=0)
    unique_workflows: int = Field(ge=0)
    annotation_quality: UnitInterval | None = Field(default=None, description="mean confidence of the elements")
    elements: int = Field(default=0, ge=0)
    elements_by_type: dict[str, int] = {}
    confirmed_samples: int = Field(default=0, ge=0)
    held_out_samples: int = Field(default=0, ge=0)
    sessions: int = Field(default=0, ge=0)
    left_out: dict[str, int] = Field(default={}, description="screens that were not taken, by why")


class LabelReview(Document):
    """What a person says of a label, or of all labels of a screen: one line of `datasets/reviews.jsonl`."""

    schema_version: Literal["label_review_v1"] = "label_review_v1"
    screen_state_id: Id
    element_id: Id | None = Field(default=None, description="without it, the screen as a whole")
    verdict: Literal["accept", "correct", "reject"]
    type: ElementType | None = Field(default=None, description="with `correct`: what it is")
    role: str | None = None
    label: str | None = None
    bbox: BBox | None = None
    reviewer: str = ""
    at: AwareDatetime | None = None

    @model_validator(mode="after")
    def _corrects_something(self) -> Self:
        given = [self.type, self.role, self.label, self.bbox]
        if (self.verdict == "correct") != any(one is not None for one in given):
            raise ValueError("verdict: `correct` says what is right (type, role, label or bbox), the others do not")
        if self.verdict == "correct" and self.element_id is None:
            raise ValueError("element_id: one label is corrected at a time")
        return self


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
