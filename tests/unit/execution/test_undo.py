"""Undo: the opposite of what was done, where that is known and the screen is as the action left it; or why not.

As the action left it is what the control looks like and what the screen says: « Urgent » is ticked on many invoices.
"""

from __future__ import annotations

from typing import Any

import pytest
from run_by_hand import FIELD, PAGE, click, edge, press, typing

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Candidate, Resolved
from rpa_vision.execution.undo import Undoer, Undone, undo_entry
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import ElementState, UIElement
from rpa_vision.models.undo import UndoEntry, UndoLog
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.screens import AnyItem, CountingIds, Item, ScreenBook, workflow_over
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop

BOX = (40, 380, 240, 410)


def entry_of(book: ScreenBook, action: Action, name: str = "page", element: Any = None, **fields: Any) -> UndoEntry:
    screen = book[name]
    found = element or next(
        (one for one in screen.state.ui_elements if action.target is not None and one.label == action.target.label),
        None,
    )
    outcome = StepOutcome(ExecutionStatus.SUCCESS, before=screen, after=screen, input_sent=True, verified=True)
    if found is not None:
        outcome.resolution = Resolved(Candidate(found, 0.9, "som_text_match", ()), None, HealingProfile.at_level(0))
        outcome.point = found.center
    workflow = workflow_over(book, {"page": "page", "done": "done"}, ())
    made = undo_entry(ExecutedStep(edge(action, **fields), outcome, 1.0), workflow, "what was done")
    assert made is not None
    return made


def chosen(element: UIElement, *, checked: bool) -> UIElement:
    return element.model_copy(update={"state": ElementState(checked=checked, selected=checked)})


def test_every_kind_of_action_has_a_way_back_or_a_reason(book: ScreenBook) -> None:
    """L4-13"""
    window = Action(type="window_switch", target_app="mail")
    scroll = Action(type="scroll", parameters=ActionParameters(scroll=(0, 3)))
    assert entry_of(book, typing("Dupont")).way == "retype"
    assert entry_of(book, typing("Dupont")).text == "", "it was empty"
    assert entry_of(book, scroll).scroll == (0, -3)
    assert (entry_of(book, window).way, entry_of(book, window).window) == (
        "switch_back",
        WindowContext(title="Facture", app_name="app"),
    )
    refused = entry_of(book, click())
    assert (refused.way, "« Valider » may have done" in refused.why_not) == ("none", True)
    assert "opposite of key_press" in entry_of(book, press("ENTER")).why_not
    secret = Action(
        type="text_input", target=typing("x").target, parameters=ActionParameters(secret_ref="pin", text=None)
    )
    assert "secret" in entry_of(book, secret).why_not


@pytest.mark.parametrize(("kind", "way"), [("checkbox", "click_again"), ("toggle", "click_again"), ("link", "go_back"),
                                           ("dropdown", "close"), ("radio", "none")])  # fmt: skip
def test_a_click_is_taken_back_by_what_it_was_on(book: ScreenBook, kind: str, way: str) -> None:
    """L4-13"""
    role = "navigation" if kind == "link" else "choice"
    items: list[AnyItem] = [*PAGE, Item(kind, role, "Détails", BOX)]  # type: ignore[arg-type]
    book.draw("with", items, title="Facture")
    entry = entry_of(book, click("Détails", kind=kind), "with")
    assert entry.way == way, entry.why_not
    assert (entry.way == "none") == bool(entry.why_not)


def test_one_of_many_goes_back_to_the_one_that_was_chosen(book: ScreenBook) -> None:
    """L4-13: selection"""
    one, other = (40, 380, 140, 410), (200, 380, 300, 410)
    book.draw("with", [*PAGE, Item("tab", "tab", "Actes", one), Item("tab", "tab", "Notes", other)], title="Facture")
    screen = book["with"]
    elements = [chosen(e, checked=e.label == "Actes") if e.type == "tab" else e for e in screen.state.ui_elements]
    state = screen.state.model_copy(update={"ui_elements": tuple(elements)})
    book._screens["with"] = type(screen)(screen.pixels, state, screen.vector)
    entry = entry_of(book, click("Notes", kind="tab"), "with")
    assert (entry.way, entry.point) == ("click_other", Box(*one).center)


def typed_desktop(book: ScreenBook) -> ScriptedDesktop:
    field = Item("text_input", "form_input", "Motif", FIELD, value="Dupont")
    book.draw("typed", [*PAGE[:3], field, PAGE[4]], title="Facture")

    def follow(screen: str, deed: Deed) -> str | None:
        if screen == "typed" and deed.verb == "press" and deed.keys == ("DELETE",):
            return "page"
        return None

    return ScriptedDesktop(book.pixels, start="typed", script=follow)


