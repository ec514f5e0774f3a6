"""What rows of a list are known by: whether two are the same, and how to speak of them."""

from __future__ import annotations

from rpa_vision.execution.run_outcome import DoneRow
from rpa_vision.models.wording import squeezed

Texts = tuple[str, ...]

_TELLING = 2
_SHORT = 3


def key(texts: Texts) -> Texts:
    """How they are compared: readers differ in spaces, accents and case first."""
    return tuple(map(squeezed, texts))


def is_same(one: Texts, other: Texts) -> bool:
    """Whether two rows are known by the same."""
    return key(one) == key(other)


def is_other_row(before: Texts, now: Texts) -> bool:
    """Whether too much of what they say differs for one row that changed: two cells, in a short row one."""
    then, here = set(key(before)), set(key(now))
    return min(len(then - here), len(here - then)) >= (1 if len(now) <= _SHORT else _TELLING)


def name_of(identity: Texts) -> str:
    """How a row is spoken of."""
    return " · ".join(identity)


def several(identity: Texts) -> str:
    """There is more than one row of a name."""
    return f"several rows say « {name_of(identity)} », so that nothing tells which is meant"


def unfinished(row: DoneRow) -> str:
    """A row was left in the middle of its round, and cannot be gone on with."""
    return (
        f"the round of « {name_of(row.identity)} » was interrupted at {row.left_at}, and the list does not show it as "
        "a row to be done any more: the rest of its round was not done"
    )
