"""P001-4: however learning, snapshots, rollbacks, clean-ups, runs and crashes follow each other, what is in use is one
whole version, and going back to a version gives exactly what it held.

The model is a dictionary: what was live when a version was made. Everything else is asked of the store.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rpa_vision.adapters.storage.atomic import no_step
from rpa_vision.models.workflow_standing import LEARNING_STATES, LearningStateName, WorkflowStats
from rpa_vision.testing.learned import WORKFLOW_ID, Killed, LearnedWorld, Mortal, open_world
from rpa_vision.testing.manual_clock import ManualClock

DOCUMENT = f"workflows/{WORKFLOW_ID}/workflow.json"
_MEMORY_DISK = Path("/dev/shm")
State = dict[str, Any]


def state_of(world: LearnedWorld) -> State:
    """Everything learned, apart from the number it goes by."""
    live: State = dict(world.live())
    document = json.loads(live.pop(DOCUMENT))
    document.pop("version")
    return live | {"workflow": document}


def vectors_of(state: State) -> State:
    return {name: data for name, data in state.items() if name.endswith(".npy")}


def no_more_mature(held: State, live: State) -> State:
    """What a version holds once what was live has been left for it: never more freedom than before."""
    level = min(held["workflow"]["learning_state"], live["workflow"]["learning_state"], key=LEARNING_STATES.index)
    if level == held["workflow"]["learning_state"]:
        return held
    learning = held["workflow"]["learning"] | {"state": level, "progression": None}
    return held | {"workflow": held["workflow"] | {"learning_state": level, "learning": learning}}


class Versions(RuleBasedStateMachine):
    """Everything that can happen to what was learned of a workflow."""

    def __init__(self) -> None:
        super().__init__()
        parent = _MEMORY_DISK if _MEMORY_DISK.is_dir() and os.access(_MEMORY_DISK, os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="rpa-vision-", dir=parent))
        self.clock = ManualClock()
        self.world = open_world(self.folder / "data", clock=self.clock)
        self.held: dict[str, State] = {}
        self.changed = False
        """Whether something was learned that no version holds."""

    def teardown(self) -> None:
        self.world.close()
        shutil.rmtree(self.folder)

    @initialize()
    def begin(self) -> None:
        self.world.learn("WF_autre", seed=1)
        self.other = self.world.live("WF_autre")
        version = self.world.learn(seed=0)
        self.held[version] = state_of(self.world)

    @rule(seed=st.integers(0, 5))
    def learn(self, seed: int) -> None:
        """AH-4.1"""
        self.clock.advance(60)
        before, in_use = state_of(self.world), self.in_use()
        version = self.world.learn(seed=seed)
        settled = self.listed() - self.held.keys() - {version}
        assert len(settled) == int(self.changed)
        self.held |= dict.fromkeys(settled or {in_use}, before)  # what runs wrote goes with the version they ran
        self.held[version], self.changed = state_of(self.world), False

    @rule()
    def snapshot(self) -> None:
        """AH-4.1, AH-4.2, AH-4.3"""
        self.clock.advance(60)
        before = state_of(self.world)
        version = self.world.versions.snapshot_version(WORKFLOW_ID)
        assert version not in self.held
        assert self.in_use() == version
        assert state_of(self.world) == before
        self.held[version], self.changed = before, False

    @rule()
    def roll_back(self) -> None:
        """AH-4.5"""
        before = state_of(self.world)
        outcome = self.world.versions.rollback_to_previous(WORKFLOW_ID)
        if outcome:
            assert outcome.version_id is not None
            self.went_back(outcome.version_id, before)
        else:
            assert state_of(self.world) == before
            assert not self.changed, "what was learned wrongly can always be undone"

    @rule(data=st.data())
    def roll_back_to(self, data: st.DataObject) -> None:
        """AH-4.5, AH-4.6"""
        version = data.draw(st.sampled_from(sorted(self.held)))
        before = state_of(self.world)
        outcome = self.world.versions.rollback_to_previous(WORKFLOW_ID, version)
        assert outcome.version_id == version
        self.went_back(version, before)

    @rule(keep=st.integers(0, 7))
    def clean_up(self, keep: int) -> None:
        """AH-4.6"""
        in_use, before, many = self.in_use(), state_of(self.world), len(self.held)
        self.world.versions.cleanup_old_versions(WORKFLOW_ID, keep)
        left = self.listed()
        assert left <= self.held.keys()
        assert in_use in left
        assert len(left) >= min(many, max(5, keep) + 1)
        assert state_of(self.world) == before
        self.held = {version: state for version, state in self.held.items() if version in left}

    @rule(element=st.sampled_from(["a", "b"]))
    def succeed(self, element: str) -> None:
        self.clock.advance(1)
        self.world.succeed(element=element)

    @rule(runs=st.integers(1, 1000))
    def run(self, runs: int) -> None:
        workflow = self.world.data.workflows.load(WORKFLOW_ID)
        self.world.data.workflows.save(workflow.model_copy(update={"stats": WorkflowStats(total_executions=runs)}))

    @rule(level=st.sampled_from(LEARNING_STATES))
    def mature_or_fall(self, level: LearningStateName) -> None:
        workflow = self.world.data.workflows.load(WORKFLOW_ID)
        learning = workflow.learning.model_copy(update={"state": level})
        self.world.data.workflows.save(workflow.model_copy(update={"learning_state": level, "learning": learning}))

    @rule(seed=st.integers(100, 102))
    def learn_without_a_version(self, seed: int) -> None:
        """The same wrong lesson twice may well be what the version in use holds."""
        self.world.poison(seed=seed)
        self.changed = vectors_of(state_of(self.world)) != vectors_of(self.held[self.in_use()])

    @rule(at=st.integers(1, 90), what=st.sampled_from(["snapshot", "rollback", "cleanup"]), recover=st.booleans())
    @precondition(lambda self: not self.changed)
    def crash(self, at: int, what: str, recover: bool) -> None:
        """Killed somewhere: the old state or the new one."""
        before, in_use = state_of(self.world), self.in_use()
        self.world.close()
        dying = open_world(self.world.root, clock=self.clock, step=Mortal(at))
        try:
            if what == "snapshot":
                dying.versions.snapshot_version(WORKFLOW_ID)
            elif what == "rollback":
                dying.versions.rollback_to_previous(WORKFLOW_ID)
            else:
                dying.versions.cleanup_old_versions(WORKFLOW_ID)
        except Killed:
            pass
        finally:
            dying.close()
        self.world = open_world(self.world.root, clock=self.clock, step=no_step)
        self.world.versions.recover()
        now = state_of(self.world)
        made = self.listed() - self.held.keys()
        assert made == set() or what == "snapshot"
        self.held |= dict.fromkeys(made, before)
        self.held = {version: state for version, state in self.held.items() if version in self.listed()}
        lowered = no_more_mature(self.held[self.in_use()], before)
        if what == "rollback" and self.kept_level(self.in_use()) == lowered["workflow"]["learning_state"]:
            self.held[self.in_use()] = lowered
        assert now == (before if self.in_use() in {in_use, *made} else self.held[self.in_use()]) or (
            what == "rollback" and now == self.held[in_use]
        )

    @invariant()
    def everything_is_whole(self) -> None:
        """P001-4"""
        if not self.held:
            return
        listing = self.world.versions.inspect_versions(WORKFLOW_ID)
        assert listing.unreadable == ()
        assert {info.version_id for info in listing.items} == self.held.keys()
        assert self.world.data.workflows.load(WORKFLOW_ID).version == int(self.in_use()[1:])
        assert self.world.live("WF_autre") == self.other

    def went_back(self, version: str, before: State) -> None:
        set_aside = self.listed() - self.held.keys()
        assert len(set_aside) == int(self.changed)
        self.held |= dict.fromkeys(set_aside, before)
        assert self.in_use() == version
        self.held[version] = no_more_mature(self.held[version], before)
        assert state_of(self.world) == self.held[version]
        self.changed = False

    def kept_level(self, version: str) -> str:
        path = self.world.root / "learning/prototypes" / WORKFLOW_ID / version / "workflow.json"
        return str(json.loads(path.read_bytes())["learning_state"])

    def listed(self) -> set[str]:
        return {info.version_id for info in self.world.versions.list_versions(WORKFLOW_ID)}

    def in_use(self) -> str:
        (version,) = [info.version_id for info in self.world.versions.list_versions(WORKFLOW_ID) if info.in_use]
        return version


TestVersions = Versions.TestCase
TestVersions.settings = settings(max_examples=20, stateful_step_count=12, deadline=None)
