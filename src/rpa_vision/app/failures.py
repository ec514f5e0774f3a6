"""Look at what failed: list the cases, show one, resolve its target again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rpa_vision.errors import RpaVisionError, UsageError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.failure_case import CaseSightings, FailureCase
from rpa_vision.models.frame import Pixels
from rpa_vision.ports.failures import CasePicture, FailureCaseStore
from rpa_vision.ports.storage import Listing, WorkflowStore
from rpa_vision.system.failure_replay import CaseReplay, ResolverFor, default_resolver, replay


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which cases somebody wants to see; everything that is None does not matter."""

    workflow_id: str | None = None
    step_id: str | None = None
    failure_kind: FailureKind | None = None
    since: datetime | None = None
    """Seen at this time or later."""

    def admits(self, seen: CaseSightings) -> bool:
        """Whether a case is one of them."""
        return (
            self.workflow_id in (None, seen.workflow_id)
            and self.step_id in (None, seen.step_id)
            and self.failure_kind in (None, seen.failure_kind)
            and (self.since is None or seen.last_seen >= self.since)
        )


def failure_kind(word: str) -> FailureKind:
    """The kind somebody names, however they write it."""
    try:
        return FailureKind(word.strip().upper())
    except ValueError as error:
        kinds = ", ".join(kind.value for kind in FailureKind)
        raise UsageError(f"there is no kind of failure {word!r}", remedy=f"Use one of: {kinds}.") from error


def workflow_of_cases(wanted: str, workflows: WorkflowStore, store: FailureCaseStore) -> str:
    """The workflow somebody means, by id or name; one that is gone is still known by the id its cases have."""
    if any(case.seen.workflow_id == wanted for case in store.list().items):
        return wanted
    return workflows.load(wanted).workflow_id


def list_cases(store: FailureCaseStore, wanted: CaseFilter | None = None) -> Listing[CaseSightings]:
    """The cases, the last seen first, and those that cannot be read."""
    chosen = wanted or CaseFilter()
    found = store.list()
    return Listing(tuple(case.seen for case in found.items if chosen.admits(case.seen)), found.unreadable)


def show_case(store: FailureCaseStore, case_id: str) -> FailureCase:
    """One whole case."""
    return store.load(case_id)


def replay_case(
    store: FailureCaseStore, case_id: str, *, resolver_for: ResolverFor = default_resolver
) -> tuple[FailureCase, CaseReplay]:
    """Resolve the target of a case again; the case and what the resolver says now."""
    case = store.load(case_id)
    screen, look = _pixels(store, case_id, "screen"), _pixels(store, case_id, "look")
    return case, replay(case, screen, look, resolver_for=resolver_for)


def replay_all(
    store: FailureCaseStore, wanted: CaseFilter | None = None, *, resolver_for: ResolverFor = default_resolver
) -> dict[str, JsonObject]:
    """Every case resolved again, by id: what a change of the resolver would have done. A damaged one stops no other."""
    found = list_cases(store, wanted)
    replays: dict[str, JsonObject] = {}
    for seen in found.items:
        try:
            replays[seen.case_id] = replay_case(store, seen.case_id, resolver_for=resolver_for)[1].to_json()
        except RpaVisionError as error:
            replays[seen.case_id] = CaseReplay("not_replayable", str(error)).to_json()
    for bad in found.unreadable:
        replays[bad.name.rpartition("/")[2]] = CaseReplay("not_replayable", bad.problem).to_json()
    return replays


def _pixels(store: FailureCaseStore, case_id: str, name: CasePicture) -> Pixels | None:
    png = store.picture(case_id, name)
    return decode(png) if png is not None else None
