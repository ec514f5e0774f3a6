"""Record what a person does until told to stop (L0-2)."""

from __future__ import annotations

import platform
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from rpa_vision.capture.recorder import Recorder, RecorderSettings, SessionIdentity
from rpa_vision.models.ids import slug
from rpa_vision.models.raw_session import UserRef
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.perception import SecretFieldClassifier
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory

_PROGRESS_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class RecordResult:
    """What was recorded, and what the person should know about it."""

    session_id: str
    events: int
    screenshots: int
    path: str
    warnings: tuple[str, ...] = ()


def record(
    desktop: Desktop,
    data: DataDirectory,
    secrets: SecretFieldClassifier,
    clock: Clock,
    *,
    name: str,
    user: UserRef,
    stop: threading.Event,
    on_ready: Callable[[], None] | None = None,
    on_begun: Callable[[str], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    settings: RecorderSettings | None = None,
) -> RecordResult:
    """Record a session called `name` until `stop` is set, by the caller or by the stop hotkey.

    `on_ready` is called when the next thing the person does will be recorded, `on_begun` right after it with the id of
    the session; `on_progress` now and then with the number of events and screenshots written.
    """
    identity = SessionIdentity(
        session_id=session_id(name, clock.now()),
        user=user,
        context={"training_label": name},
        hostname=platform.node(),
    )
    recorder = Recorder(desktop, data.sessions, secrets, clock, identity, stop_requested=stop, settings=settings)
    with recorder:
        if on_ready is not None:
            on_ready()
        if on_begun is not None:
            on_begun(identity.session_id)
        while not stop.wait(_PROGRESS_EVERY_S):
            if on_progress is not None:
                on_progress(*recorder.progress)
    session = recorder.stop()
    return RecordResult(
        session_id=session.session_id,
        events=len(session.events),
        screenshots=len(session.screenshots),
        path=recorder.path,
        warnings=_warnings(recorder),
    )


def session_id(name: str, started_at: datetime) -> str:
    """The id of a session: when it began and what it is called."""
    return f"sess_{started_at:%Y-%m-%dT%H-%M-%S}_{slug(name, fallback='session')}"


def _warnings(recorder: Recorder) -> tuple[str, ...]:
    if not recorder.undecided_secrets:
        return ()
    return (
        f"{recorder.undecided_secrets} typed texts were kept as secrets because it could not be told whether they are.",
    )
