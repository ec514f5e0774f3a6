"""Start a run: with values, with a file of rows, or by the clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import events, ui

from rpa_vision.app import queue as queue_use_case
from rpa_vision.app import queued_files
from rpa_vision.app.cron import next_due
from rpa_vision.app.learned_with import warnings_of
from rpa_vision.app.schedule import delete_schedule, list_schedules, make_schedule, switch_schedule
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.perception import Perception
from rpa_vision.models.queue import RunAsked
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.server.dashboard.desk import Desk
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import card, empty, warned
from rpa_vision.server.gate import MAX_UPLOAD_BYTES


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t, office = desk.t, desk.office
    workflows = {one.workflow_id: one for one in office.data.workflows.list().items}
    with frame(desk, t("Start a run"), "/runs", back="/runs"):
        if not workflows:
            empty(
                "account_tree",
                t("Nothing was learned yet"),
                t("Learn a workflow first."),
                "rpa-vision learn --name NAME",
            )
            return
        first = given.get("workflow") if given.get("workflow") in workflows else next(iter(workflows))
        eyes = await desk.load(office.eyes)
        form = _Form(desk, workflows, first or "", eyes, asks=bool(given.get("asks")))
        with ui.element("div").classes("two"):
            with card(), ui.element("div").classes("form"):
                form.draw()
            with ui.element("div").style("display:flex;flex-direction:column;gap:16px;min-width:0"):
                form.draw_rows()
                form.draw_clock()
        await _schedules(desk)


class _Form:
    def __init__(
        self, desk: Desk, workflows: dict[str, Workflow], first: str, eyes: Perception | None, *, asks: bool
    ) -> None:
        self._desk, self._workflows = desk, workflows
        self._inputs: dict[str, ui.input] = {}
        self._first = first
        self._eyes = eyes
        self._asks_first = asks
        self._values = ui.refreshable(self._draw_values)

    def draw(self) -> None:
        t = self._desk.t
        names = {key: one.name for key, one in self._workflows.items()}
        self._workflow = ui.select(names, value=self._first, label=t("Workflow"), on_change=self._other_workflow)
        self._workflow.props('outlined data-testid="workflow"').classes("w-full")
        self._values()
        modes = {
            "auto": t("auto: the robot acts"),
            "assist": t("assist: you act, it guides"),
            "shadow": t("shadow: it only watches"),
        }
        with ui.element("div").classes("hb"):
            self._mode = ui.select(modes, value="auto", label=t("Mode")).props("outlined dense").classes("grow")
            displays = list(
                dict.fromkeys([*self._desk.office.displays, *(w.display for w in self._desk.office.queue.workers())])
            )
            self._display = ui.select(displays, value=displays[0] if displays else None, label=t("Display"))
            self._display.props("outlined dense").style("min-width:110px")
            self._priority = ui.select(list(range(10)), value=5, label=t("Priority")).props("outlined dense")
            self._priority.style("min-width:112px")
        self._why = ui.input(t("Let a young workflow run alone this once, because … (audited)")).props("outlined dense")
        self._why.classes("w-full")
        self._asks = ui.checkbox(t("I am here: it may ask me to show a target"), value=self._asks_first)
        ui.button(t("Start"), icon="play_arrow", on_click=self._start).props(
            'unelevated data-testid="start-now"'
        ).set_enabled(self._desk.may("operator"))

    def _other_workflow(self) -> None:
        self._values.refresh()

    def _draw_values(self) -> None:
        self._inputs = {}
        workflow = self._workflows[self._workflow.value]
        warned(self._desk, [one.model_dump() for one in warnings_of(workflow, self._eyes)])
        for name, variable in workflow.variables.items():
            if variable.source.method != "parameter":
                continue
            examples = ", ".join(str(one) for one in variable.example_values[:3])
            field = ui.input(name, placeholder=examples).props(
                f'outlined dense hint="{_quoted(variable.description or examples)}"'
            )
            self._inputs[name] = field.classes("w-full").style("padding-bottom:20px")
        if not self._inputs:
            ui.label(self._desk.t("It needs no values.")).classes("quiet")

    def _asked(self, *, with_values: bool = True, once: bool = False) -> RunAsked:
        """What was chosen. A word that lets a young workflow run alone is for one run, by the person who gives it."""
        values = {
            name: field.value.strip() for name, field in self._inputs.items() if field.value and field.value.strip()
        }
        return RunAsked(
            workflow_id=self._workflow.value,
            parameters=values if with_values else {},
            mode=self._mode.value,
            authorised_because=(self._why.value or "").strip() or None if once else None,
            asks=bool(self._asks.value) and with_values,
        )

    async def _start(self) -> None:
        queued = await self._desk.act(
            "operator", queue_use_case.ask_run, self._desk.office, self._asked(once=True), who=self._desk.who,
            display=self._display.value, priority=self._priority.value,
        )  # fmt: skip
        if queued is not None:
            self._desk.go(f"/runs/{queued.item.run_id}")

    def draw_rows(self) -> None:
        t = self._desk.t
        with card(t("One run for each row of a file")):
            ui.label(
                t(
                    "CSV or XLSX; the first row names the variables. A file whose rows were asked for before is left out."
                )
            ).classes("quiet small")
            upload = ui.upload(
                on_upload=self._rows, max_file_size=MAX_UPLOAD_BYTES, auto_upload=True, label=t("Drop a file here")
            )
            upload.props('accept=".csv,.xlsx" flat bordered').classes("w-full").set_enabled(self._desk.may("operator"))

    async def _rows(self, event: events.UploadEventArguments) -> None:
        content, name = await event.file.read(), event.file.name
        office, desk = self._desk.office, self._desk

        def ask() -> queued_files.QueuedRows:
            suffix = ".xlsx" if name.lower().endswith(".xlsx") else ".csv"
            with office.uploads(content, suffix) as path:
                rows = office.row_files.read(path)
            return queued_files.ask_rows(
                office, self._asked(with_values=False), rows, name, who=desk.who, display=self._display.value,
                priority=self._priority.value,
            )  # fmt: skip

        queued = await desk.act("operator", ask)
        if queued is None:
            return
        if shared := queued.left_out.get("list_gone_on_with"):
            told = desk.t("{n} rows share a list with another run: give the file again when it has ended.", n=shared)
            desk.tell(told, "warning")
        elif queued.batch_id is None:
            known = queued.asked_before
            told = desk.t(
                "All {n} rows were asked for before, as {name}.", n=queued.skipped, name=known.name if known else name
            )
            desk.tell(told, "warning")
        if queued.batch_id is not None:
            desk.go(f"/batches/{queued.batch_id}")

    def draw_clock(self) -> None:
        t = self._desk.t
        with card(t("By the clock")):
            ui.label(
                t("With the workflow and values chosen here. Minute, hour, day, month, weekday, as cron writes it.")
            ).classes("quiet small")
            with ui.element("div").classes("hb"):
                name = ui.input(t("Name")).props("outlined dense").classes("grow")
                cron = ui.input("cron", value="30 8 * * 1-5").props("outlined dense").style("width:150px")
            told = ui.label().classes("small quiet")

            def look() -> None:
                try:
                    told.text = t(
                        "next: {at}", at=self._desk.moment(next_due(cron.value, self._desk.office.clock.now()))
                    )
                except RpaVisionError as error:
                    told.text = f"{self._desk.said(str(error))} — {self._desk.remedy(error)}"

            async def keep() -> None:
                made = await self._desk.act(
                    "operator", make_schedule, self._desk.office, name.value or cron.value, cron.value, self._asked(),
                    who=self._desk.who, display=self._display.value, done=t("Kept."),
                )  # fmt: skip
                if made is not None:
                    self._desk.reload()

            cron.on_value_change(look)
            look()
            ui.button(t("Keep this schedule"), icon="alarm", on_click=keep).props("outline").set_enabled(
                self._desk.may("operator")
            )


async def _schedules(desk: Desk) -> None:
    t = desk.t
    found = await desk.load(list_schedules, desk.office)
    if not found:
        return
    with card(t("Schedules")):
        for one in found:
            with ui.element("div").classes("item"):
                with ui.element("div").classes("main"):
                    ui.label(f"{one['name']} · {one['asked']['workflow_id']}")
                    due = t("next: {at}", at=desk.moment(one["next_due"])) if one["enabled"] else t("off")
                    ui.label(f"{one['cron']} · {due} · {one['who']}").classes("quiet small")
                if desk.may("operator"):
                    ui.switch(value=one["enabled"], on_change=_switcher(desk, one))
                    ui.button(icon="delete", on_click=_forgetter(desk, one)).props(
                        f'flat round dense aria-label="{t("Delete")}"'
                    )


def _switcher(desk: Desk, one: dict[str, Any]) -> Callable[[Any], Any]:
    async def switch(event: Any) -> None:
        await desk.act(
            "operator", switch_schedule, desk.office, one["schedule_id"], enabled=bool(event.value), who=desk.who
        )
        desk.reload()

    return switch


def _forgetter(desk: Desk, one: dict[str, Any]) -> Callable[[], Any]:
    async def forget() -> None:
        await desk.act(
            "operator", delete_schedule, desk.office, one["schedule_id"], who=desk.who, done=desk.t("Deleted.")
        )
        desk.reload()

    return forget


def _quoted(text: str) -> str:
    return text.replace('"', "'")[:120]
