"""Datasets out of what was observed: screens with their elements, chosen by criteria, confirmed by people, in versions.

Every version is written once and never changed. Whole sessions are in the training part or in the held-out part, chosen
by their ids and a seed, so that what a model is measured on it has never seen a sibling of.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from pydantic import ValidationError

from rpa_vision.app.dataset_parts import coco_of, share_told, split_by_session, statistics_of
from rpa_vision.app.heal import moment
from rpa_vision.detection.layout_likeness import KnownLayouts
from rpa_vision.errors import RpaVisionError, UsageError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.dataset import (
    DatasetExport,
    DatasetSample,
    ExportCriteria,
    LabelReview,
    SampleAnnotations,
)
from rpa_vision.models.document import JsonObject
from rpa_vision.models.geometry import Box
from rpa_vision.models.ids import checked_id
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import LEARNING_STATES
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory

HELD_OUT_SHARE: Final = 0.2
OnProgress = Callable[[str, int, int], None]


class DatasetStore(Protocol):
    """Where datasets and reviews are kept."""

    def names(self) -> list[str]: ...
    def versions(self, dataset_id: str) -> list[str]: ...
    def next_version(self, dataset_id: str) -> str: ...
    def save_picture(self, dataset_id: str, version: str, name: str, png: bytes) -> str: ...
    def save(self, dataset: DatasetExport, coco: dict[str, JsonObject]) -> str: ...
    def load(self, dataset_id: str, version: str | None = None) -> DatasetExport: ...
    def picture(self, path: str) -> bytes: ...
    def add_reviews(self, reviews: list[LabelReview]) -> None: ...
    def reviews(self) -> list[LabelReview]: ...
    def folder(self, dataset_id: str, version: str, *below: str) -> str: ...
    def write(self, dataset_id: str, version: str, below: tuple[str, ...], data: bytes) -> None: ...
    def deploy(self, kind: str, files: dict[str, bytes]) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What people said of one screen: of all of it, and of single labels; of each, the last word counts."""

    whole: LabelReview | None = None
    elements: Mapping[str, LabelReview] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExportResult:
    """A new version of a dataset."""

    dataset: DatasetExport
    path: str
    remark: str | None = None
    """Where not the share was held out that was asked for."""


def export_dataset(
    data: DataDirectory,
    store: DatasetStore,
    clock: Clock,
    *,
    dataset_id: str,
    criteria: ExportCriteria,
    seed: int = 1,
    held_out: float = HELD_OUT_SHARE,
    on_progress: OnProgress = lambda what, done, total: None,
) -> ExportResult:
    """Take all screens that meet the criteria into the next version."""
    checked_id(dataset_id, what="dataset")
    if not 0.0 <= held_out < 1.0:
        raise UsageError(f"the held-out share is from 0 up to 1, not {held_out}")
    gathering = _Gathering(data, store, dataset_id, store.next_version(dataset_id), criteria)
    ids = data.screen_states.ids()
    for number, screen_state_id in enumerate(ids, start=1):
        on_progress("taking screens", number, len(ids))
        gathering.take(screen_state_id)
    samples = split_by_session(gathering.checked(), seed, held_out)
    dataset = DatasetExport(
        dataset_id=dataset_id,
        version=str(int(gathering.version.removeprefix("v"))),
        created_at=clock.now(),
        source_workflows=tuple(sorted({name for one in samples if (name := one.annotations.workflow_context)})),
        export_criteria=criteria,
        samples=tuple(samples),
        statistics=statistics_of(samples, gathering.left_out),
    )
    coco = {f"coco_{split}.json": coco_of(dataset, split) for split in ("train", "held_out")}
    return ExportResult(dataset, store.save(dataset, coco), share_told(samples, held_out))


def criteria_of(
    data: DataDirectory,
    now: datetime,
    *,
    workflows: Sequence[str],
    min_state: str,
    min_confidence: float,
    validated: bool,
    element_types: Sequence[str],
    since: str | None,
    until: str | None,
) -> ExportCriteria:
    """Criteria as people write them; a UsageError names what makes no sense."""
    wanted = {
        "min_learning_state": min_state,
        "min_confidence": min_confidence,
        "user_validated": validated,
        "workflows": [data.workflows.load(one).workflow_id for one in workflows],
        "element_types": list(element_types),
        **{name: moment(when, now).isoformat() for name, when in (("since", since), ("until", until)) if when},
    }
    try:
        return ExportCriteria.model_validate_json(json.dumps(wanted))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where}: {first['msg']}", remedy="See `rpa-vision dataset export --help`.") from error


