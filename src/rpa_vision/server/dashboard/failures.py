"""Failure cases: why a step failed, what was considered, whether it would fail again, and the right target."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.failures import CaseFilter, list_cases, replay_case
from rpa_vision.models.failure_case import FailureCase
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import card, chip_html, empty, failure_html, table
from rpa_vision.server.dashboard.pointing import draw_pointing

_COLOURS = ("#d33f49", "#e0a030", "#2f6fed", "#8a5fc7", "#1a9a5c")


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the list."""
    which = CaseFilter(given.get("workflow") or None, given.get("step") or None)
    with frame(desk, desk.t("Failure cases"), "/failures"):
        await Live(desk, lambda: _load(desk, which), lambda data: _draw(desk, data)).start()


def _load(desk: Desk, which: CaseFilter) -> dict[str, Any]:
    found = list_cases(desk.office.heal.failure_store, which)
    bad = [{"name": one.name, "problem": one.problem} for one in found.unreadable]
    return {"cases": [case.to_json() for case in found.items[:300]], "unreadable": bad}


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    if not data["cases"]:
        empty(
            "task_alt", t("Nothing has failed"), t("A step that fails leaves a case here, with its screen and reasons.")
        )
    else:
        with ui.element("div").classes("cards"):
            for case in data["cases"]:
                with ui.link(target=f"/failures/{case['case_id']}").classes("pick"):
                    source = f"/api/v1/failures/{case['case_id']}/pictures/screen"
                    ui.html(f'<img class="shot" src="{source}" alt="" loading="lazy" onerror="this.style.display=\'none\'">',
                            sanitize=False)  # fmt: skip
                    with ui.element("div").classes("in"):
                        ui.label(f"{case['workflow_id']} · {case['step_id']}").style("font-weight:600").classes("clip")
                        times = f" × {case['occurrences']}" if case["occurrences"] > 1 else ""
                        ui.html(f"{failure_html(desk, case['failure_kind'])}{times}", sanitize=False)
                        ui.label(desk.said(case["message"])).classes("quiet small")
                        ui.label(desk.moment(case["last_seen"])).classes("quiet small")
    for bad in data["unreadable"]:
        ui.label(t("cannot be read: {name} ({problem})", **bad)).style("color:var(--bad)")


async def draw_one(desk: Desk, given: dict[str, str]) -> None:
    """Draw one case."""
    t = desk.t
    case = desk.office.heal.failure_store.load(given["case_id"])
    with frame(desk, t("{name}: step {step} failed", name=case.workflow_id, step=case.step_id), "/failures",
               subtitle=case.case_id, back="/failures"):  # fmt: skip
        _why(desk, case)
        with ui.element("div").classes("two"):
            with card(t("The screen, and what was considered")):
                _screen(desk, case)
            with ui.element("div").style("display:flex;flex-direction:column;gap:16px;min-width:0"):
                _sought(desk, case)
                _candidates(desk, case)
                _nodes(desk, case)
                await draw_pointing(desk, case)


def _why(desk: Desk, case: FailureCase) -> None:
    t = desk.t
    with card():
        with ui.element("div").classes("hb"):
            kind = case.failure_kind.value if case.failure_kind is not None else None
            ui.html(failure_html(desk, kind), sanitize=False, tag="span").props('data-testid="failure-kind"')
            ui.label(desk.said(case.result.message)).classes("grow")
            _replay_button(desk, case)
        seen = t("seen {n} times, last on {at}", n=case.occurrences, at=desk.moment(case.last_seen))
        terms = case.terms
        state = f"{_state(desk, terms.state.value)}, ≥ {desk.score(terms.min_confidence)}" if terms is not None else ""
        sent = t("something was sent to the desktop") if case.input_sent else t("nothing was sent")
        version = t("version {n}", n=case.workflow_version) if case.workflow_version else ""
        ui.label(" · ".join(filter(None, (seen, sent, state, version)))).classes("quiet small")
        with ui.element("div").classes("hb"):
            ui.link(t("Workflow"), f"/workflows/{case.workflow_id}")
            if case.run_id:
                ui.link(t("Run"), f"/runs/{case.run_id}")
            ui.link(t("Auto-heal"), f"/auto-heal?workflow={case.workflow_id}")
            ui.link("JSON", f"/api/v1/failures/{case.case_id}", new_tab=True)
        facts = [[t("expected"), desk.said(case.expected)], [t("seen"), desk.said(case.observed)]]
        rows = [[escape(name), escape(value)] for name, value in facts if value]
        if rows:
            table(["", ""], rows)


def _because(desk: Desk, reasons: Iterable[str]) -> str:
    return f"{desk.semicolon} ".join(map(desk.said, reasons))


def _state(desk: Desk, state: str) -> str:
    return desk.t("workflow running" if state == "running" else state)


