"""No sequence of outcomes skips a level, and nothing acts in a cell that forbids it."""

from __future__ import annotations

from itertools import count, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rpa_vision.errors import NotAcknowledgedError, NotEarnedError, UsageError
from rpa_vision.execution.modes import MATRIX, licence
from rpa_vision.learning import maturity_rules as rules
from rpa_vision.learning.deeds import deeds_digest
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.models.execution import RunMode
from rpa_vision.models.maturity import CountedRun, Maturity
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import (
    AUTO_CONFIRMED,
    LEARNING_STATES,
    ExecutionPolicy,
    LearningStateName,
    LearningThresholds,
    PolicyCell,
)
from rpa_vision.testing.learned import small_workflow
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.maturity import MemoryMaturityBook
from rpa_vision.testing.screens import CountingIds

WF = "WF_any"
_TASK = small_workflow(ManualClock()).workflow.model_copy(update={"workflow_id": WF})
_CAUTIOUS = _TASK.safety_rules.model_copy(update={"forbidden_text_clicks": ("Delete",)})
TASKS = (_TASK, _TASK.model_copy(update={"safety_rules": _CAUTIOUS}))
"""What it does, and what else it may come to do."""
MODES: tuple[RunMode, ...] = ("shadow", "assist", "auto")
ACTIONS = (
    "observe", "log", "suggest_weak", "suggest_strong", "highlight_ui", "propose_auto", "auto_execute_supervised",
    "auto_execute",
)  # fmt: skip
units = st.floats(0.0, 1.0)
cells = st.builds(
    PolicyCell,
    allowed_actions=st.lists(st.sampled_from(ACTIONS), unique=True).map(tuple),
    user_interaction=st.sampled_from(["none", "notification", "step_by_step_confirmation"]),
)
levels = st.sampled_from(LEARNING_STATES)
policies = st.none() | st.builds(
    ExecutionPolicy,
    shadow_mode=cells,
    assist_mode=st.dictionaries(levels, cells),
    auto_mode=st.dictionaries(levels, cells),
)


def check_cell(
    mode: RunMode, state: LearningStateName, policy: ExecutionPolicy | None, *, person: bool, consented: bool
) -> None:
    """What a run without authorisation may never do, in any cell and under any policy."""
    given = licence(mode, state, policy=policy, person_is_there=person, needs_consent=not consented)
    acts = {"auto_execute", "auto_execute_supervised", "propose_auto"}
    if given.act:
        assert given.refusal is None
        assert acts & set(MATRIX[mode, state].allowed_actions)
        assert person or (mode, state) == ("auto", AUTO_CONFIRMED)
        assert person or (consented and not given.confirm_each)
        assert state == AUTO_CONFIRMED or given.confirm_each
        assert mode == "auto" or given.proposes
        assert consented or given.confirm_each or given.asks_consent
    if mode == "shadow" or (mode == "auto" and not given.act):
        assert given.refusal is not None
    own = (policy.assist_mode if mode == "assist" else policy.auto_mode).get(state) if policy is not None else None
    if own is not None and not acts & set(own.allowed_actions):
        assert not given.act, "the workflow's own policy says no"
    if own is not None and "auto_execute" not in own.allowed_actions:
        assert not given.act or given.confirm_each
    if own is not None and own.user_interaction == "step_by_step_confirmation" and mode == "auto":
        assert not given.act or given.confirm_each


@given(mode=st.sampled_from(MODES), state=levels, policy=policies, person=st.booleans(), consented=st.booleans())
@settings(max_examples=500, deadline=None)
def test_no_policy_widens_a_cell(
    mode: RunMode, state: LearningStateName, policy: ExecutionPolicy | None, person: bool, consented: bool
) -> None:
    """L4-12"""
    check_cell(mode, state, policy, person=person, consented=consented)


