"""Runs: what runs and waits, and what ended, with filters that are links."""

from __future__ import annotations

from datetime import timedelta
from html import escape
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from rpa_vision.app.held_displays import release
from rpa_vision.app.queue import batch_json, held_batches, whys
from rpa_vision.app.run_history import MAX_OFFSET, list_runs
from rpa_vision.ports.run_index import RunFilter
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.given import moment, one_of, whole_number
from rpa_vision.server.dashboard.parts import card, chip_html, empty, link, table

_PAGE = 50
_SHORT = 80
_STATUSES = ("success", "halted", "failed", "blocked")
_RUNS = {"success": "completed", "halted": "runs halted", "failed": "runs failed", "blocked": "runs blocked"}


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t = desk.t
    with frame(desk, t("Runs"), "/runs"):
        with ui.element("div").classes("hb"):
            _filters(desk, given)
            ui.link(t("Weekly summary"), "/weekly")
            if desk.may("operator"):
                ui.button(t("Start a run"), icon="play_arrow", on_click=lambda: ui.navigate.to("/start")).props(
                    'unelevated data-testid="start"'
                )
        await Live(desk, lambda: _queue(desk), lambda data: _draw_queue(desk, data), key="queue").start()
        key = f"runs {urlencode(sorted(given.items()))}"
        await Live(desk, lambda: _ended(desk, given), lambda data: _draw_ended(desk, data, given), key=key).start()


def _filters(desk: Desk, given: dict[str, str]) -> None:
    t = desk.t
    chosen = one_of(given, "status", _STATUSES)

    def go(**changes: str) -> None:
        kept = {key: value for key, value in {**given, "page": "", **changes}.items() if value}
        ui.navigate.to(f"/runs?{urlencode(kept)}")

    names = {"": t("all workflows")} | {one.workflow_id: one.name for one in desk.office.data.workflows.list().items}
    if given.get("workflow", "") not in names:
        names[given["workflow"]] = given["workflow"]
    ui.select(names, value=given.get("workflow", ""), on_change=lambda event: go(workflow=event.value)).props(
        "outlined dense options-dense"
    ).style("min-width:190px")
    options = {"": t("every outcome"), **{one: t(one) for one in _STATUSES}, "healed": t("healed"), "wrong": t("wrong")}
    current = chosen or ("healed" if given.get("healed") else "") or ("wrong" if given.get("wrong") else "")

    def outcome(value: str) -> None:
        flags = {"healed": "", "wrong": "", "bad": "", "status": ""}
        go(**flags | ({value: "1"} if value in ("healed", "wrong") else {"status": value}))

    ui.select(options, value=current, on_change=lambda event: outcome(event.value)).props(
        "outlined dense options-dense"
    ).style("min-width:150px")
    days = {"": t("any time"), "today": t("today"), "week": t("7 days")}
    ui.select(days, value=one_of(given, "day", days), on_change=lambda event: go(day=event.value)).props(
        "outlined dense options-dense"
    ).style("min-width:120px")
    ui.input(placeholder=t("search values and reasons"), value=given.get("text", "")).props(
        "outlined dense clearable"
    ).classes("grow").on("keydown.enter", lambda event: go(text=event.sender.value or ""))


def _which(desk: Desk, given: dict[str, str]) -> RunFilter:
    today = desk.office.clock.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    since = {"today": today, "week": today - timedelta(days=6)}.get(given.get("day", ""), moment(given, "since"))
    return RunFilter(
        workflow_id=given.get("workflow") or None,
        status=one_of(given, "status", _STATUSES) or None,
        since=since,
        until=moment(given, "until"),
        healed=bool(given.get("healed")),
        wrong=bool(given.get("wrong")),
        text=given.get("text", "")[:200],
        unsuccessful=bool(given.get("bad")),
    )


def _queue(desk: Desk) -> dict[str, Any]:
    queue = desk.office.queue
    items = queue.items(states=("running", "waiting"), limit=100)
    why, held = whys(desk.office, items), held_batches(queue)
    return {
        "held_displays": [one.to_json() for one in queue.held_displays()],
        "items": [{**item.to_json(), "why": why.get(item.run_id, "")} for item in items],
        "batches": [one for one in (batch_json(queue, batch, held) for batch in queue.batches(5)) if _is_open(one)],
    }


def _is_open(batch: dict[str, Any]) -> bool:
    return bool(batch["counts"].get("waiting") or batch["counts"].get("running"))


