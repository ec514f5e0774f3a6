"""A person who stops the robot means the robot: the queue of that display waits until a person releases it.

A stop of one run by its id is about that run only, and holds nothing.
"""

from __future__ import annotations

from rpa_vision.errors import UsageError
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.queue import RunQueue
from rpa_vision.ports.runtime import Clock


def hold(queue: RunQueue, audit: AuditLog, clock: Clock, display: str, why: str) -> None:
    """Let nothing more begin on a display. What holds it first, the paper after."""
    queue.hold_display(display, now=clock.now(), why=why)
    audit.append("display_held", {"display": display, "why": why})


def hold_all(queue: RunQueue, audit: AuditLog, clock: Clock, why: str) -> tuple[str, ...]:
    """Let nothing more begin on any display whose queue has something; says which."""
    displays = tuple(dict.fromkeys(display for _, display, _ in queue.line()))
    for display in displays:
        hold(queue, audit, clock, display, why)
    return displays


def release(queue: RunQueue, audit: AuditLog, clock: Clock, display: str, *, who: str) -> None:
    """Let the runs of a display begin again."""
    held = [one.display for one in queue.held_displays()]
    if display not in held:
        raise UsageError(f"{display} is not held", remedy=f"Held displays: {', '.join(held) or 'none'}.")
    audit.append("display_released", {"display": display, "who": who})
    queue.release_display(display, now=clock.now(), who=who)