def part(book: ScreenBook, name: str, entry: UndoEntry) -> Any:
    x1, y1, x2, y2 = entry.box
    return book.pixels[name][y1:y2, x1:x2]


def test_text_is_taken_back_and_seen_to_be(book: ScreenBook) -> None:
    """L4-13"""
    entry = entry_of(book, typing("Dupont"))
    desktop = typed_desktop(book)
    undoer = Undoer(desktop, Sight(desktop.eyes, book.observer, desktop.clock, CountingIds()), desktop.clock)
    assert undoer.hindrance(entry, part(book, "typed", entry)) is None
    done = undoer.undo(entry, part(book, "page", entry))
    assert (done.done, desktop.screen) == (True, "page")
    assert [deed.verb for deed in desktop.deeds] == ["click", "press", "press"]


def test_nothing_is_sent_where_the_screen_has_moved_on_and_failure_is_told(book: ScreenBook) -> None:
    """L4-13, EX-7"""
    entry = entry_of(book, typing("Dupont"))
    desktop = typed_desktop(book)
    undoer = Undoer(desktop, Sight(desktop.eyes, book.observer, desktop.clock, CountingIds()), desktop.clock)
    assert "no longer as the action left it" in (undoer.hindrance(entry, part(book, "page", entry)) or "")
    assert desktop.deeds == []
    wrong = entry.model_copy(update={"text": "Martin"})
    assert undoer.undo(wrong, part(book, "page", entry)).done is False


def invoice(
    *things: AnyItem, number: str = "FAC-12", name: str = "Dupont", amount: str = "120,00", title: str = ""
) -> dict[str, Any]:
    """What is drawn of one: its number above, who and how much."""
    said: list[AnyItem] = [
        ("heading", "title", f"Facture {number}", (40, 60, 300, 100)),
        Item("text_input", "form_input", "Patient", (40, 120, 160, 144), value=name),
        ("label", "data_display", "Montant", (400, 120, 500, 144)),
        ("label", "data_display", amount, (520, 120, 640, 144)),
    ]
    return {"items": [*said, *things], "title": title or "Factures"}


URGENT = Item("checkbox", "choice", "Urgent", BOX)
MORE: AnyItem = ("link", "navigation", "Détails", BOX)


def undoer_before(book: ScreenBook, start: str, script: Any = ()) -> tuple[Undoer, ScriptedDesktop]:
    desktop = ScriptedDesktop(book.pixels, start=start, script=script)
    return Undoer(desktop, Sight(desktop.eyes, book.observer, desktop.clock, CountingIds()), desktop.clock), desktop


@pytest.mark.parametrize(
    "other",
    [
        {"number": "FAC-13"},
        {"name": "Martin"},
        {"amount": "80,00"},
        {"amount": "120,00 EUR"},
        {"title": "Factures de Martin"},
    ],
    ids=["number", "value of a field", "amount", "currency", "title"],
)
@pytest.mark.parametrize("way", ["click_again", "retype", "go_back"])
def test_nothing_is_taken_back_on_another_case(book: ScreenBook, other: dict[str, str], way: str) -> None:
    """L4-13, EX-7: the control looks as the action left it, and the record it belongs to is another"""
    field = Item("text_input", "form_input", "Motif", FIELD)
    thing, action = {
        "click_again": (URGENT, click("Urgent", kind="checkbox")),
        "retype": (field, typing("RAS")),
        "go_back": (MORE, click("Détails", kind="link")),
    }[way]
    book.draw("page", **invoice(thing))
    entry = entry_of(book, action)
    assert entry.way == way
    book.draw("other", **invoice(thing, **other))
    undoer, _ = undoer_before(book, "page")
    assert undoer.hindrance(entry, part(book, "page", entry)) is None, "the case it was done on"
    undoer, desktop = undoer_before(book, "other")
    said = undoer.hindrance(entry, part(book, "page", entry)) or ""
    assert said.startswith("another case came up: « ")
    assert desktop.deeds == []


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ({"amount": "120,50 EUR"}, {"amount": "340,50 EUR"}),
        ({"amount": "TVA 20 %"}, {"amount": "TVA 10 %"}),
        ({"amount": "à 30 jours"}, {"amount": "à 60 jours"}),
        ({"amount": "30 jours nets"}, {"amount": "60 jours nets"}),
        ({"title": "4711 - Facture"}, {"title": "4712 - Facture"}),
        ({"title": "Facture (4711)"}, {"title": "Facture (4712)"}),
        ({"name": "4711 Durand"}, {"name": "4712 Durand"}),
        ({"name": "4711 Dubois"}, {"name": "4712 Dubois"}),
        ({"name": "Thomas (4711)"}, {"name": "Thomas (4712)"}),
        ({"amount": "2 comprimés par jour"}, {"amount": "4 comprimés par jour"}),
        ({"amount": "150 francs"}, {"amount": "950 francs"}),
        ({"amount": "le 19/11/2026 10:41"}, {"amount": "le 19/11/2026 14:00"}),
        ({"name": "Rendez-vous 10:30"}, {"name": "Rendez-vous 14:00"}),
        ({"amount": "12 000"}, {"amount": "13 000"}),
    ],
)
def test_a_number_that_may_be_what_it_is_about_is_another_case(
    book: ScreenBook, then: dict[str, str], now: dict[str, str]
) -> None:
    """L4-13, EX-7: a run lets a counter go on; what is taken back is held to more"""
    assert hindered(book, invoice(URGENT, **then), invoice(URGENT, **now)).startswith("another case came up: « ")


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ("3 factures en attente", "4 factures en attente"),
        ("1 facture en attente", "2 facture en attente"),
        ("Enregistré à 10:41", "Enregistré à 10:43"),
        ("Dernière synchronisation 10:41", "Dernière synchronisation 10:43"),
        ("il y a 2 min", "il y a 3 min"),
        ("Messages (2)", "Messages (3)"),
        ("10:41:07", "10:42:30"),
    ],
)
def test_a_count_that_went_on_is_no_other_case(book: ScreenBook, then: str, now: str) -> None:
    """L4-13"""
    assert hindered(book, invoice(URGENT, amount=then), invoice(URGENT, amount=now)) == ""


