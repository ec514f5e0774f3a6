"""Runs the command line as scripts do, in a process of its own, and makes what it works on."""

from __future__ import annotations

import json
import multiprocessing
import os
import pkgutil
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from rpa_vision import app
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import VariableSource
from rpa_vision.models.workflow_graph import ScreenTemplate, Workflow, WorkflowEdge, WorkflowNode

WORKFLOW_ID = "WF_validation"
NAME = "Validation facture"
GOOD_VALUE = "FAC-2026-0042"
_PATIENCE_S = 120.0
_COMMANDS = multiprocessing.get_context("forkserver")
"""A process for each command, as scripts have it, forked from one that has already imported what commands import."""
_COMMANDS.set_forkserver_preload(
    ["rpa_vision.cli.main", *(f"rpa_vision.app.{module.name}" for module in pkgutil.iter_modules(app.__path__))]
)


@dataclass(frozen=True)
class Ended:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The last line of its output."""
        return json.loads(self.out.splitlines()[-1])

    @property
    def cause(self) -> str:
        """The one line of cause; fails unless there are exactly two lines, cause and remedy."""
        lines = self.err.splitlines()
        assert len(lines) == 2, self.err
        assert lines[0].startswith("error: "), self.err
        assert lines[1].startswith("  do: "), self.err
        assert len(lines[1]) > len("  do: ")
        return lines[0].removeprefix("error: ")

    @property
    def remedy(self) -> str:
        return self.err.splitlines()[1].removeprefix("  do: ")


def rpa_vision(*arguments: object, max_file_bytes: int | None = None, **environment: str) -> Ended:
    """Run `rpa-vision` without a display, unless the environment given says otherwise."""
    kept = {
        name: value for name, value in os.environ.items() if name != "DISPLAY" and not name.startswith("RPA_VISION_")
    }
    (out, its_out), (err, its_err) = _COMMANDS.Pipe(duplex=False), _COMMANDS.Pipe(duplex=False)
    command = _COMMANDS.Process(
        target=_in_its_own_process,
        args=([*map(str, arguments)], kept | {"COLUMNS": "200"} | environment, its_out, its_err, max_file_bytes),
    )
    command.start()
    its_out.close()
    its_err.close()
    with ThreadPoolExecutor(2) as readers:
        said, told = readers.submit(_all_of, out), readers.submit(_all_of, err)
        command.join(_PATIENCE_S)
        if command.exitcode is None:
            command.kill()
            command.join()
    assert command.exitcode is not None
    return Ended(command.exitcode, said.result(), told.result())


def _all_of(pipe: Connection) -> str:
    with pipe, open(pipe.fileno(), encoding="utf-8", closefd=False) as text:
        return text.read()


def _in_its_own_process(
    arguments: list[str], environment: dict[str, str], out: Connection, err: Connection, max_file_bytes: int | None
) -> None:
    from rpa_vision.cli.main import main

    for descriptor, other in enumerate((os.open(os.devnull, os.O_RDONLY), out.fileno(), err.fileno())):
        os.dup2(other, descriptor)
    out.close()
    err.close()
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["rpa-vision", *arguments]
    if max_file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_bytes, max_file_bytes))
    main()


def make_data(root: Path) -> FileDataDirectory:
    """A data directory with one small workflow: click on the invoice that the variable names."""
    data = FileDataDirectory(root, clock=SystemClock())
    data.workflows.save(small_workflow())
    return data


def small_workflow(workflow_id: str = WORKFLOW_ID, name: str = NAME) -> Workflow:
    """Two screens, one click, one variable."""
    moment = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    examples = ["FAC-2026-0001", "FAC-2026-0002", "FAC-2026-0003"]
    target = TargetSpec(type="link", label="${identifier}")
    return Workflow(
        workflow_id=workflow_id,
        name=name,
        created_at=moment,
        updated_at=moment,
        variables={"identifier": infer_variable(examples, VariableSource(method="parameter"))},
        entry_nodes=("list",),
        end_nodes=("detail",),
        nodes=(
            WorkflowNode(node_id="list", label="Factures", screen_template=ScreenTemplate()),
            WorkflowNode(node_id="detail", label="Facture", screen_template=ScreenTemplate()),
        ),
        edges=(
            WorkflowEdge(
                edge_id="open", from_node="list", to_node="detail", action=Action(type="mouse_click", target=target)
            ),
        ),
    )


def contents(root: Path) -> dict[str, bytes]:
    """Every file below a folder, to see that nothing was lost or left behind."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
