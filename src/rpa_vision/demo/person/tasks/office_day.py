"""A whole day at the office: three tasks mixed, left and taken up again, with all the noise of real work."""

from __future__ import annotations

from rpa_vision.demo.person.eyes import ExpectationError
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import sit_down
from rpa_vision.demo.person.tasks.office_goes import Goes, Steps
from rpa_vision.demo.person.tasks.office_noise import Noise

_NOISE_CHANCE = 0.5


def do(job: Assignment) -> None:
    """Do the agenda, turn by turn."""
    if job.agenda is None or job.diary is None:
        raise ExpectationError("a day needs an agenda")
    with job.diary.doing("sit_down", kind="noise"):
        sit_down(job)
    day = _Day(job, Goes(job, job.diary), Noise(job, job.diary), job.agenda.noise_share)
    begun: dict[str, Steps] = {}
    for turn in job.agenda.turns:
        go = job.agenda.go(turn.go)
        if go.name in begun:
            day.goes.take_up(go)
        steps = begun.setdefault(go.name, day.goes.begin(go))
        for step in steps:
            day.perhaps_noise(between_goes=step == turn.stop_after)
            if step == turn.stop_after:
                break
        else:
            day.perhaps_noise(between_goes=True)


class _Day:
    """The work, and as much noise as the day is to have."""

    def __init__(self, job: Assignment, goes: Goes, noise: Noise, share: float) -> None:
        self.goes = goes
        self._job = job
        self._noise = noise
        self._share = share
        self._pointless = 0

    def perhaps_noise(self, *, between_goes: bool) -> None:
        """Noise comes at random, and more of it the more is missing."""
        while self._pointless < self._share * self._job.presses() and self._job.hands.rng.random() < _NOISE_CHANCE:
            before = self._job.presses()
            self._noise.make(between_goes=between_goes)
            self._pointless += max(1, self._job.presses() - before)
