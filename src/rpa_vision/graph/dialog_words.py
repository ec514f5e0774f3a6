"""What a dialog says, besides what its controls are called: the question it asks, line by line.

Buttons and titles are the same on many dialogs; what is asked is not. Numbers are written as one 0: which invoice it
is about changes every time. It is kept with the node of a screen (`dialog_says` in its metadata), once for every
demonstration in which it was another text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import JsonValue
from rapidfuzz.distance import Levenshtein

from rpa_vision.embedding.salience import FIELD_TYPES, front_of, group_texts
from rpa_vision.graph.vocabulary import in_reading_order
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState, TextLine
from rpa_vision.models.wording import folded, squeezed

DIALOG_SAYS = "dialog_says"
_CONTROLS = FIELD_TYPES | {"button", "link", "icon", "tab", "checkbox", "radio", "toggle", "menu_item"}
_CAPTION_LINES = 3.5
"""A control is so many of its lines high at most; a larger box is no control but what was taken for one."""
_MOST = 8
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONG_WORD = 4
_QUOTED = re.compile(r"«[^»]{1,80}»|“[^”]{1,80}”|\"[^\"]{1,80}\"")


def lines_in_front(state: ScreenState) -> list[str] | None:
    """All that the dialog in front says, its controls too, as it is read; None where there is no dialog."""
    box = front_of(state.ui_elements)
    return None if box is None else [line.text for line in _inside(state, box)]


def message_in_front(state: ScreenState) -> list[str] | None:
    """What the dialog in front says, without its controls, the values of fields and the cells of a table."""
    box = front_of(state.ui_elements)
    if box is None:
        return None
    content = set(group_texts(state.perception, state.ui_elements).content)
    controls = [Box.of(one.bbox) for one in state.ui_elements if one.type in _CONTROLS and box.contains(one.center)]
    return [line.text for line in _inside(state, box) if line.text not in content and not _is_caption(line, controls)]


def dialog_says(states: Iterable[ScreenState]) -> list[JsonValue]:
    """What the dialogs of these screens say, each text once, numbers as 0; empty for a screen without a dialog."""
    said = ("\n".join(re.sub(r"\d+", "0", text) for text in message_in_front(state) or ()) for state in states)
    return list[JsonValue]({squeezed(text): text for text in said}.values())[:_MOST]


def united(lessons: Iterable[object]) -> list[JsonValue]:
    """What several lessons about one screen say, the oldest and the newest; empty for one that says nothing of it."""
    said = [str(text) for one in lessons for text in (one if isinstance(one, list | tuple) else [""])]
    kept = list[JsonValue]({squeezed(text): text for text in said}.values())
    return kept if len(kept) <= _MOST else [*kept[: _MOST // 2], *kept[-(_MOST // 2) :]]


def same_message(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two dialogs say the same, but for numbers, what is quoted, names within a sentence and single letters."""
    return all_said(one, other) and all_said(other, one)


def all_said(lines: Sequence[str], others: Sequence[str]) -> bool:
    """Whether these lines say nothing that the others do not say too, but for the same."""
    said = {folded(word) for line in others for word in _WORD.findall(line)}
    return all(
        any(Levenshtein.distance(word, other, score_cutoff=1) <= (len(word) >= _LONG_WORD) for other in said)
        for line in lines
        for word in _plain_words(line)
    )


def _plain_words(line: str) -> list[str]:
    """The words of a line, folded, without those that may be names: written large though nothing begins with them."""
    bare = _QUOTED.sub(" ", line)
    shouts = bare.isupper()
    return [
        folded(found[0])
        for found in _WORD.finditer(bare)
        if shouts or not found[0][0].isupper() or re.search(r"[.?!:]\s*$|^\W*$", bare[: found.start()])
    ]


def _inside(state: ScreenState, box: Box) -> list[TextLine]:
    return in_reading_order([one for one in state.perception.text_lines if box.contains(Box.of(one.bbox).center)])


def _is_caption(line: TextLine, controls: Sequence[Box]) -> bool:
    place = Box.of(line.bbox)
    return any(one.contains(place.center) and one.height <= _CAPTION_LINES * place.height for one in controls)
