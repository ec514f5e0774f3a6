"""From one window to another on a real X server: brought to the front, copied here, pasted there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rpa_vision.app import wiring
from rpa_vision.demo.mousepad import launch_mousepad
from rpa_vision.execution.input_delivery import InputDelivery
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus


def clip(**parameters: object) -> Action:
    return Action(type="clipboard", parameters=ActionParameters(replace_existing=True, **parameters))  # type: ignore[arg-type]


def test_what_is_copied_in_one_window_is_pasted_in_another(tmp_path: Path, wait: Any) -> None:
    """L4-7, L4-8"""
    source, target = tmp_path / "source.txt", tmp_path / "target.txt"
    source.write_text("FAC-2026-00042", encoding="utf-8")
    target.write_text("ancien contenu", encoding="utf-8")
    with (
        wiring.virtual_desktop() as virtual,
        launch_mousepad(folder=tmp_path, home=tmp_path / "one", file=source, env=virtual.env),
        launch_mousepad(folder=tmp_path, home=tmp_path / "two", file=target, env=virtual.env),
    ):
        desktop = wiring.desktop(virtual.env["DISPLAY"])
        try:
            opened = {"source", "target"}
            wait.until(
                lambda: opened <= {w.title.split(".")[0].lstrip("*") for w in desktop.windows.all()}, timeout_s=60.0
            )
            app = desktop.windows.all()[0].app_name
            sight = Sight(desktop.eyes, wiring.screen_observer(), wiring.clock(), wiring.ids())
            delivery = InputDelivery(desktop, sight, wiring.clock(), {})

            def switch(title: str) -> Action:
                return Action(type="window_switch", target_app=app, parameters=ActionParameters(title_contains=title))

            def do(action: Action, **values: str) -> StepOutcome:
                outcome = StepOutcome(ExecutionStatus.FAILED)
                assert delivery.deliver(action, outcome, values), outcome.message
                return outcome

            do(switch("source"))
            assert "source" in (desktop.eyes.active_window() or desktop.windows.all()[0]).title
            read = do(clip(clipboard_operation="copy", extract_to="numero")).extracted
            assert read == {"numero": "FAC-2026-00042"}
            do(switch("target"))
            do(clip(clipboard_operation="paste", text="Facture ${numero}"), **read)
            wait.until(
                lambda: do(clip(clipboard_operation="copy", extract_to="n")).extracted["n"].startswith("Facture")
            )
            assert desktop.clipboard.read() == "Facture FAC-2026-00042"
            missing = StepOutcome(ExecutionStatus.FAILED)
            assert not delivery.deliver(switch("nowhere"), missing, {})
            assert (missing.input_sent, "no window of" in missing.message) == (False, True)
        finally:
            desktop.close()
