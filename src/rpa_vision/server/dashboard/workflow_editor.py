"""Edit a workflow: labels, variables and rules in a form, or the document itself; checked while one types, kept as a
new version."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.workflow_edit import check_edit, save_edit
from rpa_vision.app.workflow_views import sentences
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.server.dashboard.desk import Desk
from rpa_vision.server.dashboard.parts import ask_reason, card, table

_SAFETY = (("forbidden_text_clicks", "texts never clicked"), ("forbidden_roles", "roles never acted on"),
           ("require_confirmation_for", "asked about first"))  # fmt: skip
_PARTS = ("rules", "steps", "screens", "variables")
_MOST_SHOWN = 30


class WorkflowEditor:
    """One document, edited in two ways."""

    def __init__(self, desk: Desk, workflow: Workflow) -> None:
        self._desk, self._workflow = desk, workflow
        self._document: dict[str, Any] = copy.deepcopy(workflow.to_json())
        self._filling = False

    async def draw(self) -> None:
        """Draw the form, the document, and what would change."""
        t = self._desk.t
        with ui.element("div").classes("two"):
            with ui.element("div").style("min-width:0"):
                with ui.tabs().props("dense align=left") as tabs:
                    ui.tab("form", t("Form"))
                    ui.tab("file", "JSON")
                with ui.tab_panels(tabs, value="form", keep_alive=True).classes("w-full"):
                    with ui.tab_panel("form"):
                        self._fields = ui.element("div").style("display:flex;flex-direction:column;gap:12px;width:100%")
                        self._form()
                    with ui.tab_panel("file"):
                        self._text = ui.codemirror(self._written(), language="JSON", on_change=self._typed)
                        self._text.classes("w-full").props('data-testid="document"').style(
                            "height:560px;border:1px solid var(--line);border-radius:9px"
                        )
            with card(t("What would change")).style("align-self:start;position:sticky;top:70px"):
                self._verdict = ui.element("div").classes("w-full").props('data-testid="verdict"')
                self._save = ui.button(t("Keep as a new version"), icon="save", on_click=self._keep)
                self._save.props('unelevated data-testid="keep-version"').style("margin-top:12px")
                ui.label(
                    t("A change of what is done is looked at like something new: it may have to earn its trust again.")
                ).classes("quiet small").style("margin-top:8px")
        await self._look()

    def _form(self) -> None:
        """Draw the fields over the document as it is now: each writes into it."""
        self._fields.clear()
        with self._fields:
            self._all_fields()

    def _all_fields(self) -> None:
        t, document = self._desk.t, self._document
        with card(t("Name")):
            self._field(t("Name"), document["name"], _into(document, "name"), "name")
            about = document.get("description") or ""
            self._field(t("Description"), about, _into(document, "description"), "description")
        with card(t("Screens")):
            for node in document["nodes"]:
                self._field(node["node_id"], node["label"], _into(node, "label"),
                            f"label-{node['node_id']}")  # fmt: skip
        self._variables()
        self._steps()
        with card(t("Safety")):
            rules = document.setdefault("safety_rules", {})
            for key, name in _SAFETY:
                self._field(t(name), "\n".join(rules.get(key) or ()),
                            _into(rules, key, _lines), key, lines=True)  # fmt: skip
            ui.label(t("One on each line.")).classes("quiet small")

    def _variables(self) -> None:
        t = self._desk.t
        with card(t("Variables")):
            if not self._document["variables"]:
                ui.label(t("It needs no values.")).classes("quiet")
            for name, variable in self._document["variables"].items():
                with ui.element("div").classes("hb").style("margin-bottom:6px"):
                    ui.html(f"<b>{escape(name)}</b>", sanitize=False).style("min-width:110px")
                    ui.label(variable["type"]).classes("quiet small")
                    ui.switch(t("required"), value=variable.get("required", True), on_change=self._switch(variable))
                about = variable.get("description") or ""
                self._field(t("Description"), about, _into(variable, "description", _or_none),
                            f"about-{name}")  # fmt: skip
                rule = (variable.get("validation") or {}).get("regex") or ""
                self._field(t("must look like (a regular expression)"), rule,
                            _rule_of(variable), f"regex-{name}")  # fmt: skip

    def _steps(self) -> None:
        t, words = self._desk.t, sentences(self._workflow, self._desk.lang)
        with card(t("Steps and their rules")):
            for edge in self._document["edges"]:
                name = edge["edge_id"]
                ui.label(f"{name} · {words.get(name, '')}").style("font-weight:560;margin-top:6px")
                target = (edge.get("action") or {}).get("target")
                if target is not None and target.get("label") is not None:
                    self._field(t("label of the target"), target["label"],
                                _into(target, "label"), f"target-{name}")  # fmt: skip
                condition = edge.get("condition")
                if condition is not None and condition.get("expression") is not None:
                    self._field(t("only if"), condition["expression"],
                                _into(condition, "expression"), f"if-{name}")  # fmt: skip
                loop = edge.get("loop")
                if loop is not None and loop.get("question") is None:
                    self._field(t("rows for which"), loop.get("filter") or "",
                                _into(loop, "filter", _or_none), f"rows-{name}")  # fmt: skip
                follows = edge.get("post_conditions")
                if follows is not None:
                    self._field(t("what must follow"), "\n".join(follows.get("conditions") or ()),
                                _into(follows, "conditions", _lines), f"then-{name}",
                                lines=True)  # fmt: skip

    def _field(self, label: str, value: str, put: Callable[[str], None], name: str, *, lines: bool = False) -> None:
        kind = ui.textarea if lines else ui.input
        field = kind(label, value=value, on_change=lambda event: self._change(lambda: put(str(event.value or ""))))
        field.props(f'outlined dense debounce=250 data-testid="{name}" {"autogrow" if lines else ""}').classes("w-full")

    def _switch(self, variable: dict[str, Any]) -> Callable[[Any], Any]:
        async def switch(event: Any) -> None:
            await self._change(lambda: _put(variable, "required", bool(event.value)))

        return switch

    async def _change(self, put: Callable[[], None]) -> None:
        put()
        self._filling = True
        self._text.value = self._written()
        self._filling = False
        await self._look()

    async def _typed(self, event: Any) -> None:
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
        if found == self._document:  # what the form wrote comes back
            return
        self._document = found
        if await self._look():
            self._form()

    def _written(self) -> str:
        return json.dumps(self._document, indent=2, ensure_ascii=False)

    def _show_problem(self, problem: str) -> None:
        self._verdict.clear()
        with self._verdict:
            for part in problem.removeprefix(f"{self._workflow.workflow_id}: ").split("; "):
                with ui.element("div").classes("hb top").style("flex-wrap:nowrap"):
                    ui.icon("error").style("color:var(--bad);font-size:20px")
                    ui.label(part).style("color:var(--bad);min-width:0;overflow-wrap:anywhere")
        self._save.disable()

    async def _look(self) -> bool:
        """Check the document, and show what it would change; whether it is a workflow."""
        desk = self._desk
        found = await desk.load(check_edit, desk.office, self._workflow.workflow_id, self._document)
        if found is None:
            self._save.disable()
        elif not found["valid"]:
            self._show_problem(found["problem"])
        else:
            self._verdict.clear()
            with self._verdict:
                draw_changes(desk, found["changes"])
            self._save.set_enabled(not found["changes"]["same"] and desk.may("operator"))
        return found is not None and bool(found["valid"])

    async def _keep(self) -> None:
        desk, t = self._desk, self._desk.t
        why = await ask_reason(desk, t("Keep as a new version?"), self._workflow.name, t("Keep"))
        if not why:
            return
        done = await desk.act("operator", save_edit, desk.office, self._workflow.workflow_id, self._document,
                              who=desk.who, reason=why)  # fmt: skip
        if done is not None:
            desk.news.changed()
            desk.go(f"/workflows/{self._workflow.workflow_id}?tab=versions")


def draw_changes(desk: Desk, changes: dict[str, Any]) -> None:
    """What another version says differently, field by field."""
    t = desk.t
    if changes["same"]:
        ui.label(t("Nothing.")).classes("quiet")
        return
    rows: list[list[str]] = []
    for what in _PARTS:
        part = changes[what]
        rows += [[t(what), escape(one), f'<span class="diff-b">{escape(t("new"))}</span>'] for one in part["added"]]
        rows += [[t(what), escape(one), f'<span class="diff-a">{escape(t("goes"))}</span>'] for one in part["gone"]]
        for one in part["changed"]:
            if any(_is_look(field["field"]) for field in one["fields"]):
                rows.append(
                    [
                        t(what),
                        escape(one["id"]),
                        f'<span class="diff-b">{escape(t("looks as it was seen last"))}</span>',
                    ]
                )
            for field in (found for found in one["fields"] if not _is_look(found["field"])):
                rows.append([t(what), f'{escape(one["id"])} <span class="quiet small">{escape(field["field"])}</span>',
                             f'<span class="diff-a">{_shown(field["before"])}</span> → '
                             f'<span class="diff-b">{_shown(field["after"])}</span>'])  # fmt: skip
    with ui.element("div").classes("scroll").style("max-height:420px"):
        table([t("what"), "", t("change")], rows[:_MOST_SHOWN])
    if len(rows) > _MOST_SHOWN:
        ui.label(t("and {n} more", n=len(rows) - _MOST_SHOWN)).classes("quiet small")


def _is_look(field: str) -> bool:
    """Whether a field only says which picture or vector stands for it: another with every version."""
    return field.endswith(("image_path", "vector_id", ".samples"))


def _shown(value: Any) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return escape(said if len(said) <= 80 else f"{said[:77]}…")


def _put(where: dict[str, Any], key: str, value: Any) -> None:
    where[key] = value


def _into(where: dict[str, Any], key: str, made: Callable[[str], Any] = str) -> Callable[[str], None]:
    """What puts a text where it belongs in the document."""
    return lambda text: _put(where, key, made(text))


def _rule_of(variable: dict[str, Any]) -> Callable[[str], None]:
    def put(regex: str) -> None:
        rule = {**(variable.get("validation") or {}), "regex": regex or None}
        variable["validation"] = rule if any(value is not None for value in rule.values()) else None

    return put


def _or_none(text: str) -> str | None:
    return text or None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
