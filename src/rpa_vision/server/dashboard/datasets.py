"""Datasets that were exported for training."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.dataset_views import dataset_details, list_datasets
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import card, empty, table, tile


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    with frame(desk, desk.t("Datasets"), "/datasets"):
        await Live(desk, lambda: _load(desk), lambda data: _draw(desk, data)).start()


def _load(desk: Desk) -> dict[str, Any]:
    found = list_datasets(desk.office)
    found["details"] = [dataset_details(desk.office, one["dataset_id"]) for one in found["datasets"][:20]]
    return found


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    if not data["datasets"]:
        empty("dataset", t("No dataset yet"), t("Export what was seen, to look over its labels and to train on it."),
              "rpa-vision dataset export NAME")  # fmt: skip
        return
    with ui.element("div").classes("tiles"):
        tile(desk.number(len(data["datasets"])), t("datasets"), None)
        tile(desk.number(data["reviewed_screens"]), t("screens people looked over"), None)
    for one in data["details"]:
        with card(f"{one['dataset_id']} v{one['version']}").style("margin-top:14px"):
            numbers = one.get("statistics") or {}
            rows = [[escape(key), escape(_told(value))] for key, value in numbers.items()]
            table(["", ""], [[escape(t("samples")), str(one["samples"])], *rows])


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {count}" for key, count in list(value.items())[:20])
    return str(value)