def _replay_button(desk: Desk, case: FailureCase) -> None:
    t = desk.t

    async def replay() -> None:
        found = await desk.act("operator", replay_case, desk.office.heal.failure_store, case.case_id)
        if found is None:
            return
        again = found[1].to_json()
        with desk.page(), ui.dialog() as dialog, ui.card().style("min-width:min(480px,92vw)"):
            ui.label(t("What would be done now")).classes("h2")
            ui.html(chip_html(desk, again["verdict"]), sanitize=False).props('data-testid="replayed"')
            ui.label(desk.said(again["why"]))
            rows = [
                [
                    escape(one["label"] or desk.kind(one["type"])),
                    desk.score(one["score"]),
                    escape(f"{desk.semicolon} ".join(map(desk.said, one["reasons"]))),
                ]
                for one in again["candidates"][:6]
            ]
            with ui.element("div").classes("scroll").style("max-height:50vh"):
                table([t("element"), t("score"), t("because")], rows, numbers=frozenset({1}))
            ui.button(t("Close"), on_click=dialog.close).props("flat")
        dialog.open()

    button = ui.button(t("Try it again"), icon="replay", on_click=replay).props('outline data-testid="replay"')
    button.set_enabled(desk.may("operator"))


def _screen(desk: Desk, case: FailureCase) -> None:
    state, boxes = case.screen_state, []
    candidates = case.resolution.candidates if case.resolution is not None else ()
    for number, one in enumerate(candidates[:5]):
        x1, y1, x2, y2 = one.bbox
        colour = _COLOURS[number % len(_COLOURS)]
        boxes.append(f'<rect x="{x1}" y="{y1}" width="{x2 - x1}" height="{y2 - y1}" fill="none" stroke="{colour}" '
                     f'stroke-width="4"/><text x="{x1}" y="{max(18, y1 - 6)}" fill="{colour}" font-size="22" '
                     f'font-weight="700">{number + 1}</text>')  # fmt: skip
    if state is None or desk.office.heal.failure_store.picture(case.case_id, "screen") is None:
        ui.label(desk.t("No picture was kept.")).classes("quiet")
        return
    source = f"/api/v1/failures/{case.case_id}/pictures"
    if desk.office.heal.failure_store.picture(case.case_id, "after") is None:
        with ui.element("div").classes("shotbox"):
            ui.interactive_image(f"{source}/screen", content="".join(boxes), sanitize=False).classes("w-full")
        return
    with ui.tabs().props("dense align=left") as tabs:
        ui.tab("before", desk.t("before the input"))
        ui.tab("after", desk.t("after the input"))
    with ui.tab_panels(tabs, value="after" if case.input_sent else "before", keep_alive=True).classes("w-full"):
        with ui.tab_panel("before"), ui.element("div").classes("shotbox"):
            ui.interactive_image(f"{source}/screen", content="".join(boxes), sanitize=False).classes("w-full")
        with ui.tab_panel("after"), ui.element("div").classes("shotbox"):
            ui.interactive_image(f"{source}/after").classes("w-full").props('data-testid="after"')


def _sought(desk: Desk, case: FailureCase) -> None:
    t, target = desk.t, case.target
    if target is None:
        return
    with card(t("What was sought")):
        if desk.office.heal.failure_store.picture(case.case_id, "look") is not None:
            source = f"/api/v1/failures/{case.case_id}/pictures/look"
            ui.html(f'<img src="{source}" alt="" style="max-height:60px;max-width:100%;border:1px solid var(--line);'
                    'border-radius:6px">', sanitize=False)  # fmt: skip
        facts: list[tuple[str, str | None]] = [
            (t("label"), target.label),
            (t("type"), desk.kind(target.type) if target.type else None),
            (t("role"), desk.role(target.role) if target.role else None),
            (t("row"), ", ".join(target.row_contains)),
        ]
        table(["", ""], [[escape(name), escape(str(value))] for name, value in facts if value])


def _candidates(desk: Desk, case: FailureCase) -> None:
    t = desk.t
    with card(t("Candidates")):
        if case.resolution is None or not case.resolution.candidates:
            ui.label(t("Nothing on the screen came into question.")).classes("quiet")
            return
        needed = desk.number(case.resolution.settings.min_score, 2)
        ui.label(t("at least {score} is needed, and {margin} ahead of the next", score=needed,
                   margin=desk.number(case.resolution.settings.min_margin, 2))).classes("quiet small")  # fmt: skip
        table(
            ["", t("element"), t("score"), t("because")],
            [
                [
                    f'<b style="color:{_COLOURS[number % 5]}">{number + 1}</b>',
                    escape(one.label or desk.kind(one.type)),
                    desk.score(one.score),
                    f'<span class="quiet small">{escape(_because(desk, one.reasons))}</span>',
                ]
                for number, one in enumerate(case.resolution.candidates[:8])
            ],
            numbers=frozenset({2}),
        )


def _nodes(desk: Desk, case: FailureCase) -> None:
    t = desk.t
    if not case.node_scores:
        return
    with card(t("Which screen was it?")):
        rows = [
            [
                escape(one.label or one.node_id),
                desk.number(one.confidence, 2),
                desk.number(one.embedding_similarity, 2),
                desk.share(one.words),
            ]
            for one in sorted(case.node_scores, key=lambda one: -one.confidence)[:6]
        ]
        table([t("screen"), t("sure"), t("looks"), t("words")], rows, numbers=frozenset({1, 2, 3}))
