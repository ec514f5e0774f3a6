"""A workflow as a Markdown document with pictures: a procedure to hand to a colleague."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rpa_vision.app.procedure import ProcedureLine, procedure_of
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.guidance import Language
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge

_ODD = re.compile(r"[^A-Za-z0-9_.-]+")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|])")


@dataclass(frozen=True, slots=True)
class SopDocument:
    """The text, and the pictures it shows by the name each has beside it."""

    markdown: str
    pictures: dict[str, bytes] = field(default_factory=dict)


def sop_of(
    workflow: Workflow, picture: Callable[[str], bytes], *, folder: str, language: Language = "en"
) -> SopDocument:
    """Write a workflow down as Markdown; its pictures belong into `folder` beside it. What is gone is left out."""
    writer = _Writer(workflow, picture, folder)
    return writer.written(language)


class _Writer:
    def __init__(self, workflow: Workflow, picture: Callable[[str], bytes], folder: str) -> None:
        self._workflow = workflow
        self._picture = picture
        self._folder = folder
        self._pictures: dict[str, bytes] = {}

    def written(self, language: Language) -> SopDocument:
        procedure = procedure_of(self._workflow, language)
        say = procedure.phrases.say
        out = [f"# {plain(procedure.title)}", "", plain(procedure.subtitle), ""]
        if self._workflow.description:
            out += [plain(self._workflow.description), ""]
        if procedure.needs or procedure.secrets:
            out += [f"## {say('needs')}", ""]
            for need in procedure.needs:
                optional = "" if need.required else f", {say('optional')}"
                examples = f", {say('example', examples=', '.join(need.examples))}" if need.examples else ""
                out.append(f"- **{plain(need.name)}**: {plain(need.kind)}, {need.source}{optional}{plain(examples)}")
            out += [f"- {plain(say('secret', name=secret))}" for secret in procedure.secrets] + [""]
        out += [f"## {say('steps')}", ""]
        for line in procedure.steps:
            out += self._line(line, say)
        if procedure.errors:
            out += ["", f"## {say('errors')}", ""]
            for line in procedure.errors:
                out.append("  " * line.depth + f"- {plain(line.text)}")
        if procedure.problems:
            out += ["", f"## {say('problems')}", "", *(f"- {plain(problem)}" for problem in procedure.problems)]
        return SopDocument("\n".join(out).rstrip() + "\n", self._pictures)

    def _line(self, line: ProcedureLine, say: Callable[..., str]) -> list[str]:
        indent = "  " * line.depth
        out: list[str] = []
        if line.screen is not None:
            out += ["", f"{indent}**{plain(say('screen', screen=line.screen))}**{self._screen(line.edge)}", ""]
        if line.number is None:
            return [*out, f"{indent}- {plain(line.text)}"]
        out.append(f"{indent}- **{line.number}.** {plain(line.text)}{self._look(line.edge)}")
        out += [f"{indent}  - {plain(say('expect', what=what))}" for what in line.expects]
        return out

    def _look(self, edge: WorkflowEdge | None) -> str:
        target = edge.action.target if edge is not None and edge.action is not None else None
        if edge is None or target is None or target.look is None:
            return ""
        return self._shown(target.look.image_path, f"target_{edge.edge_id}", target.label or "")

    def _screen(self, edge: WorkflowEdge | None) -> str:
        node = self._workflow.get_node(edge.from_node) if edge is not None else None
        prototype = node.screen_template.embedding_prototype if node is not None else None
        if node is None or prototype is None or not prototype.samples:
            return ""
        return "\n\n" + self._shown(prototype.samples[0].image_path, f"screen_{node.node_id}", node.label).strip()

    def _shown(self, path: str, name: str, alternative: str) -> str:
        file = f"{_ODD.sub('_', name)}.png"
        if file not in self._pictures:
            try:
                self._pictures[file] = self._picture(path)
            except RpaVisionError:
                return ""
        return f" ![{plain(alternative)}]({self._folder}/{file})"


def plain(text: str) -> str:
    """Text of people, so that nothing of it is markup."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
