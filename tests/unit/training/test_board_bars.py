"""The bars around boards: what answers to a click is marked, what only looks like it is not."""

from __future__ import annotations

import re

import pytest
from factory.kits import PROCEDURAL
from factory.page_boards import BoardPage


def page(seed: int) -> BoardPage:
    return BoardPage(PROCEDURAL, seed, 1, "fr", "light")


def marks(html: str) -> list[str]:
    return re.findall(r'data-t="(\w+)"', html)


@pytest.mark.parametrize("seed", range(8))
def test_names_of_groups_and_states_of_rows_are_not_to_be_pressed(seed):
    """L2-1"""
    board = page(seed)
    assert marks(board._group()) == []
    assert set(marks(board.type_sizes())) <= {"heading", "button"}
    assert not {"toggle", "radio", "checkbox", "menu_item"} & set(marks(board.states_table()))


@pytest.mark.parametrize("seed", range(8))
def test_every_entry_of_a_side_bar_is_as_wide_as_its_bar_allows(seed):
    """L2-1: a click anywhere in the line of an entry is a click on it."""
    entries = re.findall(r'<a [^>]*data-t="menu_item"[^>]*style="([^"]*)"', page(seed).sidebar())
    assert entries
    assert all("display:block" in style or "display:flex" in style for style in entries)
