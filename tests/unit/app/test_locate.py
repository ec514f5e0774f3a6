"""`locate` on drawn screens: what looked pale when it was pointed at may look pale now."""

from __future__ import annotations

from rpa_vision.app.locate import find_again
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import Item, ScreenBook

BUTTON = (40, 300, 160, 340)


def test_what_looked_disabled_when_it_was_pointed_at_is_found_again() -> None:
    """EX-1: only what became disabled since is refused"""
    book = ScreenBook()
    pale, plain = (Item("button", "validate", "Valider", BUTTON, enabled=on) for on in (False, True))
    then_pale, then_plain, now = book.draw("a", [pale]), book.draw("b", [plain]), book.draw("c", [pale])
    again = find_again(TargetResolver(), then_pale, Box(*BUTTON), now)
    assert (again.status, again.point) == ("resolved", Box(*BUTTON).center)
    assert find_again(TargetResolver(), then_plain, Box(*BUTTON), now).point is None
