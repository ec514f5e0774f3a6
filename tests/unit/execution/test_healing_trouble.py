"""When healing itself is in trouble: it is said, and matching goes on as strictly as ever."""

from __future__ import annotations

import gc
import logging
import tracemalloc
from dataclasses import replace
from typing import Any

import pytest

from rpa_vision.execution import target_resolver
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategies import lexicon
from rpa_vision.execution.strategies.evidence import Search, Verdicts
from rpa_vision.execution.strategy_weights import StrategyWeights
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph import vocabulary
from rpa_vision.models import wording
from rpa_vision.models.target import Neighbour, TargetSpec
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.screens import AnyItem, ScreenBook
from rpa_vision.testing.screens import Item as Thing

_WORDS_BYTES = 8_000
BUTTON = (40, 300, 160, 340)
PAGE: list[AnyItem] = [("button", "validate", "Valider", BUTTON), ("button", "cancel", "Annuler", (200, 300, 320, 340))]
STRICT = HealingProfile.at_level(0)


@pytest.mark.parametrize(
    "profile",
    [
        HealingProfile(float("nan"), 1.0, True, 1),
        HealingProfile(0.1, 1.0, True, 1),
        HealingProfile(0.8, 0.2, True, 1),
        HealingProfile(0.8, float("inf"), True, 1),
        HealingProfile(1.4, 1.0, True, 1),
    ],
)
def test_a_profile_that_makes_no_sense_is_replaced_by_the_strict_one(
    book: ScreenBook, profile: HealingProfile, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-6"""
    answer = TargetResolver().resolve(TargetSpec(label="Valider"), book.draw("s", PAGE), {}, profile)
    assert isinstance(answer, Resolved)
    assert answer.profile == STRICT
    assert "makes no sense" in caplog.text


def broken(search: Search) -> Verdicts | None:
    raise ZeroDivisionError("a bug")


@pytest.mark.parametrize("name", [name for name, _, _ in target_resolver.STRATEGIES if name != "som_text_match"])
def test_a_strategy_that_breaks_says_nothing_and_the_others_go_on(
    book: ScreenBook, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-6"""
    table = tuple((n, w, broken if n == name else j) for n, w, j in target_resolver.STRATEGIES)
    resolver = TargetResolver(strategies=table)
    answer = resolver.resolve(TargetSpec(label="Valider", type="button"), book.draw("s", PAGE), {}, STRICT)
    assert isinstance(answer, Resolved)
    assert f"the strategy {name} failed" in caplog.text


def test_when_the_words_cannot_be_compared_nothing_that_has_words_is_found(book: ScreenBook) -> None:
    """EX-6, EX-7"""
    table = tuple((n, w, broken if n == "som_text_match" else j) for n, w, j in target_resolver.STRATEGIES)
    resolver = TargetResolver(strategies=table)
    answer = resolver.resolve(TargetSpec(label="Valider", type="button"), book.draw("s", PAGE), {}, STRICT)
    assert isinstance(answer, Unresolved)
    assert (answer.why, answer.message) == ("broken", target_resolver.BROKEN)


class Unsure:
    """What speaks for an element, and breaks where it is asked what speaks against it."""

    score, reason = 1.0, "is called so"

    @property
    def needs_place(self) -> bool:
        raise ZeroDivisionError("a bug")


def unsure(search: Search) -> Any:
    return {one.element_id: Unsure() for one in search.elements if one.label == search.label}


def test_what_could_not_be_told_apart_is_not_absent(book: ScreenBook) -> None:
    """EX-6, EX-7"""
    table = tuple((n, w, unsure if n == "som_text_match" else j) for n, w, j in target_resolver.STRATEGIES)
    answer = TargetResolver(strategies=table).resolve(
        TargetSpec(label="Valider", type="button"), book.draw("s", PAGE), {}, STRICT
    )
    assert isinstance(answer, Unresolved)
    said = "whether « Valider » is something else could not be told"
    assert (answer.why, answer.message) == ("broken", f"{target_resolver.BROKEN}; {said}")


class Broken(StrategyWeights):
    def combined(self, *votes: Any, **more: Any) -> float:
        raise ZeroDivisionError("a bug")


def test_whatever_else_breaks_in_the_search_nothing_is_taken(
    book: ScreenBook, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-6, EX-7: the step is refused and the run says so; it is not torn down"""
    answer = TargetResolver(weights=Broken()).resolve(TargetSpec(label="Valider"), book.draw("s", PAGE), {}, STRICT)
    assert isinstance(answer, Unresolved)
    assert (answer.why, answer.message) == ("broken", target_resolver.BROKEN)
    assert "ZeroDivisionError" in caplog.text
    assert target_resolver.BROKEN in caplog.text
    assert "going on without it" not in caplog.text


def test_a_region_is_padded_with_the_level_and_clamped_to_the_screen(
    book: ScreenBook, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-6, P002-5"""
    caplog.set_level(logging.INFO)
    screen = book.draw("s", PAGE)
    near = TargetSpec(label="Valider", roi=(0, 240, 300, 310))
    assert isinstance(TargetResolver().resolve(near, screen, {}, STRICT), Unresolved)
    assert isinstance(TargetResolver().resolve(near, screen, {}, HealingProfile.at_level(2)), Resolved)
    assert "reaches beyond the screen" in caplog.text


def test_a_target_of_one_window_is_not_taken_from_another(book: ScreenBook) -> None:
    """EX-7"""
    screen = book.draw("s", PAGE)
    spec = TargetSpec(
        label="Valider",
        place={"bbox": BUTTON, "screen_resolution": (960, 600), "window_geometry": (0, 0, 500, 500)},  # type: ignore[arg-type]
    )
    inside = screen.state.model_copy(update={"window": WindowContext(title="Clinique", geometry=(0, 200, 500, 500))})
    beside = screen.state.model_copy(update={"window": WindowContext(title="Courrier", geometry=(500, 0, 900, 500))})
    pixels, vector = screen.pixels, screen.vector
    found = TargetResolver().resolve(spec, type(screen)(pixels, inside, vector), {}, STRICT)
    assert isinstance(found, Resolved)
    refused = TargetResolver().resolve(spec, type(screen)(pixels, beside, vector), {}, STRICT)
    assert isinstance(refused, Unresolved)
    assert "outside the window « Courrier »" in refused.message


def test_an_action_that_may_do_harm_needs_more(book: ScreenBook) -> None:
    """EX-7: the same evidence, another bar"""
    away = Neighbour(label="Annuler", direction="right", offset=(-600, 0))
    target = TargetSpec(label="Purger", type="button", role="other", neighbours=(away,))

    def score(role: str) -> Resolved | Unresolved:
        screen = book.draw(role, [Thing("image", role, "Purger", BUTTON), PAGE[1]])
        return TargetResolver().resolve(target, screen, {}, STRICT)

    assert isinstance(score("action"), Resolved)
    assert isinstance(score("delete_action"), Unresolved)


@pytest.mark.parametrize(("wanted", "there"), [("02/03/2026", "2 mars 2026"), ("1 250,50 €", "1,250.50 €")])
def test_the_same_value_written_otherwise_is_found_by_healing(book: ScreenBook, wanted: str, there: str) -> None:
    """EX-5 (format)"""
    screen = book.draw(
        "s", [("cell", "data_display", there, BUTTON), ("cell", "x", "3 mars 2026", (40, 400, 160, 440))]
    )
    target = TargetSpec(label="${valeur}", type="cell")
    values = {"valeur": wanted}
    assert isinstance(TargetResolver().resolve(target, screen, values, STRICT), Unresolved)
    answer = TargetResolver().resolve(target, screen, values, HealingProfile.at_level(1))
    assert isinstance(answer, Resolved)
    assert answer.best.element.label == there


def test_memory_stays_flat_over_long_healing() -> None:
    """EX-6: each time another screen and another target; none is kept. What is remembered of words is bounded"""
    book, resolver = ScreenBook(size=(400, 360)), TargetResolver()
    screens = [
        book.draw(f"s{number}", [*PAGE, ("label", "data_display", f"Facture {number}", (40, 40, 240, 70))])
        for number in range(40)
    ]

    def heal(first: int, times: int) -> int:
        """How much more is kept after it than before."""
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(first, first + times):
            screen = screens[number % len(screens)]
            fresh = replace(screen, pixels=screen.pixels.copy(), state=screen.state.model_copy(deep=True))
            target = TargetSpec(label=f"Rien {number}", type="button")
            resolver.resolve(target, fresh, {}, HealingProfile.at_level(number % 4))
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    heal(0, 40)
    tracemalloc.start()
    heal(1_000, 20)
    grown = heal(10_000, 200)
    tracemalloc.stop()
    assert grown < 200 * _WORDS_BYTES, "a screen has half a million"
    known = [one for module in (wording, vocabulary, lexicon) for one in vars(module).values()]
    bounds = [one.cache_info().maxsize for one in known if hasattr(one, "cache_info")]
    assert bounds
    assert all(bounds)
