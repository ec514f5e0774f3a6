"""The executions of a routine beside each other: the same step of all of them in one column.

Executions that were broken off are left out: nothing is learned from half a task. Steps that only some executions have
make a column with holes; where some have one thing and the others another, the routine has variants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from rpa_vision.graph.routines.discovery import Discovery

MIN_ALIKE = 0.5
"""Two variants with a smaller share of common steps are two tasks."""
_SAME_RUNS = 0.9
_MIN_TIMES = 3


@dataclass(frozen=True, slots=True)
class Alignment:
    """`rows[r][c]` is the deed that execution `runs[r]` has in column c, None where it has none."""

    routine: int
    kinds: list[int]
    """The kind of deed of each column."""
    runs: list[int]
    rows: list[list[int | None]]

    def support(self, column: int) -> int:
        """How many executions have the step."""
        return sum(row[column] is not None for row in self.rows)

    def of_runs(self, chosen: Sequence[int]) -> Alignment:
        """The same, of some of the executions only; columns that none of them has are left out."""
        rows = [row for run, row in zip(self.runs, self.rows, strict=True) if run in set(chosen)]
        kept = [column for column in range(len(self.kinds)) if any(row[column] is not None for row in rows)]
        return Alignment(
            self.routine,
            [self.kinds[column] for column in kept],
            list(chosen),
            [[row[column] for column in kept] for row in rows],
        )


def aligned(discovery: Discovery, routine: int) -> Alignment:
    """Lay the complete executions of a routine beside each other."""
    numbers = [
        number for number, run in enumerate(discovery.runs) if run.routine == routine and run.is_complete and run.deeds
    ]
    kinds: list[int] = []
    placed: list[dict[int, int]] = []
    for number in numbers:
        deeds = discovery.runs[number].deeds
        places, inserted = fitted(kinds, [discovery.symbols[deed] for deed in deeds])
        for at in reversed(inserted):  # later columns first, so that the earlier ones keep their numbers
            placed = [{column + (column >= at[0]): deed for column, deed in row.items()} for row in placed]
            kinds.insert(at[0], at[1])
        placed.append(dict(zip(places, deeds, strict=True)))
    rows = [[row.get(column) for column in range(len(kinds))] for row in placed]
    return Alignment(routine, kinds, numbers, rows)


def fitted(kinds: Sequence[int], own: Sequence[int]) -> tuple[list[int], list[tuple[int, int]]]:
    """The columns of an execution's deeds once the missing ones are inserted, and where: (old column, kind)."""
    inserted: list[tuple[int, int]] = []
    places: list[int] = []
    for code in LCSseq.opcodes(kinds, own):
        for offset in range(code.dest_end - code.dest_start):
            if code.tag == "equal":
                places.append(code.src_start + offset + len(inserted))
            else:
                places.append(code.src_end + len(inserted))
                inserted.append((code.src_end, own[code.dest_start + offset]))
    return places, inserted


def variants(alignment: Alignment) -> list[Alignment]:
    """The ways in which a routine is done: several where some executions have one block of steps and others another.

    A step that is merely left out now and then makes no variant, and each variant was done at least three times.
    """
    total = len(alignment.runs)
    blocks: list[set[int]] = []
    for column in range(len(alignment.kinds)):
        has = {run for run, row in zip(alignment.runs, alignment.rows, strict=True) if row[column] is not None}
        if not _MIN_TIMES <= len(has) <= total - _MIN_TIMES:
            continue
        alike = next((block for block in blocks if len(has & block) >= _SAME_RUNS * len(has | block)), None)
        if alike is None:
            blocks.append(has)
    chosen: list[set[int]] = []
    for block in sorted(blocks, key=lambda block: (-len(block), min(block))):
        if all(len(block & other) <= (1 - _SAME_RUNS) * min(len(block), len(other)) for other in chosen):
            chosen.append(block)
    if len(chosen) < 2 or len(set().union(*chosen)) < _SAME_RUNS * total:
        return [alignment]
    owner = {run: number for number, block in reversed(list(enumerate(chosen))) for run in block}
    groups = [[run for run in alignment.runs if owner.get(run, 0) == number] for number in range(len(chosen))]
    return [alignment.of_runs(group) for group in groups if len(group) >= _MIN_TIMES]


def are_one_task(one: Alignment, other: Alignment) -> bool:
    """Whether two variants have enough steps in common to be the same task."""
    first, second = _usual(one), _usual(other)
    return 2 * LCSseq.similarity(first, second) >= MIN_ALIKE * (len(first) + len(second))


def _usual(alignment: Alignment) -> list[int]:
    half = len(alignment.runs) / 2
    return [kind for column, kind in enumerate(alignment.kinds) if alignment.support(column) > half]
