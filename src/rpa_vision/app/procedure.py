"""A workflow as a procedure that a person could follow: steps, forks and loops as indented text, then what to do if.

The walk is that of the plan a run would follow, so what is read here is what would be done. A workflow whose plan
cannot be made is listed step by step, with what is wrong with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rpa_vision.app.phrases import Phrases
from rpa_vision.execution.edge_demands import shows_itself
from rpa_vision.graph.error_nodes import WAYS_OUT_DIFFER
from rpa_vision.graph.plan import Plan, compile_plan, in_order
from rpa_vision.models.guidance import Language
from rpa_vision.models.workflow_graph import END, Workflow, WorkflowEdge


@dataclass(frozen=True, slots=True)
class ProcedureLine:
    """One line: how deep, its number if it is a step, what it says, and which edge it is."""

    depth: int
    text: str
    number: int | None = None
    edge: WorkflowEdge | None = None
    screen: str | None = None
    """The screen it begins on, where that is another than before."""
    expects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """A variable, and where its value comes from."""

    name: str
    kind: str
    source: str
    examples: tuple[str, ...]
    required: bool


@dataclass(frozen=True, slots=True)
class Procedure:
    """Everything a reader wants to know, in order."""

    title: str
    subtitle: str
    needs: tuple[Need, ...]
    secrets: tuple[str, ...]
    steps: tuple[ProcedureLine, ...]
    errors: tuple[ProcedureLine, ...] = ()
    problems: tuple[str, ...] = ()
    phrases: Phrases = field(default_factory=Phrases)


def procedure_of(workflow: Workflow, language: Language = "en") -> Procedure:
    """Write a workflow down."""
    phrases = Phrases(language)
    plan = compile_plan(workflow)
    teller = _Teller(workflow, phrases)
    if isinstance(plan, Plan):
        teller.walk(plan)
        problems: tuple[str, ...] = ()
    else:
        for edge in in_order(workflow):
            teller.step(edge, 0)
        problems = tuple(map(str, plan))
    actions = [action for _, action in workflow.actions()]
    secrets = sorted({one.parameters.secret_ref for one in actions if one.parameters.secret_ref is not None})
    version = phrases.say("version", number=workflow.version)
    return Procedure(
        title=workflow.name,
        subtitle=f"{workflow.workflow_id}, {version}, {workflow.learning_state}",
        needs=tuple(_needs(workflow, phrases)),
        secrets=tuple(secrets),
        steps=tuple(teller.lines),
        errors=tuple(_errors(workflow, phrases)),
        problems=problems,
        phrases=phrases,
    )


def as_text(procedure: Procedure) -> list[str]:
    """The procedure for a terminal."""
    say = procedure.phrases.say
    lines = [f"{procedure.title} ({procedure.subtitle})"]
    for need in procedure.needs:
        optional = "" if need.required else f", {say('optional')}"
        examples = f", {say('example', examples=', '.join(need.examples))}" if need.examples else ""
        lines.append(f"  {need.name}: {need.kind}, {need.source}{optional}{examples}")
    lines += [f"  {say('secret', name=secret)}" for secret in procedure.secrets]
    for line in procedure.steps:
        indent = "  " * line.depth
        if line.screen is not None:
            lines.append(f"{indent}{say('screen', screen=line.screen)}")
        lines.append(f"{indent}  {line.number}. {line.text}" if line.number is not None else f"{indent}{line.text}")
        lines += [f"{indent}       {say('expect', what=what)}" for what in line.expects]
    if procedure.errors:
        lines.append(say("errors"))
        lines += ["  " * (1 + line.depth) + line.text for line in procedure.errors]
    if procedure.problems:
        lines.append(say("problems"))
        lines += [f"  {problem}" for problem in procedure.problems]
    return lines


class _Teller:
    def __init__(self, workflow: Workflow, phrases: Phrases) -> None:
        self._screens = {node.node_id: node.label for node in workflow.nodes}
        self._phrases = phrases
        self._here: str | None = None
        self._numbers: dict[str, int] = {}
        self.lines: list[ProcedureLine] = []

    def walk(self, plan: Plan) -> None:
        self._walk(plan, plan.first, frozenset({END}), 0, frozenset())

    def _walk(self, plan: Plan, first: str, stops: frozenset[str], depth: int, inside: frozenset[str]) -> None:
        """Tell the steps from one on, up to a stop; loops and forks are told whole and gone on behind."""
        here = first
        while here not in stops:
            if here in self._numbers and here not in inside:
                self._say(depth, self._phrases.say("go_on", number=self._numbers[here]))
                return
            loop = plan.loops.get(here)
            if loop is not None and here not in inside:
                headline, *remarks = self._phrases.loop(loop.loop)
                self._say(depth, headline)
                for remark in remarks:
                    self._say(depth + 1, remark)
                self._here = None
                self._round(plan, here, frozenset(stops | {loop.after}), depth + 1, inside | {here})
                if loop.loop.next_page is not None:
                    self._say(depth + 1, self._phrases.say("page", what=self._phrases.action(loop.loop.next_page)))
                self._here = None
                here = loop.after
                continue
            here = self._fork_or_step(plan, here, stops, depth, inside)

    def _round(self, plan: Plan, first: str, stops: frozenset[str], depth: int, inside: frozenset[str]) -> None:
        """One round: its first step, then what follows until it comes back to the first."""
        back = stops | {first}
        following = self._fork_or_step(plan, first, back, depth, inside)
        self._walk(plan, following, back, depth, inside)

    def _plain(self, plan: Plan, edge_id: str, depth: int) -> str:
        step = plan.steps[edge_id]
        if step.edge.action is not None:
            self.step(step.edge, depth)
        return step.following

    def _fork_or_step(self, plan: Plan, here: str, stops: frozenset[str], depth: int, inside: frozenset[str]) -> str:
        """Both ways of a fork, and where they meet again."""
        step = plan.steps[here]
        condition, otherwise = step.condition, step.otherwise
        if condition is None or otherwise is None:
            return self._plain(plan, here, depth)
        meet = _meeting(plan, step.following, otherwise, stops | {here})
        ends = stops | {meet}
        self._say(depth, self._phrases.fork(condition, self._screens))
        before = self._here
        following = self._plain(plan, here, depth + 1)
        self._walk(plan, following, ends, depth + 1, inside)
        if otherwise != meet:
            self._here = before
            self._say(depth, self._phrases.say("otherwise"))
            self._walk(plan, otherwise, ends, depth + 1, inside)
        self._here = None
        return meet

    def step(self, edge: WorkflowEdge, depth: int) -> None:
        number = len(self._numbers) + 1
        self._numbers[edge.edge_id] = number
        screen = self._screens.get(edge.from_node) if edge.from_node != self._here else None
        self._here = edge.from_node
        text = self._phrases.action(edge.action)
        self.lines.append(ProcedureLine(depth, text, number, edge, screen=screen, expects=self._expected(edge)))

    def _expected(self, edge: WorkflowEdge) -> tuple[str, ...]:
        """What must follow. Where no words tell it, as after many a key, it is the screen the step leads to."""
        after = edge.post_conditions
        told = tuple(self._phrases.condition(one) for one in after.conditions) if after is not None else ()
        wanted = after.expected_node if after is not None else None
        stays = wanted == edge.from_node and edge.action is not None and shows_itself(edge.action)
        if told or wanted is None or stays:
            return told
        return (self._phrases.say("shows", screen=self._screens.get(wanted, wanted)),)

    def _say(self, depth: int, text: str) -> None:
        self.lines.append(ProcedureLine(depth, text))


def _meeting(plan: Plan, one: str, other: str, stops: frozenset[str]) -> str:
    """The first step, in the order of the document, to which both ways lead; a stop where there is none."""
    both = _ahead(plan, one, stops) & _ahead(plan, other, stops)
    common = [edge_id for edge_id in plan.steps if edge_id in both and edge_id not in stops]
    if common:
        return common[0]
    return next((stop for stop in (*plan.steps, END) if stop in both), END)


def _ahead(plan: Plan, first: str, stops: frozenset[str]) -> set[str]:
    found: set[str] = set()
    due = [first]
    while due:
        here = due.pop()
        if here in found:
            continue
        found.add(here)
        if here not in stops and here != END:
            due.extend(plan.follows(here))
    return found


def _needs(workflow: Workflow, phrases: Phrases) -> list[Need]:
    sources = {"parameter": "given", "ui_element_extraction": "read"}
    return [
        Need(
            name=name,
            kind=variable.subtype or variable.type,
            source=phrases.say(sources.get(variable.source.method, variable.source.method)),
            examples=tuple(str(example) for example in variable.example_values[:3]),
            required=variable.required,
        )
        for name, variable in workflow.variables.items()
    ]


def _errors(workflow: Workflow, phrases: Phrases) -> list[ProcedureLine]:
    screens = {node.node_id: node.label for node in workflow.nodes}
    found: list[ProcedureLine] = []
    for node in workflow.nodes:
        if not node.is_error_node:
            continue
        kind = phrases.error_kind(node.error_type)
        found.append(ProcedureLine(0, phrases.say("any", screen=node.label, kind=kind)))
        for way_out in node.recovery_actions:
            found += [ProcedureLine(1, line) for line in phrases.recovery(way_out, screens)]
        ways = node.metadata.get(WAYS_OUT_DIFFER)
        if isinstance(ways, list) and not node.recovery_actions:
            found.append(ProcedureLine(1, phrases.say("differ", ways="; ".join(map(str, ways)))))
        for edge in workflow.edges:
            if edge.from_node == node.node_id and edge.action is not None:
                found.append(ProcedureLine(1, f"{phrases.action(edge.action)}.", edge=edge))
    return found
