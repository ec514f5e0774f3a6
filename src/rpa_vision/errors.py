"""One error tree. Every error has a stable code, says what happened and what to do about it.

Expected outcomes (not found, ambiguous, unknown screen) are return values; what is raised here is a
broken promise: of the environment, of a document, or of the caller.
"""

from __future__ import annotations


class RpaVisionError(Exception):
    """Root of the tree. `str()` says what happened, `remedy` what the reader can do."""

    code = "rpa_vision.error"
    default_remedy = "Run `rpa-vision doctor` to check this machine."

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.remedy = remedy if remedy is not None else self.default_remedy


class UsageError(RpaVisionError):
    """The caller asked for something that cannot be asked that way."""

    code = "usage"
    default_remedy = "See `rpa-vision --help`."


class EnvironmentMissingError(RpaVisionError):
    """The machine lacks something the work needs."""

    code = "environment.missing"


class DocumentError(RpaVisionError):
    """A stored document is torn, foreign or breaks its schema. Nothing was changed."""

    code = "document.invalid"
    default_remedy = "Restore the file from a backup or remove it; the other documents are not affected."


class EventLogError(DocumentError):
    """An event log that cannot be understood; the line is named. Nothing was imported."""

    code = "event_log.invalid"
    default_remedy = "Mend the lines named; docs/event-logs.md describes the columns."


class InvalidIdError(RpaVisionError):
    """An id that could be something other than an id, such as a path."""

    code = "id.invalid"
    default_remedy = "Ids are made of letters, digits, '_', '.' and '-', and start with a letter or digit."


class UnknownIdError(RpaVisionError):
    """The document asked for does not exist."""

    code = "id.unknown"


class BeingRecordedError(RpaVisionError):
    """The session is still being recorded. Nothing of it was touched."""

    code = "session.being_recorded"
    default_remedy = "End the recording first (its stop hotkey, or Ctrl-C where it was started)."


class StorageError(RpaVisionError):
    """The disk refused; what was there before is unchanged."""

    code = "storage.failed"
    default_remedy = "Free disk space or check the permissions of the data directory, then try again."


class DataDirectoryError(StorageError):
    """The data directory is not ours or cannot be used."""

    code = "storage.data_directory"
    default_remedy = "Choose another directory with --data or RPA_VISION_DATA."


class ModelMissingError(EnvironmentMissingError):
    """A model file that ships with the package is absent or broken."""

    code = "model.missing"
    default_remedy = "Reinstall the package, or remake the models with `make models`."


class PluginError(EnvironmentMissingError):
    """What was plugged in by a setting (a detector's file, an encoder, a VLM's address) cannot be used."""

    code = "plugin.unusable"
    default_remedy = "Correct the setting, or remove it to use what is embedded; see docs/plugins.md."


class DesktopError(RpaVisionError):
    """The desktop cannot be reached or refused."""

    code = "desktop.error"


class NoDisplayError(DesktopError):
    """There is no display to watch or act on."""

    code = "desktop.no_display"
    default_remedy = "Set DISPLAY to a running X server, or start a virtual desktop with `rpa-vision desktop`."


class InputNotDeliveredError(DesktopError):
    """The desktop refused the input before any of it was sent. It is safe to try again."""

    code = "desktop.input_not_delivered"


class UncertainDeliveryError(DesktopError):
    """Input failed halfway, so it may have arrived. Look at the screen; never retry."""

    code = "desktop.uncertain_delivery"
    default_remedy = "Look at the screen before doing anything again."


class ImageError(RpaVisionError):
    """A picture that cannot be read as one."""

    code = "image.invalid"
    default_remedy = "Give a PNG, JPEG or WebP picture of a screen."


class LearningError(RpaVisionError):
    """The recordings do not hold a workflow that can be learned."""

    code = "learning.no_workflow"
    default_remedy = "Record the same task at least three times, from the same starting screen, and learn again."


class ParameterError(UsageError):
    """A workflow variable is missing, unknown or not of its type."""

    code = "run.parameter"


class ExpressionError(RpaVisionError):
    """A condition that is not written as one; `position` says where, counted in characters from 0."""

    code = "expression.invalid"
    default_remedy = "Write it as docs/expressions.md describes, for example: variables.amount < 1000.0"

    def __init__(self, message: str, position: int, *, remedy: str | None = None) -> None:
        super().__init__(f"{message} (at character {position + 1})", remedy=remedy)
        self.position = position


class ExpressionValueError(ExpressionError):
    """A condition cannot be judged: a variable has no value, or one that cannot be compared so. Nothing was guessed."""

    code = "expression.value"
    default_remedy = "Give the variable a value of its type, or mend the condition."


class TransitionRefusedError(UsageError):
    """A change of state that the table does not know, asked for by something that is not a person."""

    code = "auto_heal.transition_refused"
    default_remedy = "See docs/auto-heal.md for the table; a person may go outside it, by name."


class SupervisorStateDamagedError(StorageError):
    """The supervisor's memory could not be read. It was moved aside, not deleted; states begin anew."""

    code = "auto_heal.state_damaged"
    default_remedy = "Look at the workflows' states before running them again; the audit trail has their history."


class NotEarnedError(UsageError):
    """A workflow has not shown yet what the next level asks for. Nothing was changed."""

    code = "autonomy.not_earned"
    default_remedy = "`rpa-vision workflows maturity WORKFLOW` says what is missing."


class NotAcknowledgedError(UsageError):
    """What speaks for a workflow is thin, and whoever approves it has not said that this was seen."""

    code = "autonomy.not_acknowledged"
    default_remedy = "Let it run more often under supervision, or approve it with --acknowledge."
