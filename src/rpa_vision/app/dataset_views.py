"""Datasets as people look at them: at a glance, made anew, their labels looked over, a detector held against them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rpa_vision.app.dataset import HELD_OUT_SHARE, export_dataset, reviewed
from rpa_vision.app.dataset_work import evaluate, read_answers, to_review
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.dataset import ExportCriteria
from rpa_vision.models.document import JsonObject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rpa_vision.app.office import Office


def list_datasets(office: Office) -> JsonObject:
    """All datasets with their versions, and how many labels people looked at."""
    names = office.datasets.names()
    return {
        "datasets": [{"dataset_id": name, "versions": office.datasets.versions(name)} for name in names],
        "reviewed_screens": len(reviewed(office.datasets.reviews())),
        "screens": len(office.data.screen_states.ids()),
    }


def dataset_details(office: Office, dataset_id: str) -> JsonObject:
    """The newest version, without its samples."""
    found = office.datasets.load(dataset_id)
    return {**found.model_dump(mode="json", exclude={"samples"}), "samples": len(found.samples)}


def make_dataset(
    office: Office, dataset_id: str, wanted: Mapping[str, Any], *, held_out: float = HELD_OUT_SHARE
) -> JsonObject:
    """Take the screens that meet the criteria into the next version of a dataset."""
    try:
        criteria = ExportCriteria.model_validate_json(json.dumps(dict(wanted)))
    except ValueError as error:
        raise UsageError(str(error).splitlines()[0], remedy="/docs says which criteria there are.") from error
    for workflow_id in criteria.workflows:
        office.data.workflows.load(workflow_id)
    export_dataset(
        office.data, office.datasets, office.clock, dataset_id=dataset_id, criteria=criteria, held_out=held_out
    )
    return dataset_details(office, dataset_id)


def labels_to_review(office: Office, dataset_id: str, *, limit: int = 50) -> JsonObject:
    """The labels nobody has spoken of yet, the least sure first; a picture is named by its screen."""
    waiting = to_review(office.datasets.load(dataset_id), office.datasets.reviews())
    shown = [{key: value for key, value in one.items() if key != "image"} for one in waiting[:limit]]
    return {"dataset_id": dataset_id, "left": len(waiting), "labels": shown}


def take_reviews(office: Office, dataset_id: str, answers: Sequence[JsonObject], *, who: str) -> JsonObject:
    """Keep what somebody says of labels, all of it or nothing."""
    kept = office.datasets.load(dataset_id)
    lines = [json.dumps(one) for one in answers]
    taken = read_answers(lines, kept, reviewer=who, now=office.clock.now())
    office.datasets.add_reviews(taken)
    return {"taken": len(taken), "left": len(to_review(kept, office.datasets.reviews()))}


def sample_picture(office: Office, dataset_id: str, screen_state_id: str) -> bytes:
    """The picture of a screen in the newest version."""
    for sample in office.datasets.load(dataset_id).samples:
        if sample.screen_state_id == screen_state_id:
            return office.datasets.picture(sample.screenshot_path)
    raise UnknownIdError(f"{dataset_id} has no screen {screen_state_id!r}", remedy="Look at what is to be reviewed.")


def judge_detector(office: Office, dataset_id: str, *, most: int = 40) -> JsonObject:
    """How well the detector in use finds what the held-out screens hold; at most so many, as it takes a while."""
    from rpa_vision.app.wiring_models import trained_detector

    kept = office.datasets.load(dataset_id)
    held_out = tuple(sample for sample in kept.samples if sample.split == "held_out")[:most]
    finder, kinds = trained_detector(None)
    few = kept.model_copy(update={"samples": held_out})
    return asdict(evaluate(finder, few, office.datasets.picture, kinds=kinds))
