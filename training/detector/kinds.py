"""The kinds of things to act on, in the order of the net's answers."""

from __future__ import annotations

INTERACTIVE = (
    "button",
    "link",
    "text_input",
    "textarea",
    "checkbox",
    "radio",
    "toggle",
    "dropdown",
    "tab",
    "menu_item",
    "list_item",
    "slider",
)
