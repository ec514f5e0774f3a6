"""Claims and their outcomes, counted in SQLite."""

from rpa_vision.adapters.precision.sqlite_precision import SqlitePrecisionStore

__all__ = ["SqlitePrecisionStore"]
