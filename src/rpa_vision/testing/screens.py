"""Screens, recordings and workflows made by hand, for tests of learning and execution without reader or display.

A screen is a list of things, each (type, role, label, bbox), drawn in order; a dialog covers what was drawn before it
and dims the rest. What would be read and detected on it is what was drawn.

    book = ScreenBook()
    page = book.draw("page", [("button", "validate", "Valider", (40, 40, 140, 80))], title="Facture 12")
    desktop = ScriptedDesktop(book.pixels, start="page", script=[...])
    sight = Sight(desktop.eyes, book.observer, desktop.clock, CountingIds())

The observer of a book understands exactly the pictures drawn in it; on any other picture it sees nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import cv2
import numpy as np
from pydantic import JsonValue

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.detection.layout_signature import layout_signature
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.stable_identity import stable_id
from rpa_vision.embedding.encoders import HashedScreenEncoder
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.fusion_engine import FusionEngine
from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.embedding.state_embedder import StateEmbedder
from rpa_vision.graph.dialog_words import DIALOG_SAYS, dialog_says
from rpa_vision.graph.vocabulary import naming_words
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.raw_session import (
    Environment,
    Event,
    EventType,
    RecordedSession,
    ScreenEnvironment,
    Screenshot,
    UserRef,
)
from rpa_vision.models.screen_state import PerceptionLevel, RawLevel, ScreenState, StateSource, TextLine
from rpa_vision.models.ui_element import ElementState, ElementType, UIElement
from rpa_vision.models.window import WindowContext
from rpa_vision.models.wording import folded, title_words
from rpa_vision.models.workflow_graph import (
    EmbeddingPrototype,
    ScreenTemplate,
    WindowConstraints,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.testing.manual_clock import ManualClock

SIZE: Point = (960, 600)
MOMENT = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_PAPER, _INK, _EDGE = 250, 20, 150


@dataclass(frozen=True, slots=True)
class Item:
    """One thing on a screen. `value` is what a field holds; a field's label stands beside it and is not in it."""

    type: ElementType
    role: str
    label: str
    bbox: tuple[int, int, int, int]
    value: str = ""
    enabled: bool | None = None
    column_title: str = ""

    @property
    def shown(self) -> str:
        """The words drawn inside its box."""
        if self.type == "dialog":
            return ""
        return self.value if self.type in FIELD_TYPES else self.label


AnyItem = Item | tuple[ElementType, str, str, tuple[int, int, int, int]]


def screen_state(
    items: Iterable[AnyItem],
    *,
    title: str = "Test",
    app_name: str = "app",
    screen_state_id: str = "screen",
    timestamp: datetime = MOMENT,
) -> ScreenState:
    """What a perfect reader would make of a screen with these things on it."""
    visible = _visible([_item(item) for item in items])
    lines = tuple(TextLine(text=item.shown, bbox=item.bbox, confidence=0.99) for item in visible if item.shown)
    front = next((Box.of(item.bbox) for item in reversed(visible) if item.type == "dialog"), None)
    elements = tuple(_element(index, item, front) for index, item in enumerate(visible))
    return ScreenState(
        screen_state_id=screen_state_id,
        timestamp=timestamp,
        window=WindowContext(title=title, app_name=app_name),
        raw=RawLevel(screenshot_path="drawn/screen.png", capture_method="drawn", file_size_bytes=0),
        perception=PerceptionLevel(
            detected_text=tuple(line.text for line in lines),
            text_detection_method="drawn",
            confidence_avg=0.99,
            text_lines=lines,
        ),
        ui_elements=elements,
        layout_signature=layout_signature(elements),
    )


def draw_screen(items: Iterable[AnyItem], *, title: str = "Test", size: Point = SIZE) -> Pixels:
    """The picture: boxes with their words, under a title bar; height × width × 4."""
    image = np.full((size[1], size[0], 3), _PAPER, np.uint8)
    _write(image, title, (8, 14))
    for item in (_item(one) for one in items):
        x1, y1, x2, y2 = item.bbox
        if item.type == "dialog":
            image[:] = image // 2
            image[y1:y2, x1:x2] = _PAPER
        cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), (_EDGE, _EDGE, _EDGE), 1)
        _write(image, item.shown, (x1 + 4, (y1 + y2) // 2 + 5))
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2BGRA), np.uint8)


