"""Is a step that was shown now a step the workflow has, and does it do there what was shown?

It is the step if it is done to the same thing in the same way. What it types, the row it is in, the button, how often
is clicked, which way is scrolled, may then still differ: a constant of the workflow that was something else now, or
what was done once and is done for each row of a list now. That is a contradiction, which only a person can settle. A
variable may have been the same every time, and stays one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from rpa_vision.models.action import Action
from rpa_vision.models.geometry import Point
from rpa_vision.models.wording import folded, squeezed
from rpa_vision.models.workflow_graph import WorkflowEdge

_VALUE = "\0"
"""Stands for a variable, whatever it is called."""
_HELD_STILL_PX = 10


def is_the_step(old: WorkflowEdge, new: WorkflowEdge) -> bool:
    """Whether both do the same kind of thing to the same element, whatever value it is done with."""
    one, other = old.action, new.action
    if one is None or other is None:
        return one is None and other is None and (old.loop is None) == (new.loop is None)
    if (one.type, one.keys, one.target_app) != (other.type, other.keys, other.target_app):
        return False
    typed, again = one.parameters, other.parameters
    if (typed.secret_ref, typed.text is None) != (again.secret_ref, again.text is None):
        return False
    if typed.clipboard_operation != again.clipboard_operation:
        return False
    mine, theirs = one.target, other.target
    if mine is None or theirs is None:
        return mine is None and theirs is None
    return mine.type == theirs.type and folded(text_pattern(mine.label)) == folded(text_pattern(theirs.label))


def contradictions(old: WorkflowEdge, new: WorkflowEdge) -> Iterator[tuple[str, str]]:
    """What the step does and what was shown instead, in words, for each thing in which they differ."""
    if old.loop is None and new.loop is not None:
        yield "once", "for each row of a list"
    one, other = old.action, new.action
    if one is None or other is None:
        return
    mine, theirs = one.parameters, other.parameters
    if mine.text is not None and not _fits(mine.text, theirs.text):
        yield f"« {mine.text} »", f"« {theirs.text} »"
    if mine.title_contains is not None and not _names(mine.title_contains, theirs.title_contains):
        yield f"the window « {mine.title_contains} »", f"the window « {theirs.title_contains or ''} »"
    if (mine.button, mine.click_count) != (theirs.button, theirs.click_count):
        yield _click(one), _click(other)
    for was, now in ((mine.scroll, theirs.scroll), (mine.drag_offset, theirs.drag_offset)):
        least = 0 if was is mine.scroll else _HELD_STILL_PX
        if _direction(was, least) != _direction(now, least):
            yield f"to {was}", f"to {now}"
    shown = other.target.row_contains if other.target is not None else ()
    for row in one.target.row_contains if one.target is not None else ():
        if not any(_fits(squeezed(text_pattern(row)), squeezed(text_pattern(again)), raw=True) for again in shown):
            yield f"the row of « {row} »", f"the row of « {' · '.join(shown)} »"


def text_pattern(template: str | None) -> str:
    """The text a template stands for, with a mark for each variable: they may be called otherwise."""
    return Template.pattern.sub(lambda found: "$" if found["escaped"] is not None else _VALUE, template or "")


def _fits(mine: str, theirs: str | None, *, raw: bool = False) -> bool:
    """Whether what was shown is what the template says, for some values of its variables."""
    if theirs is None:
        return False
    said, shown = (mine, theirs) if raw else (text_pattern(mine), text_pattern(theirs))
    return re.fullmatch(".+".join(map(re.escape, said.split(_VALUE))), shown, re.DOTALL) is not None


def _names(title: str, shown: str | None) -> bool:
    """Whether the part of a title by which a window is known is in the one that was shown."""
    said = folded(text_pattern(title))
    return re.search(".+".join(map(re.escape, said.split(_VALUE))), folded(text_pattern(shown))) is not None


def _click(action: Action) -> str:
    count = action.parameters.click_count
    return f"{count} {action.parameters.button} click{'s' if count > 1 else ''}"


def _direction(way: Point | None, least: int) -> tuple[int, ...] | None:
    return None if way is None else tuple((part > least) - (part < -least) for part in way)
