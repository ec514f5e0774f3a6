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
    t, counts = desk.t, data["counts"]
    left = counts.get("waiting", 0) + counts.get("running", 0)

    async def release() -> None:
        await desk.act("operator", release_batch, desk.office, data["batch_id"], who=desk.who, done=t("It goes on."))

    async def stop() -> None:
        await desk.act("operator", stop_batch, desk.office, data["batch_id"], who=desk.who, done=t("Stopped."))

    async def again(*, uncertain: bool = False, rest: bool = False) -> None:
        queued = await desk.act(
            "operator", run_again, desk.office, data["batch_id"], who=desk.who, uncertain=uncertain, rest=rest
        )
        if queued is None:
            return
        if queued.batch_id is not None:
            desk.go(f"/batches/{queued.batch_id}")
            return
        told = t("No row is run again: {n} are complete, not over, or may have sent something.", n=queued.skipped)
        desk.tell(told, "warning")

    async def look_first() -> None:
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
            await again(uncertain=True, rest=bool(rest.value))

    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        with card():
            with ui.element("div").classes("hb"):
                done = t("{done} of {rows} rows", done=data["rows"] - left, rows=data["rows"])
                ui.label(done).classes("h2").props('data-testid="rows-done"')
                for name, count in counts.items():
                    ui.html(chip_html(desk, name) + f" {count}", sanitize=False, tag="span")
                ui.element("div").classes("grow")
                if desk.may("operator") and left:
                    ui.button(t("Stop the rest"), icon="stop", on_click=stop).props("outline color=negative")
                if desk.may("operator") and any(counts.get(name) for name in _INCOMPLETE):
                    ui.button(t("Run again what sent nothing"), icon="replay", on_click=again).props(
                        'outline data-testid="rows-again"'
                    ).tooltip(t("Rows that did not complete and sent nothing; the others are left to you."))
                if desk.may("operator") and any(counts.get(name) for name in _UNCERTAIN):
                    ui.button(t("Also rows that may have sent something"), icon="warning", on_click=look_first).props(
                        'flat data-testid="rows-uncertain"'
                    )
            share = (data["rows"] - left) / data["rows"] if data["rows"] else 1.0
            ui.html(meter_html(share), sanitize=False).classes("w-full")
            if data["skipped"]:
                ui.label(
                    t(
                        "{n} rows were left out: asked for before, complete, or they may have sent something",
                        n=data["skipped"],
                    )
                ).classes("quiet small")
            if data["held"]:
                with ui.element("div").classes("hb").style("margin-top:8px"):
                    chip(desk, "halted")
                    ui.label(desk.said(data["held"])).classes("grow")
                    if desk.may("operator"):
                        ui.button(t("Release"), icon="play_arrow", on_click=release).props("unelevated")
        with card(t("Rows")):
            table(
                [t("line"), t("values"), t("outcome"), t("why")],
                [
                    [
                        str(item["line"] or ""),
                        link(f"/runs/{item['run_id']}", ", ".join(item["parameters"].values())),
                        chip_html(desk, item["status"] or item["state"]),
                        escape(desk.said(item["reason"] or item["why"] or item["doing"])),
                    ]
                    for item in data["items"]
                ],
            )