class ScreenBook:
    """Screens drawn by hand, by name, and an observer that understands them."""

    def __init__(self, *, size: Point = SIZE, embedder: StateEmbedder | None = None) -> None:
        self._size = size
        self._reader = _DrawnReader()
        self.embedder = embedder or StateEmbedder(HashedScreenEncoder(), FusionEngine(), ManualClock())
        self.observer = ScreenObserver(self._reader, self.embedder)
        self.pixels: dict[str, Pixels] = {}
        """The pictures by name, as a scripted desktop wants them."""
        self._screens: dict[str, ObservedScreen] = {}

    def draw(
        self, name: str, items: Iterable[AnyItem], *, title: str = "Test", app_name: str = "app"
    ) -> ObservedScreen:
        """Draw a screen and give it as it is understood."""
        things = [_item(item) for item in items]
        pixels = draw_screen(things, title=title, size=self._size)
        state = screen_state(things, title=title, app_name=app_name, screen_state_id=name)
        self._reader.learn(pixels, state)
        self.pixels[name] = pixels
        self._screens[name] = ObservedScreen(pixels, state, self.embedder.embed(state, pixels).vector)
        return self._screens[name]

    def copy(self) -> ScreenBook:
        """Another book that begins with the same screens."""
        twin = ScreenBook(size=self._size, embedder=self.embedder)
        for name, screen in self._screens.items():
            twin._reader.learn(screen.pixels, screen.state)
            twin.pixels[name] = screen.pixels
            twin._screens[name] = screen
        return twin

    def __getitem__(self, name: str) -> ObservedScreen:
        return self._screens[name]


class CountingIds:
    """Implements `ports.runtime.Ids`: screen_1, screen_2, run_3 …"""

    def __init__(self) -> None:
        self._given = 0

    def new(self, prefix: str) -> str:
        self._given += 1
        return f"{prefix}_{self._given}"


class HandMadeSession:
    """A recording made by hand: each method is one thing the person did on a screen of the book."""

    def __init__(self, book: ScreenBook, session_id: str = "session_1") -> None:
        self._book = book
        self._session_id = session_id
        self._events: list[Event] = []
        self._shots: dict[str, Screenshot] = {}

    def click(
        self,
        screen: str | None,
        at: Point,
        *,
        clicks: int = 1,
        button: Literal["left", "middle", "right"] = "left",
        after: str | None = None,
        noise: bool | None = None,
    ) -> None:
        """A click; without a screen nobody saw what it was on."""
        self._add("mouse_click", screen, after, pos=at, clicks=clicks, button=button, noise_flag=noise)

    def type(self, screen: str | None, text: str, *, after: str | None = None) -> None:
        """Characters, one event each; the screen was seen before the first of them."""
        for index, char in enumerate(text):
            self._add("key_press", screen if index == 0 else None, after, key=char.upper(), char=char)

    def secret(self, screen: str | None, secret_ref: str, keys: int = 8, *, after: str | None = None) -> None:
        """So many keys of a secret."""
        for index in range(keys):
            self._add("key_press", screen if index == 0 else None, after, secret_ref=secret_ref)

    def press(self, screen: str | None, key: str, *modifiers: str, after: str | None = None) -> None:
        """A named key or a chord."""
        self._add("key_press", screen, after, key=key, modifiers=modifiers)

    def scroll(self, screen: str | None, at: Point, down: int = 3, *, after: str | None = None) -> None:
        """Some notches downwards."""
        self._add("mouse_scroll", screen, after, pos=at, scroll=(0, down))

    def drag(self, screen: str | None, start: Point, end: Point, *, after: str | None = None) -> None:
        """From one point to another."""
        self._add("mouse_drag", screen, after, pos=start, end_pos=end, button="left")

    def session(self) -> RecordedSession:
        """The recording so far."""
        return RecordedSession(
            session_id=self._session_id,
            environment=Environment(platform="test", screen=ScreenEnvironment(primary_resolution=SIZE)),
            user=UserRef(id="person"),
            started_at=MOMENT,
            events=tuple(self._events),
            screenshots=tuple(self._shots.values()),
        )

    def observe(self, session: RecordedSession, screenshot_id: str) -> ObservedScreen:
        """The understood screen of a screenshot, as learning asks for it."""
        del session
        return self._book[screenshot_id]

    def _add(self, kind: EventType, screen: str | None, after: str | None, **details: Any) -> None:
        for name in (screen, after):
            if name is not None and name not in self._shots:
                moment = MOMENT + timedelta(seconds=len(self._shots))
                self._shots[name] = Screenshot(
                    screenshot_id=name, relative_path=f"shots/{name}.png", captured_at=moment
                )
        seen = screen or next(reversed(self._shots), None)
        window = self._book[seen].state.window if seen is not None else WindowContext()
        self._events.append(
            Event(
                t=float(len(self._events)),
                type=kind,
                window=window,
                screenshot_id=screen,
                screenshot_after_id=after,
                **details,
            )
        )


