"""An application of pictures whose elements are known, on a real X server, and a workflow learned in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mss
import numpy as np

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.adapters.runtime import RandomIds, SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.learn import learn
from rpa_vision.app.run import RunTools
from rpa_vision.app.wiring import vector_index
from rpa_vision.app.wiring_guidance import beside
from rpa_vision.execution.foreign_input import AttentionSettings
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.geometry import Box
from rpa_vision.models.guidance import GuidanceEvent
from rpa_vision.models.raw_session import CaptureMetrics, RawSession
from rpa_vision.testing.screens import HandMadeSession, Item, ScreenBook
from rpa_vision.testing.supervisors import OpenSupervisor

PROGRAM = Path(__file__).parent / "programs" / "picture_app.py"
SIZE = (1000, 700)
FIELD, SEND, AGAIN = (40, 120, 300, 150), (40, 200, 180, 240), (500, 400, 660, 440)
SHOWN, NEW = ("dupont", "martin", "lefort"), "berger"


def form(value: str = "") -> list:
    return [
        ("heading", "title", "Nouveau patient", (40, 50, 260, 80)),
        Item("text_input", "form_input", "Nom", FIELD, value=value),
        ("button", "submit", "Enregistrer", SEND),
    ]


def thanks(name: str) -> list:
    return [
        ("heading", "title", "Patient enregistre", (300, 100, 640, 150)),
        ("label", "data_display", f"Dossier de {name}", (300, 200, 640, 230)),
        ("button", "navigation", "Nouveau", AGAIN),
    ]


class NeverSecret:
    """Implements `ports.perception.SecretFieldClassifier` for an application without secrets."""

    def is_secret(self, before, clicked, after) -> bool:
        return False


@dataclass
class Desk:
    """The application on a screen of its own, what was learned of it, and everything that was said."""

    place: VirtualDesktop
    robot: X11Desktop
    person: X11Desktop
    book: ScreenBook
    data: FileDataDirectory
    workflow: object
    clock: SystemClock
    events: list[GuidanceEvent] = field(default_factory=list)

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def screen(self) -> str:
        """Which picture the application shows, as our eyes see it."""
        pixels = self.robot.eyes.grab().pixels[:, :, :3]
        return next((name for name, known in self.book.pixels.items() if (known[:, :, :3] == pixels).all()), "unknown")

    def real_screen(self):
        with mss.MSS(display=self.place.display) as camera:
            return np.array(camera.grab(camera.monitors[0]))


def _show(book: ScreenBook, data: FileDataDirectory) -> None:
    made = HandMadeSession(book, "sess_patients")
    for name in SHOWN:
        made.click("form", Box(*FIELD).center)
        made.type("form", name)
        made.click(f"typed_{name}", Box(*SEND).center)
        made.click(f"thanks_{name}", Box(*AGAIN).center, after="form")
    session = made.session()
    raw = RawSession(
        session_id=session.session_id,
        environment=session.environment,
        user=session.user,
        started_at=session.started_at,
        context={"training_label": "Patients"},
    )
    writer = data.sessions.begin(raw)
    for shot in session.screenshots:
        writer.add_screenshot(shot, encode_png(book.pixels[shot.screenshot_id]))
    for event in session.events:
        writer.add_event(event)
    writer.end(session.started_at, CaptureMetrics())


def _pictures(book: ScreenBook, folder: Path) -> Path:
    folder.mkdir()
    for name, pixels in book.pixels.items():
        (folder / f"{name}.png").write_bytes(encode_png(pixels))
    script = {
        "first": "form",
        "pictures": list(book.pixels),
        "clicks": {f"typed_{NEW}": [[*SEND, f"thanks_{NEW}"]], f"thanks_{NEW}": [[*AGAIN, "form"]]},
        "texts": {"form": {NEW: f"typed_{NEW}"}},
    }
    (folder / "script.json").write_text(json.dumps(script))
    return folder


@contextmanager
def open_desk(tmp_path: Path, system_clock: SystemClock, wait: Any) -> Iterator[Desk]:
    """The application on a desktop of its own, and its workflow, learned from three names."""
    book = ScreenBook(size=SIZE)
    for name in (*SHOWN, NEW):
        book.draw(f"typed_{name}", form(name), title="Patients", app_name="Pictures")
        book.draw(f"thanks_{name}", thanks(name), title="Merci", app_name="Pictures")
    book.draw("form", form(), title="Patients", app_name="Pictures")
    data = FileDataDirectory(tmp_path / "data", clock=system_clock)
    data.claim()
    _show(book, data)
    workflow = learn(data, book.observer, system_clock, name="Patients").workflow
    with VirtualDesktop(clock=system_clock, size=SIZE) as place:
        folder = _pictures(book, tmp_path / "pictures")
        program = place.run([sys.executable, PROGRAM, str(folder)])
        with X11Desktop(place.display, system_clock) as robot, X11Desktop(place.display, system_clock) as person:
            desk = Desk(place, robot, person, book, data, workflow, system_clock)
            wait.until(
                lambda: (front := robot.eyes.active_window()) and front.app_name == "Pictures", what="the window"
            )
            wait.until(lambda: desk.screen() == "form", what="the first picture")
            yield desk
        program.kill()
        program.wait()


def tools_of(desk: Desk) -> RunTools:
    return RunTools(
        data=desk.data,
        observer=desk.book.observer,
        desktop=desk.robot,
        audit=JsonlAudit(desk.data.paths.audit, desk.clock),
        clock=desk.clock,
        ids=RandomIds(),
        new_index=vector_index,
        supervisor=lambda run: OpenSupervisor(),
        beside=beside(desk.robot, AttentionSettings(quiet_s=0.5)),
    )
