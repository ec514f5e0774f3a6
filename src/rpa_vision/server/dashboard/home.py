"""The first page: what runs, what needs me, how today went."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.overview import now_going_on, overview
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import axis, card, chart, chip, empty, tile
from rpa_vision.server.dashboard.stop_everything import stop_button

_KEEP_S = 2.0
_ICONS = {"case": "report", "quarantined": "block", "paused": "pause_circle", "global_pause": "pan_tool", "policy": "tune",
          "held_display": "pan_tool",
          "rollback": "history", "interrupted": "bolt", "batch": "table_rows", "question": "help", "proposal": "alt_route"}  # fmt: skip


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    with frame(desk, desk.t("Home"), "/"):
        stop_button(desk)
        await _part(desk, _beginnings, lambda data: _draw(desk, data)).start()


def _part(desk: Desk, pick: Callable[[Any], Any], draw: Callable[[Any], Any]) -> Live:
    """A part of what is told of everything: costly, so it is fetched for all at once, and not with every step."""
    return Live(desk, lambda: overview(desk.office), draw, key="overview", keep_s=_KEEP_S, pick=pick)


def _beginnings(data: dict[str, Any]) -> dict[str, bool]:
    return {"nothing_learned": data["workflows"] == 0, "nothing_recorded": data["sessions"] == 0}


async def _draw(desk: Desk, data: dict[str, bool]) -> None:
    if data["nothing_learned"]:
        _first_steps(desk, nothing_recorded=data["nothing_recorded"])
        return

    def part(draw: Callable[[Desk, Any], None], *names: str) -> Live:
        return _part(desk, lambda data: {name: data[name] for name in names}, lambda picked: draw(desk, picked))

    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        await part(_today, "today", "all", "global_pause").start()
        with ui.element("div").classes("two"):
            with ui.element("div").style("display:flex;flex-direction:column;gap:16px;min-width:0"):
                now = Live(desk, lambda: now_going_on(desk.office), lambda now: _running(desk, now), key="home now")
                await now.start()
                await part(_days, "days").start()
            await part(_needs, "needs").start()


def _today(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        if data["global_pause"] is not None:
            with card().style("border-color:var(--warn)"), ui.element("div").classes("hb"):
                ui.icon("pan_tool").style("color:var(--warn);font-size:24px")
                paused = data["global_pause"]
                ui.label(t("Everything is paused by {who}: {why}", who=paused["who"], why=paused["reason"])).classes(
                    "grow"
                )
                ui.link(t("Auto-heal"), "/auto-heal")
        today = data["today"]
        with ui.element("div").classes("tiles"):
            tile(desk.number(today["success"]), t("completed today"), "/runs?status=success&day=today", tone="ok")
            tile(desk.number(today["halted"]), t("halted today"), "/runs?status=halted&day=today", tone="warn")
            tile(desk.number(today["failed"] + today["blocked"]), t("failed or blocked today"), "/runs?day=today&bad=1",
                 tone="bad")  # fmt: skip
            tile(desk.number(today["healed"]), t("healed today"), "/runs?healed=1&day=today", tone="info")
            tile(desk.number(today["wrong"]), t("found wrong today"), "/runs?wrong=1&day=today",
                 tone="bad" if today["wrong"] else "")  # fmt: skip
            tile(desk.number(data["all"]["total"]), t("runs in all"), "/runs")


def _first_steps(desk: Desk, *, nothing_recorded: bool) -> None:
    t = desk.t
    if nothing_recorded:
        empty("videocam", t("Show it a task first"),
              t("Do the task three times or more while it is recorded; then let it be learned."),
              'rpa-vision record --name "My task"')  # fmt: skip
    else:
        empty("school", t("There are recordings, and nothing was learned yet"),
              t("Learn a workflow from what was recorded."), 'rpa-vision learn --name "My task"')  # fmt: skip
    with card(t("Or see the idea at work")):
        ui.label(t("A scripted person validates invoices, and then the robot does others alone:")).classes("quiet")
        ui.html('<span class="code">rpa-vision demo</span>', sanitize=False)


def _running(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    with card(t("Now")):
        for item in data["running"]:
            with ui.link(target=f"/runs/{item['run_id']}").classes("item"):
                ui.element("span").classes("pulse")
                with ui.element("div").classes("main"):
                    ui.label(f"{item['workflow_id']} · {item['display']}").classes("clip")
                    ui.label(desk.said(item["doing"]) or t("looking at the screen")).classes("quiet small clip")
                ui.label(t("{n} steps", n=item["steps_done"])).classes("quiet small")
        for item in data["waiting"][:6]:
            with ui.link(target=f"/runs/{item['run_id']}").classes("item"):
                ui.icon("schedule").classes("quiet")
                with ui.element("div").classes("main"):
                    ui.label(f"{item['workflow_id']} {', '.join(item['parameters'].values())}").classes("clip")
                    ui.label(desk.said(item["why"])).classes("quiet small clip")
        if not data["running"] and not data["waiting"]:
            with ui.element("div").classes("hb"):
                ui.label(t("Nothing runs and nothing waits.")).classes("quiet grow")
                if desk.may("operator"):
                    ui.button(t("Start a run"), icon="play_arrow", on_click=lambda: ui.navigate.to("/start")).props(
                        "unelevated dense padding='6px 14px'"
                    )
        for worker in data["workers"]:
            if not worker["alive"]:
                with ui.element("div").classes("item"):
                    ui.icon("desktop_access_disabled").style("color:var(--warn)")
                    ui.label(t("Nobody works on display {name}.", name=worker["display"])).classes("small grow")
                    command = f"rpa-vision work --display {worker['display']}"
                    ui.html(f'<span class="code">{escape(command)}</span>', sanitize=False)


def _needs(desk: Desk, data: dict[str, Any]) -> None:
    t, needs = desk.t, data["needs"]
    with card(t("Needs you")):
        if not needs:
            with ui.element("div").classes("hb"):
                ui.icon("task_alt").style("color:var(--ok);font-size:22px")
                ui.label(t("Nothing needs you."))
            return
        with ui.element("div").classes("list"):
            for need in needs:
                with ui.link(target=need["where"]).classes("item"):
                    ui.icon(_ICONS.get(need["kind"], "info")).style("color:var(--warn);font-size:21px")
                    with ui.element("div").classes("main"):
                        ui.label(_title(desk, need)).classes("clip")
                        why = desk.said(need["why"]) or t("since {at}", at=desk.moment(need["at"]))
                        ui.label(why).classes("quiet small").style(
                            "display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden"
                        )
                    if need.get("occurrences", 1) > 1:
                        chip(desk, f"× {need['occurrences']}")


def _title(desk: Desk, need: dict[str, Any]) -> str:
    t, name = desk.t, need["workflow_id"]
    return {
        "case": t("{name}: step {step} failed", name=name, step=need.get("step_id", "")),
        "quarantined": t("{name} is quarantined", name=name),
        "paused": t("{name} is paused", name=name),
        "rollback": t("{name} is being rolled back", name=name),
        "global_pause": t("Everything is paused"),
        "held_display": t("{name}: a person stopped the robot", name=name),
        "policy": t("The policy file is not in force"),
        "interrupted": t("{name}: a run was interrupted", name=name),
        "batch": t("{name}: a file of rows waits for you", name=name),
        "not_run": t("{name}: not run by itself", name=name),
        "question": t("{name}: a run asks you", name=name),
        "proposal": t("{name}: a target was found another way", name=name),
    }.get(need["kind"], str(need["kind"]))


def _days(desk: Desk, data: dict[str, Any]) -> None:
    t, days = desk.t, data["days"]
    with card(t("The last two weeks")):
        ui.link(t("Weekly summary"), "/weekly").classes("small")
        if not days:
            ui.label(t("No run yet.")).classes("quiet")
            return
        series = [("success", t("completed"), "#1a9a5c"), ("halted", t("runs halted"), "#e0a030"), ("failed", t("runs failed"), "#d33f49"),
                  ("blocked", t("runs blocked"), "#8a5fc7")]  # fmt: skip
        chart(
            desk,
            {
                "xAxis": axis("category", data=[desk.day(day["day"]) for day in days]),
                "yAxis": axis("value", minInterval=1),
                "series": [
                    {"type": "bar", "stack": "all", "name": name, "data": [day[key] for day in days],
                     "itemStyle": {"color": colour}, "barMaxWidth": 34}
                    for key, name, colour in series
                ],
            },
        )  # fmt: skip
