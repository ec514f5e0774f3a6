"""A workflow as BPMN 2.0: tasks, exclusive gateways where it forks and meets, a multi-instance subprocess per loop.

Only the process is written, no drawing (diagram interchange is optional in BPMN; editors lay it out themselves). What
the notation has no place for is kept as documentation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from xml.etree import ElementTree as Xml

from rpa_vision.app.phrases import Phrases, rule
from rpa_vision.errors import UsageError
from rpa_vision.graph.plan import Plan, PlanLoop, compile_plan
from rpa_vision.models.action import Action
from rpa_vision.models.guidance import Language
from rpa_vision.models.workflow_graph import END, Workflow

BPMN: Final = "http://www.omg.org/spec/BPMN/20100524/MODEL"
XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
LeadsTo = Callable[[str], str]
"""The node of the process that a flow to a step points at."""
_ODD = re.compile(r"[^A-Za-z0-9_.-]")
_BAD_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def bpmn_of(workflow: Workflow, language: Language = "en") -> bytes:
    """The process as an XML file. A workflow that cannot be run cannot be drawn either."""
    plan = compile_plan(workflow)
    if not isinstance(plan, Plan):
        raise UsageError(
            f"{workflow.workflow_id}: its steps do not make a process: {plan[0]}",
            remedy="`rpa-vision workflows show` lists what is wrong with it; mend it and import it again.",
        )
    Xml.register_namespace("bpmn", BPMN)
    Xml.register_namespace("xsi", XSI)
    definitions = Xml.Element(_tag("definitions"), id="definitions", targetNamespace="urn:rpa-vision:workflow")
    process = _Process(definitions, workflow, plan, Phrases(language))
    process.write()
    Xml.indent(definitions)
    body: bytes = Xml.tostring(definitions, encoding="utf-8", xml_declaration=True)
    return body + b"\n"


class _Process:
    def __init__(self, definitions: Xml.Element, workflow: Workflow, plan: Plan, phrases: Phrases) -> None:
        self._workflow, self._plan, self._phrases = workflow, plan, phrases
        self._screens = {node.node_id: node.label for node in workflow.nodes}
        self._root = Xml.SubElement(
            definitions, _tag("process"), id=_id("process", workflow.workflow_id), name=_clean(workflow.name),
            isExecutable="false",
        )  # fmt: skip
        self._flows = 0

    def write(self) -> None:
        inner = {edge_id for loop in self._plan.loops.values() for edge_id in loop.body}
        outside = [edge_id for edge_id in self._plan.steps if edge_id not in inner]
        tops = [loop for loop in self._plan.loops.values() if not self._enclosing(loop)]
        self._level(self._root, "main", outside, tops, self._plan.first, None)
        self._errors()

    def _enclosing(self, loop: PlanLoop) -> list[PlanLoop]:
        return [one for one in self._plan.loops.values() if one is not loop and loop.first in one.body]

    def _level(
        self,
        parent: Xml.Element,
        name: str,
        steps: list[str],
        loops: list[PlanLoop],
        first: str,
        around: PlanLoop | None,
    ) -> None:
        """One level: the process itself, or the inside of a loop. Ways that leave it lead to its end."""
        if name == "main" and self._workflow.description:
            _documentation(parent, self._workflow.description)
        Xml.SubElement(parent, _tag("startEvent"), id=_id("start", name))
        Xml.SubElement(parent, _tag("endEvent"), id=_id("end", name))
        here = {*steps, *(loop.first for loop in loops)}
        heads = {loop.first: loop for loop in loops}

        def entry(edge_id: str) -> str:
            if edge_id == END or edge_id not in here or (around is not None and edge_id == around.first):
                return _id("end", name)
            return self._entry(edge_id, heads, around)

        self._flow(parent, _id("start", name), self._entry(first, heads, around))
        for edge_id in steps:
            if edge_id not in heads:
                self._step(parent, edge_id, entry)
        for loop in loops:
            self._loop(parent, loop, entry)
        _finish(parent)

    def _entry(self, edge_id: str, heads: dict[str, PlanLoop], around: PlanLoop | None) -> str:
        """What a flow that leads to a step points at: its loop, its fork, or itself."""
        if edge_id in heads and (around is None or edge_id != around.first):
            return _id("loop", edge_id)
        return _id("fork", edge_id) if self._plan.steps[edge_id].otherwise is not None else _id("task", edge_id)

    def _step(self, parent: Xml.Element, edge_id: str, leads_to: LeadsTo) -> None:
        step = self._plan.steps[edge_id]
        task = self._task(parent, _id("task", edge_id), step.edge.action)
        self._expectations(task, edge_id)
        self._flow(parent, _id("task", edge_id), leads_to(step.following))
        if step.otherwise is None or step.condition is None:
            return
        said = self._phrases.fork(step.condition, self._screens).rstrip(" :")
        Xml.SubElement(parent, _tag("exclusiveGateway"), id=_id("fork", edge_id), name=_clean(said))
        expression = rule(step.condition.expression or said)
        self._flow(parent, _id("fork", edge_id), _id("task", edge_id), condition=expression)
        default = self._flow(parent, _id("fork", edge_id), leads_to(step.otherwise))
        next(one for one in parent if one.get("id") == _id("fork", edge_id)).set("default", default)

    def _loop(self, parent: Xml.Element, loop: PlanLoop, leads_to: LeadsTo) -> None:
        headline, *remarks = self._phrases.loop(loop.loop)
        sub = Xml.SubElement(parent, _tag("subProcess"), id=_id("loop", loop.first), name=_clean(headline.rstrip(" :")))
        _documentation(sub, " ".join(remarks))
        characteristics = Xml.SubElement(sub, _tag("multiInstanceLoopCharacteristics"), isSequential="true")
        cardinality = Xml.SubElement(characteristics, _tag("loopCardinality"))
        cardinality.text = str(loop.loop.max_iterations)
        nested = [one for one in self._plan.loops.values() if one is not loop and one.first in loop.body]
        direct = [one for one in nested if not any(one.first in other.body for other in nested if other is not one)]
        deeper = {edge_id for one in direct for edge_id in one.body}
        steps = [edge_id for edge_id in self._plan.steps if edge_id in loop.body and edge_id not in deeper]
        self._level(sub, f"round_{loop.first}", steps, direct, loop.first, loop)
        self._flow(parent, _id("loop", loop.first), leads_to(loop.after))

    def _task(self, parent: Xml.Element, task_id: str, action: Action | None) -> Xml.Element:
        kind = "task" if action is None else "scriptTask" if action.type in ("extract", "wait") else "userTask"
        return Xml.SubElement(parent, _tag(kind), id=task_id, name=_clean(self._phrases.action(action)))

    def _expectations(self, task: Xml.Element, edge_id: str) -> None:
        edge = self._plan.steps[edge_id].edge
        conditions = edge.post_conditions.conditions if edge.post_conditions is not None else ()
        said = [self._phrases.say("screen", screen=self._screens.get(edge.from_node, edge.from_node))]
        said += [self._phrases.say("expect", what=self._phrases.condition(one)) for one in conditions]
        _documentation(task, " ".join(said))

    def _errors(self) -> None:
        """Ways out of errors, each an event subprocess: they may come at any time."""
        for node in self._workflow.nodes:
            if not node.is_error_node:
                continue
            name = _id("error", node.node_id)
            sub = Xml.SubElement(
                self._root, _tag("subProcess"), id=name, name=_clean(node.label), triggeredByEvent="true"
            )
            start = Xml.SubElement(sub, _tag("startEvent"), id=f"{name}_start", isInterrupting="false")
            last = f"{name}_start"
            flows: list[tuple[str, str]] = []
            lines = [line for way in node.recovery_actions for line in self._phrases.recovery(way, self._screens)]
            for number, line in enumerate(lines, start=1):
                task = f"{name}_task_{number}"
                Xml.SubElement(sub, _tag("userTask"), id=task, name=_clean(line))
                flows.append((last, task))
                last = task
            Xml.SubElement(sub, _tag("endEvent"), id=f"{name}_end")
            for source, target in [*flows, (last, f"{name}_end")]:
                self._flow(sub, source, target)
            _finish(sub)
            Xml.SubElement(start, _tag("conditionalEventDefinition")).append(_condition("condition", node.label))

    def _flow(self, parent: Xml.Element, source: str, target: str, *, condition: str | None = None) -> str:
        self._flows += 1
        name = f"flow_{self._flows}"
        flow = Xml.SubElement(parent, _tag("sequenceFlow"), id=name, sourceRef=source, targetRef=target)
        if condition is not None:
            flow.append(_condition("conditionExpression", condition))
        return name


def _finish(parent: Xml.Element) -> None:
    """Every node names the flows that come and go, first among its children but for its documentation."""
    flows = [one for one in parent if one.tag == _tag("sequenceFlow")]
    for node in parent:
        own = node.get("id")
        if node.tag in (_tag("sequenceFlow"), _tag("documentation"), _tag("multiInstanceLoopCharacteristics")):
            continue
        at = sum(child.tag == _tag("documentation") for child in node)
        for kind, end_of in (("incoming", "targetRef"), ("outgoing", "sourceRef")):
            for flow in flows:
                if flow.get(end_of) == own:
                    named = Xml.Element(_tag(kind))
                    named.text = flow.get("id")
                    node.insert(at, named)
                    at += 1


def _condition(kind: str, text: str) -> Xml.Element:
    made = Xml.Element(_tag(kind), {f"{{{XSI}}}type": "bpmn:tFormalExpression"})
    made.text = _clean(text)
    return made


def _documentation(parent: Xml.Element, text: str) -> None:
    if text:
        made = Xml.SubElement(parent, _tag("documentation"))
        made.text = _clean(text)


def _tag(name: str) -> str:
    return f"{{{BPMN}}}{name}"


def _id(kind: str, name: str) -> str:
    return f"{kind}_{_ODD.sub('_', name)}"


def _clean(text: str) -> str:
    """What XML can hold."""
    return _BAD_XML.sub("�", text)
