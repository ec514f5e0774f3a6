"""Print, as JSON, what the programs of this desktop say of themselves through the accessibility bus.

Runs under the system's own Python, which alone knows AT-SPI. Truth for scoring, never used by the product.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

KINDS = {
    "push button": "button", "toggle button": "button", "button": "button", "check box": "checkbox",
    "radio button": "radio", "text": "text_input", "entry": "text_input", "password text": "password_input",
    "spin button": "text_input", "combo box": "dropdown", "page tab": "tab", "menu": "menu_item",
    "menu item": "menu_item", "check menu item": "menu_item", "radio menu item": "menu_item", "list item": "list_item",
    "tree item": "list_item", "slider": "slider", "link": "link", "table cell": "cell", "switch": "toggle",
    "tearoff menu item": "menu_item",
}  # fmt: skip
OWNERS = ("frame", "dialog", "window", "file chooser", "alert", "color chooser", "font chooser")
MOST = 4000
LARGEST_TABLE = 2000


def box_of(item):
    try:
        place = item.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
    except Exception:  # no component, or it went away
        return None
    return [place.x, place.y, place.x + place.width, place.y + place.height] if place.width > 0 < place.height else None


def walk(item, owner, inside, out):
    if len(out) > MOST or item is None:
        return
    try:
        role, states = item.get_role_name(), item.get_state_set()
        has = states.contains
        count = item.get_child_count()
        shown = has(Atspi.StateType.SHOWING) and has(Atspi.StateType.VISIBLE)
        name = item.get_name() or ""
    except Exception:  # it went away
        return
    box = box_of(item)
    if role in OWNERS and inside == "application":  # a bar that calls itself a dialog lies in its program's window
        owner = box or owner
    kind = KINDS.get(role)
    if kind and shown and box and not (kind in ("text_input", "button") and inside in ("text_input", "dropdown")):
        if kind == "text_input" and role == "text" and has(Atspi.StateType.MULTI_LINE):
            kind = "textarea"
        editable = has(Atspi.StateType.EDITABLE) or role not in ("text", "entry")
        marks = kind in ("checkbox", "radio", "toggle")
        if editable or kind == "textarea":
            out.append(
                {
                    "box": box,
                    "type": kind,
                    "text": name,
                    "role": role,
                    "owner": owner,
                    "parent": inside,
                    "checked": has(Atspi.StateType.CHECKED) if marks else None,
                    "selected": has(Atspi.StateType.SELECTED) if kind in ("tab", "list_item") else None,
                    "focused": has(Atspi.StateType.FOCUSED),
                    "enabled": has(Atspi.StateType.SENSITIVE),
                }
            )
    if role == "table" and count > LARGEST_TABLE:
        return  # the sheet of a spreadsheet: a million cells, none of them a control
    popup = role == "menu" and inside != "menu_item_closed"
    children = [item.get_child_at_index(index) for index in range(min(count, 400))]
    if role == "combo box" or role == "spin button":
        inside = kind
    elif role in ("text", "entry", "password text"):
        inside = "text_input"
    else:
        inside = role
    if popup:
        boxes = []
        for child in children:
            try:
                seen = child.get_state_set().contains(Atspi.StateType.SHOWING)
            except Exception:
                seen = False
            place = box_of(child) if seen else None
            if place:
                boxes.append(place)
        if boxes:
            owner = [
                min(b[0] for b in boxes),
                min(b[1] for b in boxes),
                max(b[2] for b in boxes),
                max(b[3] for b in boxes),
            ]
    for child in children:
        walk(child, owner, inside, out)


def main():
    wanted = sys.argv[1].lower()
    desktop, found = Atspi.get_desktop(0), []
    for index in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(index)
        if program is not None and wanted in (program.get_name() or "").lower():
            walk(program, None, "", found)
    json.dump(found, sys.stdout)


main()
