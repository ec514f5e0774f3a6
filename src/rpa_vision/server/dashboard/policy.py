"""The policy editor: a form and the file itself, checked while one types, compared, tried on the past, then saved."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Final

from nicegui import ui

from rpa_vision.app.policy import diff_policy, policy_in_force, save_policy, show_policy
from rpa_vision.app.policy_trial import try_policy
from rpa_vision.errors import DocumentError
from rpa_vision.models.policy import PRESETS, AutoHealPolicy
from rpa_vision.server.dashboard.desk import Desk
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import card, chip_html, state_html, table

_GROUPS: Final = (
    ("When a step fails", ("step_fail_streak_to_degraded", "step_success_streak_to_running")),
    ("When a workflow fails", ("workflow_fail_max_in_window", "workflow_fail_window_s", "quarantine_duration_s")),
    ("When everything fails", ("global_pause_enabled", "global_fail_max_in_window", "global_fail_window_s")),
    ("How sure a step must be", ("min_confidence_normal", "min_confidence_degraded", "min_margin_top1_top2_normal",
                                 "min_margin_top1_top2_degraded")),
    ("What was learned", ("disable_learning_in_degraded", "rollback_on_regression", "regression_fail_ratio",
                          "regression_window_steps", "max_versions_to_keep")),
)  # fmt: skip
_ABOUT: Final = {
    "step_fail_streak_to_degraded": "the same step fails so often in a row: degraded",
    "step_success_streak_to_running": "so many clean steps in a row: running again",
    "workflow_fail_max_in_window": "so many failures in the window: quarantined",
    "workflow_fail_window_s": "the window of a workflow, in seconds",
    "quarantine_duration_s": "how long a quarantine lasts, in seconds",
    "global_pause_enabled": "whether many failures everywhere pause everything",
    "global_fail_max_in_window": "so many failures of all workflows in the window",
    "global_fail_window_s": "the window of all workflows, in seconds",
    "min_confidence_normal": "least confidence while running",
    "min_confidence_degraded": "least confidence while degraded",
    "min_margin_top1_top2_normal": "least lead over the runner-up while running",
    "min_margin_top1_top2_degraded": "least lead over the runner-up while degraded",
    "disable_learning_in_degraded": "whether nothing is learned while degraded",
    "rollback_on_regression": "whether a bad update is rolled back by itself",
    "regression_fail_ratio": "so much worse than before is a regression",
    "regression_window_steps": "steps looked at before and after an update",
    "max_versions_to_keep": "versions kept besides the one in use",
}


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    with frame(desk, desk.t("Policy"), "/policy", subtitle=desk.office.heal.policy.path.name):
        _Editor(desk).draw()


class _Editor:
    """One document, edited in two ways."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        shown = show_policy(desk.office.heal.policy)
        self._document: dict[str, Any] = dict(desk.office.heal.policy.explicit)
        self._effective: dict[str, Any] = shown["policy"]
        self._problem = shown["problem"]
        self._fields: dict[str, Any] = {}
        self._filling = False

    def draw(self) -> None:
        desk, t = self._desk, self._desk.t
        if self._problem:
            with card().style("border-color:var(--bad)"):
                ui.label(t("The policy file is not in force")).classes("h2")
                ui.label(self._problem)
        with ui.element("div").classes("two"):
            with ui.element("div").style("min-width:0"):
                with ui.tabs().props("dense align=left") as tabs:
                    ui.tab("form", t("Form"))
                    ui.tab("file", "JSON")
                with ui.tab_panels(tabs, value="form").classes("w-full"):
                    with ui.tab_panel("form"):
                        self._form()
                    with ui.tab_panel("file"):
                        self._text = ui.codemirror(self._written(), language="JSON", on_change=self._typed).classes(
                            "w-full"
                        )
                        self._text.props('data-testid="json"').style(
                            "height:460px;border:1px solid var(--line);border-radius:9px"
                        )
            with ui.element("div").style("display:flex;flex-direction:column;gap:16px;min-width:0"):
                with card(t("What would change")):
                    self._verdict = ui.element("div").classes("w-full").props('data-testid="verdict"')
                    with ui.element("div").classes("hb").style("margin-top:12px"):
                        self._try = ui.button(t("Try it on the past"), icon="science", on_click=self._simulate)
                        self._try.props('outline data-testid="simulate"')
                        self._save = ui.button(t("Save"), icon="save", on_click=self._keep).props(
                            'unelevated data-testid="save"'
                        )
                    if not desk.may("admin"):
                        ui.label(t("Only an administrator saves a policy.")).classes("quiet small")
                self._trial = ui.element("div").classes("w-full")
        self._look()

    def _form(self) -> None:
        t = self._desk.t
        with card():
            modes = {name: t(name) for name in PRESETS}
            mode = ui.select(
                modes,
                value=self._effective["mode"],
                label=t("Mode"),
                on_change=lambda event: self._set("mode", event.value),
            )
            mode.props("outlined dense").style("min-width:220px")
            ui.label(t("A mode is a preset; what is written below overrides it.")).classes("quiet small")
        for title, keys in _GROUPS:
            with card(t(title)).style("margin-top:12px"):
                for key in keys:
                    self._field(key)

    def _field(self, key: str) -> None:
        t, value = self._desk.t, self._effective[key]
        with ui.element("div").classes("item"):
            with ui.element("div").classes("main"):
                ui.label(t(_ABOUT[key]))
                ui.label(key).classes("quiet small mono")
            if isinstance(value, bool):
                field: Any = ui.switch(value=value, on_change=lambda event, k=key: self._set(k, bool(event.value)))
            else:
                step = 1 if isinstance(value, int) else 0.01
                field = ui.number(
                    value=value, step=step, on_change=lambda event, k=key: self._set_number(k, event.value)
                )
                field.props("outlined dense").style("width:120px")
            field.props(f'aria-label="{key}" data-testid="{key}"')
            self._fields[key] = field

    def _set_number(self, key: str, value: float | None) -> None:
        whole = isinstance(AutoHealPolicy().to_json()[key], int)
        self._set(key, None if value is None else (int(value) if whole and float(value).is_integer() else float(value)))

    def _set(self, key: str, value: Any) -> None:
        if self._filling:
            return
        if value is None:
            self._document.pop(key, None)
        else:
            self._document[key] = value
        if key == "mode":
            self._fill()
        self._filling = True
        self._text.value = self._written()
        self._filling = False
        self._look()

    def _typed(self, event: Any) -> None:
        if self._filling:
            return
        try:
            found = json.loads(event.value)
        except ValueError as error:
            self._show_problem(f"JSON: {error}")
            return
        if not isinstance(found, dict):
            self._show_problem("JSON: { … }")
            return
        self._document = found
        self._fill()
        self._look()

    def _fill(self) -> None:
        """Let the form show what the document now means."""
        try:
            effective = AutoHealPolicy.from_json(self._document, where="policy").to_json()
        except DocumentError:
            return
        self._filling = True
        for key, field in self._fields.items():
            field.value = effective[key]
        self._filling = False

    def _written(self) -> str:
        return json.dumps(self._document or {"mode": self._effective["mode"]}, indent=2, ensure_ascii=False)

    def _show_problem(self, problem: str) -> None:
        self._verdict.clear()
        with self._verdict:
            for part in problem.split("; "):
                with ui.element("div").classes("hb top").style("flex-wrap:nowrap"):
                    ui.icon("error").style("color:var(--bad);font-size:20px")
                    ui.label(part).style("color:var(--bad)")
        self._save.disable()
        self._try.disable()

    def _look(self) -> None:
        """Check the document, and show what it would change."""
        desk, t = self._desk, self._desk.t
        try:
            other = AutoHealPolicy.from_json(self._document, where="policy")
        except DocumentError as error:
            self._show_problem(str(error).removeprefix("policy: "))
            return
        found = diff_policy(policy_in_force(desk.office.heal.policy), other)
        self._verdict.clear()
        with self._verdict:
            if found["same"]:
                ui.label(t("Nothing: this is the policy in force.")).classes("quiet")
            else:
                rows = [
                    [f'<span class="mono">{escape(one["key"])}</span>', escape(str(one["now"])),
                     f"<b>{escape(str(one['then']))}</b>", chip_html(desk, one["direction"])]
                    for one in found["changes"]
                ]  # fmt: skip
                table([t("key"), t("now"), t("then"), ""], rows)
        self._save.set_enabled(desk.may("admin") and not found["same"])
        self._try.set_enabled(desk.may("operator"))

    async def _simulate(self) -> None:
        desk, t = self._desk, self._desk.t
        found = await desk.act("operator", try_policy, desk.office, dict(self._document))
        self._trial.clear()
        if found is None:
            return
        with self._trial, card(t("On the past")):
            told = t("Of {n} decisions {refused} would now be refused and {allowed} allowed.", n=found["decisions"],
                     refused=found["now_refused"], allowed=found["now_allowed"])  # fmt: skip
            ui.label(told).props('data-testid="trial"')
            for name, changes in ((t("changes of state it would spare"), found["only_then"]),
                                  (t("changes of state it would add"), found["only_now"])):  # fmt: skip
                ui.label(f"{name}: {len(changes)}").classes("h2").style("margin-top:8px")
                rows = [
                    [escape(one["workflow_id"]), f"{state_html(desk, one['from_state'])} → {state_html(desk, one['to_state'])}",
                     f'<span class="quiet small">{escape(desk.said(one["reason"]))}</span>']
                    for one in changes[:8]
                ]  # fmt: skip
                if rows:
                    table([t("workflow"), t("change"), t("why")], rows)
            final = [
                [escape(name), chip_html(desk, then), chip_html(desk, found["final_states_now"].get(name, then))]
                for name, then in found["final_states_then"].items()
            ]
            table([t("workflow"), t("it ended"), t("it would end")], final)

    async def _keep(self) -> None:
        desk, t = self._desk, self._desk.t
        source, audit = desk.office.heal.policy, desk.office.heal.audit
        done = t("Saved. Robots take it up at their next step.")
        if await desk.act("admin", save_policy, source, dict(self._document), audit, desk.who, done=done) is not None:
            desk.news.changed()
            self._look()
