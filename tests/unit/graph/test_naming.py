"""Screens and tasks are called by the document and the application, not by the folder a document lay in."""

from __future__ import annotations

import pytest

from rpa_vision.graph.naming import without_folders


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("/tmp/xyz/draft.txt - Mousepad", "draft.txt - Mousepad"),
        ("*/srv/anne/Mes documents/draft.txt - Mousepad", "*draft.txt - Mousepad"),
        ("~/notes/draft.txt - Mousepad", "draft.txt - Mousepad"),
        (r"C:\Users\anne\Bureau\budget.xlsx - Excel", "budget.xlsx - Excel"),
        (r"\\serveur\partage\budget.xlsx - Excel", "budget.xlsx - Excel"),
        ("draft.txt (~/notes) - gedit", "draft.txt - gedit"),
        ("/tmp/abc/… - Mousepad", "… - Mousepad"),
        ("journal.txt - Mousepad", "journal.txt - Mousepad"),
        ("Total / Net / Brut - Office", "Total / Net / Brut - Office"),
        ("Page 1/2/3 (copie)", "Page 1/2/3 (copie)"),
        ("https://clinique.example/a/b", "https://clinique.example/a/b"),
        ("/", "/"),
        ("", ""),
    ],
)
def test_a_title_says_the_document_and_not_where_it_lies(title: str, name: str) -> None:
    """L4-2"""
    assert without_folders(title) == name
