"""Recognise a known workflow while a person does it by hand, and say where in it she is.

Every workflow has its follower (`workflow_follower`). A go is believed after two steps in their order that no other
workflow explains as well. Nothing here acts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.node_matcher import Location
from rpa_vision.graph.plan import Plan, compile_plan
from rpa_vision.graph.workflow_follower import Sighting, WorkflowFollower
from rpa_vision.models.workflow_graph import Workflow

BELIEVED_AFTER = 2
"""So many steps in order make a go; one alone may be anything."""

__all__ = ["BELIEVED_AFTER", "Following", "Locate", "Sighting"]

Locate = Callable[[Workflow, DemoStep], Location]
"""Where in a workflow the screen before a deed is."""


class Following:
    """Follows all known workflows at once."""

    def __init__(self, workflows: Sequence[Workflow], locate: Locate) -> None:
        self._locate = locate
        self.followers: list[WorkflowFollower] = []
        self.not_followed: list[str] = []
        """Workflows without a plan: nobody can say which step of them is next."""
        for workflow in workflows:
            plan = compile_plan(workflow)
            if isinstance(plan, Plan):
                self.followers.append(WorkflowFollower(workflow, plan))
            else:
                self.not_followed.append(workflow.workflow_id)

    def see(self, done: DemoStep) -> list[Sighting]:
        """Take in one deed."""
        if not done.was_seen:
            for one in self.followers:
                one.miss()
            return []
        offers = [(one, one.offered(done, self._locate(one.workflow, done))) for one in self.followers]
        continued = [(one, taken) for one, taken in offers if taken is not None and not taken.begins]
        believed = [pair for pair in continued if pair[0].go is not None and pair[0].go.is_believed]
        chosen = believed or continued
        if chosen:
            fewest = min(len(taken.skipped) for _, taken in chosen)
            chosen = [(one, taken) for one, taken in chosen if len(taken.skipped) == fewest]
        else:
            chosen = [(one, taken) for one, taken in offers if taken is not None]
        out: list[Sighting] = []
        takers = {id(one) for one, _ in chosen}
        for one, _ in offers:
            if id(one) not in takers:
                out += one.pass_by(done, is_anothers=bool(chosen))
        for one, taken in chosen:
            out += one.take(taken, done)
            if not taken.again:
                out += one.tell(done.t)
        return out + self._believe(done.t)

    def help_with(self, workflow_id: str, edge_id: str, t: float) -> list[Sighting]:
        """A robot did a step of a go that is followed."""
        followed = (one for one in self.followers if one.workflow.workflow_id == workflow_id)
        return [seen for one in followed for seen in one.help_with(edge_id, t)]

    def finish(self, t: float) -> list[Sighting]:
        """Nothing more will be seen."""
        return [sighting for one in self.followers for sighting in one.give_up(t, "nothing more was watched")]

    def _believe(self, t: float) -> list[Sighting]:
        """Believe the go that explains the most of what was seen last, if no other does as well."""
        waiting = [
            one
            for one in self.followers
            if one.go is not None and not one.go.is_believed and one.go.last_t == t and one.steps_seen >= BELIEVED_AFTER
        ]
        if not waiting:
            return []
        most = max(one.steps_seen for one in waiting)
        best = [one for one in waiting if one.steps_seen == most]
        return best[0].believe(t) if len(best) == 1 else []
