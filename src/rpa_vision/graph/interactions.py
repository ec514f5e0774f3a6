"""What people did with the elements of recorded screens (L2-5): how often each was clicked, and how long the pointer
had been on it by then.

A screen tells it as of its own moment, what was clicked on it included. Who is who over several screens is told by the
identities that were followed. Whether a click did what was wanted a recording does not say, so that stays open here;
a failure case says it of its target (`system.failure_evidence`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from rpa_vision.graph.demonstration import element_at
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import Event, RecordedSession
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import InteractionHistory, UIElement


@dataclass(frozen=True, slots=True)
class _Click:
    at: datetime
    dwell_ms: float | None


class Interactions:
    """The clicks of some sessions, by what was clicked. Every screen is shown to it once, those before clicks in the
    order of time."""

    def __init__(self) -> None:
        self._clicks: defaultdict[str, list[_Click]] = defaultdict(list)

    def told(self, session: RecordedSession, screenshot_id: str, state: ScreenState) -> ScreenState:
        """A screen of a session, its elements with what was done with them up to then."""
        until = state.timestamp
        for index, event in enumerate(session.events):
            if event.type != "mouse_click" or event.screenshot_id != screenshot_id or event.pos is None:
                continue
            clicked = element_at(state.ui_elements, event.pos)
            at = session.started_at + timedelta(seconds=event.t)
            until = max(until, at)
            if clicked is not None and (who := _identity(clicked)) is not None:
                self._clicks[who].append(_Click(at, _dwell_ms(session.events[: index + 1], Box.of(clicked.bbox))))
        elements = tuple(self._with_history(element, until) for element in state.ui_elements)
        return state.model_copy(update={"ui_elements": elements})

    def _with_history(self, element: UIElement, until: datetime) -> UIElement:
        clicks = [click for click in self._clicks.get(_identity(element) or "", ()) if click.at <= until]
        if not clicks:
            return element
        dwelt = [click.dwell_ms for click in clicks if click.dwell_ms is not None]
        history = InteractionHistory(
            click_count=len(clicks), avg_dwell_time_ms=round(sum(dwelt) / len(dwelt), 1) if dwelt else None
        )
        return element.model_copy(update={"interaction_history": history})


def _identity(element: UIElement) -> str | None:
    """The name it was first seen under."""
    known = element.metadata.get("identity")
    return known if isinstance(known, str) else element.stable_id


def _dwell_ms(events: Sequence[Event], box: Box) -> float | None:
    """How long the pointer had been in a box when the last event came; None where nothing was seen of it before."""
    clicked, arrived = events[-1], None
    for event in reversed(events[:-1]):
        if event.pos is None:
            continue
        if event.type != "mouse_move" or not box.contains(event.pos):
            break
        arrived = event.t
    return round(1000.0 * (clicked.t - arrived), 1) if arrived is not None and arrived <= clicked.t else None
