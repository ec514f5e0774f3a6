"""The data directory."""

from rpa_vision.adapters.storage.data_directory import FileDataDirectory

__all__ = ["FileDataDirectory"]
