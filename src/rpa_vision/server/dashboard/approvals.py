"""Approvals: questions of lost runs, workflows that are ready to run alone, targets that were found another way."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app import approve as approve_use_case
from rpa_vision.app.open_questions import open_questions
from rpa_vision.app.status import statuses
from rpa_vision.app.workflow_views import require_workflow
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import ask_reason, card, chip, chip_html, empty, meter_html, table
from rpa_vision.server.dashboard.pointing import draw_questions

_UNSTEADY = ("supervisor", "runs_since", "last_run")


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t = desk.t
    with frame(desk, t("Approvals"), "/approvals"):
        await Live(desk, lambda: _questions(desk), lambda data: draw_questions(desk, data)).start()
        await Live(desk, lambda: _proposals(desk), lambda data: _draw_proposals(desk, data)).start()
        await Live(desk, lambda: _levels(desk), lambda data: _draw_levels(desk, data)).start()


def _questions(desk: Desk) -> dict[str, Any]:
    return {"questions": [one.to_json() for one in open_questions(desk.office)]}


def _proposals(desk: Desk) -> dict[str, Any]:
    return {"proposals": [view.to_json() for view in desk.office.heal.proposals.views().items]}


def _levels(desk: Desk) -> dict[str, Any]:
    found = [one.to_json() for one in statuses(desk.office.data, desk.office.heal, desk.office.clock.now())]
    return {"workflows": [{key: value for key, value in one.items() if key not in _UNSTEADY} for one in found]}


def _draw_proposals(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    if not data["proposals"]:
        return
    with card(t("Found another way")):
        ui.label(
            t("The step worked each time. Kept, it is found so from now on; the workflow gets a new version.")
        ).classes("quiet small")
        for one in data["proposals"]:
            _proposal(desk, one)


def _proposal(desk: Desk, one: dict[str, Any]) -> None:
    t, desk_of_proposals = desk.t, desk.office.heal.proposals
    base = f"/api/v1/proposals/{one['proposal_id']}/pictures"
    with ui.element("div").classes("item").style("align-items:flex-start;flex-wrap:wrap"):
        with ui.element("div").classes("main").style("min-width:260px"):
            ui.label(f"{one['workflow_id']} · {desk.said(one['step']) or one['edge_id']}")
            for change in one["changes"]:
                ui.html(
                    f'<span class="quiet small">{escape(t(change["kind"]))}</span> '
                    f'<span class="diff-a">{escape(_told(desk, change, "before"))}</span> → <span class="diff-b">{escape(_told(desk, change, "after"))}</span>',
                    sanitize=False,
                )
            proofs = t("verified in {n} runs", n=one["verified_runs"])
            facts = (proofs, desk.said(one["why"]), desk.said(one["waits_for"]))
            ui.label(" · ".join(filter(None, facts))).classes("quiet small")
        with ui.element("div").classes("hb").style("width:auto"):
            for name in ("before", "after"):
                if name in one["pictures"]:
                    with ui.element("figure").style("margin:0"):
                        ui.html(f'<img src="{base}/{name}" alt="" style="max-height:76px;max-width:220px;border:1px solid var(--line);'
                                'border-radius:6px">', sanitize=False)  # fmt: skip
                        ui.label(t(name)).classes("quiet small")
        if desk.may("operator"):

            async def decide(accept: bool, proposal: dict[str, Any] = one) -> None:
                title = t("Keep it?") if accept else t("Never propose it again?")
                why = await ask_reason(
                    desk, title, desk.said(proposal["step"]), t("Keep") if accept else t("Reject"), danger=not accept
                )
                if why:
                    do = desk_of_proposals.accept if accept else desk_of_proposals.reject
                    done = await desk.act("operator", do, proposal["proposal_id"], desk.who, why)
                    if done is not None:
                        desk.tell(desk.said(done.message), "positive" if done.changed else "warning")
                        desk.news.changed()

            ui.button(t("Keep"), icon="check", on_click=lambda: decide(True)).props(
                'unelevated dense data-testid="keep"'
            )
            ui.button(t("Reject"), icon="close", on_click=lambda: decide(False)).props(
                'outline dense color=negative data-testid="reject"'
            )


def _draw_levels(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    if not data["workflows"]:
        empty("fact_check", t("Nothing waits for your approval"),
              t("When a workflow is ready to run alone, or a target was found another way, it is asked here."))  # fmt: skip
        return
    with card(t("How far each workflow has come")):
        for one in data["workflows"]:
            with ui.element("div").classes("item"):
                with ui.element("div").classes("main"):
                    ui.label(one["name"])
                    ui.label(desk.said(one["waits_for"]) or desk.t(one["who_acts"])).classes("quiet small")
                with ui.element("div").style("width:130px").classes("hide-s"):
                    ui.html(meter_html((one["progress_percent"] or 0) / 100), sanitize=False)
                chip(desk, one["state"])
                _buttons(desk, one)


def _buttons(desk: Desk, one: dict[str, Any]) -> None:
    t = desk.t

    def evidence() -> approve_use_case.Evidence:
        return approve_use_case.evidence(desk.office.heal, require_workflow(desk.office, one["workflow_id"]))

    async def show() -> None:
        seen = await desk.load(evidence)
        if seen is not None:
            await _evidence(desk, seen)

    ui.button(t("Evidence"), on_click=show).props(f'flat dense data-testid="evidence-{one["workflow_id"]}"')


async def _evidence(desk: Desk, seen: approve_use_case.Evidence) -> None:
    """What speaks for it, then the yes; or taking it back."""
    t, told = desk.t, seen.to_json()
    with desk.page(), ui.dialog() as dialog, ui.card().style("min-width:min(600px,94vw);max-width:760px"):
        ui.label(seen.name).classes("h2")
        with ui.element("div").classes("hb"):
            chip(desk, told["state"])
            if told["next"]:
                ui.label("→")
                chip(desk, told["next"])
        rows = [
            [escape(t(need["name"])), desk.amount(need["have"]), desk.amount(need["need"]),
             chip_html(desk, "success") if need["met"] else chip_html(desk, "waiting")]
            for need in told["needs"]
        ]  # fmt: skip
        if rows:
            table([t("what it needs"), t("has"), t("needs"), ""], rows, numbers=frozenset({1, 2}))
        if told["lower_bound"] is not None:
            ui.label(
                t("The runs prove a success rate of at least {rate} (95 %).", rate=desk.share(told["lower_bound"]))
            )
        if told["consent_steps"]:
            ui.label(t("Whoever approves consents to these steps, which cannot be undone:")).style("font-weight:600")
            for step in told["consent_steps"]:
                ui.label(f"• {step['what']}").style("color:var(--warn)")
        why = (
            ui.input(t("Why? The audit trail keeps it.")).props('outlined dense data-testid="reason"').classes("w-full")
        )
        sure = None
        if told["needs_acknowledgement"] and told["awaits_approval"]:
            sure = ui.checkbox(t("I have seen that the evidence is thin, and approve all the same."))
        with ui.element("div").classes("hb").style("justify-content:flex-end"):
            ui.button(t("Close"), on_click=lambda: dialog.submit(None)).props("flat")
            if desk.may("operator") and told["awaits_approval"]:
                ui.button(t("Let it run alone"), on_click=lambda: dialog.submit("approve")).props(
                    'unelevated color=positive data-testid="confirm"'
                ).bind_enabled_from(why, "value", backward=bool)
            if desk.may("operator") and told["state"] == "AUTO_CONFIRMÉ":
                ui.button(t("Take it back"), on_click=lambda: dialog.submit("withdraw")).props(
                    "unelevated color=negative"
                ).bind_enabled_from(why, "value", backward=bool)
    chosen = await dialog
    heal = desk.office.heal
    if chosen == "approve":
        acknowledge = sure is not None and bool(sure.value)

        def approve() -> object:
            return approve_use_case.approve(
                heal, seen.workflow_id, seen.seen, who=desk.who, reason=why.value, acknowledge=acknowledge
            )

        await desk.act("operator", approve, done=t("It runs alone from now on."))
    elif chosen == "withdraw":

        def withdraw() -> object:
            workflow = require_workflow(desk.office, seen.workflow_id)
            return approve_use_case.withdraw(heal, workflow, who=desk.who, reason=why.value)

        await desk.act("operator", withdraw, done=t("Done."))
    desk.news.changed()
    dialog.delete()


def _told(desk: Desk, change: dict[str, Any], when: str) -> str:
    """What a target was before or after: a label as it is written, anything else in the words of the reader."""
    return str(change[when]) if change["kind"] == "label" else desk.said(str(change[when]))
