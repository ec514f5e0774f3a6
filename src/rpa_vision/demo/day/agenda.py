"""What is done on a day, and in which order: made from a seed, so that a day can be had again.

Three tasks are mixed. *slips*: go through a slip of payments and validate those that wait (a loop over a list with
pages). *claims*: open a refund claim and validate it, or send it to the manager above the limit (a rule). *journal*:
look up an invoice and write its amount into a journal kept in another program, signing in again when the session has
ended (two applications, and a recovery).
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from rpa_vision.demo.clinic.accounts_data import (
    MANAGER_LIMIT_CENTS,
    ROWS_PER_SLIP_PAGE,
    Accounts,
    Claim,
    PaymentStatus,
    make_accounts,
)
from rpa_vision.demo.clinic.data import make_invoices
from rpa_vision.demo.clinic.texts import write_amount

Task = Literal["slips", "claims", "journal"]
TASKS: tuple[Task, ...] = ("slips", "claims", "journal")


@dataclass(frozen=True, slots=True)
class DaySize:
    """How many goes of each task, and how disturbed the day is."""

    slips: int = 5
    claims: int = 10
    journal: int = 6
    expiries: int = 2
    interruptions: int = 2
    broken_off: int = 1
    noise_share: float = 0.2
    """How much of all input is noise."""


SMALL = DaySize(slips=3, claims=10, journal=3, expiries=1, interruptions=1, broken_off=0)
"""The smallest day that still shows everything: each way three times, and the rule often enough not to be chance."""


@dataclass(frozen=True, slots=True)
class Go:
    """One go at a task, and everything that was particular to it."""

    name: str
    task: Task
    subject: str
    amount: str = ""
    is_high: bool = False
    rows: tuple[str, ...] = ()
    expires_at: str = ""
    """The step at which the session turns out to have ended."""
    is_broken_off: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """Some of a go, done in one piece: all that is left of it, or up to a step."""

    go: str
    stop_after: str = ""


@dataclass(frozen=True, slots=True)
class Agenda:
    """A whole day."""

    seed: int
    noise_share: float
    goes: tuple[Go, ...]
    turns: tuple[Turn, ...]
    threshold_cents: int = field(default=MANAGER_LIMIT_CENTS)

    def go(self, name: str) -> Go:
        """The go of that name."""
        return next(go for go in self.goes if go.name == name)

    def to_json(self) -> str:
        """As a file holds it."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Agenda:
        """As it was."""
        data: dict[str, Any] = json.loads(text)
        goes = tuple(Go(**{**go, "rows": tuple(go["rows"])}) for go in data.pop("goes"))
        return cls(goes=goes, turns=tuple(Turn(**turn) for turn in data.pop("turns")), **data)


def plan_day(seed: int, size: DaySize | None = None, *, unshown_cents: tuple[int, int] | None = None) -> Agenda:
    """Choose the work, mix it, disturb it. Claims between two amounts that were never shown are not chosen."""
    wanted = size or DaySize()
    rng = random.Random(f"day-{seed}")
    accounts = make_accounts(seed)
    low, high = unshown_cents or (MANAGER_LIMIT_CENTS, MANAGER_LIMIT_CENTS)
    claims = [claim for claim in accounts.claims if not low < claim.amount_cents < high]
    goes = [
        *_slips(rng, accounts, wanted.slips),
        *_claims(rng, claims, wanted.claims + wanted.broken_off, wanted.broken_off),
        *_journal(rng, seed, wanted.journal, wanted.expiries),
    ]
    return Agenda(seed, wanted.noise_share, tuple(goes), tuple(_turns(rng, goes, wanted.interruptions)))


def unshown_cents(agenda: Agenda) -> tuple[int, int]:
    """The highest claim that was validated and the lowest that was sent: between them nobody has shown what to do."""
    cents = {claim.number: claim.amount_cents for claim in make_accounts(agenda.seed).claims}
    shown = [go for go in agenda.goes if go.task == "claims" and not go.is_broken_off]
    low = [cents[go.subject] for go in shown if not go.is_high]
    high = [cents[go.subject] for go in shown if go.is_high]
    return max(low, default=0), min(high, default=0)


