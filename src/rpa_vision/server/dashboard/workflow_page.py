"""One workflow: its graph, the procedure in words, variables, versions, and going back."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app import heal as heal_use_case
from rpa_vision.app import workflow_views as views
from rpa_vision.app.heal import plan_rollback, roll_back
from rpa_vision.app.learned_with import warnings_of
from rpa_vision.app.rollback_view import rollback_consequences
from rpa_vision.app.sessions import learned_from
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.graph_picture import drawn
from rpa_vision.server.dashboard.parts import card, chip, chip_html, state_chip, table, warned
from rpa_vision.server.dashboard.workflow_editor import WorkflowEditor, draw_changes

_RECORDINGS = 4
"""How many of them are named."""


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t = desk.t
    workflow = views.require_workflow(desk.office, given["workflow_id"])
    told = views.steps_in_words(workflow, desk.lang)
    numbers = {line["edge_id"]: line["number"] for line in told["steps"] if line["edge_id"] and line["number"]}
    subtitle = f"{workflow.workflow_id} · v{workflow.version}"
    with frame(desk, workflow.name, "/workflows", subtitle=subtitle, back="/workflows"):
        with ui.element("div").classes("hb"):
            chip(desk, desk.office.heal.learning.settle(workflow).state)
            _state(desk, workflow.workflow_id)
            ui.element("div").classes("grow")
            ui.link(t("Runs"), f"/runs?workflow={workflow.workflow_id}")
            ui.link(t("Confidence"), f"/confidence?workflow={workflow.workflow_id}")
            ui.link("Markdown", f"/api/v1/workflows/{workflow.workflow_id}/sop.md?lang={desk.lang}", new_tab=True)
            ui.link("JSON", f"/api/v1/workflows/{workflow.workflow_id}", new_tab=True)
            if desk.may("operator"):
                target = f"/start?workflow={workflow.workflow_id}"
                ui.button(t("Start a run"), icon="play_arrow", on_click=lambda: ui.navigate.to(target)).props(
                    "unelevated"
                )
        _recordings(desk, workflow)
        eyes = await desk.load(desk.office.eyes)
        warned(desk, [one.model_dump() for one in warnings_of(workflow, eyes)])
        with ui.tabs().props("dense align=left") as tabs:
            for name, title in (("graph", t("Graph")), ("procedure", t("Procedure")), ("variables", t("Variables and rules")),
                                ("versions", t("Versions")), ("edit", t("Edit"))):  # fmt: skip
                if name != "edit" or desk.may("operator"):
                    ui.tab(name, title).props(f'data-testid="tab-{name}"')
        with ui.tab_panels(tabs, value=given.get("tab", "graph")).classes("w-full"):
            with ui.tab_panel("graph"):
                _graph(desk, workflow, told, numbers)
            with ui.tab_panel("procedure"):
                _procedure(desk, workflow, told)
            with ui.tab_panel("variables"):
                _variables(desk, workflow, told)
            with ui.tab_panel("versions"):
                await _versions(desk, workflow)
            if desk.may("operator"):
                with ui.tab_panel("edit"):
                    await WorkflowEditor(desk, workflow).draw()


def _recordings(desk: Desk, workflow: Workflow) -> None:
    """What it was learned from; a recording that was deleted since is told, and missed by nobody else."""
    t, found = desk.t, learned_from(desk.office.data, workflow)
    if not found.there and not found.gone:
        return
    with ui.element("div").classes("hb tight quiet small").props('data-testid="learned-from"'):
        ui.label(f"{t('Learned from')}{desk.colon}")
        for session_id in found.there[:_RECORDINGS]:
            ui.link(session_id, f"/sessions/{session_id}")
        if len(found.there) > _RECORDINGS:
            ui.label(t("and {n} more", n=len(found.there) - _RECORDINGS))
        if found.gone:
            gone = len(found.gone)
            said = (
                t("1 recording that was deleted since")
                if gone == 1
                else t("{n} recordings that were deleted since", n=gone)
            )
            ui.label(said).props(f'title="{escape(", ".join(found.gone))}"')


def _state(desk: Desk, workflow_id: str) -> None:
    report = desk.office.heal.manager.get_status_report()
    found = next((one for one in report["workflows"] if one["workflow_id"] == workflow_id), None)
    state_chip(desk, found["current_state"] if found else "running")


def _graph(desk: Desk, workflow: Workflow, told: dict[str, Any], numbers: dict[str, int]) -> None:
    t = desk.t
    expects = {line["edge_id"]: line["expects"] for line in told["steps"]}
    graph = views.graph(workflow, desk.lang)
    legend = {"graph": t("Graph"), "no picture": t("no picture"), "begins": t("begins here"), "ends": t("ends here")}
    ui.html(drawn(graph, numbers, legend=legend), sanitize=False).classes("graph")
    with card(t("Steps")):
        rows = []
        for edge in sorted(graph["edges"], key=lambda one: numbers.get(one["edge_id"], 999)):
            look = (
                f'<img class=look style="max-height:30px;border-radius:4px" alt="" loading=lazy '
                f'src="/api/v1/workflows/{escape(workflow.workflow_id)}/pictures/{escape(edge["edge_id"])}">'
                if edge["has_picture"]
                else ""
            )
            notes = [
                *(f"{t('if')} {edge['condition']}" for _ in [0] if edge["condition"]),
                *(f"{t('for each')} {edge['loop']}" for _ in [0] if edge["loop"]),
                *(t("a person has to answer first") for _ in [0] if edge["has_question"]),
                *(t("way out of an error") for _ in [0] if edge["is_recovery"]),
            ]
            stats = edge["stats"]
            done = stats["success_count"] + stats["failure_count"]
            rows.append([
                f'<span id="{escape(edge["edge_id"])}">{numbers.get(edge["edge_id"], "")}</span>',
                escape(edge["sentence"]) + (f'<div class="quiet small">{escape("; ".join(notes))}</div>' if notes else ""),
                look,
                f'<span class="quiet small">{escape("; ".join(expects.get(edge["edge_id"], [])[:3]))}</span>',
                f"{stats['success_count']} / {done}" if done else "",
            ])  # fmt: skip
        table(["", t("what is done"), t("target"), t("what must follow"), t("worked")], rows, numbers=frozenset({4}))


def _procedure(desk: Desk, workflow: Workflow, told: dict[str, Any]) -> None:
    t, base = desk.t, f"/api/v1/workflows/{workflow.workflow_id}/pictures"
    pictured = {edge["edge_id"] for edge in views.graph(workflow)["edges"] if edge["has_picture"]}
    screens = {node.node_id for node in workflow.nodes if views.node_picture(node) is not None}
    with card(), ui.element("div").classes("sop"):
        lines = [f"<h2>{escape(told['title'])}</h2>", f'<p class="quiet">{escape(workflow.description)}</p>']
        for problem in told["problems"]:
            lines.append(f'<p style="color:var(--bad)">{escape(desk.said(problem))}</p>')
        for line in told["steps"]:
            if line["screen"]:
                lines.append(f'<p style="margin:16px 0 4px"><b>{escape(line["screen"])}</b></p>')
                if line["node_id"] in screens:
                    lines.append(f'<img class=scr alt="" loading=lazy src="{base}/{escape(line["node_id"])}">')
            number = f"<b>{line['number']}.</b> " if line["number"] else ""
            look = (
                f'<img class=look alt="" src="{base}/{escape(line["edge_id"])}">' if line["edge_id"] in pictured else ""
            )
            lines.append(f'<div class="in{min(line["depth"], 3)}">{number}{escape(line["text"])}{look}</div>')
            lines += [
                f'<div class="in{min(line["depth"] + 1, 3)} quiet small">→ {escape(what)}</div>'
                for what in line["expects"]
            ]
        if told["errors"]:
            lines.append(f"<h2 style='margin-top:18px'>{escape(t('When something comes in between'))}</h2>")
            lines += [f'<div class="in{min(line["depth"], 3)}">{escape(line["text"])}</div>' for line in told["errors"]]
        ui.html("".join(lines), sanitize=False)


def _variables(desk: Desk, workflow: Workflow, told: dict[str, Any]) -> None:
    t = desk.t
    with card(t("Variables")):
        if not told["needs"]:
            ui.label(t("It needs no values.")).classes("quiet")
        else:
            table(
                [t("name"), t("type"), t("where it comes from"), t("for example"), t("rule")],
                [
                    [
                        f"<b>{escape(need['name'])}</b>" + ("" if need["required"] else f" ({t('optional')})"),
                        escape(need["kind"]),
                        escape(need["source"]),
                        escape(", ".join(need["examples"])),
                        f'<span class="mono">{escape(_rule(workflow, need["name"]))}</span>',
                    ]
                    for need in told["needs"]
                ],
            )
        for secret in told["secrets"]:
            ui.label(t("secret: {name}", name=secret)).classes("quiet small")
    rules = workflow.safety_rules
    with card(t("Safety")):
        rows = [
            [t("texts never clicked"), ", ".join(rules.forbidden_text_clicks)],
            [t("roles never acted on"), ", ".join(rules.forbidden_roles)],
            [t("asked about first"), ", ".join(rules.require_confirmation_for)],
        ]
        table(["", ""], [[escape(name), escape(value or "—")] for name, value in rows])


def _rule(workflow: Workflow, name: str) -> str:
    rule = workflow.variables[name].validation
    return "" if rule is None else ", ".join(f"{k}: {v}" for k, v in rule.model_dump(exclude_none=True).items())


async def _versions(desk: Desk, workflow: Workflow) -> None:
    workflow_id = workflow.workflow_id
    await Live(
        desk,
        lambda: heal_use_case.list_versions(desk.office.heal.versions, workflow_id, desk.office.heal),
        lambda data: draw_versions(desk, data),
    ).start()


def draw_versions(desk: Desk, data: dict[str, Any]) -> None:
    """Versions, each with what it did, and the way back."""
    t = desk.t
    with card(t("Versions")):
        if not data["versions"]:
            ui.label(t("No version yet. Learning it again makes one.")).classes("quiet")
        for one in sorted(data["versions"], key=lambda version: version["version_id"], reverse=True):
            with ui.element("div").classes("item"):
                ui.html(chip_html(desk, one["version_id"]), sanitize=False, tag="span")
                with ui.element("div").classes("main"):
                    ui.label(desk.said(one["reason"]) or one["version_id"]).classes("clip")
                    rates = [f"{t(name)} {_percent(desk, one[key])}" for name, key in
                             (("before", "success_rate_before"), ("after", "success_rate_after"))
                             if one[key] is not None]  # fmt: skip
                    ui.label(" · ".join([desk.moment(one["created_at"]), *rates])).classes("quiet small")
                if one["in_use"]:
                    ui.html(f'<span class="chip ok">{escape(t("in use"))}</span>', sanitize=False, tag="span")
                elif one["abandoned_at"]:
                    ui.html(f'<span class="chip warn">{escape(t("rolled back"))}</span>', sanitize=False, tag="span")
                if desk.may("operator"):
                    _back_button(desk, data["workflow_id"], one)
        for bad in data["unreadable"]:
            ui.label(f"{bad['name']}: {bad['problem']}").style("color:var(--bad)").classes("small")
    _compare(desk, data["workflow_id"], sorted(one["version_id"] for one in data["versions"]))


def _compare(desk: Desk, workflow_id: str, versions: list[str]) -> None:
    """Two versions beside each other."""
    t = desk.t
    if len(versions) < 2:
        return
    with card(t("Compare")).style("margin-top:16px"):
        with ui.element("div").classes("hb"):
            before = ui.select(versions, value=versions[-2], label=t("before")).props("outlined dense")
            ui.icon("arrow_forward").classes("quiet")
            after = ui.select(versions, value=versions[-1], label=t("after")).props("outlined dense")
        shown = ui.element("div").classes("w-full").props('data-testid="compared"').style("margin-top:8px")

        async def look() -> None:
            found = await desk.load(views.compare_versions, desk.office, workflow_id, before.value, after.value)
            shown.clear()
            if found is not None:
                with shown:
                    draw_changes(desk, found)

        before.on_value_change(look)
        after.on_value_change(look)
        ui.timer(0.05, look, once=True)


def _back_button(desk: Desk, workflow_id: str, version: dict[str, Any]) -> None:
    async def ask() -> None:
        plan = await desk.load(rollback_consequences, desk.office, workflow_id, version["version_id"])
        if plan is not None:
            await _confirm(desk, workflow_id, plan)

    ui.button(desk.t("Go back to this"), icon="history", on_click=ask).props(
        f'outline dense padding="4px 10px" data-testid="rollback-{version["version_id"]}"'
    )


async def _confirm(desk: Desk, workflow_id: str, plan: dict[str, Any]) -> None:
    """Show what a rollback would mean, then ask."""
    t = desk.t
    with desk.page(), ui.dialog() as dialog, ui.card().style("min-width:min(560px,94vw);max-width:720px"):
        ui.label(t("Go back to {version}?", version=plan["to_version"])).classes("h2")
        if plan["changes_nothing"]:
            ui.label(t("It is in use already, exactly as it was learned. Nothing would change."))
        else:
            facts = [t("All of what was learned is replaced: steps, screens, index and target memory."),
                     t("The workflow is watched closely (degraded) until it has done well for a while.")]  # fmt: skip
            if plan["gives_up_changes"]:
                facts.append(t("What was learned on top of this version is given up."))
            if plan["runs_with_it"] and plan["runs_with_it"]["total"]:
                facts.append(
                    t("{total} runs were done with the version in use, {success} completed.", **plan["runs_with_it"])
                )
            if plan["running_now"]:
                facts.append(t("A run is going on; it takes up the restored version or stops."))
            if plan["waiting_now"]:
                facts.append(t("{n} waiting runs will use it.", n=plan["waiting_now"]))
            for fact in facts:
                with ui.element("div").classes("hb top").style("flex-wrap:nowrap"):
                    ui.icon("arrow_right").classes("quiet")
                    ui.label(fact)
            if plan["changes"] is not None:
                draw_changes(desk, plan["changes"])
        why = (
            ui.input(t("Why? The audit trail keeps it.")).props('outlined dense data-testid="reason"').classes("w-full")
        )
        with ui.element("div").classes("hb").style("justify-content:flex-end"):
            ui.button(t("Cancel"), on_click=lambda: dialog.submit(False)).props("flat")
            ui.button(t("Go back"), on_click=lambda: dialog.submit(True)).props(
                'unelevated color=negative data-testid="confirm"'
            ).bind_enabled_from(
                why, "value", backward=lambda value: bool(value and value.strip()) and not plan["changes_nothing"]
            )
    if await dialog:

        def go() -> Any:
            chosen = plan_rollback(desk.office.heal.versions, workflow_id, plan["to_version"])
            return roll_back(desk.office.heal, chosen, why.value, desk.who)

        done = await desk.act("operator", go)
        if done is not None:
            desk.tell(desk.said(done.message), "positive" if done.restored else "warning")
            desk.news.changed()
    dialog.delete()


def _percent(desk: Desk, value: float | None) -> str:
    return "" if value is None else desk.share(value)
