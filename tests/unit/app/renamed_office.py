"""The office after an update of its application: a button has another name, or stands elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from healing_office import supervised
from office import AGAIN, FIELD, NAMES, NEW, SEND, Office, thanks

from rpa_vision.adapters.runtime import RandomIds
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.run import RunHooks, RunRequest, RunTools, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.execution import RunReport
from rpa_vision.models.geometry import Box
from rpa_vision.models.heal_question import HealQuestion
from rpa_vision.models.ids import slug
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import AnyItem, HandMadeSession, Item
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop

WF = "WF_patients"


def page(
    value: str = "",
    send: str = "Enregistrer",
    place: tuple[int, int, int, int] = SEND,
    enabled: bool | None = None,
    role: str = "submit",
) -> list[AnyItem]:
    """The form, with enough around the button to know its place by."""
    return [
        ("heading", "title", "Nouveau patient", (40, 50, 260, 80)),
        ("label", "data_display", "Identité", (40, 90, 140, 112)),
        Item("text_input", "form_input", "Nom", FIELD, value=value),
        Item("button", role, send, place, enabled=enabled),
        ("button", "cancel", "Annuler", (220, 200, 330, 240)),
        ("label", "data_display", "Champs obligatoires", (40, 260, 240, 284)),
        ("link", "navigation", "Conditions", (40, 300, 160, 324)),
        ("link", "navigation", "Aide", (700, 50, 760, 80)),
    ]


def teach(office: Office, heal: AutoHeal) -> LearnResult:
    """Three patients registered by a person, and learned."""
    book = office.book
    book.draw("form", page(), title="Patients")
    session = HandMadeSession(book, "sess_patients")
    for index, name in enumerate(NAMES):
        book.draw(f"typed_{index}", page(name), title="Patients")
        book.draw(f"thanks_{index}", thanks(name), title="Merci")
        session.click("form", Box(*FIELD).center)
        session.type("form", name)
        session.click(f"typed_{index}", Box(*SEND).center)
        session.click(f"thanks_{index}", Box(*AGAIN).center, after="form")
    office.keep(session)
    return office.learn(versions=heal.versions, on_update=heal.manager.on_update)


def renamed(
    office: Office,
    send: str = "Sauvegarder",
    place: tuple[int, int, int, int] = SEND,
    name: str = NEW,
    *,
    enabled: bool | None = None,
    role: str = "submit",
) -> ScriptedDesktop:
    """The application with another button, for one more patient."""
    key = slug(send)
    office.book.draw(f"form_{key}", page("", send, place, enabled, role), title="Patients")
    office.book.draw(f"typed_{key}", page(name, send, place, enabled, role), title="Patients")
    office.book.draw("new_thanks", thanks(name), title="Merci")

    def follow(screen: str, deed: Deed) -> str | None:
        at = deed.at or (0, 0)
        if screen.startswith("form") and deed.verb == "type_text":
            return f"typed_{key}" if deed.text == name else None
        if screen.startswith("typed") and deed.verb == "click" and Box(*place).contains(at):
            return "new_thanks"
        return f"form_{key}" if screen == "new_thanks" and deed.verb == "click" and Box(*AGAIN).contains(at) else None

    return ScriptedDesktop(office.book.pixels, start=f"form_{key}", script=follow, clock=office.clock)


def tools_of(office: Office, heal: AutoHeal, desktop: ScriptedDesktop) -> RunTools:
    return supervised(office, heal, desktop, proposals=heal.proposals, ids=RandomIds())


def run_once(
    office: Office,
    heal: AutoHeal,
    desktop: ScriptedDesktop,
    workflow: Workflow | None = None,
    *,
    hooks: RunHooks | None = None,
) -> RunReport:
    """A run alone, with the version that is in use."""
    document = workflow or office.data.workflows.load(WF)
    request = RunRequest(document, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    return run_workflow(request, tools_of(office, heal, desktop), hooks or RunHooks())[0]


Answer = Callable[[HealQuestion], Mapping[str, Any] | None]
"""What somebody says to a question; None: nothing."""


def ask_and_run(
    office: Office,
    heal: AutoHeal,
    desktop: ScriptedDesktop,
    says: Answer,
    *,
    asks: bool = True,
    gate: InputGate | None = None,
) -> tuple[RunReport, list[HealQuestion]]:
    """A run beside which somebody sits and answers."""
    asked: list[HealQuestion] = []

    def hear(question: HealQuestion) -> None:
        asked.append(question)
        answer = says(question)
        if answer is not None:
            heal.questions.answer(question.question_id, "anne", **answer)

    document = office.data.workflows.load(WF)
    request = RunRequest(document, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0, asks=asks, ask_timeout_s=20.0)
    tools = replace(tools_of(office, heal, desktop), questions=heal.questions.store)
    return run_workflow(request, tools, RunHooks(on_question=hear), gate)[0], asked
