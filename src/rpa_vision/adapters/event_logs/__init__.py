"""Event logs of other recorders, as files."""

from rpa_vision.adapters.event_logs.csv_log import CsvEventLogs as CsvEventLogs
