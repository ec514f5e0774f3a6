"""A whole office by hand: a data directory, a book of screens, a desktop that behaves like the application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.app.learn import LearnResult, learn
from rpa_vision.app.run import RunTools
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import CaptureMetrics, RawSession, RecordedSession
from rpa_vision.ports.desktop import Desktop
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import AnyItem, CountingIds, HandMadeSession, Item, ScreenBook
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop
from rpa_vision.testing.supervisors import OpenSupervisor

FIELD = (40, 120, 300, 150)
SEND = (40, 200, 180, 240)
AGAIN = (500, 400, 660, 440)
NAMES = ("Dupont", "Martin", "Lefèvre")
NEW = "Berger"


def form(value: str = "") -> list[AnyItem]:
    return [
        ("heading", "title", "Nouveau patient", (40, 50, 260, 80)),
        Item("text_input", "form_input", "Nom", FIELD, value=value),
        ("button", "submit", "Enregistrer", SEND),
        ("link", "navigation", "Aide", (700, 50, 760, 80)),
    ]


def thanks(name: str, again: str = "Nouveau") -> list[AnyItem]:
    """What comes after it; `again` leads on to the next."""
    return [
        ("heading", "title", "Patient enregistré", (300, 100, 640, 150)),
        ("label", "data_display", f"Dossier de {name}", (300, 200, 640, 230)),
        ("button", "navigation", again, AGAIN),
    ]


def draw_patients(book: ScreenBook, names: Sequence[str], again: str = "Nouveau") -> None:
    book.draw("form", form(), title="Patients")
    for index, name in enumerate(names):
        book.draw(f"typed_{index}", form(name), title="Patients")
        book.draw(f"thanks_{index}", thanks(name, again), title="Merci")


def show_three(book: ScreenBook, session_id: str = "sess_patients", *, again: str = "Nouveau") -> HandMadeSession:
    """Three patients registered by a person."""
    draw_patients(book, NAMES, again)
    session = HandMadeSession(book, session_id)
    for index, name in enumerate(NAMES):
        session.click("form", Box(*FIELD).center)
        session.type("form", name)
        session.click(f"typed_{index}", Box(*SEND).center)
        session.click(f"thanks_{index}", Box(*AGAIN).center, after="form")
    return session


@dataclass
class Office:
    """Everything in one place."""

    data: FileDataDirectory
    book: ScreenBook
    clock: ManualClock = field(default_factory=ManualClock)

    def keep(self, made: HandMadeSession, *, name: str = "Patients") -> RecordedSession:
        """Store a recording made by hand as the recorder would."""
        session = made.session()
        raw = RawSession(
            session_id=session.session_id,
            environment=session.environment,
            user=session.user,
            started_at=session.started_at,
            context={"name": name},
        )
        writer = self.data.sessions.begin(raw)
        for shot in session.screenshots:
            writer.add_screenshot(shot, encode_png(self.book.pixels[shot.screenshot_id]))
        for event in session.events:
            writer.add_event(event)
        return writer.end(session.started_at, CaptureMetrics())

    def learn(self, **options: Any) -> LearnResult:
        return learn(self.data, self.book.observer, self.clock, **{"name": "Patients", **options})

    def desktop(
        self, name: str = NEW, *, start: str = "form", deaf_clicks: int = 0, again: str = "Nouveau"
    ) -> ScriptedDesktop:
        """The application, for one more patient. Its button does nothing for the first few clicks, if so wanted."""
        heard = count(1)
        self.book.draw("new_typed", form(name), title="Patients")
        self.book.draw("new_thanks", thanks(name, again), title="Merci")

        def follow(screen: str, deed: Deed) -> str | None:
            at = deed.at or (0, 0)
            if screen == "form" and deed.verb == "type_text":
                return "new_typed" if deed.text == name else None
            if screen == "new_typed" and deed.verb == "click" and Box(*SEND).contains(at):
                return "new_thanks" if next(heard) > deaf_clicks else None
            return "form" if screen == "new_thanks" and deed.verb == "click" and Box(*AGAIN).contains(at) else None

        return ScriptedDesktop(self.book.pixels, start=start, script=follow, clock=self.clock)

    def tools(self, desktop: Desktop, **changes: Any) -> RunTools:
        self.data.claim()
        audit = JsonlAudit(self.data.paths.audit, self.clock)
        parts: dict[str, Any] = {
            "data": self.data,
            "observer": self.book.observer,
            "desktop": desktop,
            "audit": audit,
            "clock": self.clock,
            "ids": CountingIds(),
            "new_index": lambda workflow_id, space: FAISSManager(FaissIndex, workflow_id=workflow_id, space=space),
            "supervisor": lambda run_id: OpenSupervisor(),
        }
        return RunTools(**(parts | changes))

    @property
    def audit_file(self) -> Path:
        return self.data.paths.audit


class Diary:
    """Implements `ports.audit.AuditLog` in memory."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, dict[str, JsonValue]]] = []

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        self.entries.append((kind, record))


class Refusing(OpenSupervisor):
    """A supervisor that allows nothing."""

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        return False, "quarantined"

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        raise AssertionError("nothing was executed")
