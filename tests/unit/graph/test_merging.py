"""Refining a workflow keeps what people set, and puts no secret among the examples."""

from __future__ import annotations

from rpa_vision.graph.merging import merged_variables
from rpa_vision.models.variables import Variable, VariableSource, VariableValidation

GIVEN = VariableSource(method="parameter")


def amount(*examples: str, most: float | None = None) -> Variable:
    limits = VariableValidation(max=most) if most is not None else None
    return Variable(type="float", subtype="amount", source=GIVEN, example_values=examples, validation=limits)


def test_a_limit_that_a_person_set_stays():
    """L4-3, L4-10"""
    existing = {"amount": amount("10,00", most=1000)}
    merged = merged_variables(existing, {"amount": amount("20,00", "30,00")}, {})
    assert merged["amount"].validation == VariableValidation(max=1000)
    assert merged["amount"].example_values == ("10,00", "20,00", "30,00")


def test_of_a_secret_there_are_no_examples():
    """L0-7: a person said it is one after it was learned"""
    existing = {"code": Variable(type="string", subtype="secret", source=GIVEN)}
    shown = {"code": Variable(type="string", source=GIVEN, example_values=("hunter2", "s3cret!"))}
    assert merged_variables(existing, shown, {})["code"].example_values == ()
