"""Records a person at work: input and screen go in, a session with paired screenshots comes out (L0-1, L0-2).

Three threads, each with one duty. The desktop's own threads only put what they saw and heard into the ring and the
queue. The worker understands it: guard, gestures, pairing. The log writes. The order of what happened is kept through
all of them.
"""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rpa_vision import __version__
from rpa_vision.capture.frame_ring import FrameRing
from rpa_vision.capture.hotkey import Hotkey
from rpa_vision.capture.metrics import CaptureMeter
from rpa_vision.capture.observed import Observed
from rpa_vision.capture.pairing import Aftermath, Paired
from rpa_vision.capture.pipeline import CapturePipeline, PipelineSettings
from rpa_vision.capture.session_log import Beginning, SessionLog
from rpa_vision.errors import DesktopError, UsageError
from rpa_vision.models.frame import Frame
from rpa_vision.models.input import InputEvent
from rpa_vision.models.raw_session import Environment, RawSession, RecordedSession, ScreenEnvironment, UserRef
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.perception import SecretFieldClassifier
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import SessionKeeper, SessionWriter


@dataclass(frozen=True, slots=True)
class RecorderSettings:
    """How a recording is made."""

    stop_hotkey: str = "CTRL+ALT+END"
    max_fps: float = 30.0
    ring_depth_s: float = 15.0
    """A busy machine comes late to the question whether a text is a secret, and asks what the screen showed then."""
    first_frame_within_s: float = 5.0
    tick_s: float = 0.05
    last_settle_s: float = 1.0
    last_quiet_s: float = 0.3
    """When it is stopped, a screen that still moves is watched until it has been at rest for so long."""
    pipeline: PipelineSettings = field(default_factory=PipelineSettings)


@dataclass(frozen=True, slots=True)
class SessionIdentity:
    """What a session is called, who is watched and what for."""

    session_id: str
    user: UserRef
    context: dict[str, str] = field(default_factory=dict)
    hostname: str = ""


