"""What a target must be, whatever else speaks for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from run_by_hand import PAGE, Overseer, Robot, click, edge

from rpa_vision.execution.execution_loop import obstacle
from rpa_vision.execution.hard_constraints import unknown_constraint
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.target import TargetSpec
from rpa_vision.testing.screens import Item, ScreenBook
from rpa_vision.testing.supervisors import NORMAL_TERMS

DEGRADED = replace(
    NORMAL_TERMS,
    min_confidence=0.82,
    min_margin=0.08,
    learning_enabled=False,
    hard_constraints_required=True,
    ambiguity_refused=True,
)


def resolve(
    book: ScreenBook, *constraints: str, terms: StepThresholds = NORMAL_TERMS, enabled: bool | None = None
) -> Resolved | Unresolved:
    button = Item("button", "validate", "Valider", (40, 300, 160, 340), enabled=enabled)
    screen = book.draw("constrained", [*PAGE[:3], button], title="Facture F-17 - Clinique")
    target = TargetSpec(label="Valider", type="button", hard_constraints=constraints)
    return TargetResolver().resolve(target, screen, {"n": "F-17"}, HealingProfile.at_level(0), terms=terms)


@pytest.mark.parametrize("terms", [NORMAL_TERMS, DEGRADED])
@pytest.mark.parametrize(
    ("kept", "broken"),
    [
        ("type=button", "type=link"),
        ("role=validate", "role=cancel"),
        ("label=valider", "label=Valider tout"),
        ("screen=Praticien", "screen=Patient"),
        ("window=Facture ${n}", "window=Facture ${n}2"),
        ("enabled", "type=text_input"),
    ],
)
def test_a_broken_hard_constraint_is_never_outweighed(
    book: ScreenBook, kept: str, broken: str, terms: StepThresholds
) -> None:
    """AH-3.4"""
    assert isinstance(resolve(book, kept, terms=terms, enabled=True), Resolved)
    assert isinstance(resolve(book, kept, broken, terms=terms, enabled=True), Unresolved)


def test_degraded_asks_for_proof_where_nothing_can_be_seen(book: ScreenBook) -> None:
    """AH-3.4: nobody can see whether it is enabled."""
    assert isinstance(resolve(book, "enabled"), Resolved)
    refused = resolve(book, "enabled", terms=DEGRADED)
    assert isinstance(refused, Unresolved)
    assert refused.message.endswith("must prove enabled, and cannot")
    assert isinstance(resolve(book, "enabled", terms=DEGRADED, enabled=True), Resolved)


def test_a_constraint_nobody_understands_is_an_obstacle(book: ScreenBook) -> None:
    """AH-3.4"""
    assert unknown_constraint(("type=button", "colour=red")) == "colour=red"
    assert unknown_constraint(("type=", "enabled=yes")) == "type="
    assert unknown_constraint(("enabled", "clickable", "label=Valider ${n}")) is None
    book.draw("page", PAGE)
    book.draw("done", PAGE[:1])
    fine = Robot(book, edges=[edge(click(hard_constraints=("type=button",)))])
    assert obstacle(fine.workflow) is None
    odd = Robot(book, edges=[edge(click(hard_constraints=("colour=red",)))])
    assert "hard_constraints cannot be honoured" in str(obstacle(odd.workflow))
    run = odd.loop(Overseer()).run({})
    assert (run.status, odd.sent) == ("blocked", [])
