"""Workflow variables: what changes from one run to the next, and what a value must look like."""

from __future__ import annotations

import re
from string import Template
from typing import Literal, Self

from pydantic import AliasChoices, Field, model_validator

from rpa_vision.models.document import Part

VariableType = Literal["string", "integer", "float", "boolean", "datetime", "choice"]
VariableValue = str | int | float | bool

VARIABLE_NAME = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"


class VariableSource(Part):
    """Where a value comes from."""

    method: Literal["parameter", "ui_element_extraction", "system_time", "clipboard"]
    element_role: str | None = None
    element_label: str | None = None
    extraction_pattern: str | None = None

    @model_validator(mode="after")
    def _pattern_compiles(self) -> Self:
        _compiles("extraction_pattern", self.extraction_pattern)
        return self


class VariableValidation(Part):
    """What a value must satisfy."""

    regex: str | None = None
    min: float | None = None
    max: float | None = None
    choices: tuple[VariableValue, ...] | None = None

    @model_validator(mode="after")
    def _regex_compiles(self) -> Self:
        _compiles("regex", self.regex)
        return self


class Variable(Part):
    """A slot of a workflow. `examples` is accepted for `example_values`."""

    type: VariableType
    subtype: str | None = Field(default=None, description="amount, date, email, id, secret, ...")
    source: VariableSource
    example_values: tuple[VariableValue, ...] = Field(
        default=(), validation_alias=AliasChoices("example_values", "examples")
    )
    required: bool = True
    validation: VariableValidation | None = None
    description: str | None = None


def _compiles(name: str, pattern: str | None) -> None:
    if pattern is None:
        return
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{name}: not a regular expression ({error})") from error


def variables_in(template: str) -> frozenset[str]:
    """The variables a template refers to."""
    return frozenset(Template(template).get_identifiers())


def is_template(text: str) -> bool:
    """Whether every dollar sign in it stands for something."""
    return Template(text).is_valid()


def fill(template: str, values: dict[str, str]) -> str:
    """Put the values into a template. A missing one is a KeyError."""
    return Template(template).substitute(values)


def literal(text: str) -> str:
    """A template that stands for exactly this text."""
    return text.replace("$", "$$")
