"""What the accounting module works on, made from a seed: slips of payments to go through, and refunds to decide on.

A slip (« bordereau ») lists payments of which some wait, some are settled and some are disputed. A refund claim
(« demande de remboursement ») is validated by anybody below the limit, and goes to the manager above it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from rpa_vision.demo.clinic.data import FIRST_NAMES, INSURERS, LAST_NAMES

MANAGER_LIMIT_CENTS = 100_000
SLIP_COUNT = 11
CLAIM_COUNT = 36
ROWS_PER_SLIP_PAGE = 8
# No claim lies so near to the limit that nobody who saw the others could tell which side it is on.
_NEAREST_CENTS = 1_500
_FIRST_DAY = date(2026, 2, 2)
_REASONS = ("Trop-perçu", "Acte annulé", "Double paiement", "Erreur de tarif", "Séance reportée")


class PaymentStatus(StrEnum):
    """Where a payment on a slip stands."""

    TO_VALIDATE = "to_validate"
    VALIDATED = "validated"
    DISPUTED = "disputed"


class SlipStatus(StrEnum):
    """Whether a slip is still worked on."""

    OPEN = "open"
    CLOSED = "closed"


class ClaimStatus(StrEnum):
    """Where a refund claim stands."""

    TO_VALIDATE = "to_validate"
    VALIDATED = "validated"
    SENT = "sent"


@dataclass(frozen=True, slots=True)
class Payment:
    """One line of a slip."""

    number: str
    slip: str
    patient: str
    paid_on: date
    amount_cents: int
    status: PaymentStatus


@dataclass(frozen=True, slots=True)
class Slip:
    """Payments that came together from one insurer."""

    number: str
    insurer: str
    received_on: date
    status: SlipStatus


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody wants money back."""

    number: str
    patient: str
    asked_on: date
    reason: str
    amount_cents: int
    status: ClaimStatus

    @property
    def is_for_manager(self) -> bool:
        """Whether only the manager may decide; the clinic does not check it, as in many offices."""
        return self.amount_cents >= MANAGER_LIMIT_CENTS


@dataclass(frozen=True, slots=True)
class Accounts:
    """Everything the module starts the day with."""

    slips: tuple[Slip, ...]
    payments: tuple[Payment, ...]
    claims: tuple[Claim, ...]


def make_accounts(seed: int) -> Accounts:
    """The module's data; numbers and patients are unique in each list."""
    rng = random.Random(f"comptabilite-{seed}")
    slips, payments = _slips(rng)
    return Accounts(tuple(slips), tuple(payments), tuple(_claims(rng)))


def _slips(rng: random.Random) -> tuple[list[Slip], list[Payment]]:
    serial, payment_serial, received = rng.randint(10, 40), rng.randint(1_000, 4_000), _FIRST_DAY
    slips: list[Slip] = []
    payments: list[Payment] = []
    for position in range(SLIP_COUNT):
        serial += rng.randint(1, 3)
        received += timedelta(days=rng.randint(1, 3))
        slip = Slip(f"BOR-2026-{serial:03d}", rng.choice(INSURERS[:-1]), received, SlipStatus.OPEN)
        # Three in four need a second page, as the person who learns from a day should see.
        lines = rng.randint(5, 8) if position % 4 == 3 else rng.randint(10, 13)
        statuses = _statuses(rng, lines)
        for patient, status in zip(_patients(rng, lines), statuses, strict=True):
            payment_serial += rng.randint(1, 4)
            number = f"REG-2026-{payment_serial:05d}"
            paid = received - timedelta(days=rng.randint(1, 9))
            payments.append(Payment(number, slip.number, patient, paid, rng.randint(1_200, 95_000), status))
        slips.append(slip)
    return slips, payments


def _statuses(rng: random.Random, lines: int) -> list[PaymentStatus]:
    """Something waits on every page, and something that must be left alone stands beside it."""
    statuses = [rng.choice((PaymentStatus.VALIDATED, PaymentStatus.DISPUTED)) for _ in range(lines)]
    for first in range(0, lines, ROWS_PER_SLIP_PAGE):
        here = range(first, min(first + ROWS_PER_SLIP_PAGE, lines))
        wanted = rng.randint(2, 3) if first == 0 else rng.randint(1, min(2, len(here) - 1))
        for row in rng.sample(here, wanted):
            statuses[row] = PaymentStatus.TO_VALIDATE
    return statuses


def _claims(rng: random.Random) -> list[Claim]:
    serial, asked = rng.randint(200, 400), _FIRST_DAY
    sides = [position % 2 == 0 for position in range(CLAIM_COUNT)]
    rng.shuffle(sides)
    claims = []
    for patient, is_high in zip(_patients(rng, CLAIM_COUNT), sides, strict=True):
        serial += rng.randint(1, 3)
        asked += timedelta(days=rng.randint(0, 2))
        claims.append(
            Claim(
                f"DR-2026-{serial:04d}", patient, asked, rng.choice(_REASONS), _amount(rng, is_high),
                ClaimStatus.TO_VALIDATE,
            )
        )  # fmt: skip
    return claims


def _amount(rng: random.Random, is_high: bool) -> int:
    """Often near to the limit, so that a day shows where it lies."""
    near = rng.random() < 0.4
    distance = rng.randint(_NEAREST_CENTS, 9_000) if near else rng.randint(9_000, 280_000 if is_high else 90_000)
    return MANAGER_LIMIT_CENTS + distance if is_high else MANAGER_LIMIT_CENTS - distance


def _patients(rng: random.Random, count: int) -> list[str]:
    return rng.sample([f"{last} {first}" for last in LAST_NAMES for first in FIRST_NAMES], count)
