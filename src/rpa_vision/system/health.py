"""Whether this process lives and whether work should be sent to it, judged by facts that somebody else gathers."""

from __future__ import annotations

from dataclasses import dataclass

MIN_FREE_BYTES = 200 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HealthFacts:
    """What was found out just now. None: nobody looked."""

    state_store_reachable: bool | None = None
    audit_writable: bool | None = None
    free_disk_bytes: int | None = None
    alerts_running: bool | None = None
    policy_error: str | None = None
    min_free_disk_bytes: int = MIN_FREE_BYTES


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that was looked at. What is not critical is told and stops nothing."""

    name: str
    ok: bool
    detail: str = ""
    critical: bool = True


@dataclass(frozen=True, slots=True)
class Health:
    """Live: do not restart me. Ready: send me work. Both as a load balancer asks: 200 or 503."""

    live: bool
    ready: bool
    checks: tuple[HealthCheck, ...]

    @property
    def status_code(self) -> int:
        return 200 if self.ready else 503

    def to_json(self) -> dict[str, object]:
        """For the endpoint and `--json`."""
        return {
            "live": self.live,
            "ready": self.ready,
            "checks": {
                check.name: {"ok": check.ok, "critical": check.critical, "detail": check.detail}
                for check in self.checks
            },
        }


def health(facts: HealthFacts) -> Health:
    """Judge. A robot that cannot remember its state or write down what it decides must not be given work."""
    checks = [
        _fact("state_store", facts.state_store_reachable, "the supervisor's state cannot be read or written"),
        _fact("audit", facts.audit_writable, "the audit trail cannot be written"),
        _disk(facts),
        _fact("alerts", facts.alerts_running, "nobody delivers alerts", critical=False),
    ]
    if facts.policy_error is not None:
        checks.append(
            HealthCheck("policy", ok=False, critical=False, detail=f"last good one kept: {facts.policy_error}")
        )
    found = tuple(check for check in checks if check is not None)
    return Health(live=True, ready=all(check.ok or not check.critical for check in found), checks=found)


def _fact(name: str, holds: bool | None, otherwise: str, *, critical: bool = True) -> HealthCheck | None:
    if holds is None:
        return None
    return HealthCheck(name, holds, "" if holds else otherwise, critical)


def _disk(facts: HealthFacts) -> HealthCheck | None:
    if facts.free_disk_bytes is None:
        return None
    mib = facts.free_disk_bytes // (1024 * 1024)
    return HealthCheck("disk", facts.free_disk_bytes >= facts.min_free_disk_bytes, f"{mib} MiB free")
