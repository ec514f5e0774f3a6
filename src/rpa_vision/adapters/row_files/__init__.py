"""Tables that people keep their rows in: CSV and XLSX files."""

from rpa_vision.adapters.row_files.local_row_files import LocalRowFiles

__all__ = ["LocalRowFiles"]
