"""The nodes of a workflow: which screens are one, and what all of its demonstrations have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.beginnings import beginnings, is_a_deed, most_shown
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.dialog_words import DIALOG_SAYS, dialog_says
from rpa_vision.graph.flow import EdgeDraft
from rpa_vision.graph.naming import without_folders
from rpa_vision.graph.outline import Fork, Item, Outline, Rounds
from rpa_vision.graph.samples import samples_of
from rpa_vision.graph.screen_groups import SAME_TITLE, Column, ScreenGroup, group_screens, shared
from rpa_vision.graph.slots import Slots
from rpa_vision.graph.sources import in_order
from rpa_vision.graph.vocabulary import templated, window_in_front, words_of
from rpa_vision.models.geometry import Box
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.wording import folded, title_words
from rpa_vision.models.workflow_graph import EmbeddingPrototype, ScreenTemplate, WindowConstraints, WorkflowNode
from rpa_vision.ports.perception import Vector

_MAX_STABLE_TEXTS = 60
_MAX_OCCASIONAL_TEXTS = 200
_MOSTLY = 0.6


@dataclass(slots=True)
class NodeDrafts:
    """Nodes with the vectors and samples they refer to, and which of them each place begins on."""

    nodes: list[WorkflowNode] = field(default_factory=list)
    apps: set[str] = field(default_factory=set)
    vectors: dict[str, Vector] = field(default_factory=dict)
    samples: dict[str, str] = field(default_factory=dict)
    begins: dict[int, str] = field(default_factory=dict)
    """Place → the node it begins on."""
    ends: dict[int, str] = field(default_factory=dict)
    """Place after which the run is over → the node it leads to."""

    def of(self, edge: EdgeDraft) -> tuple[str, str]:
        """From which node to which an edge leads."""
        here = self.begins[edge.place]
        if edge.extraction is not None:
            return here, here
        if edge.following is not None:
            return here, self.begins[edge.following.place]
        return here, self.ends.get(edge.place, here)


class NodeWriter:
    """Writes nodes of one workflow in one space."""

    def __init__(self, workflow_id: str, version: int, space: EmbeddingSpace) -> None:
        self._workflow_id = workflow_id
        self._version = version
        self._space = space

    @property
    def space_id(self) -> str:
        return self._space.id

    def drafts(self, outline: Outline, slots: Slots, edges: Sequence[EdgeDraft]) -> NodeDrafts:
        """The nodes of an outline."""
        united = _united(outline.items)
        roots = list(dict.fromkeys(united.get(place, place) for place in in_order(outline.items)))
        last = [edge for edge in edges if edge.following is None and edge.extraction is None and not edge.is_last]
        columns = [_before(outline, slots, united, root) for root in roots]
        first = outline.places[roots[0]].steps
        entry = beginnings(first, columns[0], columns[1:])
        begins_anywhere = (
            len(group_screens([[shown] for shown in entry], self._space.id)[0]) > 1 and united.get(roots[0]) is None
        )
        if begins_anywhere and is_a_deed(first):
            begins_anywhere, columns[0] = False, most_shown(entry, self._space.id)
        columns = [entry if begins_anywhere else _typical(columns[0]), *map(_typical, columns[1:])]
        after = {edge.place: _after(outline, slots, edge.place) for edge in last}
        ending = {place: _typical(column) for place, column in after.items() if column}
        if begins_anywhere:  # many screens are none of the others
            groups, assignment = group_screens([*columns[1:], *ending.values()], self._space.id)
            groups, assignment = (
                [*group_screens([entry], self._space.id)[0], *groups],
                [0, *(at + 1 for at in assignment)],
            )
        else:
            groups, assignment = group_screens([*columns, *ending.values()], self._space.id)
        drafts = NodeDrafts()
        everywhere = frozenset.intersection(*(frozenset(map(folded, group.stable)) for group in groups))
        for index, group in enumerate(groups, start=1):
            self.write(drafts, f"N{index}", group, everywhere if len(groups) > 1 else frozenset())
        node_of = [drafts.nodes[index].node_id for index in assignment]
        drafts.ends = dict(zip(ending, node_of[len(roots) :], strict=True))
        begins = dict(zip(roots, node_of, strict=False))
        if begins_anywhere:
            metadata = {**drafts.nodes[0].metadata, "any_screen": True}
            drafts.nodes[0] = drafts.nodes[0].model_copy(update={"metadata": metadata})
        drafts.begins = {place: begins[united.get(place, place)] for place in in_order(outline.items)}
        for edge in edges:
            if edge.is_last and edge.following is None:
                opening = next(one for one in edges if one.last is edge)
                drafts.ends[edge.place] = drafts.begins[opening.place]
        return drafts

    def write(
        self, drafts: NodeDrafts, node_id: str, group: ScreenGroup, everywhere: frozenset[str] = frozenset()
    ) -> WorkflowNode:
        """Add the node of a group of screens; what stands `everywhere` does not name it."""
        vector_id = f"workflows/{self._workflow_id}/prototypes/{node_id}_v{self._version:03d}.npy"
        drafts.vectors[vector_id] = group.prototype
        samples = samples_of(group.screens, f"workflows/{self._workflow_id}/samples/{node_id}_v{self._version:03d}")
        drafts.samples |= {sample.image_path: screen_state_id for screen_state_id, sample in samples.items()}
        drafts.apps |= {app for app in group.apps if app}
        stable = {folded(text) for text in group.stable}
        seen = {folded(text) for screen in group.screens for text in words_of(window_in_front(screen.state))}
        said = dialog_says(window_in_front(screen.state) for screen in group.screens)
        node = WorkflowNode(
            node_id=node_id,
            label=node_label(group, node_id, everywhere),
            screen_template=ScreenTemplate(
                window=WindowConstraints(app_name_any_of=tuple(sorted(app for app in group.apps if app))),
                stable_texts=group.stable[:_MAX_STABLE_TEXTS],
                occasional_texts=tuple(sorted(seen - stable))[:_MAX_OCCASIONAL_TEXTS],
                title_words=tuple(sorted(group.title_words)),
                layout_hashes=_layout_hashes(group.screens),
                embedding_prototype=EmbeddingPrototype(
                    provider=self._space.provider,
                    vector_id=vector_id,
                    min_cosine_similarity=_least_similarity(group),
                    sample_count=len(group.screens),
                    space=self._space,
                    samples=tuple(samples.values()),
                ),
            ),
            metadata={
                "observation_count": len(group.screens),
                "has_dialog": any(front_of(screen.state.ui_elements) is not None for screen in group.screens),
                **({DIALOG_SAYS: said} if any(said) else {}),
            },
        )
        drafts.nodes.append(node)
        return node


def node_label(group: ScreenGroup, node_id: str, everywhere: frozenset[str] = frozenset()) -> str:
    """What a person would call the screen: its dialog, its largest heading that never changes, or its window title."""
    stable = {folded(text) for text in group.stable} - everywhere
    named = [element for element in group.screens[0].state.ui_elements if folded(element.label) in stable]
    for kind in ("dialog", "heading"):
        found = [element for element in named if element.type == kind]
        if found:
            return max(found, key=lambda element: (Box.of(element.bbox).height, element.label)).label
    title = templated(group.screens[0].state.window.title, group.values[0])
    return without_folders(re.sub(r"\$\{\w+\}", "…", title).replace("$$", "$")) or node_id


def _united(items: Sequence[Item]) -> dict[int, int]:
    """Place → the first of the places that begin on the same screen by construction."""
    root: dict[int, int] = {}

    def unite(places: Sequence[int]) -> None:
        roots = [root.get(place, place) for place in places]
        for place, known in list(root.items()):
            if known in roots:
                root[place] = roots[0]
        for place in places:
            root[place] = roots[0]
            root.setdefault(roots[0], roots[0])

    def walk(items: Sequence[Item], following: list[int]) -> None:
        for index, item in enumerate(items):
            after = _firsts(items[index + 1 :]) or following
            if isinstance(item, Fork):
                unite(_firsts([item]) + (after if any(not way.items for way in item.ways) else []))
                for way in item.ways:
                    walk(way.items, after)
            elif isinstance(item, Rounds):
                opening = _firsts(item.items)
                unite(opening + after)
                walk(item.items, opening)

    walk(items, [])
    return root


def _firsts(items: Sequence[Item]) -> list[int]:
    """The places with which these items may begin."""
    if not items:
        return []
    first = items[0]
    if isinstance(first, Rounds):
        return _firsts(first.items)
    if not isinstance(first, Fork):
        return [first]
    found = [place for way in first.ways for place in _firsts(way.items)]
    return found + (_firsts(items[1:]) if any(not way.items for way in first.ways) else [])


def _before(outline: Outline, slots: Slots, united: Mapping[int, int], root: int) -> Column:
    places = [place for place in in_order(outline.items) if united.get(place, place) == root]
    shown = [
        (step, case)
        for place in places
        for step, case in zip(outline.places[place].steps, outline.places[place].cases, strict=True)
    ]
    # A click may reach into a window behind the one in front. Where it was also done with its own window in front, that
    # is the screen: in front stood whatever was done before.
    at_home = [(step, case) for step, case in shown if _app(step.before) == step.app]
    return [(step.before, slots.occurrence(case)) for step, case in at_home or shown]


def _typical(column: Column) -> Column:
    """Without the few screens on which something else had been done in between, or that were seen too early."""
    titles = [title_words(screen.state.window.title) for screen, _ in column]
    alike = [[shared(one, other) >= SAME_TITLE for other in titles] for one in titles]
    most = max(alike, key=sum, default=[])
    if sum(most) < _MOSTLY * len(column):
        return column
    return [shown for shown, is_alike in zip(column, most, strict=True) if is_alike]


def _after(outline: Outline, slots: Slots, place: int) -> Column:
    shown = outline.places[place]
    screens = [(_left_behind(step), case) for step, case in zip(shown.steps, shown.cases, strict=True)]
    return [(screen, slots.occurrence(case)) for screen, case in screens if screen is not None]


def _left_behind(step: DemoStep) -> ObservedScreen | None:
    """The screen a last step leads to. What the person did next may have been in another program."""
    if step.settled is not None and step.after is not None and _app(step.settled) != _app(step.after):
        return step.settled
    return step.after


def _app(screen: ObservedScreen) -> str:
    return screen.state.window.app_name


def _layout_hashes(screens: Sequence[ObservedScreen]) -> tuple[str, ...]:
    hashes = {screen.state.layout_signature.hash for screen in screens if screen.state.layout_signature is not None}
    return tuple(sorted(hashes))


def _least_similarity(group: ScreenGroup) -> float:
    """How far the demonstrated screens were from their own prototype."""
    least = min(float(group.prototype @ screen.vector) for screen in group.screens)
    return round(max(-1.0, min(1.0, least)), 4)
