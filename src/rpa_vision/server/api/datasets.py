"""Datasets of observed screens: made, looked over, and what the detector makes of them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from rpa_vision.app import dataset_views as views
from rpa_vision.models.ids import ID_PATTERN
from rpa_vision.models.workflow_standing import LearningStateName
from rpa_vision.server.api.answers import Ask, IdPath, JsonBody, OfficeHere, Operator, Viewer, failures, picture

router = APIRouter(prefix="/datasets", responses=failures())


class DatasetAsk(Ask):
    """Which screens are taken into the next version of a dataset."""

    dataset_id: str = Field(pattern=ID_PATTERN, max_length=128)
    min_learning_state: LearningStateName = "OBSERVATION"
    min_confidence: float = Field(default=0.5, ge=0.0, le=1.0)
    user_validated: bool = False
    workflows: list[str] = Field(default=[], max_length=200)
    held_out: float = Field(default=0.2, ge=0.0, le=0.9)


class ReviewsAsk(Ask):
    """What somebody says of labels, or of all labels of a screen; docs/datasets.md."""

    answers: list[dict[str, Any]] = Field(min_length=1, max_length=1000)


@router.get("")
def read_datasets(office: OfficeHere, me: Viewer) -> JsonBody:
    """All datasets and their versions."""
    return views.list_datasets(office)


@router.post("", status_code=201, responses=failures(404))
def make_dataset(office: OfficeHere, me: Operator, asked: Annotated[DatasetAsk, Body()]) -> JsonBody:
    """Take what was seen into the next version of a dataset."""
    wanted = asked.model_dump(exclude={"dataset_id", "held_out"})
    return views.make_dataset(office, asked.dataset_id, wanted, held_out=asked.held_out)


@router.get("/{dataset_id}", responses=failures(404))
def read_dataset(dataset_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """The newest version of a dataset: its criteria and its numbers."""
    return views.dataset_details(office, dataset_id)


@router.get("/{dataset_id}/labels", responses=failures(404))
def read_labels(
    dataset_id: IdPath, office: OfficeHere, me: Viewer, limit: Annotated[int, Query(ge=1, le=1000)] = 50
) -> JsonBody:
    """The labels nobody has spoken of yet, the least sure first."""
    return views.labels_to_review(office, dataset_id, limit=limit)


@router.post("/{dataset_id}/labels", responses=failures(404))
def review_labels(
    dataset_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[ReviewsAsk, Body()]
) -> JsonBody:
    """Say whether labels are right, and what they are where they are not."""
    return views.take_reviews(office, dataset_id, asked.answers, who=me.account.name)


@router.get("/{dataset_id}/pictures/{screen_state_id}", response_class=Response, responses=picture())
def read_picture(dataset_id: IdPath, screen_state_id: IdPath, office: OfficeHere, me: Viewer) -> Response:
    """The picture of a screen."""
    return Response(views.sample_picture(office, dataset_id, screen_state_id), media_type="image/png")


@router.post("/{dataset_id}/evaluate", responses=failures(404))
def evaluate(dataset_id: IdPath, office: OfficeHere, me: Operator) -> JsonBody:
    """How well the shipped detector finds what up to forty held-out screens hold."""
    return views.judge_detector(office, dataset_id)
