"""The auto-heal policy as people handle it: see it, check one, compare two, change the mode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from rpa_vision.errors import DocumentError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import AuditLog
from rpa_vision.system.thresholds import thresholds_in_force

Direction = Literal["stricter", "looser", "other"]

# More of it asks for more: of these more is stricter, of those fewer is. What is in neither is a matter of taste.
_MORE_IS_STRICTER = frozenset(
    {"step_success_streak_to_running", "workflow_fail_window_s", "global_fail_window_s", "global_pause_enabled",
     "min_confidence_normal", "min_confidence_degraded", "min_margin_top1_top2_normal",
     "min_margin_top1_top2_degraded", "disable_learning_in_degraded", "rollback_on_regression",
     "quarantine_duration_s"}
)  # fmt: skip
_LESS_IS_STRICTER = frozenset(
    {"step_fail_streak_to_degraded", "workflow_fail_max_in_window", "global_fail_max_in_window",
     "regression_fail_ratio"}
)  # fmt: skip
_STATES = (ExecutionState.RUNNING, ExecutionState.DEGRADED)


class EditablePolicy(Protocol):
    """The policy file of a data directory."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def is_there(self) -> bool:
        """Whether there is one."""

    @property
    def problem(self) -> str | None:
        """Why the file as it is now is not in force, or None."""

    @property
    def explicit(self) -> JsonObject:
        """The keys somebody wrote, of the policy in force."""

    def current(self) -> AutoHealPolicy:
        """The policy in force."""

    def replace(self, document: JsonObject) -> AutoHealPolicy:
        """Put another policy in force."""


def policy_in_force(source: EditablePolicy | None) -> AutoHealPolicy:
    """The policy in force; the defaults where nobody ever wrote one."""
    return source.current() if source is not None else AutoHealPolicy()


def show_policy(source: EditablePolicy | None) -> JsonObject:
    """The whole policy in force, and of each key whether the file says it or the preset fills it in."""
    policy = policy_in_force(source)
    explicit: Mapping[str, object] = source.explicit if source is not None else {}
    keys = policy.to_json()
    return {
        "mode": policy.mode,
        "digest": policy.digest,
        "file": str(source.path) if source is not None and source.is_there else None,
        "problem": source.problem if source is not None else None,
        "policy": keys,
        "sources": {key: "file" if key in explicit else "preset" for key in keys},
        "thresholds": _thresholds(policy),
        "effective": _effective(policy),
    }


@dataclass(frozen=True, slots=True)
class KeyChange:
    """One key that two policies have differently."""

    key: str
    now: object
    then: object
    direction: Direction


def compare(current: AutoHealPolicy, other: AutoHealPolicy) -> list[KeyChange]:
    """What another policy would change, key by key."""
    now, then = current.to_json(), other.to_json()
    return [KeyChange(key, now[key], then[key], _direction(key, now[key], then[key])) for key in now
            if now[key] != then[key]]  # fmt: skip


def diff_policy(current: AutoHealPolicy, other: AutoHealPolicy) -> JsonObject:
    """What another policy would change, and how sure a step would have to be."""
    changes = compare(current, other)
    return {
        "same": not changes,
        "digest": {"now": current.digest, "then": other.digest},
        "changes": [{"key": one.key, "now": one.now, "then": one.then, "direction": one.direction} for one in changes],
        "thresholds": {"now": _thresholds(current), "then": _thresholds(other)},
    }


def set_mode(source: EditablePolicy, mode: str, audit: AuditLog, who: str) -> JsonObject:
    """Change the preset; keys that somebody wrote stay. Written down with who, before it is done."""
    before = source.current()
    if source.problem is not None and source.is_there:
        raise DocumentError(source.problem, remedy=f"Mend {source.path} first; docs/policy.md has every key.")
    document = {**source.explicit, "mode": mode}
    try:
        policy = AutoHealPolicy.from_json(document, where=source.path.name)
    except DocumentError as error:
        raise DocumentError(
            f"{error}, in the mode {mode}", remedy="Change that key in the file, or take it out, and try again."
        ) from error
    audit.append("policy_written", {"who": who, "policy_digest": policy.digest, "policy": policy.to_json()})
    source.replace(document)
    return {"file": str(source.path), "kept": sorted(source.explicit.keys() - {"mode"}), **diff_policy(before, policy)}


def save_policy(source: EditablePolicy, document: JsonObject, audit: AuditLog, who: str) -> JsonObject:
    """Replace the policy by the keys given; what they leave out the preset fills in. Written down before it is done."""
    before, policy = policy_in_force(source), AutoHealPolicy.from_json(document, where="policy")
    audit.append("policy_written", {"who": who, "policy_digest": policy.digest, "policy": policy.to_json()})
    source.replace(document)
    return {"file": source.path.name, **diff_policy(before, policy)}


def _thresholds(policy: AutoHealPolicy) -> JsonObject:
    found = {state.value: thresholds_in_force(policy, state) for state in _STATES}
    return {
        state: {
            "min_confidence": terms.min_confidence,
            "min_margin": terms.min_margin,
            "learning_enabled": terms.learning_enabled,
        }
        for state, terms in found.items()
    }


def _effective(policy: AutoHealPolicy) -> JsonObject:
    """What really holds: a policy may only ask for more than the robot asks of itself."""
    from rpa_vision.execution.target_resolver import MIN_MARGIN, MIN_SCORE
    from rpa_vision.graph import node_matcher

    floors = {"target": (MIN_SCORE, MIN_MARGIN), "screen": (node_matcher.MATCH_CONFIDENCE, node_matcher.MIN_MARGIN)}
    return {
        state: {
            what: {
                "min_confidence": max(confidence, terms["min_confidence"]),
                "min_margin": max(margin, terms["min_margin"]),
            }
            for what, (confidence, margin) in floors.items()
        }
        for state, terms in _thresholds(policy).items()
    }


def _direction(key: str, now: float, then: float) -> Direction:
    if key in _MORE_IS_STRICTER:
        return "stricter" if then > now else "looser"
    if key in _LESS_IS_STRICTER:
        return "stricter" if then < now else "looser"
    return "other"
