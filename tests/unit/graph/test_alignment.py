"""Executions beside each other."""

from __future__ import annotations

from rpa_vision.graph.routines.alignment import aligned, variants
from rpa_vision.graph.routines.discovery import Discovery, find_routines
from rpa_vision.graph.routines.stream import Deed


def discovered(*executions: str) -> Discovery:
    words = " ".join(executions).split()
    return find_routines([Deed((word,), float(at)) for at, word in enumerate(words)])


def test_the_same_step_of_all_executions_is_one_column() -> None:
    """L4-2"""
    found = discovered("a b c d", "a b c d", "a x b c d", "a b c d", "a b c d", "a b d")
    beside = aligned(found, 0)
    for column, kind in enumerate(beside.kinds):
        deeds = [row[column] for row in beside.rows if row[column] is not None]
        assert {found.symbols[deed] for deed in deeds} == {kind}
    names = [found.labels[kind] for kind in beside.kinds]
    assert [name for name in names if name != "x"] == list("abcd")
    assert beside.support(names.index("c")) == 5
    assert all(sorted(d for d in row if d is not None) == [d for d in row if d is not None] for row in beside.rows)


def test_executions_that_were_broken_off_are_left_out() -> None:
    """L4-2"""
    found = discovered("a b c d e f", "a b", "a b c d e f", "a b c d e f")
    assert len(aligned(found, 0).runs) == 3


def test_one_thing_or_another_makes_variants_and_something_or_nothing_does_not() -> None:
    """L4-4"""
    or_else = discovered(*["a b yes c d", "a b no why c d"] * 4)
    ways = variants(aligned(or_else, 0))
    assert sorted(len(way.runs) for way in ways) == [4, 4]
    assert {tuple(or_else.labels[kind] for kind in way.kinds) for way in ways} == {
        ("a", "b", "yes", "c", "d"),
        ("a", "b", "no", "why", "c", "d"),
    }
    or_nothing = discovered(*["a b maybe c d", "a b c d"] * 4)
    assert len(variants(aligned(or_nothing, 0))) == 1
