"""What was learned, on disk: versions as links, the target memory in SQLite."""

from rpa_vision.adapters.learning.sqlite_target_memory import SqliteTargetMemory
from rpa_vision.adapters.learning.version_files import FileVersionFiles

__all__ = ["FileVersionFiles", "SqliteTargetMemory"]