def workflow_over(
    book: ScreenBook,
    nodes: Mapping[str, str],
    edges: Sequence[WorkflowEdge],
    *,
    workflow_id: str = "WF_by_hand",
    **fields: Any,
) -> Workflow:
    """A workflow whose nodes (id → name of a screen) are screens of the book; it begins and ends as its edges do."""
    ids = list(nodes)
    return Workflow(
        workflow_id=workflow_id,
        name=fields.pop("name", "By hand"),
        created_at=MOMENT,
        updated_at=MOMENT,
        entry_nodes=(edges[0].from_node if edges else ids[0],),
        end_nodes=(edges[-1].to_node if edges else ids[-1],),
        nodes=tuple(_node(book, workflow_id, node_id, name) for node_id, name in nodes.items()),
        edges=tuple(edges),
        **fields,
    )


def index_over(book: ScreenBook, nodes: Mapping[str, str], *, workflow_id: str = "WF_by_hand") -> FAISSManager:
    """The index of such a workflow."""
    index = FAISSManager(FaissIndex, workflow_id=workflow_id, space=book.embedder.space)
    for node_id, name in nodes.items():
        index.add_embedding(book[name].vector, {"workflow_id": workflow_id, "node_id": node_id})
    return index


def _node(book: ScreenBook, workflow_id: str, node_id: str, name: str) -> WorkflowNode:
    state = book[name].state
    return WorkflowNode(
        node_id=node_id,
        label=name,
        screen_template=ScreenTemplate(
            window=WindowConstraints(app_name_any_of=(state.window.app_name,)),
            stable_texts=tuple(naming_words(state)),
            title_words=tuple(sorted(title_words(state.window.title))),
            embedding_prototype=EmbeddingPrototype(
                vector_id=f"workflows/{workflow_id}/prototypes/{node_id}.npy",
                min_cosine_similarity=0.8,
                space=book.embedder.space,
            ),
        ),
        metadata={
            "has_dialog": front_of(state.ui_elements) is not None,
            **({DIALOG_SAYS: said} if any(said := dialog_says([state])) else {}),
        },
    )


class _DrawnReader(ScreenReader):
    """Recognises the pictures it was shown."""

    def __init__(self) -> None:
        self._known: dict[bytes, ScreenState] = {}

    def learn(self, pixels: Pixels, state: ScreenState) -> None:
        self._known[_key(pixels)] = state

    def read(
        self,
        frame_or_pixels: Frame | Pixels,
        *,
        window: WindowContext | None = None,
        screen_state_id: str,
        timestamp: datetime,
        screenshot_id: str | None = None,
        session_id: str | None = None,
        screenshot_path: str = "memory/screenshot.png",
        capture_method: str = "memory",
        file_size_bytes: int = 0,
        source: StateSource | None = None,
    ) -> ScreenState:
        del screenshot_id, screenshot_path, capture_method, file_size_bytes, source
        pixels = frame_or_pixels.pixels if isinstance(frame_or_pixels, Frame) else frame_or_pixels
        update: Mapping[str, object] = {"screen_state_id": screen_state_id, "timestamp": timestamp,
                                        "session_id": session_id}  # fmt: skip
        known = self._known.get(_key(pixels))
        if known is None:
            known = screen_state([], title=window.title if window else "", app_name=window.app_name if window else "")
        return known.model_copy(update=update)


def _key(pixels: Pixels) -> bytes:
    return cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_BGRA2BGR).tobytes()


def _item(item: AnyItem) -> Item:
    return item if isinstance(item, Item) else Item(*item)


def _visible(items: list[Item]) -> list[Item]:
    """What no later dialog covers."""
    kept: list[Item] = []
    for item in items:
        if item.type == "dialog":
            over = Box.of(item.bbox)
            kept = [other for other in kept if not over.contains(Box.of(other.bbox).center)]
        kept.append(item)
    return kept


def _element(index: int, item: Item, front: Box | None) -> UIElement:
    center = Box.of(item.bbox).center
    metadata: dict[str, JsonValue] = {"column_title": item.column_title} if item.column_title else {}
    if front is not None and not front.contains(center):
        metadata["behind_dialog"] = True
    return UIElement(
        element_id=f"{item.type}_{index}",
        type=item.type,
        role=item.role,
        bbox=item.bbox,
        center=center,
        label=item.label,
        label_confidence=0.99 if item.label else 0.0,
        confidence=0.9,
        stable_id=stable_id("app", "", item.role, item.label, item.bbox),
        state=ElementState(enabled=item.enabled) if item.enabled is not None else None,
        metadata=metadata,
    )


def _write(image: Pixels, text: str, at: Point) -> None:
    """OpenCV draws plain letters only; two texts that differ in accents alone look the same here too."""
    plain = folded(text).encode("ascii", "replace").decode()
    cv2.putText(image, plain, at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (_INK, _INK, _INK), 1, cv2.LINE_AA)


def moved(items: Iterable[AnyItem], dx: int = 0, dy: int = 0) -> list[Item]:
    """The same things elsewhere."""
    return [replace(one, bbox=Box.of(one.bbox).moved(dx, dy).bbox) for one in (_item(item) for item in items)]
