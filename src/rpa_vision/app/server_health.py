"""Whether the server is ready, and its numbers for monitoring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpa_vision import __version__
from rpa_vision.app import heal as heal_use_case
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.document import JsonObject
from rpa_vision.system.health import Health, HealthFacts, health

if TYPE_CHECKING:
    from rpa_vision.app.office import Office


def status_now(office: Office) -> JsonObject:
    """The supervisor's view of every workflow, and how many runs wait and run."""
    told = heal_use_case.status(office.heal, office.clock.now())
    return {**told, "queue": office.queue.counts(), "version": __version__}


def health_now(office: Office) -> Health:
    """Look at what the server needs, and judge."""
    try:
        office.heal.manager.get_status_report()
        office.queue.counts()
        reachable = True
    except RpaVisionError:
        reachable = False
    return health(
        HealthFacts(
            state_store_reachable=reachable,
            free_disk_bytes=office.free_disk_bytes(),
            policy_error=office.heal.policy.problem,
        )
    )


def metrics_now(office: Office) -> bytes:
    """Everything that is counted, brought up to date."""
    office.follower.catch_up()
    policy = office.heal.policy.current()
    office.metrics.observe_status(office.heal.manager.get_status_report(), policy)
    office.metrics.queue(office.queue.counts())
    undelivered = office.heal.alerts.undelivered()
    office.metrics.alert_backlog(undelivered=len(undelivered), dropped=0)
    office.metrics.ready(health_now(office).ready)
    return office.metrics.render()
