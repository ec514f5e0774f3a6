"""The questions of lost runs that nobody has answered yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpa_vision.models.heal_question import HealQuestion

if TYPE_CHECKING:
    from rpa_vision.app.office import Office


def open_questions(office: Office) -> list[HealQuestion]:
    """Those that wait; one that was just answered waits only for its run to hear it."""
    desk = office.heal.questions
    return [one for one in desk.waiting().items if desk.store.answer_of(one.question_id) is None]
