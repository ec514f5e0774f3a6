"""Which windows are not looked at, by words of their titles and applications: kept with the data, for all who watch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rpa_vision.capture.discretion import USUALLY_DENIED
from rpa_vision.errors import DocumentError, UsageError
from rpa_vision.models.document import JsonObject

if TYPE_CHECKING:
    from rpa_vision.adapters.storage.data_directory import FileDataDirectory
    from rpa_vision.app.office import Office

MAX_WORDS: Final = 200
_MAX_CHARS: Final = 100
_MAX_BYTES: Final = 64 * 1024
_FILE: Final = "deny_list.json"


def denied_words(data: FileDataDirectory) -> tuple[str, ...]:
    """The words somebody wrote down; none where nobody did."""
    path = data.paths.config(_FILE)
    if not data.files.has(path):
        return ()
    try:
        told = json.loads(data.files.read(path, limit=_MAX_BYTES))
    except UnicodeDecodeError as error:
        what = f"config/{_FILE}: not a text in UTF-8, from byte {error.start} on"
        raise DocumentError(what, remedy="Mend it, or save the list again.") from error
    except ValueError as error:
        raise DocumentError(
            f"config/{_FILE}: not valid JSON ({error})", remedy="Mend it, or save the list again."
        ) from error
    words = told.get("words") if isinstance(told, dict) else None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise DocumentError(f"config/{_FILE}: has no list of words", remedy="Mend it, or save the list again.")
    return tuple(words)


def deny_list(office: Office) -> JsonObject:
    """What is never looked at: always, and because somebody said so."""
    return {"words": list(denied_words(office.data)), "always": list(USUALLY_DENIED)}


def write_deny_list(office: Office, words: Sequence[str], *, who: str) -> JsonObject:
    """Replace the list; recordings and observers that begin from now on heed it."""
    wanted = list(dict.fromkeys(word.strip() for word in words if word.strip()))
    if len(wanted) > MAX_WORDS or any(len(word) > _MAX_CHARS or not word.isprintable() for word in wanted):
        raise UsageError(f"at most {MAX_WORDS} words of {_MAX_CHARS} characters", remedy="Write fewer or shorter ones.")
    office.heal.audit.append("deny_list_written", {"words": [*wanted], "who": who})
    body = json.dumps({"schema_version": "deny_list_v1", "words": wanted}, ensure_ascii=False, indent=2)
    office.data.files.write(office.data.paths.config(_FILE), body.encode())
    return deny_list(office)
