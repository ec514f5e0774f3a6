"""Issue of learning: five demonstrations of twelve steps are a workflow within five seconds after capture."""

from __future__ import annotations

from pytest_benchmark.fixture import BenchmarkFixture

from rpa_vision.app import wiring
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.graph_builder import GraphBuilder, LearnedWorkflow
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.screens import MOMENT, AnyItem, HandMadeSession, Item, ScreenBook

AIM_S = 5.0
SIZE = (1920, 1080)
DEMONSTRATIONS, FIELDS = 5, 5
NAMES = ("Nom", "Prenom", "Adresse", "Ville", "Courriel")
OPEN, SAVE = (80, 200, 300, 250), (80, 900, 300, 950)


def form(values: list[str], *, saved: bool = False) -> list[AnyItem]:
    items: list[AnyItem] = [("heading", "title", "Nouveau dossier", (80, 80, 400, 120))]
    for index, name in enumerate(NAMES):
        y = 300 + 110 * index
        items.append(("label", "data_display", name, (80, y, 280, y + 40)))
        value = values[index] if index < len(values) else ""
        items.append(Item("text_input", "form_input", name, (300, y, 900, y + 40), value=value))
    items.append(("button", "submit", "Enregistrer", SAVE))
    if saved:
        items.append(("label", "data_display", "Dossier enregistre", (400, 900, 700, 950)))
    return items


def recorded(book: ScreenBook) -> HandMadeSession:
    """Open a form, fill its five fields (a click and a text each), save, come back: twelve gestures that are steps."""
    session = HandMadeSession(book)
    home: list[AnyItem] = [
        ("heading", "title", "Accueil", (80, 80, 400, 120)),
        ("button", "navigation", "Nouveau", OPEN),
    ]
    for number in range(DEMONSTRATIONS):
        book.draw(f"home_{number}", home, title="Accueil")
        session.click(f"home_{number}", Box.of(OPEN).center)
        values: list[str] = []
        book.draw(f"form_{number}_0", form(values), title="Dossier")
        for index in range(FIELDS):
            screen = f"form_{number}_{index}"
            session.click(screen, (600, 320 + 110 * index))
            values.append(f"{NAMES[index]} {number}{index}7")
            book.draw(f"form_{number}_{index + 1}", form(values), title="Dossier")
            session.type(screen, values[-1])
            session.press(f"form_{number}_{index + 1}", "TAB")
        book.draw(f"saved_{number}", form(values, saved=True), title="Dossier")
        session.click(f"form_{number}_{FIELDS}", Box.of(SAVE).center, after=f"saved_{number}")
    return session


def test_five_demonstrations_of_twelve_steps_become_a_workflow(benchmark: BenchmarkFixture) -> None:
    """L4-2: reading every screen included, as `learn` does it"""
    book = ScreenBook(size=SIZE)
    session = recorded(book)
    observer = wiring.screen_observer()
    known: dict[str, ObservedScreen] = {}

    def observe(recording: RecordedSession, screenshot_id: str) -> ObservedScreen:
        if screenshot_id not in known:
            known[screenshot_id] = observer.observe(
                book.pixels[screenshot_id],
                window=WindowContext(title=book[screenshot_id].state.window.title, app_name="app"),
                screen_state_id=screenshot_id,
                timestamp=MOMENT,
            )
        return known[screenshot_id]

    def learn() -> LearnedWorkflow:
        builder = GraphBuilder(observe, observer.embedder.space)
        return builder.build_from_sessions([session.session()], workflow_id="WF_bench", name="Bench", now=MOMENT)

    learned = benchmark.pedantic(learn, rounds=1, iterations=1)
    benchmark.extra_info |= {
        "screens": len(known),
        "steps": len(learned.workflow.edges),
        "demonstrations": learned.repetitions,
        "aim_s": AIM_S,
    }
