"""The audit trail."""

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit

__all__ = ["JsonlAudit"]