def hindered(book: ScreenBook, then: dict[str, Any], now: dict[str, Any]) -> str:
    """Why « Urgent », ticked on the one screen, is not taken back on the other."""
    book.draw("page", **then)
    entry = entry_of(book, click("Urgent", kind="checkbox"))
    book.draw("other", **now)
    return undoer_before(book, "other")[0].hindrance(entry, part(book, "page", entry)) or ""


def test_a_clock_and_a_star_in_the_title_are_no_other_case(book: ScreenBook) -> None:
    """L4-13: what goes on by itself, and what is not saved yet"""
    for name, time, title in (("page", "10:41", "Facture"), ("later", "10:42", "* Facture")):
        book.draw(name, **invoice(URGENT, ("label", "data_display", time, (700, 540, 800, 564)), title=title))
    entry = entry_of(book, click("Urgent", kind="checkbox"))
    undoer, _ = undoer_before(book, "later")
    assert undoer.hindrance(entry, part(book, "page", entry)) is None


def test_a_screen_that_says_nothing_of_what_it_said_is_another(book: ScreenBook) -> None:
    """L4-13, EX-7: the same box on an empty page"""
    book.draw("page", **invoice(URGENT))
    book.draw("bare", [URGENT], title="Factures")
    entry = entry_of(book, click("Urgent", kind="checkbox"))
    undoer, _ = undoer_before(book, "bare")
    assert "another screen came up" in (undoer.hindrance(entry, part(book, "page", entry)) or "")


def test_a_dialog_that_came_up_since_is_another_case(book: ScreenBook) -> None:
    """L4-13, EX-7"""
    asked: list[AnyItem] = [
        ("dialog", "dialog", "Confirmation", (300, 200, 700, 360)),
        ("label", "data_display", "Supprimer ce dossier ?", (320, 230, 660, 260)),
    ]
    book.draw("page", **invoice(URGENT))
    entry = entry_of(book, click("Urgent", kind="checkbox"))
    shown = invoice(URGENT)
    book.draw("asked", [*shown["items"], *asked], title=shown["title"])
    x1, y1, x2, y2 = entry.box
    undoer, _ = undoer_before(book, "asked")
    said = undoer.hindrance(entry, book.pixels["asked"][y1:y2, x1:x2])
    assert said == "another case came up: a dialog says « Supprimer ce dossier ? »"


def test_keys_are_not_sent_to_the_window_of_another_program(book: ScreenBook) -> None:
    """L4-13, EX-7: Alt+Left goes wherever the focus is"""
    book.draw("page", **invoice(MORE))
    entry = entry_of(book, click("Détails", kind="link"))
    book.draw("page", **invoice(MORE), app_name="mail")
    undoer, _ = undoer_before(book, "page")
    assert undoer.hindrance(entry, part(book, "page", entry)) == "the keys would go to another window: « Factures »"


def test_what_leads_back_to_another_case_is_not_told_as_undone(book: ScreenBook) -> None:
    """L4-13: two invoices differ by less than a clock does, if nobody reads them"""
    book.draw("page", **invoice(MORE))
    book.draw("other", **invoice(MORE, number="FAC-13"))
    book.draw("done", **invoice(title="Détails"))
    entry = entry_of(book, click("Détails", kind="link"))
    undoer, desktop = undoer_before(book, "done", lambda screen, deed: "other" if deed.verb == "press" else None)
    undone = undoer.undo(entry, part(book, "page", entry))
    assert (undone.done, [deed.keys for deed in desktop.deeds]) == (False, [("ALT", "LEFT")])
    assert undone.message.endswith("does not look as it did before: « Facture FAC-12 » is now « Facture FAC-13 »")


