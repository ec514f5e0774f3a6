"""The form in a real browser on a virtual desktop, and the workflow that one look at it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import numpy as np

from rpa_vision.app import wiring
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.demo.browser import launch_browser
from rpa_vision.demo.replay.page import DEEDS, Deed, FormServer
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.sight import Sight
from rpa_vision.graph.targets import target_on
from rpa_vision.graph.vocabulary import letters, stable_texts
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import RunReport
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import FIELD_TYPES, UIElement
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import title_words
from rpa_vision.models.workflow_graph import (
    EmbeddingPrototype,
    PostConditions,
    ScreenTemplate,
    WindowConstraints,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.ports.desktop import Desktop

WORKFLOW_ID = "WF_replay"
_OPEN_S = 60.0
_POLL_S = 0.2


class ReplayFailedError(RpaVisionError):
    """The form is not what it should be, so nothing was replayed."""

    code = "demo.replay_failed"
    default_remedy = "Look at the screen of the form; `rpa-vision doctor` checks fonts and browser."


@dataclass(frozen=True, slots=True)
class ReplayOffice:
    """Everything on one desktop."""

    env: Mapping[str, str]
    server: FormServer
    folder: Path
    data_path: Path
    observer: ScreenObserver

    @contextmanager
    def page(self, **rename: str) -> Iterator[ObservedScreen]:
        """A fresh form in a window of its own, looked at once it is there."""
        url = self.server.url(**{quote(old): quote(new) for old, new in rename.items()})
        profile = self.folder / f"browser_{sum(1 for _ in self.folder.iterdir())}"
        with launch_browser(url, profile_dir=profile, env=self.env, size=(1800, 960)):
            yield self.wait_for(_shows_form)

    def wait_for(self, holds: Callable[[ObservedScreen], bool]) -> ObservedScreen:
        """Look until the screen is as wanted."""
        desktop, clock = wiring.desktop(self.env["DISPLAY"]), wiring.clock()
        try:
            sight = Sight(desktop.eyes, self.observer, clock, wiring.ids())
            until = clock.monotonic() + _OPEN_S
            while clock.monotonic() < until:
                screen = sight.look()
                if holds(screen):
                    return screen
                clock.sleep(_POLL_S)
        finally:
            desktop.close()
        raise ReplayFailedError("the form did not come up")

    def learn(self, screen: ObservedScreen, deeds: Sequence[Deed] = DEEDS) -> Workflow:
        """The workflow that does these things, described from one look at the form."""
        data = wiring.data_directory(self.data_path)
        vector_id = f"workflows/{WORKFLOW_ID}/prototypes/form.npy"
        vector = np.asarray(screen.vector, np.float32)
        data.vectors.save(vector_id, vector / np.float32(np.linalg.norm(vector)))
        prototype = EmbeddingPrototype(
            vector_id=vector_id, min_cosine_similarity=0.8, space=self.observer.embedder.space
        )
        window = screen.state.window
        template = ScreenTemplate(
            window=WindowConstraints(app_name_any_of=(window.app_name,)),
            stable_texts=stable_texts([screen], [{}]),
            title_words=tuple(sorted(title_words(window.title))),
            embedding_prototype=prototype,
        )
        now = wiring.clock().now()
        workflow = Workflow(
            workflow_id=WORKFLOW_ID,
            name="Replay",
            created_at=now,
            updated_at=now,
            entry_nodes=("form",),
            end_nodes=("form",),
            nodes=(WorkflowNode(node_id="form", label="form", screen_template=template),),
            edges=tuple(_edge(number, deed, screen, len(deeds)) for number, deed in enumerate(deeds, start=1)),
        )
        with auto_heal(data, quiet=True) as heal:
            heal.versions.update(
                WORKFLOW_ID,
                lambda number: data.workflows.save(workflow.model_copy(update={"version": number})),
                reason="one look at the form",
            )
        return data.workflows.load(WORKFLOW_ID)

    def run(self, workflow: Workflow, hooks: RunHooks | None = None) -> RunReport:
        """Let the robot do it, under the real supervisor."""
        data = wiring.data_directory(self.data_path)
        desktop = wiring.desktop(self.env["DISPLAY"])
        try:
            with auto_heal(data, quiet=True) as heal:
                return run_on(self, heal, desktop, workflow, hooks)
        finally:
            desktop.close()


def run_on(
    office: ReplayOffice, heal: AutoHeal, desktop: Desktop, workflow: Workflow, hooks: RunHooks | None
) -> RunReport:
    """A run with the office's own eyes."""
    data = wiring.data_directory(office.data_path)
    tools = wiring.run_tools(data, desktop, workflow, heal, office.observer)
    request = RunRequest(workflow, {}, "auto", "a replay", 20.0)
    return run_workflow(request, replace(tools, secrets={}), hooks)[0]


@contextmanager
def open_office(folder: Path) -> Iterator[ReplayOffice]:
    """A virtual desktop with nothing on it yet."""
    pages = folder / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    with wiring.virtual_desktop() as virtual, FormServer() as server:
        yield ReplayOffice(virtual.env, server, pages, folder / "data", wiring.screen_observer())


def _edge(number: int, deed: Deed, screen: ObservedScreen, count: int) -> WorkflowEdge:
    element = _element(deed, screen)
    target = target_on(screen, Box.of(element.bbox)).model_copy(
        update={"label": literal(deed.label), "type": element.type, "role": element.role}
    )
    if deed.kind == "text_input":
        parameters = ActionParameters(text=literal(deed.text), replace_existing=True)
        action = Action(type="text_input", target=target, parameters=parameters)
        conditions: tuple[str, ...] = (f"field_contains:{literal(deed.text)}",)
    else:
        action = Action(type="mouse_click", target=target)
        conditions = (f"text_appears:{literal(deed.shows)}",) if deed.shows else ("target_changed",)
    return WorkflowEdge(
        edge_id=f"E{number}",
        from_node="form",
        to_node="form",
        action=action,
        post_conditions=PostConditions(timeout_seconds=8.0, conditions=conditions),
        next_edge=f"E{number + 1}" if number < count else "END",
    )


def _element(deed: Deed, screen: ObservedScreen) -> UIElement:
    """What bears the label, as the robot's own eyes see it."""
    found = [one for one in screen.state.ui_elements if letters(one.label) == letters(deed.label)]
    of_kind = [one for one in found if one.type == deed.kind] or [one for one in found if one.type != "label"]
    if not of_kind:
        seen = ", ".join(sorted({one.type for one in found})) or "nothing"
        raise ReplayFailedError(f"the {deed.kind} « {deed.label} » is not seen on the form (but {seen})")
    return of_kind[0]


def _shows_form(screen: ObservedScreen) -> bool:
    """The form itself: the bar of its window says its name before anything is drawn in it."""
    return _says(screen, "Dossier patient") and any(one.type in FIELD_TYPES for one in screen.state.ui_elements)


def _says(screen: ObservedScreen, text: str) -> bool:
    return any(letters(text) == letters(line.text) for line in screen.state.perception.text_lines)