def _draw_queue(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    for one in data["held_displays"]:
        _draw_held(desk, one)
    if not data["items"]:
        return
    with card(t("Running and waiting")):
        for batch in data["batches"]:
            with ui.link(target=f"/batches/{batch['batch_id']}").classes("item"):
                ui.icon("table_rows").style("color:var(--accent)")
                with ui.element("div").classes("main"):
                    ui.label(batch["name"])
                    ui.label(desk.said(batch["held"] or "") or f"{batch['workflow_id']} · {batch['who']}").classes(
                        "quiet small"
                    )
                done = batch["rows"] - batch["counts"].get("waiting", 0) - batch["counts"].get("running", 0)
                ui.label(t("{done} of {rows} rows", done=done, rows=batch["rows"])).classes("quiet small")
        rows = [
            [
                link(f"/runs/{item['run_id']}", item["workflow_id"]),
                escape(", ".join(item["parameters"].values())),
                escape(item["display"]),
                chip_html(desk, item["state"]),
                escape(desk.said(item["doing"] or item["why"] or "")),
                str(item["priority"]),
                escape(item["who"]),
            ]
            for item in data["items"][:30]
        ]
        heads = [
            t("workflow"),
            t("values"),
            t("display"),
            t("state"),
            t("what, or why it waits"),
            t("priority"),
            t("who"),
        ]
        table(heads, rows, numbers=frozenset({5}))
        if len(data["items"]) > len(rows):
            ui.label(t("and {n} more", n=len(data["items"]) - len(rows))).classes("quiet small")


def _draw_held(desk: Desk, held: dict[str, Any]) -> None:
    """A display where a person stopped the robot, and what lets its queue go on."""
    t, office = desk.t, desk.office

    async def let_go() -> None:
        await desk.act("operator", release, office.queue, office.heal.audit, office.clock, held["display"],
                       who=desk.who, done=t("It goes on."))  # fmt: skip

    with card().style("border-color:var(--warn)"), ui.element("div").classes("hb"):
        ui.icon("pan_tool").style("color:var(--warn);font-size:24px")
        ui.label(desk.said(held["told"])).classes("grow")
        if desk.may("operator"):
            ui.button(t("Release"), icon="play_arrow", on_click=let_go).props('unelevated data-testid="release"')


def _ended(desk: Desk, given: dict[str, str]) -> dict[str, Any]:
    page = whole_number(given, "page", most=MAX_OFFSET // _PAGE)
    return list_runs(desk.office, _which(desk, given), limit=_PAGE, offset=page * _PAGE)


def _draw_ended(desk: Desk, data: dict[str, Any], given: dict[str, str]) -> None:
    t, count = desk.t, data["count"]
    if not data["runs"]:
        if any(given.values()):
            empty("filter_alt_off", t("No run is like that"), t("Take a filter away."))
        else:
            empty(
                "play_circle", t("No run yet"), t("Start one here, or on the command line:"), "rpa-vision run WORKFLOW"
            )
        return
    with card():
        said = ", ".join(f"{desk.number(count[one])} {t(_RUNS[one])}" for one in _STATUSES if count[one])
        ui.label(f"{t('{n} runs', n=desk.number(count['total']))}{desk.colon} {said}").classes("quiet small")
        rows = [
            [
                link(f"/runs/{one['run_id']}", desk.moment(one["started_at"])),
                _outcome(desk, one),
                escape(one["workflow_name"] or one["run_id"]) + f' <span class="quiet small">v{one["version"]}</span>',
                escape(one["parameters"]),
                _why(desk, one),
                str(one["steps"]),
                desk.score(one["min_score"]),
                desk.span(one["duration_s"]),
            ]
            for one in data["runs"]
        ]
        heads = [t("began"), t("outcome"), t("workflow"), t("values"), t("why"), t("steps"), t("least sure"), t("took")]
        table(heads, rows, numbers=frozenset({5, 6, 7}))
        _pages(desk, data, given)


def _outcome(desk: Desk, one: dict[str, Any]) -> str:
    """How it ended. A heal is told beside a run that completed; of one that did not, it is no merit."""
    said = chip_html(desk, one["status"] or "failed")
    if not one["healed"]:
        return said
    if one["status"] == "success":
        return f"{said} {chip_html(desk, 'healed')}"
    return f'{said} <span class="quiet small">{escape(desk.t("healed before that"))}</span>'


def _why(desk: Desk, one: dict[str, Any]) -> str:
    """The whole reason; a long one is folded after two lines, and opened by a click."""
    reason = desk.said(one["problem"] or one["reason"])
    if len(reason) <= _SHORT:
        return f'<span class="quiet">{escape(reason)}</span>'
    return f'<details class="why quiet"><summary title="{escape(reason)}">{escape(reason)}</summary></details>'


def _pages(desk: Desk, data: dict[str, Any], given: dict[str, str]) -> None:
    t, offset, total = desk.t, data["offset"], data["count"]["total"]
    if total <= _PAGE:
        return
    page = offset // _PAGE

    def target(number: int) -> str:
        return f"/runs?{urlencode({**given, 'page': str(number)})}"

    with ui.element("div").classes("hb").style("justify-content:flex-end;padding-top:8px"):
        if page > 0:
            ui.link(t("newer"), target(page - 1))
        shown = f"{desk.number(offset + 1)}–{desk.number(min(offset + _PAGE, total))} / {desk.number(total)}"
        ui.label(shown).classes("quiet small")
        if offset + _PAGE < total:
            ui.link(t("older"), target(page + 1))
