"""Every row of the lists that were shown while rounds went on: which of them were done, and which were left out.

A row is the same row on the next screen if its identity says the same: the cells that the steps of a round name it by;
where these are shared by two rows of one screen, the cells that no round changes too. Rows that nothing tells apart are
counted: where some of them were done and some were not, nobody can say which, and that is an `Undecided`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rpa_vision.graph.places import Place
from rpa_vision.graph.sightings import TableRow, rows_of
from rpa_vision.models.wording import squeezed

_Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeenRow:
    """A row as it was seen first, whether it was done, whether a row below it was, and in which go."""

    row: TableRow
    is_done: bool
    was_reached: bool
    go: int = -1


@dataclass(frozen=True, slots=True)
class Undecided:
    """A row of which there were several that say the same; only some of them were done."""

    row: TableRow


@dataclass(frozen=True, slots=True)
class _Look:
    """The list before a round: its rows, and the one that was done then."""

    rows: tuple[TableRow, ...]
    done: TableRow


@dataclass(slots=True)
class _Known:
    """The rows of one key as they were seen first, those that were done, and whether they were come to."""

    rows: list[TableRow] = field(default_factory=list)
    done: list[TableRow] = field(default_factory=list)
    was_reached: bool = False


def rows_shown(
    opening: Place,
    done: Mapping[int, TableRow],
    parents: Mapping[int, int],
    headers: Sequence[str],
    bound: Sequence[str],
) -> list[SeenRow] | Undecided:
    """Every row, once for each go; `done` is the row of each round, `bound` the headers of cells that steps name."""
    goes: dict[int, list[_Look]] = {}
    for case, step in zip(opening.cases, opening.steps, strict=True):
        rows = tuple(row for row in rows_of(step.before.state) if _is_of_list(row, headers))
        goes.setdefault(parents[case], []).append(_Look(rows, done[case]))
    identity = _identity(list(goes.values()), headers, bound)
    seen: list[SeenRow] = []
    for go, looks in goes.items():
        for known in _known(looks, identity).values():
            told = _told_apart(known)
            if told is None:
                return Undecided(known.rows[0])
            seen += [replace(one, go=go) for one in told]
    return seen


def _is_of_list(row: TableRow, headers: Sequence[str]) -> bool:
    """Whether a row has most of the cells that rows which were done have: other lists have other headers."""
    return 2 * sum(row.says(header) is not None for header in headers) >= len(headers)


def _identity(goes: Sequence[Sequence[_Look]], headers: Sequence[str], bound: Sequence[str]) -> list[str]:
    """The headers of the cells that say which row it is; none: everything a row says."""
    changing = {header for looks in goes for header in _changed(looks, headers)}
    steady = [header for header in headers if header not in changing]
    chosen = [header for header in bound if header in steady]
    if not chosen:
        return steady
    lists = [look.rows for looks in goes for look in looks]
    for header in (one for one in steady if one not in chosen):
        shared = _shared(lists, chosen)
        if not shared:
            break
        if _shared(lists, [*chosen, header]) < shared:
            chosen.append(header)
    return chosen


def _changed(looks: Sequence[_Look], headers: Sequence[str]) -> set[str]:
    """The headers of cells that a round changed: the row that was done is the only one that says something else now."""
    changed: set[str] = set()
    for before, after in pairwise(looks):
        was, now = [_texts(row) for row in before.rows], [_texts(row) for row in after.rows]
        gone = [row for row, texts in zip(before.rows, was, strict=True) if texts not in now]
        new = [row for row, texts in zip(after.rows, now, strict=True) if texts not in was]
        if len(gone) != 1 or len(new) != 1 or _texts(gone[0]) != _texts(before.done):
            continue
        other = {header for header in headers if _cell(gone[0], header) != _cell(new[0], header)}
        if 2 * len(other) <= len(headers):
            changed |= other
    return changed


def _shared(lists: Iterable[Sequence[TableRow]], headers: Sequence[str]) -> int:
    """How many rows have the key of another one on their screen."""
    return sum(len(rows) - len({_key(row, headers) for row in rows}) for rows in lists)


def _known(looks: Sequence[_Look], identity: Sequence[str]) -> dict[_Key, _Known]:
    found: dict[_Key, _Known] = {}
    for look in looks:
        here: dict[_Key, list[TableRow]] = {}
        for row in look.rows:
            here.setdefault(_key(row, identity), []).append(row)
        for key, rows in here.items():
            known = found.setdefault(key, _Known())
            known.rows = rows if len(rows) > len(known.rows) else known.rows
            known.was_reached |= rows[0].top <= look.done.top
        found.setdefault(_key(look.done, identity), _Known([look.done])).done.append(look.done)
    return found


def _told_apart(known: _Known) -> list[SeenRow] | None:
    """Which rows of one key were done; None where nothing says so."""
    if len(known.rows) == 1 or not known.done or len(known.done) >= len(known.rows):
        return [SeenRow(row, bool(known.done), known.was_reached) for row in known.rows]
    done = {_texts(row) for row in known.done}
    were = [_texts(row) in done for row in known.rows]
    if sum(were) != len(known.done):
        return None
    return [SeenRow(row, was, known.was_reached) for row, was in zip(known.rows, were, strict=True)]


def _key(row: TableRow, headers: Sequence[str]) -> _Key:
    return tuple(_cell(row, header) for header in headers) if headers else _texts(row)


def _texts(row: TableRow) -> _Key:
    return tuple(squeezed(element.label) for element in row.elements)


def _cell(row: TableRow, header: str) -> str:
    return squeezed(row.says(header) or "")
