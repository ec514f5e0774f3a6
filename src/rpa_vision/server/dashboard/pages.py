"""Which page is where."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import FastAPI, Request
from nicegui import ui

from rpa_vision.errors import RpaVisionError
from rpa_vision.server.dashboard import (
    approvals,
    auto_heal,
    batches,
    confidence,
    datasets,
    failures,
    home,
    policy,
    run_page,
    runs,
    sessions,
    settings,
    start_run,
    weekly,
    workflow_page,
    workflows,
)
from rpa_vision.server.dashboard.desk import Desk, desk_of, watch_over
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.front_end import take_over
from rpa_vision.server.dashboard.parts import empty

Given = dict[str, str]
Draw = Callable[[Desk, Given], Awaitable[None]]

PAGES: Final[dict[str, Draw]] = {
    "/": home.draw,
    "/runs": runs.draw,
    "/runs/{run_id}": run_page.draw,
    "/start": start_run.draw,
    "/weekly": weekly.draw,
    "/batches/{batch_id}": batches.draw,
    "/workflows": workflows.draw,
    "/workflows/{workflow_id}": workflow_page.draw,
    "/sessions": sessions.draw,
    "/sessions/{session_id}": sessions.draw_one,
    "/auto-heal": auto_heal.draw,
    "/failures": failures.draw,
    "/failures/{case_id}": failures.draw_one,
    "/approvals": approvals.draw,
    "/confidence": confidence.draw,
    "/policy": policy.draw,
    "/datasets": datasets.draw,
    "/settings": settings.draw,
}


def add_dashboard(app: FastAPI) -> None:
    """Put the pages into the server."""
    for path, draw in PAGES.items():
        _add(app, path, draw)
    ui.run_with(
        app, title="RPA Vision", favicon="👁", language="en-US", show_welcome_message=False, reconnect_timeout=30.0
    )
    take_over()


def _add(app: FastAPI, path: str, draw: Draw) -> None:
    @ui.page(path, response_timeout=30.0)
    async def shown(request: Request) -> None:
        desk = desk_of(request, app.state.office, app.state.news)
        try:
            await draw(desk, {**request.query_params, **request.path_params})
        except RpaVisionError as error:  # what is not there, or cannot be read, is a page too
            with frame(desk, desk.t("Not here"), path, back="/"):
                empty("search_off", desk.said(str(error)), desk.remedy(error))
        await watch_over(desk)
