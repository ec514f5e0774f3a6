"""A data directory in which screens of three sessions were understood, and a workflow learned from two of them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.imaging.codec import encode_png
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import MOMENT, AnyItem, ScreenBook, draw_screen, screen_state, workflow_over

SESSIONS = ("sess_a", "sess_b", "sess_c")
WORKFLOW_ID = "WF_factures"


def items(number: int) -> list[AnyItem]:
    return [
        ("heading", "title", f"Facture {number}", (40, 50, 300, 80)),
        ("text_input", "form_input", "Montant", (40, 120, 300, 150)),
        ("button", "submit", "Valider", (40, 200 + 10 * number, 180, 240 + 10 * number)),
    ]


def observed(root: Path) -> FileDataDirectory:
    """Four screens of each session, one of them twice the same."""
    data = FileDataDirectory(root, clock=ManualClock())
    for day, session_id in enumerate(SESSIONS):
        for number in range(4):
            drawn = items(10 * day + min(number, 2))
            path = f"sessions/2026-01-0{5 + day}/{session_id}/shots/shot_{number}.png"
            data.pictures.save(path, encode_png(draw_screen(drawn)))
            state = screen_state(
                drawn, screen_state_id=f"{session_id}.shot_{number}", timestamp=MOMENT + timedelta(days=day)
            )
            raw = state.raw.model_copy(update={"screenshot_path": path})
            data.screen_states.save(state.model_copy(update={"raw": raw, "session_id": session_id}))
    book = ScreenBook()
    screen = book.draw("list", items(1))
    workflow = workflow_over(
        book, {"N1": "list"}, [], workflow_id=WORKFLOW_ID, name="Factures", metadata={"sessions": list(SESSIONS[:2])}
    )
    prototype = workflow.nodes[0].screen_template.embedding_prototype
    assert prototype is not None
    data.vectors.save(prototype.vector_id, screen.vector)
    data.workflows.save(workflow)
    return data
