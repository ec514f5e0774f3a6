"""What is typed into the terminal of a run that asks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.heal_questions import FileHealQuestions
from rpa_vision.app.point_out import QuestionDesk
from rpa_vision.cli.heal_questions import TerminalVoice, parsed
from rpa_vision.models.heal_question import HealQuestion, QuestionCandidate

CLOCK = SystemClock()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("2", {"number": 2, "keep": False}),
        ("2 keep", {"number": 2, "keep": True}),
        ("640,360", {"point": (640, 360), "keep": False}),
        ("640, 360 keep", {"point": (640, 360), "keep": True}),
        ("none", {"none": True}),
        ("0", {"none": True}),
        ("yes", {"yes": True}),
        ("perhaps", {"none": False}),
    ],
)
def test_an_answer_is_typed_in_a_word(said: str, answer: dict[str, Any]) -> None:
    """EX-8"""
    assert parsed(said) == answer


def test_a_slip_is_told_and_the_next_line_counts(tmp_path: Path, wait: Any) -> None:
    """EX-8: the run's own terminal"""
    data = FileDataDirectory(tmp_path / "data", clock=CLOCK)
    desk = QuestionDesk(FileHealQuestions(data.files), CLOCK)
    now = CLOCK.now()
    question = HealQuestion(
        question_id="question_1",
        run_id="run_1",
        workflow_id="WF",
        workflow_name="Factures",
        edge_id="E1",
        step="click on « Valider »",
        why="« Valider » is not on the screen",
        asked_at=now,
        expires_at=now + timedelta(minutes=5),
        screen_size=(800, 600),
        candidates=(QuestionCandidate(number=1, label="Approuver", type="button", bbox=(1, 2, 3, 4), score=0.5),),
    )
    desk.store.ask(question, None)
    lines: Queue[str] = Queue()

    def typed() -> Iterator[str]:
        while True:
            yield lines.get()

    said: list[str] = []
    TerminalVoice(desk, "anne", said.append, typed()).ask(question)
    assert any("1. button « Approuver »" in line for line in said)
    for line in ("perhaps\n", "900,900\n", "7\n", "\n", "1 keep\n"):
        lines.put(line)
    answer: Any = wait.until(lambda: desk.store.answer_of("question_1"))
    assert (answer.number, answer.keep, answer.who) == (1, True, "anne")
    told = " ".join(said)
    for words in ("one answer is expected", "not on a screen of 800 x 600", "no candidate 7"):
        assert words in told
