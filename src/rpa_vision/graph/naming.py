"""What a task would be called by those who do it: by the last thing that was decided in it, and where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from rpa_vision.graph.outline import Outline
from rpa_vision.graph.places import Place
from rpa_vision.graph.sources import in_order

_MOVES = frozenset({"navigation", "close", "cancel", "search"})
_MAX_NAME = 60
_FOLDERS = re.compile(r"(?<![^\s*•(«\"'\[])(?:~|[A-Za-z]:)?[/\\]{1,2}(?:[^\s/\\][^/\\]*[/\\])+(?=[^\s/\\])")
"""The way to a document: from the root, the home folder or a drive."""
_IN_FOLDER = re.compile(r"\s*\((?:~|/|[A-Za-z]:[/\\])[^)]*\)")


def task_name(outline: Outline, taken: Collection[str] = ()) -> str:
    """A name that is not taken yet."""
    places = [outline.places[index] for index in in_order(outline.items)]
    commands = [place for place in places if _is_command(place)]
    deeds = commands or [place for place in places if _label(place)] or places
    said = _label(deeds[-1]) or deeds[-1].steps[-1].kind
    where = _window(places[0])
    name = f"{said} - {where}"[:_MAX_NAME].strip(" -") if where else said[:_MAX_NAME]
    number, wanted = 2, name
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name


def without_folders(title: str) -> str:
    """A window title with the document's own name: where it lies is another place tomorrow, and names nothing."""
    return _FOLDERS.sub("", _IN_FOLDER.sub("", title)).strip() or title


def _is_command(place: Place) -> bool:
    element = place.steps[-1].element
    return element is not None and element.type == "button" and bool(element.label) and element.role not in _MOVES


def _label(place: Place) -> str:
    """What the thing is called, where it is called the same every time."""
    labels = {step.element.label if step.element is not None else "" for step in place.steps}
    return labels.pop() if len(labels) == 1 else ""


def _window(place: Place) -> str:
    """The title, where it is always the same; otherwise the program that a step is done in, whatever was in front."""
    titles = {without_folders(step.window.title) for step in place.steps}
    return titles.pop() if len(titles) == 1 else Counter(step.app for step in place.steps).most_common(1)[0][0]
