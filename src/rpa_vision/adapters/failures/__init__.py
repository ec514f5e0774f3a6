"""Failure cases on disk."""

from rpa_vision.adapters.failures.file_failure_cases import FileFailureCaseStore

__all__ = ["FileFailureCaseStore"]
