"""Auto-heal: states, windows filling up, transitions, alerts, versions; and what people do by hand."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app import heal as heal_use_case
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import (
    ask_reason,
    card,
    chip,
    empty,
    link,
    meter_html,
    state_chip,
    state_html,
    table,
)
from rpa_vision.server.dashboard.workflow_page import draw_versions


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t, chosen = desk.t, given.get("workflow")
    with frame(desk, t("Auto-heal"), "/auto-heal", subtitle=chosen or "", back="/auto-heal" if chosen else ""):
        await Live(desk, lambda: _load(desk, chosen), lambda data: _draw(desk, data, chosen)).start()


def _load(desk: Desk, chosen: str | None) -> dict[str, Any]:
    office, now = desk.office, desk.office.clock.now()
    status = heal_use_case.status(office.heal, now, workflow_id=chosen)
    status.pop("at", None)
    asked = heal_use_case.HistoryQuestion(workflow_id=chosen, limit=30)
    history = heal_use_case.history(office.heal, asked, now)
    history.pop("durations", None)
    versions = None
    if chosen is not None:
        versions = heal_use_case.list_versions(office.heal.versions, chosen, office.heal)
    alerts = [alert.to_json() for alert in office.heal.alerts.recent(20, workflow_id=chosen)]
    return {"status": status, "history": history, "alerts": alerts, "versions": versions}


def _draw(desk: Desk, data: dict[str, Any], chosen: str | None) -> None:
    t, status = desk.t, data["status"]
    with ui.element("div").style("display:flex;flex-direction:column;gap:16px"):
        _everything(desk, status)
        if not status["workflows"]:
            empty(
                "healing",
                t("The supervisor knows of no workflow yet"),
                t("It does when one has run."),
                "rpa-vision run WORKFLOW",
            )
        for one in status["workflows"]:
            _workflow(desk, one, status["limits"], is_chosen=chosen is not None)
        if data["versions"] is not None:
            draw_versions(desk, data["versions"])
        with ui.element("div").classes("two"):
            _transitions(desk, data["history"])
            _alerts(desk, data["alerts"])
        _failing(desk, data["history"]["failing_steps"])


def _everything(desk: Desk, status: dict[str, Any]) -> None:
    t, paused, limits = desk.t, status["global_pause"], status["limits"]

    async def pause() -> None:
        why = await ask_reason(desk, t("Pause everything?"), t("Steps that have begun end; only a person lets it go on."),
                               t("Pause everything"), danger=True)  # fmt: skip
        if why:
            await desk.act("operator", heal_use_case.pause, desk.office.heal, None, why, desk.who, done=t("Paused."))
            desk.news.changed()

    async def resume() -> None:
        why = await ask_reason(desk, t("Let everything go on?"), "", t("Go on"))
        if why:
            await desk.act(
                "operator", heal_use_case.resume, desk.office.heal, None, why, desk.who, done=t("It goes on.")
            )
            desk.news.changed()

    with card(), ui.element("div").classes("hb"):
        if paused is not None:
            chip(desk, "paused")
            ui.label(t("Everything is paused by {who}: {why}", who=paused["who"], why=paused["reason"])).classes("grow")
        else:
            words = t("Policy {mode}; all workflows together: {n} of {limit} failures in {span}", mode=t(status["policy"]["mode"]),
                      n=status["global_failures_in_window"], limit=limits["global_window"],
                      span=desk.span(limits["global_window_s"]))  # fmt: skip
            ui.label(words).classes("grow")
        ui.link(t("Policy"), "/policy")
        if desk.may("operator"):
            if paused is not None:
                ui.button(t("Go on"), icon="play_arrow", on_click=resume).props('unelevated data-testid="resume-all"')
            else:
                ui.button(t("Pause everything"), icon="pan_tool", on_click=pause).props(
                    'outline color=negative data-testid="pause-all"'
                )


def _workflow(desk: Desk, one: dict[str, Any], limits: dict[str, Any], *, is_chosen: bool) -> None:
    t, name, failures = desk.t, one["workflow_id"], one["failures"]
    with card():
        with ui.element("div").classes("hb"):
            if is_chosen:
                ui.link(name, f"/workflows/{name}").style("font-weight:620")
            else:
                ui.link(name, f"/auto-heal?workflow={name}").style("font-weight:620")
            state_chip(desk, one["current_state"])
            since = t("since {at}", at=desk.moment(one["state_since"]))
            until = t("until {at}", at=desk.moment(one["quarantine_until"])) if one["quarantine_until"] else ""
            ui.label(" · ".join(filter(None, (since, until, one["version"]["in_use"] or "")))).classes(
                "quiet small grow"
            )
            if desk.may("operator"):
                _controls(desk, one)
        bars = [
            (t("same step failing in a row"), failures["step_streak"], limits["step_streak"], "→ " + t("degraded"), "warn"),
            (t("failures in {span}", span=desk.span(limits["workflow_window_s"])), failures["workflow_window"],
             limits["workflow_window"], "→ " + t("quarantined"), "bad"),
        ]  # fmt: skip
        if one["own_state"] == "degraded":
            bars.append(
                (t("clean steps"), one["clean_steps"], limits["clean_steps"], "→ " + t("workflow running"), "ok")
            )
        lines = "".join(
            f'<div><span class="quiet small">{escape(label)}{desk.colon} <b>{count}</b> / {limit} {escape(leads)}</span>'
            f"{meter_html(count / limit if limit else 0, tone=tone)}</div>"
            for label, count, limit, leads, tone in bars
        )
        ui.html(f'<div class="tiles" style="gap:18px;margin-top:8px">{lines}</div>', sanitize=False).classes("w-full")
        learns = t("learns") if one["learning_enabled"] else t("does not learn now")
        ui.label(t("a step must be at least {c} sure, {m} ahead of the next; {learns}", c=desk.number(one['confidence_threshold'], 2),
                   m=desk.number(one['min_margin'], 2), learns=learns)).classes("quiet small").style("margin-top:6px")  # fmt: skip


def _controls(desk: Desk, one: dict[str, Any]) -> None:
    t, name, heal = desk.t, one["workflow_id"], desk.office.heal

    def changer(title: str, button: str, do: Callable[[str], Any], *, danger: bool = False) -> Callable[[], Any]:
        async def change() -> None:
            why = await ask_reason(desk, title, name, button, danger=danger)
            if why:
                await desk.act("operator", do, why, done=t("Done."))
                desk.news.changed()

        return change

    if one["own_state"] == "paused":
        ui.button(t("Go on"), icon="play_arrow",
                  on_click=changer(t("Let it go on?"), t("Go on"),
                                   lambda why: heal_use_case.resume(heal, name, why, desk.who))).props("outline dense")  # fmt: skip
    elif one["own_state"] == "quarantined":
        ui.button(t("Release"), icon="lock_open",
                  on_click=changer(t("End the quarantine?"), t("Release"),
                                   lambda why: heal_use_case.transition(heal, name, "running", why, desk.who))
                  ).props("outline dense")  # fmt: skip
    if one["own_state"] in ("running", "degraded"):
        ui.button(t("Pause"), icon="pause",
                  on_click=changer(t("Pause it?"), t("Pause"), lambda why: heal_use_case.pause(heal, name, why, desk.who))
                  ).props("outline dense")  # fmt: skip
        ui.button(t("Quarantine"), icon="block",
                  on_click=changer(t("Quarantine it?"), t("Quarantine"),
                                   lambda why: heal_use_case.transition(heal, name, "quarantined", why, desk.who), danger=True)
                  ).props("flat dense color=negative")  # fmt: skip


def _transitions(desk: Desk, history: dict[str, Any]) -> None:
    t = desk.t
    with card(t("Changes of state")):
        rows = [
            [
                escape(desk.moment(one["at"])),
                link(f"/auto-heal?workflow={one['workflow_id']}", one["workflow_id"]),
                f"{state_html(desk, one['from_state'])} → {state_html(desk, one['to_state'])}"
                + (f" <span class='quiet small'>{t('forced')}</span>" if one["forced"] else ""),
                escape(desk.said(one["reason"])) + f"<div class='quiet small'>{escape(one['who'])}</div>",
            ]
            for one in reversed(history["transitions"])
        ]
        if rows:
            table([t("when"), t("workflow"), t("change"), t("why")], rows)
        else:
            ui.label(t("No change of state yet.")).classes("quiet")


def _alerts(desk: Desk, alerts: list[dict[str, Any]]) -> None:
    t = desk.t
    with card(t("Alerts")):
        if not alerts:
            ui.label(t("No alert.")).classes("quiet")
        for alert in alerts:
            with ui.element("div").classes("item"):
                ui.icon("notifications").style("color:var(--warn)")
                with ui.element("div").classes("main"):
                    ui.label(desk.said(alert["message"]))
                    ui.label(desk.moment(alert["at"])).classes("quiet small")


def _failing(desk: Desk, steps: list[dict[str, Any]]) -> None:
    t = desk.t
    if not steps:
        return
    with card(t("Steps that fail most")):
        table(
            [t("workflow"), t("step"), t("failed"), t("share")],
            [
                [
                    link(f"/workflows/{one['workflow_id']}", one["workflow_id"]),
                    link(f"/failures?workflow={one['workflow_id']}&step={one['step_id']}", one["step_id"]),
                    f"{one['failures']} / {one['results']}",
                    desk.share(one["failure_ratio"]),
                ]
                for one in steps
            ],
            numbers=frozenset({2, 3}),
        )
