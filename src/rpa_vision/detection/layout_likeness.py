"""Is this the same layout, and how sure is that? The one place where signatures are compared.

The same page in another theme, zoom or content shares most of its labels and of what stands where; another page of the
same application shares its bars, so what stands in them counts for a quarter only. Two signatures that are at least
`SAME_LAYOUT` alike are of one page. Nothing is clicked on this evidence. Who must notice that a control came or went,
as failure cases do, compares hashes.

A signature that was stored by an earlier version and carries no labels is the same as another where their hashes are.

`KnownLayouts` gives the same layout the same name: a signature that is like a known one is called by the hash of that
one, so that equal names mean the same layout. Names go by who came first, hence in an order that stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from rpa_vision.models.screen_state import LayoutSignature

SAME_LAYOUT: Final = 0.16
"""Chosen on the applications the screen encoder is trained on; see docs/models/encoder.md for what it gives."""
_PLACE_SHARE: Final = 0.5
"""How much a kind of element in a place says beside a label: less, but it is all there is where nothing has a name."""
_BAR_SHARE: Final = 0.25
"""How much of that is left of what stands in a bar."""
_DIALOG_FACTOR: Final = 0.7
"""With a dialog in front it is mostly another screen; but dark themes show things that look like dialogs."""


@dataclass(frozen=True, slots=True)
class LayoutLikeness:
    """How alike two layouts are, and what that means."""

    likeness: float
    """From 0 to 1; 1 for equal hashes. Above .22 no other page of an application was in training."""

    @property
    def same(self) -> bool:
        """It is the same screen, with whatever content, in whatever theme and zoom."""
        return self.likeness >= SAME_LAYOUT


def compare_layouts(first: LayoutSignature | None, second: LayoutSignature | None) -> LayoutLikeness:
    """Whether two screens have the same layout, and how sure that is. One that is not known is like no other."""
    if first is None or second is None:
        return LayoutLikeness(0.0)
    return _Compared.of(first).beside(_Compared.of(second))


def layout_similarity(first: LayoutSignature, second: LayoutSignature) -> float:
    """How much two screens share, 0 to 1: their labels, and what stands where; 1 for equal hashes."""
    return compare_layouts(first, second).likeness


def shares_hash(first: LayoutSignature, second: LayoutSignature) -> bool:
    """Whether both have a small hash in common; where one has none, whether that of the whole is equal. Pages of one
    application mostly have. No part of the product asks: the hashes are for readers of the document who can look
    things up by equality only (a data base of screens), and the scores say what they may expect."""
    mine, theirs = _listed(first, "hashes"), _listed(second, "hashes")
    if mine and theirs:
        return not mine.isdisjoint(theirs)
    return first.hash == second.hash and first.method == second.method


def without_words(signature: LayoutSignature) -> LayoutSignature:
    """What of a signature is needed to compare it with others of that form: of its labels digests only, for a label may
    be a name that must not be written down."""
    kept: dict[str, JsonValue] = {"dialog": bool(signature.components.get("dialog"))}
    for name in ("labels", "bar_labels"):
        kept[name] = [*sorted(_digest(label) for label in _listed(signature, name))]
    for name in ("places", "bar_places"):
        kept[name] = [*sorted(_listed(signature, name))]
    return LayoutSignature(hash=signature.hash, method=signature.method, components=kept)


class KnownLayouts:
    """Layouts that were seen, each under one name. Each signature is taken apart once."""

    def __init__(self, known: Iterable[LayoutSignature] = ()) -> None:
        self._known = [_Compared.of(signature) for signature in known]

    def known_as(self, fresh: LayoutSignature) -> LayoutSignature | None:
        """Of the known ones of the same layout the most alike; of equals the one whose hash is the last."""
        one = _Compared.of(fresh)
        found = [(one.beside(other).likeness, other.signature.hash, at) for at, other in enumerate(self._known)]
        likeness, _, at = max(found, default=(0.0, "", 0))
        return self._known[at].signature if found and likeness >= SAME_LAYOUT else None

    def named(self, fresh: LayoutSignature) -> str:
        """The name of its layout: the hash of the first signature of it."""
        known = self.known_as(fresh)
        if known is None:
            self._known.append(_Compared.of(fresh))
        return (known or fresh).hash


@dataclass(frozen=True, slots=True)
class _Compared:
    """A signature, taken apart for comparing."""

    signature: LayoutSignature
    labels: frozenset[str]
    bar_labels: frozenset[str]
    places: frozenset[str]
    bar_places: frozenset[str]
    dialog: bool

    @classmethod
    def of(cls, signature: LayoutSignature) -> _Compared:
        return cls(
            signature,
            labels=_listed(signature, "labels"),
            bar_labels=_listed(signature, "bar_labels"),
            places=_listed(signature, "places"),
            bar_places=_listed(signature, "bar_places"),
            dialog=bool(signature.components.get("dialog")),
        )

    def beside(self, other: _Compared) -> LayoutLikeness:
        if self.signature.hash == other.signature.hash and self.signature.method == other.signature.method:
            return LayoutLikeness(1.0)
        if not (self.labels or self.places) or not (other.labels or other.places):
            return LayoutLikeness(0.0)
        in_bar, place_in_bar = self.bar_labels | other.bar_labels, self.bar_places | other.bar_places
        shared = _weight(self.labels & other.labels, in_bar)
        shared += _PLACE_SHARE * _weight(self.places & other.places, place_in_bar)
        either = _weight(self.labels | other.labels, in_bar)
        either += _PLACE_SHARE * _weight(self.places | other.places, place_in_bar)
        return LayoutLikeness(shared / either * (1.0 if self.dialog == other.dialog else _DIALOG_FACTOR))


def _weight(names: frozenset[str], in_bar: frozenset[str]) -> float:
    barred = len(names & in_bar)
    return len(names) - barred + _BAR_SHARE * barred


def _listed(signature: LayoutSignature, name: str) -> frozenset[str]:
    values = signature.components.get(name)
    return frozenset(str(value) for value in values) if isinstance(values, list) else frozenset()


def _digest(label: str) -> str:
    return hashlib.blake2b(label.encode(), digest_size=6).hexdigest()
