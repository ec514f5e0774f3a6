"""What a week came to: completed, halted, healed, wrong, and the time it saved."""

from __future__ import annotations

from datetime import datetime, timedelta
from html import escape
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from rpa_vision.app.run_history import MAX_WEEKS_AGO, weekly
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.given import whole_number
from rpa_vision.server.dashboard.parts import card, empty, link, table, tile

_COLUMNS = (("success", "completed"), ("halted", "halted"), ("failed", "failed"), ("blocked", "blocked"),
            ("healed", "healed"), ("wrong", "wrong"))  # fmt: skip


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t, ago = desk.t, whole_number(given, "weeks_ago", most=MAX_WEEKS_AGO)
    with frame(desk, t("Weekly summary"), "/runs", back="/runs"):
        with ui.element("div").classes("hb"):
            if ago < MAX_WEEKS_AGO:
                ui.link(t("the week before"), f"/weekly?weeks_ago={ago + 1}")
            if ago:
                ui.link(t("the week after"), f"/weekly?weeks_ago={ago - 1}")
            ui.element("div").classes("grow")
            ui.link("JSON", f"/api/v1/weekly?weeks_ago={ago}", new_tab=True)
        load, key = (lambda: weekly(desk.office, weeks_ago=ago)), f"weekly {ago}"
        await Live(desk, load, lambda data: _draw(desk, data), key=key, keep_s=2.0).start()


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    t, total = desk.t, data["total"]
    first, last = datetime.fromisoformat(data["from"]), datetime.fromisoformat(data["to"]) - timedelta(days=1)
    days = f"{_day(desk, first)} – {_day(desk, last)}"
    if not total["total"]:
        empty("event_busy", t("No run in this week"), days)
        return
    span = {"since": first.date().isoformat(), "until": (last + timedelta(days=1)).date().isoformat()}
    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        ui.label(days).classes("quiet")
        with ui.element("div").classes("tiles"):
            tile(desk.number(total["success"]), t("completed"), _runs(span, status="success"), tone="ok")
            tile(desk.number(total["halted"]), t("runs halted"), _runs(span, status="halted"), tone="warn")
            tile(
                desk.number(total["failed"] + total["blocked"]),
                t("failed or blocked"),
                _runs(span, bad="1"),
                tone="bad",
            )
            tile(desk.number(total["healed"]), t("runs healed"), _runs(span, healed="1"), tone="info")
            tile(
                desk.number(total["wrong"]),
                t("found wrong"),
                _runs(span, wrong="1"),
                tone="bad" if total["wrong"] else "",
            )
            saved = desk.span(data["saved_s"]) if data["saved_s"] is not None else "—"
            tile(saved, t("time saved"), None)
        with card(t("By workflow")):
            rows = [
                [
                    link(f"/workflows/{one['workflow_id']}", one["name"]),
                    *(_count(desk, one[key], _runs(span, one["workflow_id"], key)) for key, _ in _COLUMNS),
                    escape(desk.span(one["saved_s"]) if one["saved_s"] is not None else "—"),
                ]
                for one in data["workflows"]
            ]
            names = [t("workflow"), *(t(name) for _, name in _COLUMNS), t("time saved")]
            table(names, rows, numbers=frozenset(range(1, len(names))))
            ui.label(
                t(
                    "Time saved is what people took for the task when they showed it, for every run that was completed alone."
                )
            ).classes("quiet small")


def _day(desk: Desk, moment: datetime) -> str:
    return f"{moment:%d/%m/%Y}" if desk.lang == "fr" else f"{moment:%Y-%m-%d}"


def _count(desk: Desk, number: int, target: str) -> str:
    return link(target, desk.number(number)) if number else '<span class="quiet">0</span>'


def _runs(span: dict[str, str], workflow_id: str = "", what: str = "", **more: str) -> str:
    """The runs behind a number."""
    flags = {what: "1"} if what in ("healed", "wrong") else {"status": what} if what else {}
    return "/runs?" + urlencode({**span, **({"workflow": workflow_id} if workflow_id else {}), **flags, **more})
