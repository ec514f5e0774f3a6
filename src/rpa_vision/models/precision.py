"""Fiche 10, precision: what a strategy claimed, and whether it turned out true, counted exactly.

Counts are whole numbers (scores in ten-thousandths, as the resolver rounds them), so that a tally does not depend on
the order in which claims came in, nor on how they were added up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import AwareDatetime, Field

from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import UnitInterval

BINS = 10
UNITS = 10_000
"""Parts of a score that is 1."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A strategy said « this is it » of an element, with a score, and the effect of acting on it was checked."""

    strategy: str
    element: str
    score: float
    correct: bool


@dataclass(frozen=True, slots=True)
class BinTally:
    """The claims whose scores lie in one tenth of the scale."""

    claims: int = 0
    hits: int = 0
    claimed_units: int = 0
    """Sum of the scores."""
    square_units: int = 0
    """Sum of the squared errors, in units²."""

    def __add__(self, other: BinTally) -> BinTally:
        return BinTally(
            self.claims + other.claims,
            self.hits + other.hits,
            self.claimed_units + other.claimed_units,
            self.square_units + other.square_units,
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """All claims of somebody, by tenths of the scale."""

    bins: tuple[BinTally, ...] = field(default=(BinTally(),) * BINS)

    @classmethod
    def of(cls, *claims: Claim) -> Tally:
        """Count some claims."""
        bins = [BinTally()] * BINS
        for claim in claims:
            units = units_of(claim.score)
            error = units - (UNITS if claim.correct else 0)
            bins[bin_of(units)] += BinTally(1, int(claim.correct), units, error * error)
        return cls(tuple(bins))

    def __add__(self, other: Tally) -> Tally:
        return Tally(tuple(one + two for one, two in zip(self.bins, other.bins, strict=True)))

    @property
    def total(self) -> BinTally:
        """All bins as one."""
        return sum(self.bins, BinTally())


def units_of(score: float) -> int:
    """A score in ten-thousandths, kept on the scale."""
    return min(UNITS, max(0, round(score * UNITS)))


def bin_of(units: int) -> int:
    """Which tenth of the scale a score lies in; 1.0 belongs to the last."""
    return min(BINS - 1, units * BINS // UNITS)


class CurvePoint(Part):
    """One tenth of the scale: how sure it was on average, and how often it was right."""

    lower: UnitInterval
    upper: UnitInterval
    claims: int = Field(ge=1)
    mean_claim: UnitInterval
    precision: UnitInterval


class PrecisionRecord(Part):
    """How good somebody's word is."""

    name: str
    claims: int = Field(ge=0)
    hits: int = Field(ge=0)
    precision: UnitInterval | None = None
    mean_claim: UnitInterval | None = None
    brier: UnitInterval | None = None
    calibration_error: UnitInterval | None = None
    reliability: UnitInterval = Field(default=1.0, description="the factor by which its weight is multiplied")
    curve: tuple[CurvePoint, ...] = ()


class PrecisionReport(Document):
    """Every strategy and every element, since a day."""

    schema_version: Literal["precision_v1"] = "precision_v1"
    made_at: AwareDatetime
    days: int = Field(ge=1)
    strategies: tuple[PrecisionRecord, ...] = ()
    elements: tuple[PrecisionRecord, ...] = Field(default=(), description="the least reliable first")