class Recorder:
    """One recording, from `start` to `stop`. `stop_requested` is set when it should end: by the hotkey or a failure."""

    def __init__(
        self,
        desktop: Desktop,
        store: SessionKeeper,
        secrets: SecretFieldClassifier,
        clock: Clock,
        identity: SessionIdentity,
        *,
        stop_requested: threading.Event | None = None,
        settings: RecorderSettings | None = None,
        hotkey_ends: Callable[[], bool] = lambda: True,
    ) -> None:
        """`hotkey_ends` says whether the hotkey means this recording just now, and not something else."""
        self._desktop = desktop
        self._store = store
        self._clock = clock
        self._identity = identity
        self._settings = settings or RecorderSettings()
        self._hotkey = Hotkey.parse(self._settings.stop_hotkey)
        self._hotkey_ends = hotkey_ends
        self._meter = CaptureMeter()
        self._ring = FrameRing(depth_s=self._settings.ring_depth_s)
        self._pipeline = CapturePipeline(secrets, self._ring, self._settings.pipeline)
        self._queue: queue.SimpleQueue[Observed | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._first_frame = threading.Event()
        self._watching, self._listening = ExitStack(), ExitStack()
        self._writer: SessionWriter | None = None
        self._log: SessionLog | None = None
        self._recorded: RecordedSession | None = None
        self._error: Exception | None = None
        self.stop_requested = stop_requested or threading.Event()

    @property
    def path(self) -> str:
        """Where the session is kept."""
        return self._writer.path if self._writer is not None else ""

    @property
    def progress(self) -> tuple[int, int]:
        """How many events and screenshots have been written."""
        return (self._log.events, self._log.screenshots) if self._log is not None else (0, 0)

    @property
    def undecided_secrets(self) -> int:
        """How often it could not be told whether a text is a secret, and it was taken for one (L0-7)."""
        return self._pipeline.undecided_secrets

    @property
    def times_waited(self) -> int:
        """How often recording had to wait for the disk."""
        return self._log.times_full if self._log is not None else 0

    def start(self) -> None:
        """Begin. When this returns, the next thing the person does is recorded."""
        if self._writer is not None:
            raise UsageError("this recorder was started before", remedy="Make a new Recorder for each session.")
        beginning = Beginning(self._clock.now(), self._clock.monotonic())
        with ExitStack() as undo:
            undo.callback(self._watching.close)
            undo.callback(self._listening.close)
            watch = self._desktop.eyes.watch(self._on_frame, max_fps=self._settings.max_fps)
            self._watching.enter_context(watch)
            if not self._first_frame.wait(self._settings.first_frame_within_s):
                raise DesktopError("the desktop shows no picture of its screen")
            self._listening.enter_context(self._desktop.ears.listen(self._on_event))
            self._writer = self._store.begin(self._new_session(beginning))
            undo.pop_all()
        self._log = SessionLog(self._writer, beginning, self._meter, on_error=self.stop_requested.set)
        self._log.start()
        self._thread.start()

    def stop(self) -> RecordedSession:
        """End, close the session, and raise what went wrong meanwhile."""
        if self._recorded is not None:
            return self._recorded
        if self._writer is None or self._log is None:
            raise UsageError("this recorder was not started", remedy="Call start() first.")
        # Whatever fails on the way, the session is closed: each step runs even if the one before it raised.
        with ExitStack() as steps:
            steps.callback(self._end_session, self._writer)
            steps.callback(self._log.close)
            steps.callback(self._watching.close)
            steps.callback(self._end_worker)
            steps.callback(self._listening.close)
        error = self._error or self._log.error
        if error is not None:
            raise error
        assert self._recorded is not None
        return self._recorded

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    def _new_session(self, beginning: Beginning) -> RawSession:
        info = self._desktop.eyes.info()
        screen = ScreenEnvironment(primary_resolution=info.resolution, scale=info.scale, monitors=info.monitors)
        return RawSession(
            session_id=self._identity.session_id,
            environment=Environment(platform=info.platform, hostname=self._identity.hostname, screen=screen),
            user=self._identity.user,
            started_at=beginning.at,
            agent_version=__version__,
            context=self._identity.context,
        )

    def _on_frame(self, frame: Frame) -> None:
        self._ring.push(frame)
        self._meter.frame(frame)
        self._first_frame.set()

    def _on_event(self, event: InputEvent) -> None:
        self._meter.heard(event)
        self._queue.put(self._pipeline.see(event))

    def _work(self) -> None:
        assert self._log is not None
        try:
            self._consume(self._log)
        except Exception as error:  # top of a thread; raised again by stop
            traceback.clear_frames(error.__traceback__)  # what was held back must not show in a traceback's locals
            self._error = error
            self.stop_requested.set()

    def _consume(self, log: SessionLog) -> None:
        ticked_s = self._clock.monotonic()
        listening = True
        while True:
            try:
                seen = self._queue.get(timeout=self._settings.tick_s if self._pipeline.waiting else None)
            except queue.Empty:
                pass
            else:
                if seen is None:
                    break
                is_hotkey = self._hotkey.matches(seen.event)
                if is_hotkey and self._hotkey_ends():
                    self.stop_requested.set()
                    listening = False
                if listening and not is_hotkey:
                    _write_all(log, self._pipeline.take(seen))
            now_s = self._clock.monotonic()
            # Time may only run when every event that has come was taken: the next one may belong to what waits.
            if self._queue.empty() and now_s - ticked_s >= self._settings.tick_s:
                ticked_s = now_s
                _write_all(log, self._pipeline.tick(now_s))
        _write_all(log, self._pipeline.finish_input(self._clock.monotonic()))
        until_s = self._clock.monotonic() + self._settings.last_settle_s
        while (now_s := self._clock.monotonic()) < until_s and (self._pipeline.waiting or self._moved_lately(now_s)):
            _write_all(log, self._pipeline.tick(now_s))
            self._clock.sleep(self._settings.tick_s)
        _write_all(log, self._pipeline.finish())

    def _moved_lately(self, now_s: float) -> bool:
        latest = self._ring.latest()
        return latest is not None and now_s - latest.ended_s < self._settings.last_quiet_s

    def _end_worker(self) -> None:
        self._queue.put(None)
        self._thread.join()

    def _end_session(self, writer: SessionWriter) -> None:
        capture = self._meter.snapshot(frames_dropped=self._ring.statistics().dropped)
        self._recorded = writer.end(self._clock.now(), capture)


def _write_all(log: SessionLog, items: Iterable[Paired | Aftermath]) -> None:
    for item in items:
        log.write(item)
