"""Which candidates are something to act on, and what: a trained judge hears all witnesses and decides once.

The rules see exact edges, the finder sees the look, lines are where the words are; each alone is wrong in its own way.
The judge gives every candidate its share of being nothing or one of the kinds, and says how well its box fits. The best
of those that lie over each other is kept; a thing inside another stays where rows and entries hold things of their own.
What the rules drafted and the judge does not believe is dropped, and its words are free again. Where the picture shows
no edge there is no field and no dialog, whoever believes in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rpa_vision.detection.box_arrays import Boxes, array_of, overlaps
from rpa_vision.detection.candidates import KINDS, Candidates, gather
from rpa_vision.detection.controls import is_bullets, shows_mark
from rpa_vision.detection.loose_texts import draft_texts, is_large
from rpa_vision.detection.mark_names import name_mark
from rpa_vision.detection.proposals import SNUG, add_found
from rpa_vision.detection.scene import MARGIN, Draft, Line, Scene
from rpa_vision.detection.visible_edges import shows_beginning, shows_edge, shows_field
from rpa_vision.detection.words import begins_with_action, clean_label
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import FIELD_TYPES, ElementType
from rpa_vision.ports.perception import ElementJudge, FoundElement

LEAST = 0.55
"""How sure it must be that a candidate is something at all for it to be told."""
FINDER = 0.6
"""How much the finder's own word counts beside the judge's: the judge has heard it, but saw far fewer screens, and on a
look that is new to both it doubts too much."""
LINK_AT_ALL = 0.4
"""How sure the judge alone must be of coloured words for them to stay the link that rules see."""
_ARROWS = "←→⟵⟶‹›"
"""Coloured words with one of these before or behind them lead somewhere, whoever doubts it."""
OVER = 0.5
"""Boxes that share this much are of one thing."""
INSIDE = 0.75
OWN_BOX = 0.5
"""How well its box must fit for a thing inside another to be more than a part of it."""
ALIKE = 0.82
WITHIN, MOSTLY_IN = 0.75, 0.6
"""How much of the height of its letters, and of its width, must lie in a thing for a line to be its words."""
_CUTS = 0.25
"""The share of a field that may lie in another by a slip of its edges."""
_HOLDERS = frozenset({"list_item", "menu_item", "tab"})
"""What may hold other things to act on."""
_MARKS = frozenset({"checkbox", "radio", "toggle"})
_BESIDE_PX, _WORD_LINES = 6, 1.6
"""How far a line goes on beyond one of its words, and how much higher than the line its box may be."""
LARGE = 1.22
"""From so many times the usual size of type on, words are a heading."""
_ROUND_OR_SQUARE = frozenset({"checkbox", "radio"})
"""Which of the two a mark is, rules see by its drawing."""
DRAWN = 2.4
"""A letter so many units high is a drawing."""
_ROUND, _DISC = 0.8, 1.3
"""Less square than this is round; and a disc is hardly wider than high."""
_WORDED = frozenset({"button", "link", "tab", "menu_item", "list_item"})
_CARDS_PX, _CARDS_APART_PX = 2, 4
"""How exactly cards that stand in a row or in a column begin and end together, and how far apart they are."""
_JUDGED = frozenset(KINDS)
_HOLDS = np.array([kind in _HOLDERS for kind in KINDS])


@dataclass(frozen=True, slots=True)
class Verdict:
    """A candidate that is something: its place, what it is, and how sure that is."""

    box: Box
    kind: ElementType
    confidence: float


def add_judged(scene: Scene, drafts: list[Draft], found: Sequence[FoundElement], judge: ElementJudge) -> list[Draft]:
    """The drafts the judge believes, better named, and those it makes of other candidates."""
    verdicts = judged(scene, drafts, found, judge)
    kept = [draft for draft in drafts if draft.kind not in _JUDGED or _is_sheet(draft)]
    known = [draft for draft in drafts if draft.kind in _JUDGED and not _is_sheet(draft)]
    badges = [draft for draft in kept if "badge" in draft.tags]
    _release(scene, [*known, *badges])
    places = array_of([draft.box for draft in known])
    shares = overlaps(array_of([verdict.box for verdict in verdicts]), places)
    proposed = [each for each in found if each.kind in _JUDGED]
    seen = overlaps(array_of([verdict.box for verdict in verdicts]), array_of([each.box for each in proposed]))
    marks = [verdict.box for verdict in verdicts if verdict.kind in _MARKS]
    made: list[Draft] = []
    for index, judgement in enumerate(verdicts):
        alike = OVER if judgement.kind in _MARKS else ALIKE  # of a mark, a pixel is much
        same = int(shares[index].argmax()) if len(known) and shares[index].max() >= alike else None
        other = proposed[int(seen[index].argmax())] if len(proposed) and seen[index].max() >= OVER else None
        verdict = _heard_as_field(judgement, known[same], other) if same is not None and other else judgement
        if (
            same is None
            and verdict.kind in FIELD_TYPES
            and (_cuts_a_field(verdict, known) or not shows_field(scene, verdict.box) or _is_mere_gap(scene, verdict))
        ):
            continue
        if _is_lone_entry(scene, verdict, verdicts) or (same is None and _cuts_words(scene, verdict)):
            continue
        draft = _named(scene, verdict, known[same] if same is not None else None, marks)
        if other is not None:
            _tell_states(draft, other)
        if draft.kind in _ROUND_OR_SQUARE:
            draft.checked = _is_set(scene, draft, other)
        made.append(draft)
    _call_sheets(made, [draft.box for draft in kept if _is_sheet(draft)])
    covered = array_of([draft.box for draft in made])
    kept = [d for d in kept if d.kind == "dialog" or not len(made) or overlaps(array_of([d.box]), covered).max() < OVER]
    kept = [d for d in kept if d.kind != "textarea" or not any(d.box.contains(other.box.center) for other in made)]
    _take(scene, [badge for badge in badges if badge in kept])
    others = [each for each in found if each.kind not in _JUDGED and (each.kind != "dialog" or _is_dialog(scene, each))]
    return add_found(scene, [*kept, *made], others)


def _heard_as_field(verdict: Verdict, known: Draft, found: FoundElement) -> Verdict:
    """What rules and finder both call a field is one, though the judge takes its frame and its words for a button's:
    the rules have seen its frame and where its text begins, the finder its look."""
    agreed = known.kind in FIELD_TYPES and found.kind in FIELD_TYPES
    return replace(verdict, kind=found.kind) if agreed and verdict.kind not in FIELD_TYPES else verdict


def _cuts_a_field(verdict: Verdict, drafts: Sequence[Draft]) -> bool:
    """It begins or ends in the middle of a field whose edges the rules have seen."""
    fields = [draft.box for draft in drafts if draft.kind in FIELD_TYPES]
    parts = [common.area for box in fields if (common := box.intersection(verdict.box)) is not None]
    return max(parts, default=0) >= _CUTS * verdict.box.area


def _is_mere_gap(scene: Scene, verdict: Verdict) -> bool:
    """Room between two rules with nothing in it, as behind a title in the head of a list: neither words nor an end
    tell that somebody could write there."""
    worded = any(len(line.text) > 1 and verdict.box.contains(line.box.center) for line in scene.lines)
    return verdict.kind != "dropdown" and not worded and not shows_beginning(scene, verdict.box)


def _is_sheet(draft: Draft) -> bool:
    """A sheet to write on, up to the page of an editor: none is like another, and the judge saw few. What the rules
    say of it stands, unless there are controls on it."""
    return draft.kind == "textarea"


def _call_sheets(made: Sequence[Draft], sheets: Sequence[Box]) -> None:
    """A field in the very place of a sheet is one: by its height, which the rules know better than the judge."""
    for draft in made:
        if draft.kind == "text_input" and any(draft.box.overlap(sheet) >= ALIKE for sheet in sheets):
            draft.kind = "textarea"


def _cuts_words(scene: Scene, verdict: Verdict) -> bool:
    """It lies over words that are not its own: another's or those of a link, where it would be a link twice; or, small,
    over a heading, where there is no button; or it is a word of a line, with no edge to be seen around it."""
    box = verdict.box
    if verdict.kind not in ("link", "button") or any(not line.used and _holds(box, line) for line in scene.lines):
        return False
    small = box.width <= 3 * scene.unit
    for line, text in zip(scene.lines, draft_texts(scene), strict=True):
        if len(line.text) < 2 or not line.box.y1 <= box.center[1] < line.box.y2 or not line.box.overlap(box):
            continue
        if verdict.kind == "link" and (line.used or text.kind == "link"):
            return True
        if verdict.kind == "button" and small and line.font_px >= LARGE * scene.font_px:
            return True
        goes_on = line.box.x1 < box.x1 - _BESIDE_PX or box.x2 < line.box.x2 - _BESIDE_PX
        is_word = box.height < box.width and box.height <= _WORD_LINES * line.box.height
        if verdict.kind == "button" and goes_on and is_word and not shows_edge(scene, box):
            return True
    return False


def _is_dialog(scene: Scene, found: FoundElement) -> bool:
    """Whether a box of the picture lies where it was found, and none like it beside or below it begins and ends with
    it: those are cards of a page, while a dialog lies over whatever there is. Its own title and foot adjoin it."""
    edges = array_of(region.box for region in scene.regions)
    shares = overlaps(array_of([found.box]), edges)
    if shares.max(initial=0.0) < SNUG:
        return False
    box = scene.regions[int(shares.argmax())].box
    off = np.abs(edges - np.array(box.bbox))
    wide, high = (edges[:, 2:] - edges[:, :2]).T
    room = np.maximum(edges[:, :2] - box.bbox[2:], np.array(box.bbox[:2]) - edges[:, 2:]) >= _CARDS_APART_PX
    beside = (off[:, [1, 3]] <= _CARDS_PX).all(axis=1) & room[:, 0] & (2 * wide >= box.width)
    below = (off[:, [0, 2]] <= _CARDS_PX).all(axis=1) & room[:, 1] & (2 * high >= box.height)
    return not (beside | below).any()


def judged(scene: Scene, drafts: Sequence[Draft], found: Sequence[FoundElement], judge: ElementJudge) -> list[Verdict]:
    """What the judge believes, the surest first."""
    candidates = gather(scene, drafts, found)
    if not len(candidates):
        return []
    shares, fits = judge.judge(candidates.facts, candidates.looks)
    names = shares[:, 1:].argmax(axis=1)
    sure = 1 - shares[:, 0]
    _doubt_links(scene, candidates, sure)
    if found:
        sure = (1 - FINDER) * sure + FINDER * candidates.seen
    worth = sure * (0.4 + 0.6 * fits)
    order = [index for index in np.lexsort((np.arange(len(worth)), -worth)).tolist() if sure[index] >= LEAST]
    chosen = _apart(candidates.boxes, names, fits, order)
    return [
        Verdict(Box(*candidates.boxes[index].tolist()), KINDS[names[index]], round(float(sure[index]), 4))
        for index in chosen
    ]


def _doubt_links(scene: Scene, candidates: Candidates, sure: NDArray[np.float32]) -> None:
    """Coloured words are a link by the rules; where the judge hardly believes that they are anything, and they neither
    point somewhere nor tell somebody to do something, they are words: a heading, a state, a number in a card."""
    coloured = [each for each in zip(scene.lines, draft_texts(scene), strict=True) if each[1].kind == "link"]
    if not coloured:
        return
    shares = overlaps(array_of([line.box for line, _ in coloured]), candidates.boxes)
    for (line, draft), share in zip(coloured, shares, strict=True):
        place = int(share.argmax())
        leads = line.text[:1] in _ARROWS or line.text[-1:] in _ARROWS or _tells_a_deed(line.text)
        if share[place] >= ALIKE and sure[place] < LINK_AT_ALL and not leads:
            draft.kind = "heading" if is_large(scene, line) else "label"


def _tells_a_deed(text: str) -> bool:
    """« Retour à la liste »; a word alone (« Non », « Open ») may be a state."""
    return begins_with_action(text) and len(text.split()) > 1


def _is_lone_entry(scene: Scene, entry: Verdict, verdicts: Sequence[Verdict]) -> bool:
    """An entry of a list that has no other in its column or its row: one alone makes no list, but may be the title of a
    dialog or the caption of a field."""
    near, box = scene.unit, entry.box
    return entry.kind == "list_item" and not any(
        abs(box.x1 - other.box.x1) <= near or abs(box.x2 - other.box.x2) <= near or abs(box.y1 - other.box.y1) <= near
        for other in verdicts
        if other.kind == entry.kind and other is not entry
    )


def _apart(boxes: Boxes, names: NDArray[np.intp], fits: NDArray[np.float32], order: Sequence[int]) -> list[int]:
    """The best of those that lie over each other; what lies in a row must have a box of its own."""
    kept: list[int] = []
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    for index in order:
        if kept:
            theirs = boxes[kept]
            low, high = np.maximum(theirs[:, :2], boxes[index, :2]), np.minimum(theirs[:, 2:], boxes[index, 2:])
            common = np.clip(high - low, 0, None).prod(axis=1)
            over = common / (areas[kept] + areas[index] - common) > OVER
            within = common > INSIDE * areas[index]
            around = common > INSIDE * areas[kept]
            differ = names[kept] != names[index]
            held = differ & _HOLDS[names[kept]] & (fits[index] >= OWN_BOX)
            holds = differ & _HOLDS[names[index]] & (fits[kept] >= OWN_BOX)
            if (over | (within & ~held) | (around & ~holds)).any():
                continue
        kept.append(index)
    return kept


def _release(scene: Scene, drafts: Sequence[Draft]) -> None:
    """Their words may belong to something else now."""
    for line in scene.lines:
        if line.used and any(draft.box.padded(3).contains(line.box.center) for draft in drafts):
            line.used = False


def _take(scene: Scene, badges: Sequence[Draft]) -> None:
    """What the judge has left as it was has its words back."""
    for line in scene.lines:
        line.used = line.used or any(badge.box.contains(line.box.center) for badge in badges)


def _named(scene: Scene, verdict: Verdict, known: Draft | None, marks: Sequence[Box]) -> Draft:
    lines = [line for line in scene.lines if not line.used and _holds(verdict.box, line)]
    if known is not None and (known.kind == verdict.kind or {known.kind, verdict.kind} == _ROUND_OR_SQUARE):
        draft = known
        draft.confidence = verdict.confidence
        if draft.kind in _MARKS:
            name_mark(scene, draft, marks)
    else:
        draft = _made(scene, verdict, known, lines, marks)
    if verdict.kind != "list_item" or len(lines) == 1:
        for line in lines:
            line.used = True
    return draft  # several texts of an entry stay their own: they may be cells, or name a field beside it


def _holds(box: Box, line: Line) -> bool:
    """Whether a line stands in a box, and not only with its upper half or a few of its words."""
    if not box.contains(line.box.center):
        return False
    if min(box.x2, line.box.x2) - max(box.x1, line.box.x1) < MOSTLY_IN * line.box.width:
        return False
    ink = line.box.height / MARGIN
    top = (line.box.y1 + line.box.y2 - ink) / 2
    return min(box.y2, top + ink) - max(box.y1, top) >= WITHIN * ink


def _made(scene: Scene, verdict: Verdict, known: Draft | None, lines: list[Line], marks: Sequence[Box]) -> Draft:
    box = known.box if known is not None else verdict.box
    draft = Draft(verdict.kind, box, verdict.confidence)
    draft.paper, draft.ink = scene.colours([box])[0]
    if known is not None:
        draft.paper, draft.ink, draft.shape, draft.border = known.paper, known.ink, known.shape, known.border
        draft.stands_out, draft.enabled = known.stands_out, known.enabled
    if verdict.kind in _MARKS:
        draft.shape = "circle" if verdict.kind == "radio" else draft.shape
        name_mark(scene, draft, marks)
        if known is not None and known.kind in _MARKS:
            draft.checked = known.checked
    elif lines:
        words = [line for line in lines if not _is_emblem(scene, line)] or lines
        draft.text = " ".join(line.text for line in words)
        draft.label_confidence = min(line.confidence for line in words)
        if verdict.kind in _WORDED:
            draft.label = clean_label(draft.text)
        elif verdict.kind in FIELD_TYPES and any(is_bullets(line.text) for line in lines):
            draft.metadata["hidden"] = True
    if verdict.kind == "link" and len(lines) == 1:
        draft.shape, draft.ink, draft.paper = "text", lines[0].ink, lines[0].paper
    return draft


def _is_emblem(scene: Scene, line: Line) -> bool:
    """A letter that is drawn rather than written: far higher than the words, or in a disc of its own beside them. The
    sign of a person stands before a name, and is no part of it."""
    if len(line.text) != 1 or not line.text.isalpha():
        return False
    if line.box.height > DRAWN * scene.unit:
        return True
    round_ones = (region.box for region in scene.regions if region.squareness < _ROUND)
    discs = (box for box in round_ones if box.contains(line.box.center) and box.width <= _DISC * box.height)
    return any(box.height <= DRAWN * line.box.height for box in discs)


def _tell_states(draft: Draft, found: FoundElement) -> None:
    """A state that the finder alone could tell, and of a switch what it sees rather than what the rules guess."""
    if draft.kind == "toggle" and found.kind in _MARKS and found.checked is not None:
        draft.checked = found.checked
    if draft.kind == found.kind and draft.kind != "button":
        # Of a button the finder says it to the judge, but it is never chosen among others.
        draft.selected = draft.selected if draft.selected is not None else found.selected
    draft.enabled = draft.enabled if draft.enabled is not None else found.enabled


def _is_set(scene: Scene, draft: Draft, found: FoundElement | None) -> bool | None:
    """Whether a box is ticked or a dot set: what is drawn in it, where the rules that know its shape or the finder say
    the same. Each alone takes a shadow for a tick or a tick for none."""
    shown = shows_mark(scene, draft.box)
    others = (draft.checked, found.checked if found is not None else None)
    return shown if shown in others else None
