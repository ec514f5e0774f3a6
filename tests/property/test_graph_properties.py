"""The seed's promises about learning, for whatever a person may have done."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.pattern_miner import MIN_REPETITIONS, Pattern, find_pattern
from rpa_vision.graph.slots import infer_slots
from rpa_vision.graph.value_types import check_value, infer_variable
from rpa_vision.graph.vocabulary import letters, same_words, stands_in, templated
from rpa_vision.models.variables import VariableSource, fill
from rpa_vision.models.wording import squeezed
from rpa_vision.testing.screens import screen_state

SCREEN = ObservedScreen(np.zeros((4, 4, 4), np.uint8), screen_state([]), np.zeros(4, np.float32))
SOURCE = VariableSource(method="parameter")
words = st.text("abcdé ", min_size=1, max_size=8).filter(lambda text: text.strip() == text)


def deed(text: str, index: int = 0) -> DemoStep:
    """Something told apart by its text alone."""
    return DemoStep("text_input", "s", (index, index), float(index), SCREEN, SCREEN.state.window, text=text)


def same(one: DemoStep, other: DemoStep) -> bool:
    return one.text == other.text


@given(
    task=st.lists(st.sampled_from("abcd"), min_size=1, max_size=4),
    repetitions=st.integers(1, 6),
    prefix=st.lists(st.sampled_from("wxyz"), max_size=4, unique=True),
    suffix=st.lists(st.sampled_from("WXYZ"), max_size=4, unique=True),
)
def test_a_task_is_found_when_it_was_done_three_times_and_not_before(
    task: list[str], repetitions: int, prefix: list[str], suffix: list[str]
) -> None:
    """P003-16"""
    assume(len(set(task)) == len(task))
    steps = [deed(text, index) for index, text in enumerate([*prefix, *task * repetitions, *suffix])]
    found = find_pattern(steps, same)
    if repetitions < MIN_REPETITIONS or 2 * repetitions * len(task) < len(steps):
        assert found is None
    else:
        assert found is not None
        assert [[step.text for step in occurrence] for occurrence in found.occurrences] == [task] * repetitions


@given(st.lists(st.sampled_from("abc"), max_size=24))
def test_whatever_is_found_was_repeated_three_times_in_a_row(sequence: list[str]) -> None:
    """P003-16"""
    steps = [deed(text, index) for index, text in enumerate(sequence)]
    found = find_pattern(steps, same)
    if found is None:
        return
    assert found.repetitions >= MIN_REPETITIONS
    indices = [step.events[0] for occurrence in found.occurrences for step in occurrence]
    assert indices == list(range(indices[0], indices[0] + found.length * found.repetitions))
    for position in range(found.length):
        assert len({step.text for step in found.position(position)}) == 1


@given(st.lists(words | st.sampled_from(["5 $", "${x}", "Note pour Zoé", "Note pour Élodie"]), min_size=3, max_size=6))
def test_a_template_filled_with_the_values_of_a_repetition_is_what_was_typed_in_it(texts: list[str]) -> None:
    """L4-3"""
    slots = infer_slots(Pattern(tuple((deed(text),) for text in texts)))
    for repetition, text in enumerate(texts):
        assert fill(slots.texts[0], slots.occurrence(repetition)) == text
    assert bool(slots.variables) is (len(set(texts)) > 1)


@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda text: text.strip().isprintable() and text.strip() != ""),
                min_size=1, max_size=6))  # fmt: skip
def test_every_value_that_was_shown_may_be_given_again(examples: list[str]) -> None:
    """L4-3"""
    variable = infer_variable(examples, SOURCE)
    for example in examples:
        assert check_value("x", variable, example) == example.strip()


@given(st.text(max_size=12), st.text(max_size=12))
def test_a_text_with_a_digit_in_it_is_only_itself(one: str, other: str) -> None:
    """EX-7"""
    if any(char.isdigit() for char in other) and squeezed(one) != squeezed(other):
        assert not same_words(one, other)
    assert same_words(one, one) is bool(letters(one))


@settings(max_examples=200)
@given(
    st.text("0123456789", min_size=1, max_size=6), st.text("0123456789", max_size=3), st.text("0123456789", max_size=3)
)
def test_a_number_stands_in_a_line_only_whole(number: str, before: str, after: str) -> None:
    """EX-7"""
    assert stands_in(f"Facture {before}{number}{after} validée", number) is (not before and not after)


@given(words, st.dictionaries(st.sampled_from("xyz"), words, max_size=3))
def test_a_text_with_its_values_named_says_the_same_when_they_are_filled_in(text: str, values: dict[str, str]) -> None:
    """L4-3"""
    assert squeezed(fill(templated(text, values), values)) == squeezed(text)
