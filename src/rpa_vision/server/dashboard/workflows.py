"""Workflows at a glance."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from rpa_vision.app.workflow_views import list_workflows
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import chip, chip_html, empty, state_chip


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    with frame(desk, desk.t("Workflows"), "/workflows"):
        await Live(desk, lambda: list_workflows(desk.office), lambda data: _draw(desk, data)).start()


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    if not data["workflows"]:
        empty("account_tree", t("Nothing was learned yet"),
              t("Record a task three times or more, then learn it."), 'rpa-vision learn --name "My task"')  # fmt: skip
    with ui.element("div").classes("cards"):
        for one in data["workflows"]:
            with ui.link(target=f"/workflows/{one['workflow_id']}").classes("pick"):
                if one["picture"]:
                    source = f"/api/v1/workflows/{one['workflow_id']}/pictures/{one['picture']}"
                    ui.html(f'<img class="shot" src="{source}" alt="" loading="lazy">', sanitize=False)
                with ui.element("div").classes("in"):
                    ui.html("", sanitize=False)
                    ui.label(one["name"]).style("font-weight:630;font-size:15px")
                    with ui.element("div").classes("hb tight"):
                        state_chip(desk, one["state"])
                        chip(desk, one["learning_state"])
                        ui.html(chip_html(desk, f"v{one['version']}"), sanitize=False, tag="span")
                    facts = t("{steps} steps · {screens} screens", steps=one["steps"], screens=one["screens"])
                    ui.label(facts + (f" · {', '.join(one['variables'])}" if one["variables"] else "")).classes(
                        "quiet small"
                    )
                    week = one["week"]
                    said = (
                        t("{total} runs in 7 days, {success} completed, {healed} healed", **week)
                        if week["total"]
                        else t("no run in 7 days")
                    )
                    ui.label(said).classes("small")
    for bad in data["unreadable"]:
        ui.label(t("cannot be read: {name} ({problem})", **bad)).style("color:var(--bad)")
