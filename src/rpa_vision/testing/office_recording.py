"""A recording for the generated office: somebody does a task three times, with a needless click in between."""

from __future__ import annotations

from datetime import timedelta

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.wiring import clock
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import (
    CaptureMetrics,
    Environment,
    Event,
    RawSession,
    ScreenEnvironment,
    Screenshot,
    Segment,
    UserRef,
)
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.office_tasks import BUTTON, SIZE, Task, drawn
from rpa_vision.testing.screens import AnyItem, screen_state

_GOES = 3
_STEP_S = 4.0


def record_task(data: FileDataDirectory, task: Task) -> None:
    """Keep it as the recorder would."""
    began = clock().now() - timedelta(days=41)
    window = WindowContext(title="Clinique des Lilas", app_name="chromium")
    raw = RawSession(
        session_id=f"sess_office_{task.variable}",
        environment=Environment(platform="linux", hostname="office", screen=ScreenEnvironment(primary_resolution=SIZE)),
        user=UserRef(id="anna"),
        started_at=began,
        context={"training_label": task.name},
    )
    writer = data.sessions.begin(raw)
    for index in range(len(task.screens)):
        shot_id = f"shot_{index}"
        shot = Screenshot(
            screenshot_id=shot_id, relative_path=f"shots/{shot_id}.png", captured_at=began, t=0.0, window=window
        )
        writer.add_screenshot(shot, encode_png(drawn(task, index)))
    events, segments, at_s = list[Event](), list[Segment](), 0.0
    for go in range(_GOES):
        first = len(events)
        for index in range(len(task.screens) - 1):
            if go == 1 and index == 1:
                events.append(Event(t=at_s, type="mouse_click", window=window, button="left", pos=(80, 700),
                                    screenshot_id=f"shot_{index}", noise_flag=True, confidence=0.9))  # fmt: skip
                at_s += 1.5
            events.append(Event(t=at_s, type="mouse_click", window=window, button="left", pos=Box(*BUTTON).center,
                                screenshot_id=f"shot_{index}", screenshot_after_id=f"shot_{index + 1}",
                                noise_flag=False, semantic_role="validation", confidence=0.95))  # fmt: skip
            at_s += _STEP_S
        segments.append(
            Segment(
                segment_id=f"seg_{go + 1}", start_event_index=first, end_event_index=len(events) - 1,
                start_time=began + timedelta(seconds=events[first].t), end_time=began + timedelta(seconds=events[-1].t),
                label=task.name, workflow_id=task.workflow_id, confidence=0.93, trigger="pattern_complete",
            )
        )  # fmt: skip
        at_s += 35.0
    for event in events:
        writer.add_event(event)
    ended = writer.end(began + timedelta(seconds=at_s), CaptureMetrics(frames_grabbed=140, screenshots_written=4))
    data.sessions.save(ended.model_copy(update={"segments": tuple(segments)}))
    for index, (title, button) in enumerate(task.screens):
        seen: list[AnyItem] = [("heading", "title", title, (36, 96, 420, 134))]
        seen += [("button", "validate", button, BUTTON)] if button else []
        seen += [("link", "navigation", f"{task.prefix}{12 + row * 7:04d}", (56, 184 + row * 60, 200, 210 + row * 60))
                 for row in range(9)]  # fmt: skip
        state = screen_state(seen, screen_state_id=f"{ended.session_id}.shot_{index}", timestamp=began)
        path = data.sessions.screenshot_path(ended, f"shot_{index}")
        raw_screen = state.raw.model_copy(update={"screenshot_path": path})
        data.screen_states.save(state.model_copy(update={"raw": raw_screen, "session_id": ended.session_id}))
