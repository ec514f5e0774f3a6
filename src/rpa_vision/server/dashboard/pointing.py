"""Show a lost run the right target: by clicking on the picture of its screen, or by the number of a candidate."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import events, ui

from rpa_vision.app.open_questions import open_questions
from rpa_vision.models.failure_case import FailureCase
from rpa_vision.server.dashboard.desk import Desk
from rpa_vision.server.dashboard.parts import card, table


def draw_questions(desk: Desk, data: dict[str, Any]) -> None:
    """Every question that waits, each with its screen to click on."""
    for question in data["questions"]:
        _question(desk, question)


def _question(desk: Desk, question: dict[str, Any]) -> None:
    t = desk.t
    keep: ui.checkbox | None = None

    async def answer(**given: Any) -> None:
        kept = bool(keep.value) if keep is not None else False
        said = {**given, "keep": kept} if "number" in given or "point" in given else given
        done = t("Shown. The run goes on.")
        await desk.act(
            "operator", desk.office.heal.questions.answer, question["question_id"], desk.who, done=done, **said
        )
        desk.news.changed()

    async def clicked(event: events.MouseEventArguments) -> None:
        await answer(point=(round(event.image_x), round(event.image_y)))

    title = t("Which one is it?") if question["kind"] == "show" else t("Really this one? It may do harm.")
    with card(title).style("border-color:var(--accent)"):
        ui.label(f"{question['workflow_name']} · {desk.said(question['step'])}").style("font-weight:600")
        ui.label(desk.said(question["why"])).classes("quiet small")
        may = desk.may("operator")
        with ui.element("div").classes("two"):
            with ui.element("div").classes("shotbox"):
                source = f"/api/v1/questions/{question['question_id']}/picture"
                on_click = clicked if may and question["kind"] == "show" else None
                picture = ui.interactive_image(source, on_mouse=on_click, events=["click"], cross=on_click is not None)
                picture.classes("w-full").props('data-testid="point-here"')
            with ui.element("div"):
                if question["kind"] == "show":
                    ui.label(t("Click on it in the picture, or choose a number.")).classes("quiet small")
                rows = [
                    [f"<b>{one['number']}</b>", escape(one["label"] or one["type"]), desk.score(one["score"]),
                     f'<span class="small" style="color:var(--bad)">{escape(desk.said(one["objection"] or ""))}</span>']
                    for one in question["candidates"]
                ]  # fmt: skip
                table(["", t("element"), t("score"), ""], rows, numbers=frozenset({2}))
                if may and question["kind"] == "show":
                    keep = ui.checkbox(t("Find it so from now on, once the step has worked"), value=True)
                    with ui.element("div").classes("hb tight"):
                        for one in question["candidates"][:9]:
                            ui.button(str(one["number"]), on_click=lambda _, n=one["number"]: answer(number=n)).props(
                                f'outline dense data-testid="choose-{one["number"]}"'
                            )
                        ui.button(t("None of them"), on_click=lambda: answer(none=True)).props(
                            "flat dense color=negative"
                        )
                elif may:
                    with ui.element("div").classes("hb tight"):
                        ui.button(t("Yes, this one"), on_click=lambda: answer(yes=True)).props(
                            "unelevated color=negative"
                        )
                        ui.button(t("No"), on_click=lambda: answer(none=True)).props("outline")


async def draw_pointing(desk: Desk, case: FailureCase) -> None:
    """What leads to pointing from a failure: the question if its run still waits, else a run that will ask."""
    t = desk.t
    waiting = [
        one.to_json()
        for one in open_questions(desk.office)
        if one.workflow_id == case.workflow_id and one.edge_id == case.step_id
    ]
    with card(t("Show the right target")):
        if waiting:
            ui.label(t("A run waits to be shown what is meant.")).classes("small")
            ui.link(t("Show it"), "/approvals")
            return
        ui.label(
            t("The screen has moved on since. Start it again so that it asks, and click on the right target then.")
        ).classes("quiet small")
        if desk.may("operator"):
            target = f"/start?workflow={case.workflow_id}&asks=1"
            ui.button(t("Run it and let it ask me"), icon="ads_click", on_click=lambda: ui.navigate.to(target)).props(
                "outline"
            )
