"""A workflow as people look at it: at a glance, as a graph to draw, version beside version."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rpa_vision.app.learned_with import LearnedWith
from rpa_vision.app.procedure import procedure_of
from rpa_vision.app.sentences import step_sentence
from rpa_vision.errors import UnknownIdError
from rpa_vision.learning.version_manifest import number_of, version_name
from rpa_vision.models.document import JsonObject
from rpa_vision.models.guidance import Language
from rpa_vision.models.workflow_graph import ANY_NODE, Workflow, WorkflowEdge, WorkflowNode
from rpa_vision.ports.run_index import RunFilter

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

_WEEK = timedelta(days=7)


def list_workflows(office: Office) -> JsonObject:
    """All workflows, how mature each is, in which state, and how its last week went."""
    office.runs.refresh()
    listing, now = office.data.workflows.list(), office.clock.now()
    states = {one["workflow_id"]: one for one in office.heal.manager.get_status_report()["workflows"]}
    return {
        "workflows": [
            {
                "workflow_id": one.workflow_id,
                "name": one.name,
                "description": one.description,
                "version": one.version,
                "learning_state": office.heal.learning.settle(one).state,
                "state": states.get(one.workflow_id, {}).get("current_state", "running"),
                "steps": len(one.edges),
                "screens": len(one.nodes),
                "variables": sorted(one.variables),
                "applications": list(one.applications),
                "updated_at": one.updated_at.isoformat(),
                "week": office.runs.count(RunFilter(workflow_id=one.workflow_id, since=now - _WEEK)),
                "picture": entry_picture(one),
            }
            for one in listing.items
        ],
        "unreadable": [asdict(bad) for bad in listing.unreadable],
    }


def graph(workflow: Workflow, language: Language = "en") -> JsonObject:
    """Nodes in the order in which they are reached, with the rank each is drawn in, and edges with what they do."""
    ranks, words = _ranks(workflow), sentences(workflow, language)
    return {
        "workflow_id": workflow.workflow_id,
        "nodes": [
            {
                "node_id": node.node_id,
                "label": node.label,
                "rank": ranks.get(node.node_id, 0),
                "is_entry": node.node_id in workflow.entry_nodes,
                "is_end": node.node_id in workflow.end_nodes,
                "is_error": node.is_error_node,
                "error_type": node.error_type,
                "texts": list(node.screen_template.stable_texts[:12]),
                "picture": node_picture(node),
                "samples": _samples(node),
            }
            for node in sorted(workflow.nodes, key=lambda one: ranks.get(one.node_id, 0))
        ],
        "edges": [_edge(edge, words[edge.edge_id]) for edge in workflow.edges],
    }


def node_picture(node: WorkflowNode) -> str | None:
    """The data-relative path of a picture of a screen, if one was kept."""
    prototype = node.screen_template.embedding_prototype
    return prototype.samples[0].image_path if prototype is not None and prototype.samples else None


def entry_picture(workflow: Workflow) -> str | None:
    """The node whose picture stands for a workflow."""
    nodes = [node for node in workflow.nodes if node.node_id in workflow.entry_nodes]
    return next((node.node_id for node in [*nodes, *workflow.nodes] if node_picture(node) is not None), None)


def picture_of(office: Office, workflow_id: str, name: str) -> bytes:
    """A picture that belongs to a workflow, by the id of its screen or of the step whose target it shows."""
    workflow = office.data.workflows.load(workflow_id)
    node, edge = workflow.get_node(name), workflow.get_edge(name)
    path = node_picture(node) if node is not None else _look(edge)
    if path is None:
        raise UnknownIdError(f"{workflow_id} keeps no picture of {name!r}", remedy="Learn it again to have one.")
    return office.data.pictures.load(path)


def steps_in_words(workflow: Workflow, language: Language) -> JsonObject:
    """The workflow as a procedure, line by line."""
    told = procedure_of(workflow, language)
    return {
        "title": told.title,
        "subtitle": told.subtitle,
        "needs": [asdict(need) for need in told.needs],
        "secrets": list(told.secrets),
        "steps": [_line(line) for line in told.steps],
        "errors": [_line(line) for line in told.errors],
        "problems": list(told.problems),
    }


def learned_with(office: Office, workflow: Workflow) -> JsonObject:
    """With whose eyes it was learned, beside those that would run it."""
    return LearnedWith(workflow, office.eyes()).to_json()


def sentences(workflow: Workflow, language: Language = "en") -> dict[str, str]:
    """What each step does, in words."""
    told = {line.edge.edge_id: line.text for line in procedure_of(workflow, language).steps if line.edge is not None}
    return {edge.edge_id: told.get(edge.edge_id) or step_sentence(edge, {}) for edge in workflow.edges}


def version_document(office: Office, workflow_id: str, version: str) -> Workflow:
    """The workflow as it was in one version."""
    name = version_name(number_of(version))
    known = {one.version_id for one in office.heal.versions.list_versions(workflow_id)}
    if name not in known:
        raise UnknownIdError(f"{workflow_id} has no version {name}", remedy="List its versions.")
    return office.heal.versions.workflow_of(workflow_id, name)


def compare_versions(office: Office, workflow_id: str, one: str, other: str) -> JsonObject:
    """What another version says differently: steps added, gone and changed, field by field."""
    before, after = version_document(office, workflow_id, one), version_document(office, workflow_id, other)
    return {"workflow_id": workflow_id, "from": one, "to": other, **differences(before, after)}


def differences(before: Workflow, after: Workflow) -> JsonObject:
    """Steps, screens, variables and rules that two documents have differently."""
    told: JsonObject = {}
    for what, old, new in (
        ("steps", _by_id(before.edges, "edge_id"), _by_id(after.edges, "edge_id")),
        ("screens", _by_id(before.nodes, "node_id"), _by_id(after.nodes, "node_id")),
        ("variables", _dumped(before.variables), _dumped(after.variables)),
        ("rules", _rules(before), _rules(after)),
    ):
        told[what] = {
            "added": sorted(new.keys() - old.keys()),
            "gone": sorted(old.keys() - new.keys()),
            "changed": [
                {"id": key, "fields": fields}
                for key in sorted(old.keys() & new.keys())
                if (fields := _fields(old[key], new[key]))
            ],
        }
    told["same"] = not any(part[key] for part in told.values() for key in ("added", "gone", "changed"))
    return told


def _by_id(parts: Any, key: str) -> dict[str, JsonObject]:
    found = {getattr(part, key): part.model_dump(mode="json") for part in parts}
    for document in found.values():
        document.pop("stats", None)
    return found


def _dumped(parts: Any) -> dict[str, JsonObject]:
    return {name: part.model_dump(mode="json") for name, part in parts.items()}


def _rules(workflow: Workflow) -> dict[str, JsonObject]:
    """What is said of the whole: its name, and what is never done."""
    about = {"name": workflow.name, "description": workflow.description}
    return {"workflow": about, "safety": workflow.safety_rules.model_dump(mode="json")}


def _fields(old: Any, new: Any, where: str = "") -> list[JsonObject]:
    """The leaves that differ, by their path."""
    if isinstance(old, dict) and isinstance(new, dict):
        found: list[JsonObject] = []
        for key in [*old, *(key for key in new if key not in old)]:
            found += _fields(old.get(key), new.get(key), f"{where}.{key}" if where else key)
        return found
    return [] if old == new else [{"field": where, "before": old, "after": new}]


def _edge(edge: WorkflowEdge, sentence: str) -> JsonObject:
    action = edge.action
    return {
        "edge_id": edge.edge_id,
        "from_node": edge.from_node,
        "to_node": edge.to_node,
        "action": action.type if action is not None else None,
        "sentence": sentence,
        "target": action.target.model_dump(mode="json", exclude_none=True)
        if action is not None and action.target is not None
        else None,
        "has_picture": _look(edge) is not None,
        "condition": edge.condition.expression if edge.condition is not None else None,
        "has_question": edge.condition is not None and edge.condition.question is not None,
        "loop": edge.loop.iterator if edge.loop is not None else None,
        "expects": list(edge.post_conditions.conditions) if edge.post_conditions is not None else [],
        "is_recovery": edge.from_node == ANY_NODE or edge.trigger is not None,
        "stats": edge.stats.model_dump(mode="json"),
    }


def _look(edge: WorkflowEdge | None) -> str | None:
    target = edge.action.target if edge is not None and edge.action is not None else None
    return target.look.image_path if target is not None and target.look is not None else None


def _samples(node: WorkflowNode) -> int:
    prototype = node.screen_template.embedding_prototype
    return prototype.sample_count if prototype is not None else 0


def _line(line: Any) -> JsonObject:
    return {
        "depth": line.depth,
        "text": line.text,
        "number": line.number,
        "edge_id": line.edge.edge_id if line.edge is not None else None,
        "node_id": line.edge.from_node if line.edge is not None else None,
        "screen": line.screen,
        "expects": list(line.expects),
    }


def _ranks(workflow: Workflow) -> dict[str, int]:
    """How many steps from the beginning a screen is first reached; what nothing leads to comes last."""
    ranks = dict.fromkeys(workflow.entry_nodes, 0)
    waiting = list(workflow.entry_nodes)
    while waiting:
        here = waiting.pop(0)
        for edge in workflow.get_outgoing_edges(here):
            if edge.to_node not in ranks:
                ranks[edge.to_node] = ranks[here] + 1
                waiting.append(edge.to_node)
    last = max(ranks.values(), default=0) + 1
    for node in workflow.nodes:
        ranks.setdefault(node.node_id, last)
    return ranks


def require_workflow(office: Office, workflow_id: str) -> Workflow:
    """A workflow by its id alone: the API does not guess names."""
    found = office.data.workflows.load(workflow_id)
    if found.workflow_id != workflow_id:
        raise UnknownIdError(f"there is no workflow {workflow_id!r}", remedy="List the workflows.")
    return found
