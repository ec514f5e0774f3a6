"""One run: live while it goes on, and afterwards every step with its screen, target, strategy and reasons."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.left_over import go_on, left_behind
from rpa_vision.app.run_history import judge_run, run_details
from rpa_vision.models.execution import is_healed
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.live_run import draw_going_on
from rpa_vision.server.dashboard.parts import ask_reason, card, chip, chip_html, table, warned

_WRITTEN = ("before", "after")


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    run_id = given["run_id"]
    first = run_details(desk.office, run_id)
    about = first["report"] or first["queued"]
    name = about.get("workflow_name") or about["workflow_id"]
    with frame(desk, name, "/runs", subtitle=run_id, back="/runs"):
        await Live(desk, lambda: _ended(desk, run_id), lambda data: _draw(desk, run_id, data)).start()


def _ended(desk: Desk, run_id: str) -> dict[str, Any]:
    """Everything, of a run that has ended; while it goes on, each part of the page looks after itself."""
    data = run_details(desk.office, run_id)
    if data["report"] is None and data["queued"]["state"] not in ("ended", "interrupted"):
        return {"report": None, "left_over": None}
    left, item = left_behind(desk.office, run_id), desk.office.queue.item(run_id)
    known = {"left_over": left.to_json() if left is not None else None}
    if data["report"] is None:  # it was killed, and could not say anything
        return {"report": None, **known, "needs_word": item is not None and item.asked.authorised_because is not None}
    return {**data, **known, "needs_word": data["report"]["authorised_because"] is not None}


async def _draw(desk: Desk, run_id: str, data: dict[str, Any]) -> None:
    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        if data["report"] is not None:
            _report(desk, run_id, data)
        else:
            if data["left_over"] is not None:
                _left_over(desk, run_id, data)
            await draw_going_on(desk, run_id)


def _report(desk: Desk, run_id: str, data: dict[str, Any]) -> None:
    t, report = desk.t, data["report"]
    with card():
        with ui.element("div").classes("hb"):
            chip(desk, report["status"])
            healed = sum(_is_healed(step) for step in report["steps"])
            if healed and report["status"] == "success":
                chip(desk, "healed")
            ui.label(desk.said(report["reason"])).classes("grow")
            ui.link(t("Report"), f"/api/v1/runs/{run_id}/report.html?lang={desk.lang}", new_tab=True)
            ui.link("JUnit", f"/api/v1/runs/{run_id}/junit.xml", new_tab=True)
            ui.link("JSON", f"/api/v1/runs/{run_id}", new_tab=True)
        facts = [
            desk.moment(report["started_at"]), desk.span(report["duration_s"]), t(report["mode"]),
            t("version {n}", n=report["workflow_version"]), _healed(desk, healed), ", ".join(str(one) for one in report["parameters"].values()),
        ]  # fmt: skip
        ui.label(" · ".join(filter(None, facts))).classes("quiet small")
        warned(desk, report.get("warnings", ()))
        with ui.element("div").classes("hb"):
            ui.link(t("Workflow"), f"/workflows/{report['workflow_id']}")
            ui.link(t("Auto-heal"), f"/auto-heal?workflow={report['workflow_id']}")
            _verdict(desk, run_id, data)
    if data["left_over"] is not None:
        _left_over(desk, run_id, data)
    _steps(desk, run_id, report["steps"])
    if report["values"]:
        with card(t("Values at the end")):
            table(
                [t("variable"), t("value")],
                [[escape(key), escape(_value(desk, value))] for key, value in report["values"].items()],
            )


def _left_over(desk: Desk, run_id: str, data: dict[str, Any]) -> None:
    """What the run has left of a list on the screen, and the two ways to go on: a person has to look first."""
    t, left = desk.t, data["left_over"]

    async def on(how: Any) -> None:
        why = None
        if data["needs_word"]:
            title = t("Let a young workflow run alone this once, because … (audited)")
            why = await ask_reason(desk, title, "", t("Start"))
            if why is None:
                return
        queued = await desk.act(
            "operator", go_on, desk.office, run_id, how, who=desk.who, authorised_because=why
        )  # fmt: skip
        if queued is not None:
            desk.go(f"/runs/{queued.item.run_id}")

    with card(t("The list was not done to its end")):
        ui.label(desk.said(left["told"])).props('data-testid="left-over"')
        if not desk.may("operator"):
            return
        with ui.element("div").classes("hb").style("margin-top:8px"):
            if left["may_rest"]:
                ui.button(t("Go on with the rest"), icon="playlist_play", on_click=lambda: on("rest")).props(
                    'unelevated data-testid="list-rest"'
                )
            if left["may_again"]:
                ui.button(t("All rows again"), icon="replay", on_click=lambda: on("again")).props(
                    'outline data-testid="list-again"'
                )


def _verdict(desk: Desk, run_id: str, data: dict[str, Any]) -> None:
    t, said = desk.t, data["verdict"]
    ui.element("div").classes("grow")
    if said is not None:
        chip(desk, said["verdict"])
        ui.label(t("says {who}", who=said["who"])).classes("quiet small")
    if not desk.may("operator"):
        return

    async def judge(verdict: Any) -> None:
        await desk.act("operator", judge_run, desk.office, run_id, verdict, who=desk.who, done=t("Kept."))
        desk.news.changed()

    ui.label(t("Did it do right?")).classes("quiet small")
    ui.button(icon="thumb_up", on_click=lambda: judge("right")).props(f'flat round dense aria-label="{t("right")}"')
    ui.button(icon="thumb_down", on_click=lambda: judge("wrong")).props(f'flat round dense aria-label="{t("wrong")}"')


def _steps(desk: Desk, run_id: str, steps: list[dict[str, Any]]) -> None:
    t = desk.t
    if not steps:
        return
    with ui.element("div").classes("two flip"):
        with card(t("Steps")):
            holders: list[ui.element] = []
            for number, step in enumerate(steps):
                with ui.element("div").classes("step").props('tabindex=0 role="button"') as holder:
                    ui.html(f'<span class="no">{number + 1}</span>', sanitize=False)
                    with ui.element("div").classes("grow"):
                        ui.label(desk.said(step["description"]) or t(step["action"]))
                        facts = [
                            desk.strategy(step["strategy"]),
                            desk.score(step["score"]),
                            desk.span(step["duration_ms"] / 1000),
                            desk.said(step["note"]),
                        ]
                        ui.label(" · ".join(filter(None, facts))).classes("quiet small")
                        if step["status"] != "success":
                            ui.label(desk.said(step["reason"])).classes("small").style("color:var(--bad)")
                    if _is_healed(step):
                        chip(desk, "healed")
                    ui.icon("check_circle" if step["verified"] else "cancel").style(
                        f"color:var(--{'ok' if step['verified'] else 'bad'})"
                    )
                holders.append(holder)
        with ui.element("div").style("min-width:0"):
            shown = ui.element("div").style("position:sticky;top:70px")

    def show(number: int) -> None:
        for at, holder in enumerate(holders):
            holder.classes(add="on") if at == number else holder.classes(remove="on")
        shown.clear()
        with shown:
            _one_step(desk, run_id, steps[number])

    for number, holder in enumerate(holders):
        holder.on("click", lambda _, at=number: show(at))
        holder.on("keydown.enter", lambda _, at=number: show(at))
    bad = next((number for number, step in enumerate(steps) if step["status"] != "success"), 0)
    show(bad)


def _is_healed(step: dict[str, Any]) -> bool:
    return is_healed(step["healing_level"], step["strategy"])


def _healed(desk: Desk, count: int) -> str:
    if not count:
        return ""
    return desk.t("1 step healed") if count == 1 else desk.t("{n} steps healed", n=count)


def _value(desk: Desk, text: str) -> str:
    """A value as it may be shown: of a secret only that it is one."""
    return f"••• ({desk.t('secret, not shown')})" if text.startswith("secret:") else text


def _read(desk: Desk, step: dict[str, Any]) -> str:
    """What was read into variables, and where it stood."""
    read = step.get("read", [])
    told = [
        desk.t("{name} = {value}, from {where}", name=one["name"], value=_value(desk, one["value"]),
               where=desk.said(one["source"]))
        for one in read
    ]  # fmt: skip
    known = {one["name"] for one in read}
    others = [f"{key} = {_value(desk, text)}" for key, text in step["extracted"].items() if key not in known]
    return f"{desk.semicolon} ".join([*told, *others])


def _one_step(desk: Desk, run_id: str, step: dict[str, Any]) -> None:
    t = desk.t
    with card(f"{step['index'] + 1}. {desk.said(step['description']) or t(step['action'])}"):
        paths = [(when, step[f"screenshot_{when}"]) for when in _WRITTEN if step[f"screenshot_{when}"]]
        if paths:
            with ui.tabs().props("dense align=left") as tabs:
                for when, _ in paths:
                    ui.tab(when, t(when))
            with ui.tab_panels(tabs, value=paths[0][0]).classes("w-full"):
                for when, path in paths:
                    with ui.tab_panel(when), ui.element("div").classes("shotbox"):
                        name = path.rpartition("/")[2].rpartition(".")[0]
                        source = f"/api/v1/runs/{run_id}/pictures/{name}"
                        ui.html(
                            f'<a href="{source}" target=_blank><img src="{source}" alt="{t(when)}"></a>', sanitize=False
                        )
        rows = []
        looked_at = (
            (t("chosen"), step["chosen"]),
            (t("nearest"), step["nearest"]),
            (t("runner-up"), step["runner_up"]),
        )
        for what, candidate in looked_at:
            if candidate:
                reasons = f"{desk.semicolon} ".join(map(desk.said, candidate["reasons"]))
                rows.append([escape(what), escape(candidate["label"] or desk.kind(candidate["type"])), desk.score(candidate["score"]),
                             f'<span class="quiet">{escape(reasons)}</span>'])  # fmt: skip
        if rows:
            table(["", t("element"), t("score"), t("because")], rows, numbers=frozenset({2}))
        facts = [
            [t("expected"), desk.said(step["expected"])], [t("seen"), desk.said(step["observed"])], [t("healing level"), str(step["healing_level"])],
            [t("read"), _read(desk, step)],
            [t("time"), ", ".join(f"{t(key)} {desk.number(value)} ms" for key, value in step["timing_ms"].items())],
        ]  # fmt: skip
        table(["", ""], [[escape(one), escape(value)] for one, value in facts if value and value != "0"])
        for way in step["recoveries"]:
            with ui.element("div").classes("hb"):
                ui.html(chip_html(desk, "success" if way["succeeded"] else "failed"), sanitize=False)
                ui.label(
                    t(
                        "got out of “{label}” by {action}",
                        label=way["label"] or way["error_node"],
                        action=desk.said(way["action"]),
                    )
                )
