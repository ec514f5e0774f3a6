"""Confidence: how sure steps were over time, strategies against their claims, and what holds promotion back."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.confidence import confidence_of, precision_now
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import axis, card, chart, chip, chip_html, empty, table, tile


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t = desk.t
    names = {one.workflow_id: one.name for one in desk.office.data.workflows.list().items}
    with frame(desk, t("Confidence"), "/confidence"):
        if not names:
            empty(
                "insights", t("Nothing was learned yet"), t("Learn a workflow first."), "rpa-vision learn --name NAME"
            )
            return
        chosen = given.get("workflow") if given.get("workflow") in names else next(iter(names))
        ui.select(
            names, value=chosen, on_change=lambda event: ui.navigate.to(f"/confidence?workflow={event.value}")
        ).props("outlined dense").style("min-width:240px;max-width:420px")
        await Live(
            desk, lambda: confidence_of(desk.office, chosen or "", language=desk.lang), lambda data: _draw(desk, data)
        ).start()
        await Live(desk, lambda: _precision(desk), lambda data: _strategies(desk, data)).start()


def _precision(desk: Desk) -> dict[str, Any]:
    found = precision_now(desk.office)
    found.pop("made_at", None)
    return found


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    t, runs = desk.t, data["runs"]
    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        where = f"/runs?workflow={data['workflow_id']}"
        with ui.element("div").classes("tiles"):
            tile(desk.number(runs["total"]), t("runs in 30 days"), where)
            share = runs["success"] / runs["total"] if runs["total"] else None
            tile("—" if share is None else desk.share(share, 1), t("completed"), f"{where}&status=success", tone="ok")
            tile(desk.number(runs["healed"]), t("runs healed"), f"{where}&healed=1", tone="info")
            tile(desk.number(runs["wrong"]), t("found wrong"), f"{where}&wrong=1", tone="bad" if runs["wrong"] else "")
        with card(t("What it takes to run alone")):
            _promotion(desk, data)
        with card(t("How sure the steps were")):
            _scores(desk, data)


def _promotion(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    with ui.element("div").classes("hb"):
        chip(desk, data["learning_state"])
        if data["next"]:
            ui.label("→")
            chip(desk, data["next"])
        ui.link(t("Approvals"), "/approvals")
    if data["lower_bound"] is not None:
        ui.label(t("The runs prove a success rate of at least {rate} (95 %).", rate=desk.share(data["lower_bound"])))
    rows = [
        [escape(t(need["name"])), desk.amount(need["have"]), desk.amount(need["need"]),
         chip_html(desk, "success" if need["met"] else "waiting")]
        for need in data["needs"]
    ]  # fmt: skip
    table([t("what it needs"), t("has"), t("needs"), ""], rows, numbers=frozenset({1, 2}))


def _scores(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    days = sorted({point["day"] for step in data["steps"] for point in step["points"]})
    if not days:
        ui.label(t("No run in 30 days.")).classes("quiet")
        return
    series = []
    for step in data["steps"]:
        sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for point in step["points"]:
            if point["mean_score"] is not None:
                sums[point["day"]][0] += point["mean_score"] * point["count"]
                sums[point["day"]][1] += point["count"]
        values = [round(sums[day][0] / sums[day][1], 3) if day in sums and sums[day][1] else None for day in days]
        if any(value is not None for value in values):
            series.append(
                {"type": "line", "name": step["edge_id"], "data": values, "symbolSize": 5, "connectNulls": True}
            )
    chart(
        desk,
        {"xAxis": axis("category", data=[desk.day(day) for day in days]), "yAxis": axis("value", min=0.5, max=1.0), "series": series,
         "legend": {"type": "scroll", "top": 0, "textStyle": {"color": "#8a94a6"}}},
        height_px=280,
    )  # fmt: skip
    rows = []
    for step in data["steps"]:
        points = [point for point in step["points"] if point["mean_score"] is not None]
        count = sum(point["count"] for point in points)
        if count:
            mean = sum(point["mean_score"] * point["count"] for point in points) / count
            low = min(point["min_score"] for point in points)
            healed, verified = sum(point["healed"] for point in points), sum(point["verified"] for point in points)
            strategies = ", ".join(sorted({desk.strategy(point["strategy"]) for point in points if point["strategy"]}))
            rows.append(
                [
                    escape(step["sentence"]),
                    escape(strategies),
                    desk.score(mean),
                    desk.score(low),
                    str(healed),
                    desk.share(verified / count, 1),
                ]
            )
    table([t("step"), t("strategies"), t("mean"), t("lowest"), t("healed"), t("verified")], rows,
          numbers=frozenset({2, 3, 4, 5}))  # fmt: skip


def _strategies(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    if not data["strategies"]:
        return
    with card(t("Strategies: what they claim, and how often they are right")), ui.element("div").classes("half"):
        rows = [
            [f'{escape(desk.strategy(one["name"]))} <span class="quiet small mono">{escape(one["name"])}</span>',
             desk.number(one["claims"]), "" if one["precision"] is None else desk.share(one['precision'], 1),
             desk.score(one["mean_claim"]), desk.score(one["calibration_error"]), desk.score(one["reliability"])]
            for one in data["strategies"]
        ]  # fmt: skip
        with ui.element("div"):
            table([t("strategy"), t("claims"), t("right"), t("claimed"), t("off by"), t("trusted")], rows,
                  numbers=frozenset({1, 2, 3, 4, 5}))  # fmt: skip
        series = [
            {"type": "line", "name": desk.strategy(one["name"]), "symbolSize": 6,
             "data": [[round(point["mean_claim"], 3), round(point["precision"], 3)] for point in one["curve"]]}
            for one in data["strategies"]
        ]  # fmt: skip
        line = {"type": "line", "name": t("ideal"), "data": [[0, 0], [1, 1]], "symbol": "none",
                "lineStyle": {"type": "dashed", "color": "#8a94a6"}}  # fmt: skip
        with ui.element("div"):
            chart(desk, {"xAxis": axis("value", min=0.5, max=1.0, name=t("claimed")),
                         "yAxis": axis("value", min=0.0, max=1.0), "series": [*series, line],
                         "legend": {"type": "scroll", "top": 0, "textStyle": {"color": "#8a94a6"}}})  # fmt: skip
