"""The audit trail."""

from rpa_vision.adapters.audit.jsonl_audit import AuditSettings, JsonlAudit
from rpa_vision.adapters.audit.trail_reader import JsonlTrail

__all__ = ["AuditSettings", "JsonlAudit", "JsonlTrail"]
