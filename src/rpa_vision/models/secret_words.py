"""Words that say that what belongs to them is nobody's business: of fields on a screen, of targets in a log."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rpa_vision.models.wording import folded

SECRET_PHRASES: Final = (
    "mot de passe", "motdepasse", "mdp", "password", "passwd", "pwd", "passphrase", "phrase secrete",
    "phrase de passe", "code secret", "code pin", "code confidentiel", "code d acces", "pin", "cvv", "cvc",
    "cryptogramme", "secret", "secret key", "cle secrete", "cle api", "api key", "code de securite", "security code",
    "access token", "token", "kennwort",
)  # fmt: skip
"""Folded, without signs. `detection.roles` looks for them in what was read, with room for a reader's slip."""
_WRITTEN_ONLY: Final = ("passwort",)
"""With that room it is « passeport »."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://\S+")
_HANDED = re.compile(r"[?&#;]([^=&#;?]+)=")


@lru_cache(maxsize=16_384)  # a log says the same names over and over
def names_a_secret(text: str) -> bool:
    """Whether a name says so, as people or programs write it: « Code PIN », `userPassword`, `txt_pwd`."""
    words = re.sub(r"[^a-z0-9]+", " ", folded(_CAMEL.sub(" ", text)))
    return any(f" {phrase} " in f" {words.strip()} " for phrase in (*SECRET_PHRASES, *_WRITTEN_ONLY))


def page_of(address: str) -> str:
    """The page that an address leads to: without who logs in and without what is handed over with it."""
    bare = re.split(r"[?#]", address, maxsplit=1)[0]
    scheme, separator, rest = bare.partition("://")
    if not separator:
        return bare
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def without_secret_addresses(text: str) -> str:
    """A text in which addresses that hold a secret are cut down to their page."""
    return _ADDRESS.sub(lambda found: page_of(found[0]) if _holds_a_secret(found[0]) else found[0], text)


def _holds_a_secret(address: str) -> bool:
    host = address.partition("://")[2].partition("/")[0]
    return "@" in host or any(names_a_secret(name) for name in _HANDED.findall(address))
