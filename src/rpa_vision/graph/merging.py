"""Refine a workflow by new demonstrations when what it was learned from is no longer there, or people edited it.

Where all recordings are at hand, learning from all of them is better, and that is done. Otherwise the steps of both are
laid beside each other by what they do. The workflow that is there stays what it is, its forks, loops and edits too;
what was shown again makes it surer: prototypes become the mean over all screens seen, texts that were missing once are
no longer expected always, examples and counts add up. Demonstrations with steps it does not have, or that do something
else at one it has (`graph.same_step`), or go another way than its rules say (`graph.known_rules`), are not mixed in by
guessing: that is a LearningError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

import numpy as np

from rpa_vision.embedding.spaces import require_same_space, unit
from rpa_vision.errors import LearningError
from rpa_vision.graph.dialog_words import DIALOG_SAYS, united
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.graph.known_rules import broken_filters, broken_rules
from rpa_vision.graph.plan import in_order
from rpa_vision.graph.same_step import contradictions, is_the_step
from rpa_vision.graph.samples import MAX_SAMPLES
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.models.perception import Perception
from rpa_vision.models.variables import Variable, VariableValidation, VariableValue
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import (
    EdgeStats,
    EmbeddingPrototype,
    ScreenSample,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.ports.perception import Vector

_MAX_OCCASIONAL: Final = 200
_MAX_EXAMPLES: Final = 50
_MAX_LAYOUTS: Final = 64
_ONLY_A_VARIABLE: Final = re.compile(r"\$\{(\w+)\}")


def merged(existing: Workflow, learned: LearnedWorkflow, prototypes: Mapping[str, Vector]) -> LearnedWorkflow:
    """The existing workflow, refined by what was learned now; `prototypes` are its vectors by node."""
    pairs = _aligned(existing, learned.workflow)
    names = _variable_names(pairs, existing)
    broken = chain(broken_rules(existing, pairs, names, learned.cases), broken_filters(pairs, learned.rows))
    for edge, is_said, was_shown in broken:
        raise _contradicted(edge, is_said, was_shown, existing)
    partners = _partners(existing, learned.workflow, pairs)
    vectors: dict[str, Vector] = {}
    nodes = tuple(
        _node(node, partners.get(node.node_id), learned, prototypes, vectors, existing.workflow_id)
        for node in existing.nodes
    )
    again = {old.edge_id: new for old, new in pairs}
    edges = tuple(_edge(edge, again.get(edge.edge_id)) for edge in existing.edges)
    used = {sample.image_path for node in nodes for sample in _samples(node.screen_template.embedding_prototype)}
    stats = existing.stats.model_copy(update={"observed_runs": existing.stats.observed_runs + learned.repetitions})
    workflow = existing.model_copy(
        update={
            "version": learned.workflow.version,
            "updated_at": max(existing.updated_at, learned.workflow.updated_at),
            "nodes": nodes,
            "edges": edges,
            "variables": merged_variables(existing.variables, learned.workflow.variables, names),
            "stats": stats,
            "learned_with": _learned_with(existing, learned.workflow),
            "metadata": {**existing.metadata, "sessions": _sessions(existing, learned.workflow)},
        }
    )
    samples = {path: name for path, name in learned.samples.items() if path in used}
    return replace(learned, workflow=workflow, vectors=vectors, pictures={}, samples=samples)


def _aligned(existing: Workflow, learned: Workflow) -> list[tuple[WorkflowEdge, WorkflowEdge]]:
    """Each newly shown step with the existing one it is. Both come in order; existing ones may be left out (forks).

    Of steps that a new one may be, it is the one that does what was shown; where none does, that is an error.
    """
    old, new = in_order(existing), in_order(learned)
    rows, columns = len(new), len(old)
    worth = np.array([[_worth(one, other) for one in old] for other in new], int).reshape(rows, columns)
    best = np.zeros((rows + 1, columns + 1), int)
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            taken = best[row + 1, column + 1] + worth[row, column] if worth[row, column] else 0
            best[row, column] = max(taken, best[row + 1, column], best[row, column + 1])
    pairs: list[tuple[WorkflowEdge, WorkflowEdge]] = []
    row = column = 0
    while row < rows and column < columns:
        if worth[row, column] and best[row, column] == best[row + 1, column + 1] + worth[row, column]:
            pairs.append((old[column], new[row]))
            row, column = row + 1, column + 1
        elif best[row, column] == best[row, column + 1]:
            column += 1
        else:
            raise _strange(new[row], existing)
    if row < rows:
        raise _strange(new[row], existing)
    for one, other in pairs:
        for is_said, was_shown in contradictions(one, other):
            raise _contradicted(one, is_said, was_shown, existing)
    return pairs


_THE_STEP: Final = 1000
"""More steps paired count more than any number that do just what was shown."""


def _worth(old: WorkflowEdge, new: WorkflowEdge) -> int:
    if not is_the_step(old, new):
        return 0
    return _THE_STEP + (next(contradictions(old, new), None) is None)


def _strange(edge: WorkflowEdge, existing: Workflow) -> LearningError:
    return LearningError(
        f"the demonstrations show a step that {existing.workflow_id} does not have: {_what(edge)}",
        remedy="Its recordings are gone or it was edited, so it cannot be learned from all of them. "
        "Learn it under another name, or anew with --anew.",
    )


def _contradicted(edge: WorkflowEdge, is_said: str, was_shown: str, existing: Workflow) -> LearningError:
    return LearningError(
        f"the demonstrations contradict {existing.workflow_id} at step {edge.edge_id} ({_what(edge)}): "
        f"it says {is_said}, and {was_shown} was shown",
        remedy="Its recordings are gone or it was edited, so nobody can tell which is meant. Change the step if it is "
        "wrong; otherwise learn what was shown under another name, or anew with --anew.",
    )


def _what(edge: WorkflowEdge) -> str:
    label = edge.action.target.label if edge.action is not None and edge.action.target is not None else None
    return f"{edge.action.type if edge.action is not None else 'a step'}{f' on « {label} »' if label else ''}"


def _variable_names(pairs: Sequence[tuple[WorkflowEdge, WorkflowEdge]], existing: Workflow) -> dict[str, str]:
    """What the new workflow calls a variable, by what the existing one calls it. One value cannot have become two."""
    names: dict[str, str] = {}
    for old, new in pairs:
        for one, other in zip(_templates(old), _templates(new), strict=True):
            mine, theirs = _ONLY_A_VARIABLE.fullmatch(one), _ONLY_A_VARIABLE.fullmatch(other)
            if mine is None or theirs is None:
                continue
            if names.setdefault(mine[1], theirs[1]) != theirs[1]:
                raise _contradicted(old, f"the same « {one} » as before", "another value", existing)
    for old, new in pairs:  # the texts of a row come in no order
        for one, other in zip(_rows(old), _rows(new), strict=False):
            mine, theirs = _ONLY_A_VARIABLE.fullmatch(one), _ONLY_A_VARIABLE.fullmatch(other)
            if mine is not None and theirs is not None:
                names.setdefault(mine[1], theirs[1])
    return names


def _templates(edge: WorkflowEdge) -> tuple[str, str]:
    action = edge.action
    if action is None:
        return ("", "")
    return (action.parameters.text or "", (action.target.label if action.target is not None else None) or "")


def _rows(edge: WorkflowEdge) -> tuple[str, ...]:
    return edge.action.target.row_contains if edge.action is not None and edge.action.target is not None else ()


def _partners(
    existing: Workflow, learned: Workflow, pairs: Sequence[tuple[WorkflowEdge, WorkflowEdge]]
) -> dict[str, list[WorkflowNode]]:
    """The newly seen nodes that are an existing one, because the same steps begin and end on them."""
    known = {node.node_id for node in existing.nodes}
    found: dict[str, dict[str, WorkflowNode]] = {}
    for old, new in pairs:
        for one, other in ((old.from_node, new.from_node), (old.to_node, new.to_node)):
            node = learned.get_node(other)
            if one in known and node is not None:
                found.setdefault(one, {})[other] = node
    return {one: list(nodes.values()) for one, nodes in found.items()}


def _node(
    node: WorkflowNode,
    partners: list[WorkflowNode] | None,
    learned: LearnedWorkflow,
    prototypes: Mapping[str, Vector],
    vectors: dict[str, Vector],
    workflow_id: str,
) -> WorkflowNode:
    old = node.screen_template.embedding_prototype
    if not partners or old is None:
        return node
    template = node.screen_template
    total = prototypes[node.node_id].astype(np.float64) * old.sample_count
    count, least, samples = old.sample_count, old.min_cosine_similarity, list(old.samples)
    for partner in partners:
        new = partner.screen_template.embedding_prototype
        template = _template(template, partner.screen_template)
        if new is None:
            continue
        require_same_space(old.space_id, new.space_id)
        total += learned.vectors[new.vector_id].astype(np.float64) * new.sample_count
        count += new.sample_count
        least = min(least, new.min_cosine_similarity)
        samples += new.samples
    vector_id = f"workflows/{workflow_id}/prototypes/{node.node_id}_v{learned.workflow.version:03d}.npy"
    vectors[vector_id] = unit(total)
    # The oldest and the newest: what the screen was, and what it is now.
    kept = samples if len(samples) <= MAX_SAMPLES else [*samples[: MAX_SAMPLES // 2], *samples[-(MAX_SAMPLES // 2) :]]
    changes = {"vector_id": vector_id, "sample_count": count, "min_cosine_similarity": least, "samples": tuple(kept)}
    prototype = old.model_copy(update=changes)
    metadata = {**node.metadata, "observation_count": count}
    if any(partner.metadata.get("has_dialog") for partner in partners):
        metadata["has_dialog"] = True
        metadata[DIALOG_SAYS] = united(one.metadata.get(DIALOG_SAYS) for one in (node, *partners))
    return node.model_copy(
        update={"screen_template": template.model_copy(update={"embedding_prototype": prototype}), "metadata": metadata}
    )


def _template(old: ScreenTemplate, new: ScreenTemplate) -> ScreenTemplate:
    """What both saw always is expected always; what one of them saw, now and then."""
    always = {folded(text) for text in new.stable_texts}
    stable = tuple(text for text in old.stable_texts if folded(text) in always)
    firm = {folded(text) for text in stable}
    once = [folded(text) for text in (*old.stable_texts, *new.stable_texts)]
    sometimes = dict.fromkeys(
        text for text in (*old.occasional_texts, *new.occasional_texts, *once) if folded(text) not in firm
    )
    apps = tuple(sorted({*old.window.app_name_any_of, *new.window.app_name_any_of}))
    both = old.window.app_name_any_of and new.window.app_name_any_of
    return old.model_copy(
        update={
            "window": old.window.model_copy(update={"app_name_any_of": apps if both else ()}),
            "stable_texts": stable,
            "occasional_texts": tuple(sometimes)[:_MAX_OCCASIONAL],
            "title_words": tuple(word for word in old.title_words if word in new.title_words),
            "layout_hashes": tuple(dict.fromkeys((*old.layout_hashes, *new.layout_hashes)))[:_MAX_LAYOUTS],
        }
    )


def _edge(edge: WorkflowEdge, again: WorkflowEdge | None) -> WorkflowEdge:
    if again is None:
        return edge
    old, new = edge.stats, again.stats
    stats = EdgeStats(
        manual_executions=old.manual_executions + new.manual_executions,
        assist_executions=old.assist_executions,
        auto_executions=old.auto_executions,
        success_count=old.success_count + new.success_count,
        failure_count=old.failure_count,
        consecutive_failures=old.consecutive_failures,
        avg_execution_time_ms=old.avg_execution_time_ms,
    )
    return edge.model_copy(update={"stats": stats})


def merged_variables(
    existing: Mapping[str, Variable], learned: Mapping[str, Variable], names: Mapping[str, str]
) -> dict[str, Variable]:
    """The variables with all examples seen; what a value must look like is inferred from all of them where it was.

    What a person set stays as it is, and of a secret there are no examples.
    """
    found: dict[str, Variable] = {}
    for name, variable in existing.items():
        new = learned.get(names.get(name, name))
        if new is None or not new.example_values or variable.subtype == "secret":
            found[name] = variable
            continue
        examples = tuple(dict.fromkeys((*variable.example_values, *new.example_values)))[:_MAX_EXAMPLES]
        changes: dict[str, Any] = {"example_values": examples}
        if _is_choice_of_examples(variable):
            changes |= _choices(variable, new)
        elif _as_inferred(variable):
            inferred = infer_variable([str(one) for one in examples], variable.source)
            changes = {field: getattr(inferred, field) for field in ("example_values", *_INFERRED)}
        found[name] = variable.model_copy(update=changes)
    return found


_INFERRED = ("type", "subtype", "validation")


def _as_inferred(variable: Variable) -> bool:
    """Whether it is as its examples say: nobody has set it by hand."""
    inferred = infer_variable([str(one) for one in variable.example_values], variable.source)
    return all(getattr(variable, field) == getattr(inferred, field) for field in _INFERRED)


def _is_choice_of_examples(variable: Variable) -> bool:
    """Whether it may be whatever was shown, and nobody set that by hand. How often each came is not known any more, so
    that it cannot be inferred again."""
    if variable.type != "choice" or variable.validation is None or variable.validation.choices is None:
        return False
    known = VariableValidation(choices=variable.validation.choices)
    return variable.validation == known and _said(known.choices or ()) == _said(variable.example_values)


def _choices(variable: Variable, new: Variable) -> dict[str, Any]:
    """What it may be now: what was shown is a choice too. Where more is new than was known, anything may come."""
    known = variable.validation.choices if variable.validation is not None else None
    fresh = tuple(one for one in new.example_values if folded(str(one)) not in _said(known or ()))
    if len(fresh) > len(known or ()):
        return {"type": "string", "validation": None}
    return {"validation": VariableValidation(choices=(*(known or ()), *fresh))}


def _said(values: Iterable[VariableValue]) -> set[str]:
    return {folded(str(one)) for one in values}


def _samples(prototype: EmbeddingPrototype | None) -> tuple[ScreenSample, ...]:
    return prototype.samples if prototype is not None else ()


def _learned_with(existing: Workflow, learned: Workflow) -> tuple[Perception, ...]:
    """Everybody who had a part; where one of them is unknown, so is the whole."""
    if not existing.learned_with or not learned.learned_with:
        return ()
    return tuple(dict.fromkeys((*existing.learned_with, *learned.learned_with)))


def _sessions(existing: Workflow, learned: Workflow) -> list[str]:
    lists = (existing.metadata.get("sessions"), learned.metadata.get("sessions"))
    return list(dict.fromkeys(str(one) for known in lists if isinstance(known, list) for one in known))
