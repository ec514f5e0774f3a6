"""The kill switch of the dashboard: one press, no question asked, and then what was stopped and how it goes on."""

from __future__ import annotations

from nicegui import ui

from rpa_vision.app.stopping import Stopped, stop_all
from rpa_vision.server.dashboard.desk import Desk
from rpa_vision.server.dashboard.parts import card


def stop_button(desk: Desk) -> None:
    """Draw it, for those who may."""
    if not desk.may("operator"):
        return

    async def stop() -> None:
        done = await desk.act_at_once("operator", stop_all, desk.office, who=desk.who)
        desk.news.changed()
        if done is None:
            return
        told.clear()
        with told:
            _tell(desk, done)

    with ui.element("div").classes("hb").style("justify-content:flex-end"):
        ui.button(desk.t("Stop everything"), icon="dangerous", on_click=stop).props(
            'unelevated color=negative data-testid="stop-everything"'
        ).tooltip(
            desk.t("Ends every run before its next input, and lets none begin until somebody releases the display.")
        )
    told = ui.element("div").classes("w-full").props('data-testid="stopped"')


def _tell(desk: Desk, done: Stopped) -> None:
    t = desk.t
    with card().style("border-color:var(--bad)"), ui.element("div").style("display:flex;flex-direction:column;gap:6px"):
        if not done.asked:
            ui.label(t("No run was going on."))
        for run_id in done.ended:
            ui.link(t("{run} has ended.", run=run_id), f"/runs/{run_id}")
        for run_id in done.still_going:
            ui.link(t("{run} sends no more input, and has not ended yet.", run=run_id), f"/runs/{run_id}")
        if done.held:
            names = ", ".join(done.held)
            ui.label(
                t("Nothing begins on {names} until somebody releases it: on the page Runs, press Release.", names=names)
            )
            ui.link(t("Runs"), "/runs")