def waiting_on(accounts: Accounts, slip: str) -> tuple[str, ...]:
    """The payments of a slip that are to be validated."""
    lines = [payment for payment in accounts.payments if payment.slip == slip]
    return tuple(payment.number for payment in lines if payment.status is PaymentStatus.TO_VALIDATE)


def _slips(rng: random.Random, accounts: Accounts, count: int) -> list[Go]:
    """Most with a second page, and one without where there are enough."""
    short: list[str] = []
    long: list[str] = []
    for slip in accounts.slips:
        lines = sum(payment.slip == slip.number for payment in accounts.payments)
        (short if lines <= ROWS_PER_SLIP_PAGE else long).append(slip.number)
    rng.shuffle(short)
    rng.shuffle(long)
    singles = 1 if count > 3 else 0
    chosen = [*short[:singles], *long[: count - singles]]
    rng.shuffle(chosen)
    return [
        Go(f"slips-{index}", "slips", slip, rows=waiting_on(accounts, slip))
        for index, slip in enumerate(chosen, start=1)
    ]


def _claims(rng: random.Random, claims: Sequence[Claim], count: int, broken_off: int) -> list[Go]:
    """As many on one side of the limit as on the other, and those nearest to it among them."""
    low, high = ([claim for claim in claims if claim.is_for_manager is side] for side in (False, True))
    chosen: list[Claim] = []
    if count < 2:
        return []
    for side, share in ((low, count - count // 2), (high, count // 2)):
        by_distance = sorted(side, key=lambda claim: abs(claim.amount_cents - MANAGER_LIMIT_CENTS))
        chosen += [by_distance[0], *rng.sample(by_distance[1:], share - 1)]
    nearest = (chosen[0], chosen[count - count // 2])
    rng.shuffle(chosen)
    lost = [claim for claim in chosen if claim not in nearest][:broken_off]
    return [
        Go(
            f"claims-{index}", "claims", claim.number, amount=write_amount(claim.amount_cents, "fr"),
            is_high=claim.is_for_manager, is_broken_off=claim in lost,
        )
        for index, claim in enumerate(chosen, start=1)
    ]  # fmt: skip


def _journal(rng: random.Random, seed: int, count: int, expiries: int) -> list[Go]:
    chosen = rng.sample(make_invoices(seed), count)
    expiring = set(rng.sample(range(count), min(expiries, count)))
    moments = ["open_invoices" if number % 2 == 0 else "submit_search" for number in range(count)]
    return [
        Go(
            f"journal-{index + 1}", "journal", invoice.number, amount=write_amount(invoice.amount_cents, "fr"),
            expires_at=moments[sorted(expiring).index(index)] if index in expiring else "",
        )
        for index, invoice in enumerate(chosen)
    ]  # fmt: skip


# Where a task can be left for another one and taken up again.
_RESTS = {"slips": "validate_payment", "journal": "open_invoice"}


def _turns(rng: random.Random, goes: Sequence[Go], interruptions: int) -> list[Turn]:
    order = list(goes)
    rng.shuffle(order)
    turns = [Turn(go.name, "submit_claim" if go.is_broken_off else "") for go in order]
    tasks = {go.name: go.task for go in goes}
    disturbed: set[str] = set()
    visitors: set[str] = set()
    for number in range(interruptions):
        task = "journal" if number % 2 == 0 else "slips"
        free = [go.name for go in goes if go.task == task and not go.expires_at and go.name not in disturbed]
        waiting = [
            turn for turn in turns if tasks[turn.go] == "claims" and not turn.stop_after and turn.go not in visitors
        ]
        if not free or not waiting:
            continue
        left, visitor = rng.choice(free), rng.choice(waiting)
        disturbed.add(left)
        visitors.add(visitor.go)
        turns.remove(visitor)
        at = turns.index(Turn(left))
        turns[at : at + 1] = [Turn(left, _RESTS[task]), visitor, Turn(left)]
    return turns
