"""The clinic's accounting pages on a real virtual desktop, and a workflow written by hand over its real screens."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
from Xlib import display as xdisplay

from rpa_vision.adapters.storage.data_directory import FileDataDirectory
from rpa_vision.app import wiring
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.wiring_auto_heal import AutoHeal, auto_heal
from rpa_vision.demo.browser import launch_browser
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD, DEMO_USER
from rpa_vision.demo.person.events import XTestSink
from rpa_vision.demo.person.eyes import Eyes
from rpa_vision.demo.person.hands import Hands
from rpa_vision.demo.person.keyboard import Keyboard
from rpa_vision.demo.person.pace import Pace
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click, log_in_if_asked, sit_down
from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.execution.sight import Sight
from rpa_vision.graph.vocabulary import stable_texts
from rpa_vision.models.execution import RunReport
from rpa_vision.models.wording import title_words
from rpa_vision.models.workflow_graph import (
    EmbeddingPrototype,
    ScreenTemplate,
    WindowConstraints,
    Workflow,
    WorkflowNode,
)

SEED = 11
SECRET = "clinic_password"


@dataclass
class AccountsOffice:
    """A desktop with the clinic on it, somebody who can show pages, and a robot."""

    env: Mapping[str, str]
    clinic: ClinicServer
    colleague: Assignment
    observer: ScreenObserver
    data: FileDataDirectory
    heal: AutoHeal
    _seen: dict[str, list[ObservedScreen]] = field(default_factory=dict)

    def go_to(self, *names: str) -> None:
        """Click through the pages as a person would."""
        for name in names:
            before = self.colleague.eyes.look()
            click(self.colleague, name)
            self.colleague.eyes.wait_for_page_after(before, f"a page after {name}")

    def sign_in(self) -> None:
        log_in_if_asked(self.colleague)

    def show(self, node_id: str) -> None:
        """Remember what the desktop shows now as a screen of a node."""
        desktop = wiring.desktop(self.env["DISPLAY"])
        try:
            screen = Sight(desktop.eyes, self.observer, wiring.clock(), wiring.ids()).look()
        finally:
            desktop.close()
        self._seen.setdefault(node_id, []).append(screen)

    def node(self, workflow_id: str, node_id: str, **fields: Any) -> WorkflowNode:
        """A node as learning would make it of the screens shown."""
        screens = self._seen[node_id]
        mean = np.mean([screen.vector for screen in screens], axis=0).astype(np.float32)
        vector_id = f"workflows/{workflow_id}/prototypes/{node_id}.npy"
        self.data.vectors.save(vector_id, mean / np.linalg.norm(mean))
        titles = reduce(frozenset.__and__, (title_words(screen.state.window.title) for screen in screens))
        return WorkflowNode(
            node_id=node_id,
            label=node_id,
            screen_template=ScreenTemplate(
                window=WindowConstraints(app_name_any_of=(screens[0].state.window.app_name,)),
                stable_texts=stable_texts(screens, [{} for _ in screens]),
                title_words=tuple(sorted(titles)),
                embedding_prototype=EmbeddingPrototype(
                    vector_id=vector_id,
                    min_cosine_similarity=0.8,
                    sample_count=len(screens),
                    space=self.observer.embedder.space,
                ),
            ),
            metadata={"has_dialog": front_of(screens[0].state.ui_elements) is not None},
            **fields,
        )

    def run(
        self,
        workflow: Workflow,
        parameters: Mapping[str, str] | None = None,
        hooks: RunHooks | None = None,
        secrets: Mapping[str, str] | None = None,
    ) -> RunReport:
        """Let the robot do it, alone, under the real supervisor."""
        desktop = wiring.desktop(self.env["DISPLAY"])
        try:
            tools = wiring.run_tools(self.data, desktop, workflow, self.heal, self.observer)
            tools = replace(tools, secrets=secrets or {})
            request = RunRequest(workflow, dict(parameters or {}), "auto", "an integration test", 20.0)
            return run_workflow(request, tools, hooks)[0]
        finally:
            desktop.close()

    def statuses(self, table: str) -> dict[str, str]:
        """Number → status, as the clinic's own data has it."""
        return {entry["number"]: entry["status"] for entry in self.clinic.truth()[table]}


@contextmanager
def open_accounts(folder: Path) -> Iterator[AccountsOffice]:
    """Open everything and sign in."""
    with ExitStack() as stack:
        env = stack.enter_context(wiring.virtual_desktop()).env
        clinic = stack.enter_context(ClinicServer(seed=SEED, accounts=True))
        stack.enter_context(launch_browser(clinic.url, profile_dir=folder / "browser", env=env))
        display = xdisplay.Display(env["DISPLAY"])
        stack.callback(display.close)
        data = wiring.data_directory(folder / "data")
        data.claim()
        heal = stack.enter_context(auto_heal(data, quiet=True))
        office = AccountsOffice(env, clinic, _colleague(display, clinic.url), wiring.screen_observer(), data, heal)
        sit_down(office.colleague)
        office.sign_in()
        yield office


def _colleague(display: xdisplay.Display, url: str) -> Assignment:
    pace, pointer = Pace(4.0), display.screen().root.query_pointer()
    hands = Hands(
        XTestSink(display, None),
        Keyboard(display, pace),
        pace,
        random.Random(SEED),
        at=(pointer.root_x, pointer.root_y),
    )
    eyes = Eyes(url, pace, timeout_s=60.0)
    return Assignment(display=display, hands=hands, pace=pace, eyes=eyes, user=DEMO_USER, password=DEMO_PASSWORD)