class _Gathering:
    """Screens on their way into a version, each picture once, and why others were left out."""

    def __init__(
        self, data: DataDirectory, store: DatasetStore, dataset_id: str, version: str, criteria: ExportCriteria
    ) -> None:
        self.version = version
        self.left_out: Counter[str] = Counter()
        self._data = data
        self._store = store
        self._dataset_id = dataset_id
        self._criteria = criteria
        self._workflows = _chosen_workflows(data, criteria)
        self._said = reviewed(store.reviews())
        self._samples: list[DatasetSample] = []
        self._seen: set[str] = set()
        self._layouts: defaultdict[str, KnownLayouts] = defaultdict(KnownLayouts)

    def take(self, screen_state_id: str) -> None:
        """Take a screen, with its picture, if it meets the criteria."""
        try:
            state = self._data.screen_states.load(screen_state_id)
            taken = _taken(state, self._workflows, self._criteria, self._said.get(screen_state_id, Reviewed()))
            if isinstance(taken, str):
                self.left_out[taken] += 1
                return
            png = self._data.pictures.load(state.raw.screenshot_path)
            pixels = decode(png)
        except RpaVisionError:
            self.left_out["cannot be read"] += 1
            return
        digest = hashlib.sha256(png).hexdigest()
        if digest in self._seen:
            self.left_out["seen already"] += 1
            return
        self._seen.add(digest)
        name = f"sample_{len(self._samples) + 1:05d}"
        path = self._store.save_picture(self._dataset_id, self.version, f"{name}.png", png)
        height, width = map(int, pixels.shape[:2])
        placed = {"sample_id": name, "screenshot_path": path, "height": height, "width": width}
        annotations = taken.annotations.model_copy(update={"layout_signature": self._layout_of(state)})
        self._samples.append(taken.model_copy(update={**placed, "annotations": annotations}))

    def _layout_of(self, state: ScreenState) -> str | None:
        """The name of its layout among those of its application: the same in another theme or zoom. Screens come in the
        order of their ids, so that the same screens get the same names."""
        signature = state.layout_signature
        return self._layouts[state.window.app_name].named(signature) if signature is not None else None

    def checked(self) -> list[DatasetSample]:
        """All that was taken; where that is nothing, an error says why."""
        if not self._samples:
            told = ", ".join(f"{count} {why}" for why, count in self.left_out.most_common()) or "none was ever kept"
            raise UsageError(
                f"no screen meets the criteria: {told}", remedy="Learn from recordings first, or ask for less."
            )
        return self._samples


def reviewed(reviews: Iterable[LabelReview]) -> dict[str, Reviewed]:
    """What people said, by screen. Who accepts a screen accepts it with what was put right on it before."""
    found: dict[str, Reviewed] = {}
    for review in reviews:
        before = found.get(review.screen_state_id, Reviewed())
        if review.element_id is None:
            found[review.screen_state_id] = Reviewed(review, before.elements)
        else:
            elements = {**before.elements, review.element_id: review}
            found[review.screen_state_id] = Reviewed(before.whole, elements)
    return found


def _chosen_workflows(data: DataDirectory, criteria: ExportCriteria) -> list[Workflow]:
    listing = data.workflows.list()
    unknown = sorted(set(criteria.workflows) - {one.workflow_id for one in listing.items})
    if unknown:
        raise UsageError(f"there is no workflow {unknown[0]!r}", remedy="`rpa-vision workflows` lists what there is.")
    return list(listing.items)


def _taken(
    state: ScreenState, workflows: Sequence[Workflow], criteria: ExportCriteria, said: Reviewed
) -> DatasetSample | str:
    """The sample of a screen, without its picture, or why it is not taken."""
    if (criteria.since is not None and state.timestamp < criteria.since) or (
        criteria.until is not None and state.timestamp > criteria.until
    ):
        return "of another time"
    if said.whole is not None and said.whole.verdict == "reject":
        return "rejected"
    workflow, node_id = _context(state, workflows)
    if criteria.workflows and (workflow is None or workflow.workflow_id not in criteria.workflows):
        return "of another workflow"
    least = LEARNING_STATES.index(criteria.min_learning_state)
    if least > 0 and (workflow is None or LEARNING_STATES.index(workflow.learning_state) < least):
        return "not mature enough"
    elements = _elements(state, criteria, said)
    if not elements:
        return "without elements"
    named = {element.element_id for element in state.ui_elements}
    judged = said.elements.keys() & named
    confirmed = said.whole is not None or (bool(named) and judged == named)
    if criteria.user_validated and not confirmed:
        return "not confirmed by a person"
    return DatasetSample(
        sample_id="sample",
        screen_state_id=state.screen_state_id,
        screenshot_path=state.raw.screenshot_path,
        annotations=SampleAnnotations(
            ui_elements=elements,
            workflow_context=workflow.workflow_id if workflow is not None else None,
            node_id=node_id,
        ),
        validation_status="user_confirmed" if confirmed else "unconfirmed",
        session_id=state.session_id,
    )


def _context(state: ScreenState, workflows: Sequence[Workflow]) -> tuple[Workflow | None, str | None]:
    """The workflow whose recordings the screen is of, and its node where the layout tells it from the others."""
    layout = state.layout_signature.hash if state.layout_signature is not None else None
    for workflow in workflows:
        sessions = workflow.metadata.get("sessions")
        nodes = [node.node_id for node in workflow.nodes if layout in node.screen_template.layout_hashes]
        if isinstance(sessions, list) and sessions:
            if state.session_id in sessions:
                return workflow, nodes[0] if len(nodes) == 1 else None
        elif nodes and layout is not None:
            return workflow, nodes[0] if len(nodes) == 1 else None
    return None, None


def _elements(state: ScreenState, criteria: ExportCriteria, said: Reviewed) -> tuple[UIElement, ...]:
    kept: list[UIElement] = []
    for element in state.ui_elements:
        review = said.elements.get(element.element_id)
        if review is not None and review.verdict == "reject":
            continue
        judged = review is not None or said.whole is not None
        shown = corrected(element, review) if review is not None else element
        if (judged or element.confidence >= criteria.min_confidence) and (
            not criteria.element_types or shown.type in criteria.element_types
        ):
            kept.append(shown)
    return tuple(kept)


def corrected(element: UIElement, review: LabelReview) -> UIElement:
    """An element as a person says it is; what a person says is sure."""
    changes: JsonObject = {"confidence": 1.0}
    for name in ("type", "role", "label"):
        if getattr(review, name) is not None:
            changes[name] = getattr(review, name)
    if review.label is not None:
        changes["label_confidence"] = 1.0
    if review.bbox is not None:
        changes |= {"bbox": review.bbox, "center": Box.of(review.bbox).center}
    return element.model_copy(update=changes)
