"""Letters of one shape, told apart by the letters beside them where the net itself is in doubt.

« c » and « C », « o », « O » and « 0 » differ by their size alone, and in a face the net does not know it may guess. A
capital among small letters is then a small one, a small one among capitals a capital, a nought before small letters an
O. What the net is sure of stays: « LibreOffice » and « JavaScript » are words, too.
"""

from __future__ import annotations

from collections.abc import Sequence

SMALL = str.maketrans("COSUVWXZÇÖÔÙÛÜÀÂÄÉÈÊËÎÏÍ", "cosuvwxzçöôùûüàâäéèêëîïí")
LARGE = str.maketrans("cosuvwxzçöôùûü", "COSUVWXZÇÖÔÙÛÜ")
_A_WORD = 4
"""So many small letters are no unit: « 0km » and « 0pcs » begin with a nought."""
DOUBT = 0.75
"""Characters less likely than this may be told by their neighbours."""


def told_by_neighbours(characters: Sequence[str], chances: Sequence[float]) -> str:
    """The text, with letters that are in doubt as their word has them."""
    made = list(characters)
    for at, (character, chance) in enumerate(zip(characters, chances, strict=True)):
        if chance < DOUBT:
            before = made[at - 1] if at else " "
            made[at] = _told(character, before, "".join(characters[at + 1 : at + 5]))
    return "".join(made)


def _told(character: str, before: str, after: str) -> str:
    if character == "0" and after.isalpha() and after.islower() and len(after) == _A_WORD and not before.isalnum():
        return "O"
    after = after[:2]
    if before.islower() and not (after[:1].isupper() or after[:1].isdigit()):
        return character.translate(SMALL)
    if before.isupper() and after[:1].isupper() and not after[1:].islower():
        return character.translate(LARGE)
    return character
