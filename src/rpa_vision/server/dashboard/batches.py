"""A file of rows: what became of each."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.queue import batch_json, held_batches, whys
from rpa_vision.app.queued_files import release_batch, run_again, stop_batch
from rpa_vision.errors import UnknownIdError
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import card, chip, chip_html, link, meter_html, table

_SHOWN = 500
_INCOMPLETE = ("halted", "failed", "blocked", "cancelled")
_UNCERTAIN = ("halted", "failed", "interrupted")


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    batch_id = given["batch_id"]
    about = desk.office.queue.batch(batch_id)
    if about is None:
        raise UnknownIdError(f"there is no file of rows {batch_id!r}", remedy=desk.t("The page Runs lists them."))
    with frame(desk, about.name, "/runs", subtitle=f"{about.workflow_id} · {about.who}", back="/runs"):
        await Live(desk, lambda: _load(desk, batch_id), lambda data: _draw(desk, data)).start()


def _load(desk: Desk, batch_id: str) -> dict[str, Any]:
    queue = desk.office.queue
    batch = queue.batch(batch_id)
    assert batch is not None
    items = queue.items(batch_id=batch_id, limit=_SHOWN)
    why = whys(desk.office, items)
    rows = [{**item.to_json(), "why": why.get(item.run_id, "")} for item in items]
    return {**batch_json(queue, batch, held_batches(queue)), "items": rows}


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    left = sum(data["counts"].get(state, 0) for state in ("waiting", "running"))
    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        with card():
            _draw_progress(desk, data, left)
            _draw_held(desk, data)
        with card(desk.t("Rows")):
            _draw_rows(desk, data["items"])


def _draw_progress(desk: Desk, data: dict[str, Any], left: int) -> None:
    t, rows = desk.t, data["rows"]
    with ui.element("div").classes("hb"):
        told = t("{done} of {rows} rows", done=rows - left, rows=rows)
        ui.label(told).classes("h2").props('data-testid="rows-done"')
        for name, count in data["counts"].items():
            ui.html(chip_html(desk, name) + f" {count}", sanitize=False, tag="span")
        ui.element("div").classes("grow")
        if desk.may("operator"):
            _draw_buttons(desk, data, left)
    ui.html(meter_html((rows - left) / rows if rows else 1.0), sanitize=False).classes("w-full")
    if data["skipped"]:
        why = t(
            "{n} rows were left out: asked for before, complete, or they may have sent something", n=data["skipped"]
        )
        ui.label(why).classes("quiet small")


def _draw_buttons(desk: Desk, data: dict[str, Any], left: int) -> None:
    t, counts, batch_id = desk.t, data["counts"], data["batch_id"]

    async def stop() -> None:
        await desk.act("operator", stop_batch, desk.office, batch_id, who=desk.who, done=t("Stopped."))

    if left:
        ui.button(t("Stop the rest"), icon="stop", on_click=stop).props("outline color=negative")
    if any(counts.get(name) for name in _INCOMPLETE):
        ui.button(t("Run again what sent nothing"), icon="replay", on_click=lambda: _again(desk, batch_id)).props(
            'outline data-testid="rows-again"'
        ).tooltip(t("Rows that did not complete and sent nothing; the others are left to you."))
    if any(counts.get(name) for name in _UNCERTAIN):
        ui.button(
            t("Also rows that may have sent something"), icon="warning", on_click=lambda: _look_first(desk, batch_id)
        ).props('flat data-testid="rows-uncertain"')


async def _again(desk: Desk, batch_id: str, *, uncertain: bool = False, rest: bool = False) -> None:
    queued = await desk.act("operator", run_again, desk.office, batch_id, who=desk.who, uncertain=uncertain, rest=rest)
    if queued is None:
        return
    if queued.batch_id is not None:
        desk.go(f"/batches/{queued.batch_id}")
        return
    told = desk.t("No row is run again: {n} are complete, not over, or may have sent something.", n=queued.skipped)
    desk.tell(told, "warning")


async def _look_first(desk: Desk, batch_id: str) -> None:
    t = desk.t
    with desk.page(), ui.dialog() as dialog, ui.card().style("min-width:min(440px,92vw)"):
        ui.label(t("Also rows that may have sent something")).classes("h2")
        ui.label(t("Look first how far each of them came: they are done from their beginning.")).classes("quiet")
        rest = ui.checkbox(t("Of a list on the screen, leave out the rows that were done"))
        with ui.element("div").classes("hb").style("justify-content:flex-end"):
            ui.button(t("Cancel"), on_click=lambda: dialog.submit(False)).props("flat")
            ui.button(t("I have looked: run them"), on_click=lambda: dialog.submit(True)).props(
                'unelevated color=negative data-testid="confirm"'
            )
    looked = await dialog
    dialog.delete()
    if looked:
        await _again(desk, batch_id, uncertain=True, rest=bool(rest.value))


def _draw_held(desk: Desk, data: dict[str, Any]) -> None:
    if not data["held"]:
        return
    t = desk.t

    async def release() -> None:
        await desk.act("operator", release_batch, desk.office, data["batch_id"], who=desk.who, done=t("It goes on."))

    with ui.element("div").classes("hb").style("margin-top:8px"):
        chip(desk, "halted")
        ui.label(desk.said(data["held"])).classes("grow")
        if desk.may("operator"):
            ui.button(t("Release"), icon="play_arrow", on_click=release).props("unelevated")


def _draw_rows(desk: Desk, items: list[dict[str, Any]]) -> None:
    t = desk.t
    table(
        [t("line"), t("values"), t("outcome"), t("why")],
        [
            [
                str(item["line"] or ""),
                link(f"/runs/{item['run_id']}", ", ".join(item["parameters"].values())),
                chip_html(desk, item["status"] or item["state"]),
                escape(desk.said(item["reason"] or item["why"] or item["doing"])),
            ]
            for item in items
        ],
    )
