"""The run report: one self-contained HTML file that shows each step with its screen, its target and its reasons.

It is written when a run ends, in the language of the settings, and made anew from the kept documents for whoever asks
for it in another.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from typing import Protocol

import cv2
import numpy as np
from jinja2 import Environment, StrictUndefined

from rpa_vision.app.figures import figure
from rpa_vision.app.report_words import kind_word, moment_word, word
from rpa_vision.app.sayings import said_in
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.healing_attempts import reported
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.target_resolver import Candidate, Resolved, Unresolved
from rpa_vision.imaging.colour import colours
from rpa_vision.models.execution import (
    CandidateReport,
    RecoveryReport,
    RunReport,
    StepReport,
    ValueRead,
)
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.guidance import Language
from rpa_vision.ports.storage import RunStore
from rpa_vision.system.failure_evidence import blacked_out, without_secrets

_WIDTH_PX = 1280
_JPEG_QUALITY = 82
_EMBEDDED = 240
"""Pictures that are put into the page itself."""
_TARGET_COLOUR = (40, 40, 230)
_RUNNER_UP_COLOUR = (0, 160, 240)


@dataclass(frozen=True, slots=True)
class _Picture:
    path: str
    jpeg: bytes | None


class Pictures(Protocol):
    """Where the page takes its pictures from."""

    def data_uri(self, path: str | None) -> str:
        """The picture as it is embedded in HTML; empty where there is none."""


class RunPictures:
    """The pictures of one run, scaled, marked, kept beside the report and embedded in it."""

    def __init__(self, run_id: str, store: RunStore) -> None:
        self._run_id = run_id
        self._store = store
        self._kept: dict[str, _Picture] = {}

    def keep(
        self, name: str, screen: ObservedScreen, resolution: Resolved | Unresolved | None, point: Point | None
    ) -> str:
        """Keep a screen with its target drawn, and give its data-relative path."""
        jpeg = _encoded(_marked(screen.pixels, resolution, point))
        path = self._store.save_picture(self._run_id, f"{name}.jpg", jpeg)
        self._kept[path] = _Picture(path, jpeg if len(self._kept) < _EMBEDDED else None)
        return path

    def data_uri(self, path: str | None) -> str:
        """The picture as it is embedded in HTML; in a very long run, where it lies beside the report."""
        picture = self._kept.get(path or "")
        return _source(picture) if picture is not None else ""


class KeptPictures:
    """The pictures of a run that has ended, as they were kept. One that is gone leaves its place empty."""

    def __init__(self, run_id: str, store: RunStore) -> None:
        self._run_id = run_id
        self._store = store
        self._shown = 0

    def data_uri(self, path: str | None) -> str:
        """The same as while it ran."""
        if not path:
            return ""
        if self._shown >= _EMBEDDED:
            return _source(_Picture(path, None))
        try:
            picture = _Picture(path, self._store.picture(self._run_id, path.rpartition("/")[2]))
        except RpaVisionError:
            return ""
        self._shown += 1
        return _source(picture)


def _source(picture: _Picture) -> str:
    if picture.jpeg is None:
        return f"pictures/{picture.path.rpartition('/')[2]}"
    return "data:image/jpeg;base64," + base64.b64encode(picture.jpeg).decode("ascii")


def step_report(
    index: int,
    step: ExecutedStep,
    sentence: str,
    pictures: RunPictures,
    hidden: Mapping[str, str] | None = None,
    *,
    sent: bool | None = None,
) -> StepReport:
    """A step, for people and scripts. What is `hidden` is shown nowhere."""
    secrets = hidden or {}
    outcome = step.outcome
    resolution = outcome.resolution
    best, runner_up = _candidates(resolution)
    chosen, nearest = (best, None) if isinstance(resolution, Resolved) else (None, best)
    before = after = None
    if outcome.before is not None:
        shown = without_hidden(outcome.before, secrets)
        before = pictures.keep(f"step_{index + 1:02d}_before", shown, resolution, outcome.point)
    if outcome.after is not None and outcome.after is not outcome.before:
        after = pictures.keep(f"step_{index + 1:02d}_after", without_hidden(outcome.after, secrets), None, None)
    action = step.edge.action
    return StepReport(
        index=index,
        edge_id=step.edge.edge_id,
        action=action.type if action is not None else "none",
        description=without_secrets(sentence, secrets),
        status=outcome.status,
        reason=without_secrets(outcome.message, secrets),
        strategy=chosen.strategy if chosen is not None else None,
        score=chosen.score if chosen is not None else None,
        chosen=_candidate_report(chosen, secrets),
        nearest=_candidate_report(nearest, secrets),
        runner_up=_candidate_report(runner_up, secrets),
        point=outcome.point,
        healing_level=outcome.healing_level,
        duration_ms=round(step.duration_ms, 1),
        verified=outcome.verified,
        expected=without_secrets(outcome.expected, secrets),
        observed=without_secrets(outcome.observed, secrets),
        screenshot_before=before,
        screenshot_after=after,
        timing_ms=outcome.timing_ms,
        input_sent=sent,
        note=without_secrets(step.note, secrets),
        extracted=without_secrets(dict(outcome.extracted), secrets),
        read=_values_read(step, secrets),
        recoveries=tuple(_recovery_report(one, secrets) for one in outcome.recoveries),
        attempts=reported(outcome.healing),
        resolution_details=resolution.resolution_details if resolution is not None else {},
    )


def render_report(report: RunReport, pictures: Pictures, language: Language = "en") -> str:
    """The whole report as one HTML page that needs nothing else."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = resources.files("rpa_vision.app").joinpath("templates/report.html.j2").read_text(encoding="utf-8")
    return environment.from_string(template).render(
        report=report,
        picture=pictures.data_uri,
        lang=language,
        t=partial(word, language),
        said=partial(said_in, language),
        figure=lambda value, places=0: figure(value, language, places=places),
        kind=partial(kind_word, language),
        moment=moment_word(report.started_at, language),
    )


