"""Watch a person work, all day: cut her work into episodes, recognise the workflows we know, count what was seen.

The observer never acts and keeps no picture on disk. Windows on the deny list are not looked at, and what a robot does
is not taken for a person's work. Everything it has to say is a `GuidanceEvent`; whoever wants to know is told, a
guide, a dashboard or a script.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from rpa_vision.app.live_session import LiveSessions
from rpa_vision.app.record import session_id
from rpa_vision.capture.discretion import USUALLY_DENIED, DeniedWindows, DiscreetDesktop
from rpa_vision.capture.recorder import Recorder, RecorderSettings, SessionIdentity
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.following import Following, Locate, Sighting
from rpa_vision.models.guidance import GuidanceEvent
from rpa_vision.models.raw_session import UserRef
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.perception import SecretFieldClassifier
from rpa_vision.ports.runtime import Clock

EPISODE_GAP_S = 30.0
_LOOK_S = 0.3
_MAX_FPS = 10.0
_ONE_PRESS_S = 1.5
"""A key that is held down comes again within this time."""

OnSighting = Callable[[Sighting], None]
Counted = Callable[[Workflow, float, str], None]
"""A go was seen to its end: how much it was like what was learned, and where it was seen."""


@dataclass(frozen=True, slots=True)
class ObserveSettings:
    """How work is watched."""

    denied: Sequence[str] = USUALLY_DENIED
    episode_gap_s: float = EPISODE_GAP_S
    """A pause that long ends a piece of work."""
    max_fps: float = _MAX_FPS


@dataclass(frozen=True, slots=True)
class ObserveTools:
    """What an observer needs."""

    desktop: Desktop
    observer: ScreenObserver
    secrets: SecretFieldClassifier
    clock: Clock
    locate: Locate
    robot_acts: Callable[[], bool] = lambda: False
    """Whether a run goes on just now on this desktop: what it does is no person's work."""
    counted: Counted = lambda workflow, similarity, source: None


@dataclass(slots=True)
class _Episode:
    began_t: float
    last_t: float
    steps: int = 0
    apps: dict[str, int] = field(default_factory=dict)
    about: str | None = None


class Interpreter:
    """From deeds to events, without a desktop: what the observer and its benchmark have in common."""

    def __init__(
        self,
        workflows: Sequence[Workflow],
        locate: Locate,
        on_event: Callable[[GuidanceEvent], None],
        *,
        source: str,
        moment: Callable[[float], datetime],
        counted: Counted = lambda workflow, similarity, source: None,
        on_sighting: OnSighting = lambda sighting: None,
        episode_gap_s: float = EPISODE_GAP_S,
    ) -> None:
        self._following = Following(workflows, locate)
        self._on_event = on_event
        self._source = source
        self._moment = moment
        self._counted = counted
        self._on_sighting = on_sighting
        self._gap_s = episode_gap_s
        self._episode: _Episode | None = None
        self.not_followed = tuple(self._following.not_followed)

    def see(self, step: DemoStep) -> None:
        """One thing the person did."""
        self._cut(step.t)
        episode = self._episode or _Episode(step.t, step.t)
        self._episode = episode
        episode.last_t, episode.steps = step.t, episode.steps + 1
        episode.apps[step.app] = episode.apps.get(step.app, 0) + 1
        for sighting in self._following.see(step):
            self._tell(sighting)

    def help_with(self, workflow_id: str, step_id: str, now_t: float) -> None:
        """A robot did a step for the person."""
        for sighting in self._following.help_with(workflow_id, step_id, now_t):
            self._tell(sighting)

    def pause(self, now_t: float) -> None:
        """Time passes in which nothing is done."""
        self._cut(now_t)

    def finish(self, now_t: float) -> None:
        """Nothing more is seen."""
        for sighting in self._following.finish(now_t):
            self._tell(sighting)
        self._end_episode()

    def _cut(self, now_t: float) -> None:
        if self._episode is not None and now_t - self._episode.last_t >= self._gap_s:
            self._end_episode()

    def _end_episode(self) -> None:
        episode, self._episode = self._episode, None
        if episode is None or not episode.steps:
            return
        apps = ", ".join(sorted(episode.apps, key=lambda app: -episode.apps[app]))
        what = f"{episode.about}: " if episode.about else ""
        self._on_event(
            GuidanceEvent(
                kind="episode",
                at=self._moment(episode.last_t),
                workflow_name=episode.about,
                text=f"{what}{episode.steps} things done in {apps}",
                seconds=round(episode.last_t - episode.began_t, 3),
            )
        )

    def _tell(self, sighting: Sighting) -> None:
        workflow = sighting.workflow
        if self._episode is not None and sighting.kind in ("recognised", "completed"):
            self._episode.about = workflow.name
        self._on_event(
            GuidanceEvent(
                kind=sighting.kind,
                at=self._moment(sighting.t),
                workflow_id=workflow.workflow_id,
                workflow_name=workflow.name,
                step_id=sighting.step_id,
                step=sighting.step,
                of=sighting.of,
                text=sighting.text or f"step {sighting.step} of {sighting.of} of {workflow.name}",
                similarity=sighting.similarity,
            )
        )
        if sighting.kind == "completed" and sighting.similarity is not None:
            began = sighting.began_t if sighting.began_t is not None else sighting.t
            if not sighting.was_helped:
                self._counted(workflow, sighting.similarity, f"{self._source}@{began:.1f}")
            self._end_episode()
        self._on_sighting(sighting)


