"""Datasets: chosen by criteria, split by session, confirmed by people, measured; every version written once."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from observed_screens import SESSIONS, WORKFLOW_ID, observed

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.datasets import FileDatasetStore
from rpa_vision.app.dataset import ExportResult, export_dataset
from rpa_vision.app.dataset_parts import coco_of, share_told, split_by_session
from rpa_vision.app.dataset_work import evaluate, read_answers, to_review, training_screens
from rpa_vision.errors import DocumentError, InvalidIdError, UnknownIdError, UsageError
from rpa_vision.models.dataset import DatasetSample, ExportCriteria, SampleAnnotations
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import FoundElement
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import MOMENT


@pytest.fixture
def data(tmp_path: Path) -> FileDataDirectory:
    return observed(tmp_path / "data")


@pytest.fixture
def store(data: FileDataDirectory) -> FileDatasetStore:
    return FileDatasetStore(data.files)


def exported(
    data: FileDataDirectory, store: FileDatasetStore, *, name: str = "ds", seed: int = 1, **given: Any
) -> ExportResult:
    wanted = {"min_learning_state": "OBSERVATION", "min_confidence": 0.5, "user_validated": False} | given
    return export_dataset(data, store, ManualClock(), dataset_id=name, criteria=ExportCriteria(**wanted), seed=seed)


def test_all_screens_are_taken_once_with_their_statistics(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14"""
    numbers = exported(data, store).dataset.statistics
    assert (numbers.total_samples, numbers.sessions, numbers.unique_workflows) == (9, 3, 1)
    assert numbers.left_out == {"seen already": 3}
    assert numbers.elements_by_type == {"button": 9, "heading": 9, "text_input": 9}
    assert numbers.annotation_quality == pytest.approx(0.9)


