"""Datasets at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpa_vision.app.dataset import reviewed
from rpa_vision.models.document import JsonObject

if TYPE_CHECKING:
    from rpa_vision.app.office import Office


def list_datasets(office: Office) -> JsonObject:
    """All datasets with their versions, and how many labels people looked at."""
    names = office.datasets.names()
    return {
        "datasets": [{"dataset_id": name, "versions": office.datasets.versions(name)} for name in names],
        "reviewed_screens": len(reviewed(office.datasets.reviews())),
    }


def dataset_details(office: Office, dataset_id: str) -> JsonObject:
    """The newest version, without its samples."""
    found = office.datasets.load(dataset_id)
    return {**found.model_dump(mode="json", exclude={"samples"}), "samples": len(found.samples)}