class Observer:
    """Watches one desktop, until told to stop."""

    def __init__(
        self,
        workflows: Sequence[Workflow],
        tools: ObserveTools,
        on_event: Callable[[GuidanceEvent], None],
        *,
        settings: ObserveSettings | None = None,
    ) -> None:
        self._workflows = workflows
        self._tools = tools
        self._on_event = on_event
        self._on_sighting: OnSighting = lambda sighting: None
        self._is_ours: Callable[[DemoStep], bool] = lambda step: False
        self._settings = settings or ObserveSettings()
        self._changed = threading.Event()
        self._robot_stopped_s = float("-inf")
        self._robot_until_t = float("-inf")
        """When a robot was last seen to act here: what was done by then is no person's work."""
        self._helped: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()

    def heed(self, on_sighting: OnSighting, is_ours: Callable[[DemoStep], bool]) -> None:
        """Let a guide hear what is seen, before `run`; `is_ours` says of a deed that it was an answer, and no work."""
        self._on_sighting, self._is_ours = on_sighting, is_ours

    def helped(self, workflow_id: str, step_id: str) -> None:
        """Take note that a robot did that step for the person. Any thread may say so."""
        self._helped.put((workflow_id, step_id))
        self._changed.set()

    def run(self, stop: threading.Event, on_ready: Callable[[], None] = lambda: None) -> None:
        """Watch until `stop` is set."""
        tools, settings = self._tools, self._settings
        clock = tools.clock
        began_at, began_s = clock.now(), clock.monotonic()
        sessions = LiveSessions(self._changed.set)
        identity = SessionIdentity(session_id("observed", began_at), UserRef(id="observed"), {"observed": "true"})
        desktop = DiscreetDesktop(tools.desktop, DeniedWindows(settings.denied), clock)
        recorder = Recorder(
            desktop,
            sessions,
            tools.secrets,
            clock,
            identity,
            stop_requested=threading.Event(),
            settings=RecorderSettings(max_fps=settings.max_fps, ring_depth_s=5.0),
            hotkey_ends=self._hotkey_ends,
        )
        interpreter = Interpreter(
            self._workflows,
            tools.locate,
            self._on_event,
            source=identity.session_id,
            moment=lambda t: began_at + timedelta(seconds=t),
            counted=tools.counted,
            on_sighting=self._on_sighting,
            episode_gap_s=settings.episode_gap_s,
        )
        with recorder:
            on_ready()
            while not stop.is_set() and not recorder.stop_requested.is_set():
                self._wait(stop, sessions)
                self._take(sessions, interpreter, clock.monotonic() - began_s)
        self._take(sessions, interpreter, clock.monotonic() - began_s, all_of_it=True)
        interpreter.finish(clock.monotonic() - began_s)

    def _hotkey_ends(self) -> bool:
        """Whether the stop key means us. While a robot acts here it means the robot; only another press ends us, and a
        key that is held down is one press."""
        now_s = self._tools.clock.monotonic()
        if self._tools.robot_acts() or now_s - self._robot_stopped_s < _ONE_PRESS_S:
            self._robot_stopped_s = now_s
            return False
        return True

    def _wait(self, stop: threading.Event, sessions: LiveSessions) -> None:
        """Sleep while nothing is done; look now and then while something waits to be understood."""
        live = sessions.current
        if live is not None and live.latest_t is None:
            self._changed.wait(1.0)
        else:
            stop.wait(_LOOK_S)
        self._changed.clear()

    def _take(self, sessions: LiveSessions, interpreter: Interpreter, now_t: float, *, all_of_it: bool = False) -> None:
        live = sessions.current
        if live is None:
            return
        while not self._helped.empty():
            interpreter.help_with(*self._helped.get(), now_t)
        if live.latest_t is not None and self._tools.robot_acts():
            self._robot_until_t = now_t
        steps = live.take(now_t, self._tools.observer, all_of_it=all_of_it) if live.latest_t is not None else []
        for step in steps:
            if step.t > self._robot_until_t and not self._is_ours(step):
                interpreter.see(step)
        if live.latest_t is None:
            interpreter.pause(now_t)
