"""What a workflow says, as a walk: which step follows which, where it forks, where it goes round a list.

A plan is made before anything is done, from the document alone. What the document leaves open or says wrongly is a
problem that names its edge; a workflow with problems is not run. A workflow without forks and loops is one line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from rpa_vision.errors import ExpressionError
from rpa_vision.graph.plan_variables import assigned_by, needed_from, unknown_in
from rpa_vision.models.expression import Expression, parse
from rpa_vision.models.ids import slug
from rpa_vision.models.workflow_flaws import Where, flaws_of
from rpa_vision.models.workflow_graph import ANY_NODE, END, EdgeCondition, Loop, Workflow, WorkflowEdge


@dataclass(frozen=True, slots=True)
class PlanProblem:
    """What is wrong, and with which edge; with none where it is the workflow as a whole."""

    edge_id: str | None
    message: str
    where: Where = ()
    """Where in the document, if that is known more closely."""

    def __str__(self) -> str:
        return self.message if self.edge_id is None else f"{self.edge_id}: {self.message}"


@dataclass(frozen=True, slots=True)
class PlanLoop:
    """A round for each row of a list: from the step that bears it to its last step, then `after`."""

    loop: Loop
    first: str
    last: str
    after: str
    body: frozenset[str]
    filter: Expression | None = None
    rows_stay: bool = False
    """A row that was done stays in the list as it was, so that finding it there says nothing."""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """An edge, the step that follows it, and the one taken in its place where its condition does not hold."""

    edge: WorkflowEdge
    following: str
    otherwise: str | None = None
    expression: Expression | None = None

    @property
    def condition(self) -> EdgeCondition | None:
        return self.edge.condition


@dataclass(frozen=True, slots=True)
class Plan:
    """Every step by the id of its edge, in the order of the document, and where the walk begins."""

    first: str
    steps: dict[str, PlanStep]
    loops: dict[str, PlanLoop] = field(default_factory=dict)

    @property
    def is_linear(self) -> bool:
        """Neither forks nor loops."""
        return not self.loops and all(step.otherwise is None for step in self.steps.values())

    def follows(self, edge_id: str) -> tuple[str, ...]:
        """Everything that may come next, END included."""
        return _ways(self.steps[edge_id], self.loops)

    def on_screen(self, node_id: str) -> list[str]:
        """The steps that begin on a screen."""
        return [edge_id for edge_id, step in self.steps.items() if step.edge.from_node == node_id]

    def rounds_around(self, edge_id: str) -> list[PlanLoop]:
        """The loops in whose rounds a step is, the innermost first."""
        return sorted((one for one in self.loops.values() if edge_id in one.body), key=lambda one: len(one.body))

    def needs(self, workflow: Workflow, edge_id: str | None = None) -> frozenset[str]:
        """The variables that must have a value before that step (the first) for the walk from there on."""
        uses = {one: needed_from(step.edge, step.expression) for one, step in self.steps.items()}
        gives = {one: assigned_by(step.edge) for one, step in self.steps.items()}
        needed = dict(uses)
        changed = True
        while changed:
            changed = False
            for one in reversed(list(self.steps)):
                later = frozenset().union(*(needed[way] for way in self.follows(one) if way != END))
                now = uses[one] | (later - gives[one])
                if now != needed[one]:
                    needed[one], changed = now, True
        return needed[edge_id or self.first] & workflow.variables.keys()


def in_order(workflow: Workflow) -> list[WorkflowEdge]:
    """The steps in the order in which they were demonstrated; ways out of errors are none."""
    errors = {node.node_id for node in workflow.nodes if node.is_error_node}
    demonstrated = [
        edge
        for edge in workflow.edges
        if edge.trigger is None and edge.from_node != ANY_NODE and edge.from_node not in errors
    ]
    return sorted(demonstrated, key=lambda edge: _order(edge, workflow))


def compile_plan(workflow: Workflow) -> Plan | list[PlanProblem]:
    """The plan, or everything that keeps it from being made."""
    flaws = [PlanProblem(flaw.edge_id, str(flaw), flaw.where) for flaw in flaws_of(workflow)]
    edges = in_order(workflow)
    if not edges:
        return [PlanProblem(None, "the workflow has no steps"), *flaws]
    maker = _PlanMaker(workflow, edges)
    return [*maker.problems, *flaws] or maker.plan


def problems_of(workflow: Workflow) -> list[PlanProblem]:
    """What is wrong with the steps and with how they follow each other; nothing where a plan can be made."""
    made = compile_plan(workflow)
    return made if isinstance(made, list) else []


class _PlanMaker:
    def __init__(self, workflow: Workflow, edges: list[WorkflowEdge]) -> None:
        self._workflow = workflow
        self._edges = edges
        self._numbers = {edge.edge_id: number for number, edge in enumerate(edges)}
        self.problems: list[PlanProblem] = []
        steps = {edge.edge_id: step for edge in edges if (step := self._step(edge)) is not None}
        loops: dict[str, PlanLoop] = {}
        if not self.problems:
            loops = {edge.edge_id: self._loop(edge, edge.loop, steps) for edge in edges if edge.loop is not None}
            for one in loops.values():
                back = steps[one.last]
                steps[one.last] = PlanStep(back.edge, one.first, back.otherwise, back.expression)
        self.plan = Plan(edges[0].edge_id, steps, loops)
        if not self.problems:
            self._check_walk(self.plan)

    def _step(self, edge: WorkflowEdge) -> PlanStep | None:
        following = self._following(edge)
        condition = edge.condition
        if edge.action is None and (edge.from_node != edge.to_node or (condition is None and edge.loop is None)):
            self._complain(edge, "has no action; only a fork or a loop that stays on its screen needs none")
            return None
        if condition is None:
            return PlanStep(edge, following)
        expression = self._expression(edge, condition.expression, "the condition", "condition", "expression")
        if condition.on_true is not None and condition.on_true != edge.to_node:
            self._complain(edge, f"condition.on_true is {condition.on_true}, but the step leads to {edge.to_node}")
        return PlanStep(edge, following, self._otherwise(edge, condition), expression)

    def _following(self, edge: WorkflowEdge) -> str:
        wanted = edge.next_edge
        if wanted is not None:
            if wanted != END and wanted not in self._numbers:
                self._complain(edge, f"next_edge {wanted} is a way out of an error, not a step")
                return END
            later = self._edges[self._numbers[wanted]] if wanted != END else None
            by_screen = later is not None and later.condition is not None and later.condition.type != "expression"
            if later is not None and later.from_node != edge.to_node and not by_screen:
                self._complain(edge, f"ends on {edge.to_node}, but next_edge {wanted} begins on {later.from_node}")
            return wanted
        return self._next_in_order(edge)

    def _next_in_order(self, edge: WorkflowEdge) -> str:
        rest = self._edges[self._numbers[edge.edge_id] + 1 :]
        following = next((later.edge_id for later in rest if later.from_node == edge.to_node), None)
        if following is None and edge.to_node not in self._workflow.end_nodes:
            self._complain(edge, "no step follows it, and its screen is no end: the steps do not lead to an end")
        return following or END

    def _otherwise(self, edge: WorkflowEdge, condition: EdgeCondition) -> str:
        wanted = condition.else_edge
        if wanted is not None:
            if wanted != END and wanted not in self._numbers:
                self._complain(edge, f"else_edge {wanted} is a way out of an error, not a step")
                return END
            return wanted
        if condition.on_false is None:
            self._complain(edge, "nothing says what is done where its condition does not hold: else_edge is missing")
            return END
        leaving = [one.edge_id for one in self._edges if one.from_node == condition.on_false]
        if not leaving and condition.on_false not in self._workflow.end_nodes:
            self._complain(edge, f"condition.on_false is {condition.on_false}, where no step begins and nothing ends")
        return leaving[0] if leaving else END

    def _expression(
        self, edge: WorkflowEdge, text: str | None, what: str, *place: str, known: Collection[str] | None = None
    ) -> Expression | None:
        if text is None:
            return None
        try:
            expression = parse(text)
        except ExpressionError as error:
            self._complain(edge, f"{what} « {text} »: {error}", *place)
            return None
        unknown = unknown_in(expression, self._workflow.variables.keys() if known is None else known)
        if unknown is not None:
            self._complain(edge, f"{what} « {text} »: there is no variable {unknown!r}", *place)
        return expression

    def _loop(self, edge: WorkflowEdge, loop: Loop, steps: dict[str, PlanStep]) -> PlanLoop:
        last = steps.get(loop.last_edge or edge.edge_id)
        if last is None:
            self._complain(edge, f"loop.last_edge {loop.last_edge} is a way out of an error, not a step")
            last = steps[edge.edge_id]
        if last.edge.to_node != edge.from_node:
            message = f"a round ends on {last.edge.to_node}, which does not lead back to the list {edge.from_node}"
            self._complain(edge, message)
        unknown = sorted(set(loop.variable_binding) - set(self._workflow.variables))
        if unknown:
            self._complain(edge, f"loop.variable_binding: there is no variable {unknown[0]!r}")
        if not loop.variable_binding:
            self._complain(edge, "loop.variable_binding is empty: nothing would tell one row from another")
        after = last.following
        if after == edge.edge_id:
            after = self._next_in_order(last.edge)
        body = _reached(edge.edge_id, steps, {}, stop=last.edge.edge_id)
        if last.edge.edge_id not in body:
            self._complain(edge, f"no round leads to its last step {last.edge.edge_id}")
        known = self._known_of_a_row(loop)
        rule = self._expression(edge, loop.filter, "the filter", "loop", "filter", known=known)
        stay = edge.metadata.get("rows_stay") is True
        return PlanLoop(loop, edge.edge_id, last.edge.edge_id, after, frozenset(body - {END}), rule, stay)

    def _known_of_a_row(self, loop: Loop) -> set[str]:
        """What a filter can ask for: what a row binds, also by the names of its columns, and what does not depend on
        the row."""
        columns = {slug(cell.partition(".")[2] or cell) for cell in loop.variable_binding.values()}
        read = frozenset[str]().union(*map(assigned_by, self._edges))
        asked = {
            name for name, one in self._workflow.variables.items() if one.source.method in ("parameter", "system_time")
        }
        return {*loop.variable_binding, *columns, *read, *asked}

    def _check_walk(self, plan: Plan) -> None:
        """Everything can be reached and left again, and a fork leads to a step before it comes back to itself."""
        if self._edges[0].from_node not in self._workflow.entry_nodes:
            self._complain(self._edges[0], "the steps do not lead from an entry of the workflow")
        for edge_id, step in plan.steps.items():
            seen, here = [edge_id], step.otherwise
            while here is not None and here != END and here not in seen:
                seen.append(here)
                here = plan.steps[here].otherwise
            if here == edge_id:
                self._complain(
                    step.edge, f"a circle of conditions without a step in it: {' → '.join([*seen, edge_id])}"
                )
        if self.problems:
            return
        reached = _reached(plan.first, plan.steps, plan.loops)
        for edge_id, step in plan.steps.items():
            if edge_id not in reached:
                self._complain(step.edge, "does not begin where the step before it ends, and no other step leads to it")
            elif END not in _reached(edge_id, plan.steps, plan.loops):
                self._complain(step.edge, "no way leads from it to an end")

    def _complain(self, edge: WorkflowEdge, message: str, *place: str) -> None:
        where: Where = ("edges", self._workflow.edges.index(edge), *place) if place else ()
        self.problems.append(PlanProblem(edge.edge_id, message, where))


def _ways(step: PlanStep, loops: dict[str, PlanLoop]) -> tuple[str, ...]:
    ways = [step.following]
    if step.otherwise is not None:
        ways.append(step.otherwise)
    if step.edge.edge_id in loops:
        ways.append(loops[step.edge.edge_id].after)
    return tuple(dict.fromkeys(ways))


def _reached(first: str, steps: dict[str, PlanStep], loops: dict[str, PlanLoop], stop: str | None = None) -> set[str]:
    """Every step that can be come to from one, itself included; not beyond `stop`."""
    reached: set[str] = set()
    due = [first]
    while due:
        here = due.pop()
        if here in reached:
            continue
        reached.add(here)
        if here in (END, stop):
            if here == stop and steps[here].otherwise is not None:
                due.extend(_not_yet([steps[here].otherwise or END], reached))
            continue
        due.extend(_not_yet(_ways(steps[here], loops), reached))
    return reached


def _not_yet(ways: Iterable[str], reached: set[str]) -> Iterator[str]:
    return (way for way in ways if way not in reached)


def _order(edge: WorkflowEdge, workflow: Workflow) -> int:
    order = edge.metadata.get("order")
    return order if isinstance(order, int) else workflow.edges.index(edge)
