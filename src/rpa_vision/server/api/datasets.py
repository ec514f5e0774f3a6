"""Datasets that were exported for training."""

from __future__ import annotations

from fastapi import APIRouter

from rpa_vision.app.dataset_views import dataset_details, list_datasets
from rpa_vision.server.api.answers import IdPath, JsonBody, OfficeHere, Viewer, failures

router = APIRouter(prefix="/datasets", responses=failures())


@router.get("")
def read_datasets(office: OfficeHere, me: Viewer) -> JsonBody:
    """All datasets and their versions."""
    return list_datasets(office)


@router.get("/{dataset_id}", responses=failures(404))
def read_dataset(dataset_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """The newest version of a dataset: its criteria and its numbers."""
    return dataset_details(office, dataset_id)
