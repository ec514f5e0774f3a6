"""The supervisor's memory and its policy, on disk."""

from rpa_vision.adapters.auto_heal.policy_file import PolicyFile
from rpa_vision.adapters.auto_heal.sqlite_state import SqliteState

__all__ = ["PolicyFile", "SqliteState"]
