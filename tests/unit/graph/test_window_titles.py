"""A change of window is learned by what tells the window from others of its application."""

from __future__ import annotations

import pytest

from rpa_vision.graph.action_drafts import window_switch
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.models.window import WindowContext


@pytest.mark.parametrize(
    ("titles", "known_by"),
    [
        (("Suivi 2025.xlsx - Gnumeric", "Suivi 2026.xlsx - Gnumeric"), "suivi"),
        (("Suivi - Gnumeric", "Suivi - Gnumeric"), "Suivi - Gnumeric"),
        (("Stocks - Gnumeric", "Clients - Gnumeric"), "gnumeric"),
        (("Stocks", "Clients"), None),
    ],
)
def test_the_name_of_the_application_is_the_last_to_tell_its_windows_apart(book, titles, known_by):
    """L4-7"""
    book.draw("sheet", [("label", "data_display", "Total", (20, 20, 120, 44))], title=titles[0])
    steps = [
        DemoStep("window_switch", "s", (0, 0), 0.0, book["sheet"], WindowContext(title=title, app_name="gnumeric"))
        for title in titles
    ]
    action = window_switch(steps)
    assert (action.target_app, action.parameters.title_contains) == ("gnumeric", known_by)
