"""Datasets: made from what was seen, their labels looked over one by one, and the detector held against them."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app import dataset_views as views
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import card, empty, table, tile


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    with frame(desk, desk.t("Datasets"), "/datasets"):
        await Live(desk, lambda: _load(desk), lambda data: _draw(desk, data)).start()
        if desk.may("operator"):
            _maker(desk)


def _load(desk: Desk) -> dict[str, Any]:
    found = views.list_datasets(desk.office)
    found["details"] = [views.dataset_details(desk.office, one["dataset_id"]) for one in found["datasets"][:20]]
    return found


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    with ui.element("div").style("display:flex;flex-direction:column;gap:14px"):
        if not data["datasets"]:
            text = (
                t("Take what was seen into one, to look over its labels and to train on it.")
                if data["screens"]
                else t("Screens are kept when a workflow is learned: learn one first.")
            )
            empty("dataset", t("No dataset yet"), text, "" if data["screens"] else 'rpa-vision learn --name "My task"')
            return
        with ui.element("div").classes("tiles"):
            tile(desk.number(len(data["datasets"])), t("datasets"), None)
            tile(desk.number(data["screens"]), t("screens that were understood"), "/sessions")
            tile(desk.number(data["reviewed_screens"]), t("screens people looked over"), None)
        for one in data["details"]:
            _dataset(desk, one)


def _dataset(desk: Desk, one: dict[str, Any]) -> None:
    t, name, numbers = desk.t, one["dataset_id"], one["statistics"]

    async def judge() -> None:
        desk.tell(t("Looking at the held-out screens…"), "info")
        found = await desk.act("operator", views.judge_detector, desk.office, name)
        if found is not None:
            _show_scores(desk, name, found)

    with card(f"{name} v{one['version']}"):
        with ui.element("div").classes("hb"):
            facts = t("{samples} screens, {elements} elements, {held} held out, {said} confirmed by people",
                      samples=numbers["total_samples"], elements=numbers["elements"], held=numbers["held_out_samples"],
                      said=numbers["confirmed_samples"])  # fmt: skip
            ui.label(facts).classes("grow")
            ui.link("JSON", f"/api/v1/datasets/{name}", new_tab=True)
            if desk.may("operator"):
                ui.button(t("Look over labels"), icon="rule", on_click=lambda: _Review(desk, name).open()).props(
                    f'outline dense data-testid="review-{name}"'
                )
                ui.button(t("Hold the detector against it"), icon="speed", on_click=judge).props("outline dense")
        kinds = sorted(numbers["elements_by_type"].items(), key=lambda item: -item[1])
        ui.label(", ".join(f"{kind} {count}" for kind, count in kinds[:14])).classes("quiet small")
        if numbers["left_out"]:
            left = ", ".join(f"{count} {why}" for why, count in numbers["left_out"].items())
            ui.label(t("left out: {why}", why=left)).classes("quiet small")


def _show_scores(desk: Desk, name: str, found: dict[str, Any]) -> None:
    t = desk.t
    with desk.page(), ui.dialog() as dialog, ui.card().style("min-width:min(480px,92vw)"):
        ui.label(f"{name}: {found['detector']}").classes("h2")
        rows = [[escape(t(key)), desk.score(found[key])] for key in ("precision", "recall", "f1")]
        rows += [
            [escape(kind), f"{desk.score(one['recall'])} ({one['elements']})"] for kind, one in found["by_type"].items()
        ]
        with ui.element("div").classes("scroll").style("max-height:60vh"):
            table(["", t("score")], rows, numbers=frozenset({1}))
        ui.button(t("Close"), on_click=dialog.close).props("flat")
    dialog.open()


class _Review:
    """One label after the other, the least sure first."""

    def __init__(self, desk: Desk, name: str) -> None:
        self._desk, self._name = desk, name

    async def open(self) -> None:
        with self._desk.page(), ui.dialog() as self._dialog, ui.card().style("min-width:min(720px,94vw)"):
            self._box = ui.element("div").classes("w-full")
        await self._next()
        self._dialog.open()

    async def _next(self) -> None:
        desk, t = self._desk, self._desk.t
        found = await desk.load(views.labels_to_review, desk.office, self._name, limit=1)
        self._box.clear()
        with self._box:
            if not found or not found["labels"]:
                ui.label(t("Every label was looked over."))
                ui.button(t("Close"), on_click=self._dialog.close).props("flat")
                return
            (one,) = found["labels"]
            ui.label(t("Is this right? {n} labels are left.", n=found["left"])).classes("h2")
            x1, y1, x2, y2 = one["bbox"]
            rect = (f'<rect x="{x1}" y="{y1}" width="{x2 - x1}" height="{y2 - y1}" fill="none" stroke="#d33f49" '
                    'stroke-width="4"/>')  # fmt: skip
            with ui.element("div").classes("shotbox"):
                source = f"/api/v1/datasets/{self._name}/pictures/{one['screen_state_id']}"
                ui.interactive_image(source, content=rect, sanitize=False).classes("w-full")
            told = " · ".join(filter(None, (one["type"], one["role"], one["label"], desk.score(one["confidence"]))))
            ui.label(told).style("font-weight:600").props('data-testid="label"')
            with ui.element("div").classes("hb"):
                ui.button(t("Right"), icon="check", on_click=lambda: self._say(one, "accept")).props(
                    'unelevated color=positive data-testid="label-right"'
                )
                ui.button(t("Wrong"), icon="close", on_click=lambda: self._say(one, "reject")).props(
                    'outline color=negative data-testid="label-wrong"'
                )
                ui.element("div").classes("grow")
                ui.button(t("Close"), on_click=self._dialog.close).props("flat")

    async def _say(self, one: dict[str, Any], verdict: str) -> None:
        answer = {key: one[key] for key in ("screen_state_id", "element_id")} | {"verdict": verdict}
        await self._desk.act("operator", views.take_reviews, self._desk.office, self._name, [answer],
                             who=self._desk.who)  # fmt: skip
        await self._next()


def _maker(desk: Desk) -> None:
    t = desk.t
    workflows = {one.workflow_id: one.name for one in desk.office.data.workflows.list().items}
    with card(t("Make one")), ui.element("div").classes("hb"):
        name = ui.input(t("Name"), value="screens").props('outlined dense data-testid="dataset-name"')
        chosen = ui.select(workflows, multiple=True, label=t("of these workflows (none: of all)"))
        chosen.props("outlined dense").style("min-width:220px")
        sure = ui.number(t("at least so sure"), value=0.5, min=0, max=1, step=0.05).props("outlined dense")
        said = ui.switch(t("only screens people confirmed"))

        async def make() -> None:
            wanted = {"min_learning_state": "OBSERVATION", "min_confidence": sure.value or 0.0,
                      "user_validated": bool(said.value), "workflows": list(chosen.value or ())}  # fmt: skip
            made = await desk.act(
                "operator", views.make_dataset, desk.office, (name.value or "").strip(), wanted, done=t("Kept.")
            )
            if made is not None:
                desk.news.changed()

        ui.button(t("Make"), icon="add", on_click=make).props('unelevated data-testid="make-dataset"')
