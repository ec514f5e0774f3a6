"""A person who stops the robot means the robot: the queue of that display waits until a person releases it.

A stop of one run by its id is about that run only, and holds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rpa_vision.errors import UsageError
from rpa_vision.models.running_run import RunningRun
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.queue import RunQueue
from rpa_vision.ports.runtime import Clock


def hold_now(queue: RunQueue, clock: Clock, displays: Sequence[str], why: str) -> None:
    """Let nothing more begin there. What holds them first, the paper after: a disk that takes no line must not let the
    robot go on."""
    for display in displays:
        queue.hold_display(display, now=clock.now(), why=why)


def write_down_held(audit: AuditLog, displays: Sequence[str], why: str) -> None:
    """The paper."""
    for display in displays:
        audit.append("display_held", {"display": display, "why": why})


def displays_in_use(queue: RunQueue, going: Iterable[RunningRun], here: Iterable[str] = ()) -> tuple[str, ...]:
    """Where something waits or runs, or could begin at any moment: a worker is there, or was and is just restarting, a
    schedule or a folder is for it, or it is one of the displays `here`."""
    known = [display for _, display, _ in queue.line()]
    known += [worker.display for worker in queue.workers()]
    known += [schedule.display for schedule, enabled, _ in queue.schedules() if enabled]
    known += [folder.display for folder, enabled in queue.folders() if enabled]
    known += here
    plain = {_plain(display) for display in known}
    known += [run.display for run in going if run.display and _plain(run.display) not in plain]
    return tuple(dict.fromkeys(known))


def _plain(display: str) -> str:
    """A display by one name, with or without the number of its screen."""
    host, colon, number = display.rpartition(":")
    return f"{host}{colon}{number.partition('.')[0]}"


def release(queue: RunQueue, audit: AuditLog, clock: Clock, display: str, *, who: str) -> None:
    """Let the runs of a display begin again."""
    held = [one.display for one in queue.held_displays()]
    if display not in held:
        raise UsageError(f"{display} is not held", remedy=f"Held displays: {', '.join(held) or 'none'}.")
    audit.append("display_released", {"display": display, "who": who})
    queue.release_display(display, now=clock.now(), who=who)
