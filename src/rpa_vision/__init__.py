"""RPA Vision: watches a person work, learns the workflow by vision, and does it alone, safely.

The public API. Names are loaded when they are asked for, so that importing the package costs nothing. Classes that need
adapters are those of `rpa_vision.app.public`: built as the design writes them, with the default ones.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "ActionExecutor": "rpa_vision.execution.action_executor",
    "AutoHealManager": "rpa_vision.app.public",
    "AutoHealPolicy": "rpa_vision.models.policy",
    "CircuitBreaker": "rpa_vision.app.public",
    "ElementEmbedder": "rpa_vision.embedding.element_embedder",
    "ExecutionLoop": "rpa_vision.execution.execution_loop",
    "ExecutionResult": "rpa_vision.models.execution",
    "ExecutionState": "rpa_vision.models.auto_heal",
    "ExecutionStateInfo": "rpa_vision.models.auto_heal",
    "ExecutionStatus": "rpa_vision.models.execution",
    "FAISSManager": "rpa_vision.app.public",
    "FailureEvent": "rpa_vision.models.auto_heal",
    "FailureKind": "rpa_vision.models.execution",
    "FailureWindow": "rpa_vision.app.public",
    "FusionEngine": "rpa_vision.embedding.fusion_engine",
    "GraphBuilder": "rpa_vision.graph.graph_builder",
    "HealingProfile": "rpa_vision.execution.healing_profile",
    "LearningManager": "rpa_vision.app.public",
    "NodeMatcher": "rpa_vision.graph.node_matcher",
    "RawSession": "rpa_vision.models.raw_session",
    "RecordedSession": "rpa_vision.models.raw_session",
    "RpaVisionError": "rpa_vision.errors",
    "ScreenState": "rpa_vision.models.screen_state",
    "StateEmbedding": "rpa_vision.models.state_embedding",
    "TargetResolver": "rpa_vision.execution.target_resolver",
    "TargetSpec": "rpa_vision.models.target",
    "UIDetector": "rpa_vision.app.public",
    "UIElement": "rpa_vision.models.ui_element",
    "VersionInfo": "rpa_vision.models.auto_heal",
    "VersionedStore": "rpa_vision.app.public",
    "Workflow": "rpa_vision.models.workflow_graph",
    "WorkflowEdge": "rpa_vision.models.workflow_graph",
    "WorkflowNode": "rpa_vision.models.workflow_graph",
    "open_data": "rpa_vision.app.wiring:data_directory",
    "open_desktop": "rpa_vision.app.wiring:desktop",
    "virtual_desktop": "rpa_vision.app.wiring:virtual_desktop",
}
"""Public name → where it lives, with its name there where that is another."""

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, inner = home.partition(":")
    return getattr(import_module(module), inner or name)


def __dir__() -> list[str]:
    return __all__
