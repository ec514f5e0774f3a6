"""The day of the run as something a rule may compare with: « overdue » is no fixed day, though one day shows it as one.

It is a variable like others, with the clock as its source; a task that types the day has it already. It is only added
to a workflow where a rule, or what a person may choose as one, speaks of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rpa_vision.graph.slots import Slots, free_name
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.models.expression import Constant
from rpa_vision.models.variables import VariableSource

_NAME = "today"


@dataclass(frozen=True, slots=True)
class Today:
    """What the variable is called, and on which day each case was shown; without a name, nobody knows the days."""

    name: str | None
    days: Mapping[int, date]

    @classmethod
    def among(cls, slots: Slots, taken: Collection[str], days: Mapping[int, date], cases: Sequence[int]) -> Today:
        """The variable beside those that are there and those `taken` besides."""
        if any(case not in days for case in cases):
            return cls(None, {})
        known = (name for name, one in slots.variables.items() if one.source.method == "system_time")
        return cls(next(known, None) or free_name([*slots.variables, *taken], _NAME), days)

    def seen(self, case: int) -> dict[str, Constant]:
        """What was visible of it in one case: every calendar shows it."""
        return {self.name: self.days[case]} if self.name is not None else {}

    def keep(self, slots: Slots) -> None:
        """Make it one of the variables."""
        if self.name is None or self.name in slots.variables:
            return
        shown = {case: day.isoformat() for case, day in self.days.items()}
        source = VariableSource(method="system_time")
        slots.values[self.name] = shown
        slots.variables[self.name] = infer_variable(list(shown.values()), source).model_copy(update={"required": False})
