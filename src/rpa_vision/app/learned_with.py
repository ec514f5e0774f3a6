"""Was a workflow learned by the eyes that would run it?

What a step looks for was named, parted and read by one detector, judge and reader. Others may see the same screen
otherwise: a run then refuses more than it has to. So the difference is told, with the way out of it; nothing is
refused because of it, for every target is looked for and verified all the same.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rpa_vision.app.learn import EDITED, id_of_name
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import RunWarning
from rpa_vision.models.perception import Perception
from rpa_vision.models.workflow_graph import Workflow

Verdict = Literal["same", "other", "unknown"]


@dataclass(frozen=True, slots=True)
class LearnedWith:
    """A workflow, what it was learned with, and what would run it now."""

    workflow: Workflow
    now: Perception | None

    @property
    def verdict(self) -> Verdict:
        """`unknown` for workflows that do not say: older ones, and those written by hand."""
        then = self.workflow.learned_with
        if self.now is None or not then:
            return "unknown"
        return "same" if all(one == self.now for one in then) else "other"

    @property
    def told(self) -> str:
        """What a person should know before a run; nothing where there is nothing to say."""
        if self.verdict == "same":
            return ""
        if self.verdict == "unknown":
            return f"{self.workflow.workflow_id}: the detector and reader it was learned with are unknown"
        return f"{self.workflow.workflow_id} was learned with other eyes than run it now: {self._differences()}"

    @property
    def remedy(self) -> str:
        """How it gets to know the present ones; nothing where they are known not to differ."""
        if self.verdict == "same":
            return ""
        learned_from, name = shlex.join(_sessions(self.workflow)), shlex.quote(self.workflow.name)
        # One that was renamed is told by its id: its name would make another one.
        own_id = None if id_of_name(self.workflow.name) == self.workflow.workflow_id else self.workflow.workflow_id
        if not learned_from and own_id is None:
            return f"Record it, then learn it anew: rpa-vision learn --name={name} --anew"
        if not learned_from:
            return f"Record it, then learn it anew: rpa-vision learn SESSION --into={own_id} --anew"
        if own_id is None:
            again = f"Learn it again from its recordings: rpa-vision learn {learned_from} --name={name}"
        else:
            again = f"Learn it again from its recordings: rpa-vision learn {learned_from} --into={own_id}"
        if self.workflow.metadata.get(EDITED) is True:
            return f"{again} --anew (what was edited by hand is to be edited again)"
        return again

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            "verdict": self.verdict,
            "learned_with": [one.model_dump(mode="json") for one in self.workflow.learned_with],
            "now": self.now.model_dump(mode="json") if self.now is not None else None,
            "warning": self.told,
            "remedy": self.remedy,
        }

    def _differences(self) -> str:
        """Each part that differs, as it was and as it is."""
        now = self.now.parts() if self.now is not None else {}
        told = (
            f"{part} {was} then, {now[part]} now"
            for one in self.workflow.learned_with
            for part, was in one.parts().items()
            if was != now[part]
        )
        return "; ".join(dict.fromkeys(told))


def warnings_of(workflow: Workflow, now: Perception | None) -> tuple[RunWarning, ...]:
    """What to write down with a run, and to show where one is asked for: only what is known to differ."""
    learned = LearnedWith(workflow, now)
    return (RunWarning(said=learned.told, remedy=learned.remedy),) if learned.verdict == "other" else ()


def others(workflows: Sequence[Workflow], now: Perception) -> list[LearnedWith]:
    """The workflows that were learned with other eyes, or nobody knows with which."""
    seen = (LearnedWith(workflow, now) for workflow in workflows)
    return [one for one in seen if one.verdict != "same"]


def _sessions(workflow: Workflow) -> list[str]:
    listed = workflow.metadata.get("sessions")
    return [str(one) for one in listed] if isinstance(listed, list) else []
