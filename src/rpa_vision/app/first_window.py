"""The window a run begins in is brought to the front, where it lies behind another one."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import JsonValue

from rpa_vision.execution.entry_window import EntryWindow
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.runtime import Clock

Note = Callable[[str, dict[str, JsonValue]], None]


def bring_first_window(workflow: Workflow, desktop: Desktop, gate: InputGate, clock: Clock, note: Note) -> None:
    """Look for the window of the first screen and bring it to the front; what is decided is noted first.

    It passes the gate like every input, but counts as none: nothing in the window was touched, and no step has sent
    anything yet.
    """
    first = next((node for node in workflow.nodes if node.node_id in workflow.entry_nodes), None)
    if first is None:
        return
    entry = EntryWindow(
        desktop,
        clock,
        lambda window: note("window_decided", {"app_name": window.app_name, "title": window.title}),
    )
    sent_before = gate.sent
    try:
        entry.bring_to_front(first.screen_template.window)
    finally:
        for _ in range(gate.sent - sent_before):
            gate.take_back()
