"""SQLite over decisions: a disposable index of the audit trail, and the store of validated successes."""

from rpa_vision.adapters.decisions.decision_index import SqliteDecisionIndex
from rpa_vision.adapters.decisions.success_store import SqliteSuccessStore

__all__ = ["SqliteDecisionIndex", "SqliteSuccessStore"]
