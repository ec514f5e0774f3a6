"""Ids: what they may look like, and types for the fields that hold one.

An id becomes part of a file name, so it is checked where it enters: no separators, no leading dot, no surprises.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from pydantic import StringConstraints

from rpa_vision.errors import InvalidIdError

# No two dots in a row and none at the end: Windows drops those from file names.
ID_PATTERN = r"^[A-Za-z0-9](\.?[A-Za-z0-9_\-])*$"
MAX_ID_LENGTH = 128
_ID = re.compile(ID_PATTERN)

Id = Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=MAX_ID_LENGTH)]


def checked_id(text: str, *, what: str = "id") -> str:
    """Give the id back, or say why it is not one."""
    if len(text) > MAX_ID_LENGTH or not _ID.fullmatch(text):
        shown = text if len(text) <= 60 else text[:57] + "..."
        raise InvalidIdError(f"{what} {shown!r} is not a valid id")
    return text


def slug(text: str, *, fallback: str = "item", limit: int = 48) -> str:
    """Make an id-safe word out of a human one: « N° facture » becomes `n_facture`."""
    folded = unicodedata.normalize("NFKD", text.replace("°", " ").replace("œ", "oe").replace("Œ", "OE"))
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    words = re.findall(r"[A-Za-z0-9]+", plain)
    joined = "_".join(words).lower()[:limit].strip("_")
    return joined or fallback
