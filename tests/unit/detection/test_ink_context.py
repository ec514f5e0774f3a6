"""Letters of one shape are told by their neighbours, but only where the reader is in doubt."""

from __future__ import annotations

import pytest

from rpa_vision.adapters.perception.ink_context import told_by_neighbours


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("auCune", "aucune"),
        ("AperçU", "Aperçu"),
        ("LoÏc", "Loïc"),
        ("vÉrifier", "vérifier"),
        ("0livia", "Olivia"),
        ("0km", "0km"),
        ("0min", "0min"),
        ("0pcs", "0pcs"),
        ("WvY", "WVY"),
        ("Ctrl+0", "Ctrl+0"),
        ("0h22", "0h22"),
        ("10 h 05", "10 h 05"),
        ("CV", "CV"),
        ("Ou", "Ou"),
        ("n° C12", "n° C12"),
        ("", ""),
    ],
)
def test_letters_in_doubt_are_told_by_their_neighbours(read, meant):
    """L2-6"""
    assert told_by_neighbours(read, [0.5] * len(read)) == meant


@pytest.mark.parametrize("text", ["LibreOffice", "JavaScript", "PowerShell", "0livia", "auCune"])
def test_what_is_sure_stays(text):
    """L2-6"""
    assert told_by_neighbours(text, [0.99] * len(text)) == text