def report_page(runs: RunStore, run_id: str, language: Language) -> str:
    """The report of a run that has ended, in a language."""
    return render_report(runs.load(run_id), KeptPictures(run_id, runs), language)


def _values_read(step: ExecutedStep, hidden: Mapping[str, str]) -> tuple[ValueRead, ...]:
    """What was read for the step or in it. A value that may not be shown is told by its name only."""
    known = {**step.values, **step.outcome.extracted}
    return tuple(
        ValueRead(name=name, value=str(without_secrets(known[name], hidden)), source=without_secrets(where, hidden))
        for name, where in step.outcome.read_from.items()
        if name in known
    )


def _recovery_report(recovery: RecoveryReport, hidden: Mapping[str, str]) -> RecoveryReport:
    said = {"label": recovery.label, "action": recovery.action, "reason": recovery.reason}
    return recovery.model_copy(update=without_secrets(said, hidden))


def _candidates(resolution: Resolved | Unresolved | None) -> tuple[Candidate | None, Candidate | None]:
    if isinstance(resolution, Resolved):
        return resolution.best, resolution.runner_up
    found = resolution.candidates if resolution is not None else ()
    return (found[0] if found else None), (found[1] if len(found) > 1 else None)


def without_hidden(screen: ObservedScreen, hidden: Mapping[str, str]) -> ObservedScreen:
    """The screen, black where it tells something hidden."""
    return replace(screen, pixels=blacked_out(screen, hidden)) if hidden else screen


def _candidate_report(candidate: Candidate | None, hidden: Mapping[str, str]) -> CandidateReport | None:
    if candidate is None:
        return None
    element = candidate.element
    return CandidateReport(
        label=str(without_secrets(element.label, hidden)),
        type=element.type,
        bbox=element.bbox,
        score=min(1.0, candidate.score),
        reasons=tuple(without_secrets(list(candidate.reasons), hidden)),
    )


def _marked(pixels: Pixels, resolution: Resolved | Unresolved | None, point: Point | None) -> Pixels:
    image = colours(pixels)
    best, runner_up = _candidates(resolution)
    if runner_up is not None:
        _frame(image, Box.of(runner_up.element.bbox), _RUNNER_UP_COLOUR, 2)
    if best is not None:
        colour = _TARGET_COLOUR if isinstance(resolution, Resolved) else _RUNNER_UP_COLOUR
        _frame(image, Box.of(best.element.bbox), colour, 3)
    if point is not None:
        cv2.drawMarker(image, point, _TARGET_COLOUR, cv2.MARKER_CROSS, 24, 2)
    return image


def _frame(image: Pixels, box: Box, colour: tuple[int, int, int], thickness: int) -> None:
    grown = box.padded(4)
    cv2.rectangle(image, (grown.x1, grown.y1), (grown.x2, grown.y2), colour, thickness)


def _encoded(image: Pixels) -> bytes:
    height, width = image.shape[:2]
    if width > _WIDTH_PX:
        size = (_WIDTH_PX, max(1, round(height * _WIDTH_PX / width)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return bytes(data)