def test_an_entry_from_before_texts_were_kept_is_judged_by_its_place(book: ScreenBook) -> None:
    """L4-13: an older log is read and taken back as it was"""
    book.draw("page", **invoice(URGENT))
    book.draw("other", **invoice(URGENT, number="FAC-13"))
    entry = entry_of(book, click("Urgent", kind="checkbox"))
    log = UndoLog(run_id="run_1", workflow_id="WF_1", at=book["page"].state.timestamp, entries=(entry,)).to_json()
    del log["entries"][0]["texts_before"], log["entries"][0]["texts_after"]
    older = UndoLog.from_json(log).entries[0]
    undoer, _ = undoer_before(book, "other")
    assert undoer.hindrance(older, part(book, "page", older)) is None
    assert undoer.hindrance(entry, part(book, "page", entry)) is not None


@pytest.mark.parametrize(
    ("error", "sent", "earlier", "why"),
    [
        (ZeroDivisionError("a bug"), True, False, "the step broke after its input was sent"),
        (None, False, True, "the step was interrupted after its input was sent"),
        (None, True, True, "the step was interrupted and done again"),
        (ZeroDivisionError("a bug"), False, False, None),
    ],
)
def test_what_nobody_saw_the_end_of_cannot_be_taken_back(
    book: ScreenBook, error: Exception | None, sent: bool, earlier: bool, why: str | None
) -> None:
    """L4-13: it was sent, so that what came before it is not the last that was done"""
    outcome = StepOutcome(
        ExecutionStatus.FAILED, before=book["page"] if sent else None, input_sent=sent, sent_earlier=earlier
    )
    step = ExecutedStep(edge(typing("Dupont")), outcome, 1.0, error=error)
    entry = undo_entry(step, workflow_over(book, {"page": "page", "done": "done"}, ()), "what was done")
    if why is None:
        assert entry is None
    else:
        assert entry is not None
        assert (entry.way, entry.why_not.startswith(why)) == ("none", True)


class Shifting(Sight):
    """Sees a screen that changes right after it was understood."""

    then: Any = staticmethod(lambda: None)

    def look(self, **more: Any) -> ObservedScreen:
        seen = super().look(**more)
        self.then()
        return seen


TICK: AnyItem = ("checkbox", "choice", "", (40, 380, 64, 404))


@pytest.mark.parametrize(
    "changed",
    [Box(520, 120, 600, 144), Box(46, 386, 56, 396), Box(800, 400, 860, 460)],
    ids=["what it is about", "the control itself", "something that came up"],
)
def test_what_changes_while_it_is_read_is_not_taken_back(book: ScreenBook, changed: Box) -> None:
    """L4-13, EX-7: what was read was not what is clicked any more"""
    book.draw("page", **invoice(TICK, ("label", "data_display", "Urgent", (72, 380, 160, 404))))
    tick = next(one for one in book["page"].state.ui_elements if one.type == "checkbox")
    entry = entry_of(book, click("Urgent", kind="checkbox"), element=tick)
    desktop = ScriptedDesktop(book.pixels, start="page")
    sight = Shifting(desktop.eyes, book.observer, desktop.clock, CountingIds())
    sight.then = lambda: desktop.paint(changed, (0, 0, 160))
    undoer = Undoer(desktop, sight, desktop.clock)
    assert undoer.hindrance(entry, part(book, "page", entry)) == "the screen changed while it was read"


def test_what_was_not_seen_before_is_not_said_to_look_otherwise(book: ScreenBook) -> None:
    """L4-13, UX-1"""
    book.draw("page", **invoice(URGENT))
    undone = undoer_before(book, "page")[0].undo(entry_of(book, click("Urgent", kind="checkbox")), None)
    assert undone == Undone(False, "the opposite was done, and nobody can tell whether it looks as it did before")


def test_from_a_dialog_no_key_leads_back(book: ScreenBook) -> None:
    """L4-13: Alt+Left over an open dialog goes who knows where"""
    book.draw("page", **invoice(MORE))
    assert entry_of(book, click("Détails", kind="link")).way == "go_back"
    asked: list[AnyItem] = [
        ("dialog", "dialog", "Confirmation", (300, 200, 700, 360)),
        ("label", "data_display", "Voulez-vous voir les détails ?", (320, 230, 660, 260)),
    ]
    shown = invoice(MORE)
    book.draw("done", [*shown["items"], *asked], title=shown["title"])
    assert entry_of(book, click("Détails", kind="link")).way == "none"
