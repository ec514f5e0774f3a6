"""A run while it goes on: what it does, the screen with its target as it happens, the steps so far, pause and stop.

Each part draws itself again only when it shows something else, so that the picture does not flicker with every step.
"""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app import queue as queue_use_case
from rpa_vision.app.run_live import steps_so_far, warnings_so_far
from rpa_vision.models.execution import is_healed
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.parts import card, chip, table, warned


async def draw_going_on(desk: Desk, run_id: str) -> None:
    """Draw a run that waits or goes on."""
    await Live(
        desk, lambda: _head(desk, run_id), lambda now: _draw_head(desk, run_id, now), key=f"head {run_id}"
    ).start()
    with ui.element("div").classes("two"):
        seen = Live(
            desk, lambda: _target(desk, run_id), lambda now: _draw_target(desk, run_id, now), key=f"target {run_id}"
        )
        await seen.start()
        await Live(
            desk, lambda: _so_far(desk, run_id), lambda now: _draw_so_far(desk, now), key=f"steps {run_id}"
        ).start()


def _head(desk: Desk, run_id: str) -> dict[str, Any]:
    item = queue_use_case.one_run(desk.office.queue, run_id)
    why = queue_use_case.whys(desk.office, [item]).get(run_id, "")
    warnings = warnings_so_far(desk.office.queue.told_of(run_id))
    return {"queued": item.to_json(), "why": why, "warnings": warnings}


def _target(desk: Desk, run_id: str) -> dict[str, Any]:
    aimed = [step for step in _steps(desk, run_id) if step.get("picture")]
    return {"step": aimed[-1] if aimed else None}


def _so_far(desk: Desk, run_id: str) -> dict[str, Any]:
    item = queue_use_case.one_run(desk.office.queue, run_id)
    return {"steps": _steps(desk, run_id), "parameters": item.asked.parameters}


def _steps(desk: Desk, run_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = steps_so_far(desk.office.queue.told_of(run_id))["steps"]
    return found


def _draw_target(desk: Desk, run_id: str, data: dict[str, Any]) -> None:
    """The screen as the robot sees it, with what it is about to act on."""
    t, step = desk.t, data["step"]
    with card(t("The screen, with the target that was found")):
        if step is None:
            ui.label(t("As soon as a target is found it is shown here.")).classes("quiet small")
            return
        facts = [step["label"] or "", desk.strategy(step["strategy"]), desk.score(step["score"])]
        ui.label(f"{step['step']}. {desk.said(step['doing'])}").classes("small").style("font-weight:600")
        ui.label(" · ".join(filter(None, facts))).classes("quiet small").props('data-testid="live-target"')
        source = f"/api/v1/runs/{run_id}/pictures/{step['picture']}"
        with ui.element("div").classes("shotbox"):
            ui.html(f'<img src="{source}" alt="{escape(t("The screen, with the target that was found"))}" '
                    'data-testid="live-shot">', sanitize=False)  # fmt: skip


def _draw_so_far(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        with card(t("Steps")):
            if not data["steps"]:
                ui.label(t("No step has begun.")).classes("quiet small")
            for step in data["steps"]:
                with ui.element("div").classes("step").props('data-testid="live-step"'):
                    ui.html(f'<span class="no">{step["step"]}</span>', sanitize=False)
                    with ui.element("div").classes("grow"):
                        ui.label(desk.said(step["doing"]))
                        took = desk.span(step["duration_ms"] / 1000) if step.get("duration_ms") is not None else ""
                        facts = (desk.strategy(step.get("strategy")), desk.score(step.get("score")), took)
                        ui.label(" · ".join(filter(None, facts))).classes("quiet small")
                    if is_healed(step.get("healing_level"), step.get("strategy")):
                        chip(desk, "healed")
                    if step["status"] == "running":
                        ui.element("span").classes("pulse").style("margin-top:8px")
                    else:
                        ui.icon("check_circle" if step["verified"] else "cancel").style(
                            f"color:var(--{'ok' if step['verified'] else 'bad'})"
                        )
        if data["parameters"]:
            with card(t("Values")):
                rows = [[escape(key), escape(value)] for key, value in data["parameters"].items()]
                table([t("variable"), t("value")], rows)


def _draw_head(desk: Desk, run_id: str, data: dict[str, Any]) -> None:
    t, item = desk.t, data["queued"]

    async def want(wanted: Any, done: str) -> None:
        await desk.act_at_once("operator", queue_use_case.want, desk.office, run_id, wanted, who=desk.who, done=done)

    with card(), ui.element("div").classes("hb"):
        if item["state"] == "running":
            ui.element("span").classes("pulse")
        chip(desk, item["state"])
        if item["wanted"] == "pause":
            chip(desk, "paused")
        with ui.element("div").classes("grow"):
            ui.label(desk.said(item["doing"] or data["why"] or item["reason"]) or t("looking at the screen"))
            who = t("asked by {who} on {at}, for {display}", who=item["who"], at=desk.moment(item["queued_at"]),
                    display=item["display"])  # fmt: skip
            ui.label(who).classes("quiet small")
            warned(desk, data["warnings"])
        if desk.may("operator") and item["state"] in ("running", "waiting"):
            if item["wanted"] == "pause":
                ui.button(t("Go on"), icon="play_arrow", on_click=lambda: want("go", t("It goes on."))).props(
                    'outline data-testid="go-on"'
                )
            else:
                ui.button(t("Pause"), icon="pause",
                          on_click=lambda: want("pause", t("It pauses after this step."))).props('outline data-testid="pause"')  # fmt: skip
            ui.button(
                t("Stop"), icon="stop", on_click=lambda: want("stop", t("It stops before its next input."))
            ).props('unelevated color=negative data-testid="stop"')
