"""The invoices of the clinic, made from a seed: the same seed gives the same office, on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

INVOICE_COUNT = 40
ALREADY_VALIDATED = 5
WITH_WRONG_AMOUNT = 3

FIRST_NAMES = (
    "Élodie", "Chloé", "Inès", "Léa", "Zoé", "Anaïs", "Hélène", "Noémie", "Céline", "Agnès", "Maëlle", "Françoise",
    "Jérôme", "François", "Loïc", "Théo", "Rémi", "Gaël", "André", "Benoît", "Cédric", "Raphaël", "Étienne", "Mickaël",
    "Camille", "Manon", "Julie", "Marie", "Paul", "Antoine", "Lucas", "Hugo", "Nicolas", "Claire",
)  # fmt: skip
LAST_NAMES = (
    "LEFÈVRE", "MÜLLER", "BÉRARD", "GARÇON", "ROUSSEL", "LEMAÎTRE", "FRANÇOIS", "CHÂTELAIN", "NOËL", "DUBOIS",
    "MOREAU", "FAURÉ", "BOUCHÉ", "GUÉRIN", "BENOÎT", "PÉREZ", "MARTIN", "GAUTHIER", "LAMBERT", "FONTAINE",
    "CHEVALIER", "ROBIN", "MASSON", "BLANCHÉ", "HÉBERT", "DELÂTRE", "GIRAUD", "ANDRÉ", "MERCIER", "PRÉVOST",
    "LECŒUR", "BARBIER", "ARNAUD", "COLLIN", "PICARD", "LACROIX", "VIDAL", "SCHMITT", "RENÉ", "CARPENTIER",
    "LEGRAND", "BESSON", "MARÉCHAL", "PERRIN", "GUICHARD", "ÉMERY",
)  # fmt: skip
_PRACTITIONERS = ("Dr Sophie Armand", "Dr Karim Benali", "Dr Hélène Vasseur", "Dr Yves Kermarrec")
INSURERS = ("Harmonie Mutuelle", "MGEN", "Malakoff Humanis", "Aésio", "Sans mutuelle")
_ACTS = (
    "Consultation spécialisée", "Échographie abdominale", "Radiographie du thorax", "Bilan sanguin",
    "Électrocardiogramme", "Séance de kinésithérapie", "Forfait hospitalier journalier", "Pansement complexe",
)  # fmt: skip
_FIRST_DAY = date(2026, 1, 5)


class Status(StrEnum):
    """Where an invoice stands; the words shown to people are in `texts`."""

    TO_VALIDATE = "to_validate"
    VALIDATED = "validated"


@dataclass(frozen=True, slots=True)
class Act:
    """One billed line."""

    label: str
    amount_cents: int


@dataclass(frozen=True, slots=True)
class Invoice:
    """One invoice; `amount_is_wrong` makes the application refuse to validate it."""

    number: str
    patient: str
    issued_on: date
    due_on: date
    practitioner: str
    insurer: str
    acts: tuple[Act, ...]
    status: Status
    amount_is_wrong: bool

    @property
    def amount_cents(self) -> int:
        """What the acts add up to."""
        return sum(act.amount_cents for act in self.acts)


def make_invoices(seed: int, count: int = INVOICE_COUNT) -> tuple[Invoice, ...]:
    """Make `count` invoices in number order; numbers and patients are unique."""
    rng = random.Random(f"clinique-{seed}")
    patients = _patients(rng, count)
    settled = rng.sample(range(count), min(count, ALREADY_VALIDATED + WITH_WRONG_AMOUNT))
    validated, wrong = set(settled[:ALREADY_VALIDATED]), set(settled[ALREADY_VALIDATED:])
    invoices = []
    serial, issued_on = rng.randint(95, 120), _FIRST_DAY
    for position in range(count):
        serial += rng.randint(1, 3)
        issued_on += timedelta(days=rng.randint(0, 3))
        invoices.append(
            Invoice(
                number=f"FAC-2026-{serial:05d}",
                patient=patients[position],
                issued_on=issued_on,
                due_on=issued_on + timedelta(days=30),
                practitioner=rng.choice(_PRACTITIONERS),
                insurer=rng.choice(INSURERS),
                acts=_acts(rng),
                status=Status.VALIDATED if position in validated else Status.TO_VALIDATE,
                amount_is_wrong=position in wrong,
            )
        )
    return tuple(invoices)


def validatable(invoices: Iterable[Invoice]) -> tuple[Invoice, ...]:
    """The invoices a person can validate: still waiting, and with a right amount."""
    return tuple(i for i in invoices if i.status is Status.TO_VALIDATE and not i.amount_is_wrong)


def _patients(rng: random.Random, count: int) -> list[str]:
    everyone = [f"{last} {first}" for last in LAST_NAMES for first in FIRST_NAMES]
    return rng.sample(everyone, count)


def _acts(rng: random.Random) -> tuple[Act, ...]:
    labels = rng.sample(_ACTS, rng.randint(1, 3))
    return tuple(Act(label, rng.randint(2_500, 80_000)) for label in labels)