def test_every_export_is_a_version_of_its_own(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14: versions"""
    first = exported(data, store)
    again = exported(data, store)
    assert (first.dataset.version, again.dataset.version) == ("1", "2")
    assert store.versions("ds") == ["v001", "v002"]
    assert store.load("ds", "v001") == first.dataset
    assert store.load("ds") == again.dataset


def test_whole_sessions_are_held_out_and_the_seed_decides_which(
    data: FileDataDirectory, store: FileDatasetStore
) -> None:
    """L4-14: held-out split by session, seeded"""
    sides: set[frozenset[str | None]] = set()
    for seed in range(8):
        samples = exported(data, store, seed=seed).dataset.samples
        held = {sample.session_id for sample in samples if sample.split == "held_out"}
        train = {sample.session_id for sample in samples if sample.split == "train"}
        assert held
        assert train
        assert not held & train
        sides.add(frozenset(held))
        assert exported(data, store, seed=seed).dataset.samples[0].split == samples[0].split
    assert len(sides) > 1


@pytest.mark.parametrize(
    ("criteria", "screens"),
    [
        ({"workflows": (WORKFLOW_ID,)}, 6),
        ({"since": MOMENT + timedelta(hours=12)}, 6),
        ({"until": MOMENT + timedelta(hours=12)}, 3),
        ({"element_types": ("button",)}, 9),
        ({"min_learning_state": "OBSERVATION"}, 9),
    ],
)
def test_criteria_choose_screens(
    data: FileDataDirectory, store: FileDatasetStore, criteria: dict[str, Any], screens: int
) -> None:
    """L4-14: criteria"""
    dataset = exported(data, store, **criteria).dataset
    assert dataset.statistics.total_samples == screens
    if "element_types" in criteria:
        assert dataset.statistics.elements_by_type == {"button": 9}


@pytest.mark.parametrize(
    ("criteria", "told"),
    [
        ({"user_validated": True}, "not confirmed by a person"),
        ({"min_learning_state": "COACHING"}, "not mature enough"),
        ({"min_confidence": 0.99}, "without elements"),
        ({"workflows": ("WF_nobody",)}, "there is no workflow"),
    ],
)
def test_where_nothing_meets_the_criteria_that_is_told(
    data: FileDataDirectory, store: FileDatasetStore, criteria: dict[str, Any], told: str
) -> None:
    """L4-14"""
    with pytest.raises(UsageError, match=told):
        exported(data, store, **criteria)
    assert store.versions("ds") == []


def test_coco_holds_the_same_boxes(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14: COCO"""
    result = exported(data, store)
    folder = data.paths.root / Path(result.path).parent
    boxes = 0
    for split in ("train", "held_out"):
        coco = json.loads((folder / f"coco_{split}.json").read_text(encoding="utf-8"))
        assert coco == coco_of(result.dataset, split)
        names = {one["id"]: one["name"] for one in coco["categories"]}
        for image in coco["images"]:
            assert (folder / image["file_name"]).is_file()
            assert (image["width"], image["height"]) == (960, 600)
        for one in coco["annotations"]:
            x, y, width, height = one["bbox"]
            assert one["area"] == width * height
            if names[one["category_id"]] == "text_input":
                assert (x, y, width, height) == (40, 120, 260, 30)
        boxes += len(coco["annotations"])
    assert boxes == result.dataset.statistics.elements


def answered(store: FileDatasetStore, result: ExportResult, *answers: dict[str, Any]) -> None:
    lines = [json.dumps(answer) for answer in answers]
    store.add_reviews(read_answers(lines, result.dataset, reviewer="anna", now=MOMENT))


def test_what_people_say_counts_in_the_next_export(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14: review, user_validated"""
    first = exported(data, store)
    waiting = to_review(first.dataset, store.reviews())
    assert len(waiting) == 27
    one = [label for label in waiting if label["screen_state_id"] == "sess_a.shot_0"]
    by_type = {label["type"]: label for label in one}
    answered(
        store,
        first,
        by_type["button"] | {"verdict": "accept"},
        {**by_type["text_input"], "verdict": "correct", "type": "dropdown", "bbox": [40, 120, 310, 150]},
        by_type["heading"] | {"verdict": "reject"},
        {"screen_state_id": "sess_a.shot_1", "verdict": "accept"},
        {"screen_state_id": "sess_b.shot_0", "verdict": "reject"},
    )
    assert len(to_review(first.dataset, store.reviews())) == 27 - 9
    samples = {sample.screen_state_id: sample for sample in exported(data, store).dataset.samples}
    assert "sess_b.shot_0" not in samples
    told = samples["sess_a.shot_0"]
    assert told.validation_status == "user_confirmed"
    assert {(element.type, element.bbox, element.confidence) for element in told.annotations.ui_elements} == {
        ("button", (40, 200, 180, 240), 1.0),
        ("dropdown", (40, 120, 310, 150), 1.0),
    }
    confirmed = exported(data, store, user_validated=True).dataset
    assert {sample.screen_state_id for sample in confirmed.samples} == {"sess_a.shot_0", "sess_a.shot_1"}
    assert store.reviews()[0].reviewer == "anna"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "not valid JSON"),
        ("[]", "a JSON object was expected"),
        ('{"screen_state_id": "sess_a.shot_0", "verdict": "maybe"}', "verdict"),
        ('{"screen_state_id": "nobody", "verdict": "accept"}', "line 1: there is no screen 'nobody'"),
        ('{"screen_state_id": "sess_a.shot_0", "element_id": "x", "verdict": "reject"}', "has no element 'x'"),
        ('{"screen_state_id": "sess_a.shot_0", "verdict": "correct"}', "says what is right"),
        (
            '{"screen_state_id": "sess_a.shot_0", "element_id": "button_2", "verdict": "correct", "type": "gizmo"}',
            "type",
        ),
    ],
)
def test_one_bad_answer_and_none_is_taken(
    data: FileDataDirectory, store: FileDatasetStore, line: str, told: str
) -> None:
    """L4-14: bad input"""
    first = exported(data, store)
    good = json.dumps({"screen_state_id": "sess_a.shot_1", "verdict": "accept"})
    with pytest.raises(DocumentError, match=told.replace("(", r"\(")):
        read_answers([line, good], first.dataset, reviewer="anna", now=MOMENT)


def test_names_that_are_no_names_are_refused(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14: path tricks"""
    with pytest.raises(InvalidIdError):
        exported(data, store, name="../../etc")
    with pytest.raises(UnknownIdError):
        store.load("nobody")


class PerfectFinder:
    """Implements `ports.perception.ElementFinder`: finds the same two things on every picture."""

    name = "perfect"

    def __init__(self, *found: FoundElement) -> None:
        self._found = list(found)

    def find(self, image: Pixels) -> list[FoundElement]:
        assert image.dtype == np.uint8
        return self._found


KINDS = frozenset({"button", "text_input"})


def test_a_detector_is_measured_on_what_was_held_out(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14: evaluate"""
    dataset = exported(data, store).dataset
    field = FoundElement(Box(42, 121, 300, 150), "text_input", 0.9)
    held = dataset.statistics.held_out_samples
    only_fields = evaluate(PerfectFinder(field), dataset, store.picture, kinds=KINDS)
    assert (only_fields.precision, only_fields.recall, only_fields.type_accuracy) == (1.0, 0.5, 1.0)
    assert only_fields.elements == 2 * held
    assert only_fields.by_type["button"]["recall"] == 0.0
    misnamed = FoundElement(Box(42, 121, 300, 150), "button", 0.9)
    stray = FoundElement(Box(500, 500, 560, 560), "button", 0.9)
    worse = evaluate(PerfectFinder(misnamed, stray), dataset, store.picture, kinds=KINDS)
    assert (worse.precision, worse.type_accuracy) == (0.5, 0.0)


def test_nothing_held_out_cannot_be_measured(data: FileDataDirectory, store: FileDatasetStore) -> None:
    criteria = ExportCriteria(min_learning_state="OBSERVATION", min_confidence=0.5, user_validated=False)
    result = export_dataset(data, store, ManualClock(), dataset_id="all", criteria=criteria, held_out=0.0)
    with pytest.raises(UsageError, match="no samples that are held out"):
        evaluate(PerfectFinder(), result.dataset, store.picture, kinds=KINDS)


def test_training_screens_have_their_truth_beside_them(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14: train"""
    dataset = exported(data, store).dataset
    files = training_screens(dataset, store.picture, "train")
    train = [sample for sample in dataset.samples if sample.split == "train"]
    assert len(files) == 2 * len(train)
    told = json.loads(files[f"web-{train[0].sample_id}.json"])
    assert {one["type"] for one in told["elements"]} == {"heading", "text_input", "button"}
    assert {sample.session_id for sample in train} < set(SESSIONS)


def of_sessions(*sizes: int) -> list[DatasetSample]:
    return [
        DatasetSample(
            sample_id=f"s{session}_{number}",
            screen_state_id=f"x{session}_{number}",
            screenshot_path="a/b.png",
            annotations=SampleAnnotations(ui_elements=()),
            validation_status="unconfirmed",
            session_id=f"session_{session}",
        )
        for session, size in enumerate(sizes)
        for number in range(size)
    ]


@pytest.mark.parametrize(
    ("sizes", "held"),
    [
        ((1000, 20), 20),
        ((30, 100, 70, 300), 100),
        ((5,) * 10, 10),
        ((1, 1), 1),
        ((900, 1, 100), 101),
        ((7,) * 600, 840),
    ],
)
def test_what_is_held_out_is_as_near_to_the_share_as_whole_sessions_allow(sizes: tuple[int, ...], held: int) -> None:
    """L4-14: whatever the seed"""
    for seed in range(6):
        split = split_by_session(of_sessions(*sizes), seed, 0.2)
        assert sum(one.split == "held_out" for one in split) == held


def test_another_share_than_was_asked_for_is_told() -> None:
    """L4-14"""
    far, near, one = (split_by_session(of_sessions(*sizes), 1, 0.2) for sizes in ((1000, 20), (40, 11), (9,)))
    assert "2% are held out, not 20%" in (share_told(far, 0.2) or "")
    assert share_told(near, 0.2) is None
    assert "of one session" in (share_told(one, 0.2) or "")
    assert share_told(one, 0.0) is None


def test_a_screen_is_accepted_with_what_was_put_right_on_it(data: FileDataDirectory, store: FileDatasetStore) -> None:
    """L4-14: a person's correction is not lost by the next word, nor what was thrown out brought back"""
    dataset = exported(data, store).dataset
    sample = dataset.samples[0]
    wrong, gone, *_ = sample.annotations.ui_elements
    lines = [
        {"element_id": wrong.element_id, "verdict": "correct", "type": "link", "label": "Autre"},
        {"element_id": gone.element_id, "verdict": "reject"},
        {"verdict": "accept"},
    ]
    answers = [json.dumps({"screen_state_id": sample.screen_state_id, **line}) for line in lines]
    store.add_reviews(read_answers(answers, dataset, reviewer="anna", now=MOMENT))
    samples = exported(data, store, user_validated=True).dataset.samples
    told = {one.element_id: (one.type, one.label) for one in samples[0].annotations.ui_elements}
    assert told[wrong.element_id] == ("link", "Autre")
    assert gone.element_id not in told
    assert samples[0].validation_status == "user_confirmed"
