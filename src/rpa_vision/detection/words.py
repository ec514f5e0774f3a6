"""Words as they are compared: without case, accents and punctuation, and with room for a reader's slip."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz

_APART = re.compile(r"[^a-z0-9]+")
_DIGITS = re.compile(r"\d+")
_SIGNS = " ←→↑↓✓✔✕✖●○■□☐☑☒▲▼▶◀★☆⚠•|"

ENGLISH_VERBS = frozenset(
    {"accept", "add", "apply", "approve", "archive", "back", "browse", "cancel", "clear", "close", "confirm",
     "connect", "continue", "copy", "create", "delete", "deny", "discard", "dismiss", "download", "edit", "exit",
     "export", "find", "finish", "forward", "go", "help", "import", "insert", "install", "log", "login", "logout",
     "match", "next", "no", "ok", "open", "paste", "pay", "post", "previous", "print", "publish", "reconnect",
     "refresh", "register", "reject", "reload", "remove", "rename", "replace", "reset", "retry", "revert", "run",
     "save", "search", "select", "send", "settle", "show", "sign", "skip", "start", "stop", "submit", "sync",
     "undo", "unlock", "update", "upload", "validate", "view", "yes"}
)  # fmt: skip
FRENCH_ACTIONS = frozenset(
    {"oui", "non", "ok", "suivant", "suivante", "precedent", "precedente", "retour", "aide", "connexion", "deconnexion"}
)


@lru_cache(maxsize=16_384)  # the same labels come back on every screen
def fold(text: str) -> str:
    """« À valider… » and "a valider" are the same words."""
    joined = text.replace("œ", "oe").replace("Œ", "OE").replace("æ", "ae").replace("°", "o")
    plain = "".join(c for c in unicodedata.normalize("NFKD", joined) if not unicodedata.combining(c))
    return _APART.sub(" ", plain.lower()).strip()


@lru_cache(maxsize=16_384)
def clean_label(text: str) -> str:
    """The words of a label without the arrows and signs drawn beside them: « ← Retour » is called « Retour »."""
    return text.strip(_SIGNS) or text


@lru_cache(maxsize=16_384)
def without_numbers(text: str) -> str:
    """Folded, every run of digits as `#`: what a label says apart from its content."""
    return " ".join(_DIGITS.sub("#", fold(text)).split())


@lru_cache(maxsize=16_384)
def count_alnum(text: str) -> int:
    """How many letters and digits it has."""
    return sum(char.isalnum() for char in text)


@lru_cache(maxsize=16_384)
def count_letters(text: str) -> int:
    """How many letters it has."""
    return sum(char.isalpha() for char in text)


@lru_cache(maxsize=16_384)
def has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def sounds_like_action(text: str) -> bool:
    """It tells somebody to do something: a French infinitive or a known verb comes first."""
    first = _first_word(text)
    infinitive = len(first) >= 5 and first.endswith(("er", "ir", "re")) and not has_digit(first)
    return infinitive or begins_with_action(text)


def begins_with_action(text: str) -> bool:
    """Its first word is a known verb, or a noun that says as much: « Retour »."""
    first = _first_word(text)
    return first in ENGLISH_VERBS or first in FRENCH_ACTIONS


def _first_word(text: str) -> str:
    return next((word for word in fold(text).split() if word not in ("se", "s", "ne", "pas")), "")


def says(text: str, phrases: Iterable[str], *, least: float = 86.0) -> bool:
    """It holds one of the (folded) phrases as whole words; a letter read wrong does not matter in longer ones."""
    words = fold(text).split()
    joined = f" {' '.join(words)} "
    for phrase in phrases:
        if f" {phrase} " in joined:
            return True
        size = len(phrase.split())
        if len(phrase) >= 6:
            for start in range(len(words) - size + 1):
                if fuzz.ratio(" ".join(words[start : start + size]), phrase) >= least:
                    return True
    return False