class Autonomy(RuleBasedStateMachine):
    """Anything may happen to one workflow, in any order."""

    @initialize(observed=st.integers(1, 6), assisted=st.integers(1, 11), supervised=st.integers(1, 21), policy=policies)
    def begin(self, observed: int, assisted: int, supervised: int, policy: ExecutionPolicy | None) -> None:
        self.thresholds = LearningThresholds(
            min_observed_runs_for_coaching=observed,
            min_assist_runs_for_auto_candidate=assisted,
            min_auto_candidate_runs_for_auto_confirmed=supervised,
        )
        self.book, self.numbers = MemoryMaturityBook(), count()
        self.heard: list[tuple[str, str]] = []
        self.manager = LearningManager(
            self.book,
            ManualClock(),
            CountingIds(),
            thresholds=lambda workflow_id: self.thresholds,
            on_change=lambda known, before: self.heard.append((before, known.state)),
        )
        self.approvals = 0

    def known(self) -> Maturity:
        return self.manager.maturity(WF)

    @rule(similarity=units, times=st.integers(1, 8))
    def watched(self, similarity: float, times: int) -> None:
        for _ in range(times):
            self.manager.observed(WF, similarity, f"seen_{next(self.numbers)}")

    @rule(
        way=st.sampled_from(["assisted", "supervised", "alone", "authorised"]),
        succeeded=st.booleans(),
        verified=st.booleans(),
        confidence=st.none() | units,
        anomaly=st.none() | st.just("a wrong click"),
        times=st.integers(1, 25),
    )
    def ran(self, way: Any, times: int, **facts: Any) -> None:
        for _ in range(times):
            before = self.known()
            run = CountedRun(way=way, source=f"run_{next(self.numbers)}", **facts)
            after = self.manager.count(WF, run)
            if before.state in rules.AUTO_LEVELS:
                drops = run.anomaly is not None or (
                    run.verified and rules.recent_confidence(rules.counted(before, run)) < rules.MIN_CONFIDENCE - 1e-9
                )
                assert (after.state == "COACHING") == drops, "P003-10"
            if not run.verified and run.anomaly is None:
                assert after == before.model_copy(update={"unverified_runs": before.unverified_runs + 1})

    @rule(times=st.integers(1, 25), acknowledge=st.booleans())
    def went_well(self, times: int, acknowledge: bool) -> None:
        """What leads upwards, so that the upper levels are reached at all."""
        for _ in range(times):
            ways = {"COACHING": "assisted", "AUTO_CANDIDATE": "supervised", AUTO_CONFIRMED: "alone"}
            way = ways.get(self.known().state, "observed")
            self.manager.count(
                WF, CountedRun.model_validate({"way": way, "source": f"w_{next(self.numbers)}", "confidence": 1.0})
            )
        if self.manager.missing(WF).is_earned:
            self.approved(acknowledge)

    @rule(acknowledge=st.booleans())
    def approved(self, acknowledge: bool) -> None:
        before = self.known()
        earned = rules.next_level(before, self.thresholds)
        bound = rules.lower_bound(before.auto_candidate_successes, before.auto_candidate_runs)
        try:
            after = self.manager.approve(WF, who="anna", reason="seen", acknowledge=acknowledge)
        except NotEarnedError:
            assert not (earned.is_earned and earned.by_person)
        except NotAcknowledgedError:
            assert bound < rules.MIN_LOWER_BOUND
            assert not acknowledge
        else:
            self.approvals += 1
            assert earned.is_earned
            assert before.state == "AUTO_CANDIDATE"
            assert after.state == AUTO_CONFIRMED
            assert bound >= rules.MIN_LOWER_BOUND or acknowledge

    @rule()
    def withdrawn(self) -> None:
        before = self.known().state
        try:
            assert self.manager.withdraw(WF, who="anna", reason="enough").state == "COACHING"
        except UsageError:
            assert before not in rules.AUTO_LEVELS

    @rule(now=st.sampled_from(TASKS))
    def edited(self, now: Workflow) -> None:
        """What it does is what it was, or something else: then it is trusted with nothing any more."""
        before, after = self.known(), self.manager.settle(now)
        assert self.manager.settle(now) == after
        if before.deeds not in (None, deeds_digest(now)):
            assert after.state == ("OBSERVATION" if before.state == "OBSERVATION" else "COACHING")
            assert after.assist_runs == after.auto_candidate_runs == 0

    @rule(
        which=st.sampled_from(TASKS), way=st.sampled_from(["assisted", "supervised", "alone"]), times=st.integers(1, 25)
    )
    def ran_what_it_was(self, which: Workflow, way: Any, times: int) -> None:
        """Runs that went well of what may have been changed since they began."""
        for _ in range(times):
            before = self.known()
            after = self.manager.count(WF, CountedRun(way=way, source=f"was_{next(self.numbers)}"), workflow=which)
            if before.deeds not in (None, deeds_digest(which)):
                assert after == before.model_copy(update={"unverified_runs": before.unverified_runs + 1})

    @rule()
    def found_wrong(self) -> None:
        before = self.known().state
        after = self.manager.judged_wrong(WF, "run_1", who="anna")
        assert after.state == ("OBSERVATION" if before == "OBSERVATION" else "COACHING")
        assert after.assist_runs == 0

    @rule(policy=policies)
    def asked_to_run(self, policy: ExecutionPolicy | None) -> None:
        """L4-12: without an authorisation nothing is sent where the table forbids it, whatever the workflow says."""
        for mode, person, consented in product(MODES, (True, False), (True, False)):
            check_cell(mode, self.known().state, policy, person=person, consented=consented)

    @invariant()
    def one_step_at_a_time(self) -> None:
        """P003-9, and everything that changed was written down with its numbers."""
        if not hasattr(self, "book"):
            return
        moves = [record for kind, record in self.book.entries if kind == "maturity_changed"]
        at = "OBSERVATION"
        for move in moves:
            assert move["from_state"] == at
            assert rules.may_follow(move["from_state"], move["to_state"])
            assert move["numbers"]["recent_confidence"] is not None
            at = move["to_state"]
            assert (at == AUTO_CONFIRMED) <= (move["who"] == "anna")
        assert at == self.known().state
        assert self.heard == [(move["from_state"], move["to_state"]) for move in moves]
        assert sum(move["to_state"] == AUTO_CONFIRMED for move in moves) == self.approvals


TestAutonomy = Autonomy.TestCase
TestAutonomy.settings = settings(max_examples=100, stateful_step_count=30, deadline=None)
