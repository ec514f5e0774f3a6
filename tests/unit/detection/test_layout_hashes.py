"""Small hashes of a screen's structure: one in common knows it again."""

from __future__ import annotations

import random

from rpa_vision.detection.layout_hashes import ENOUGH, structure_hashes
from rpa_vision.detection.layout_likeness import shares_hash
from rpa_vision.detection.layout_signature import layout_signature
from rpa_vision.models.ui_element import UIElement

Label = tuple[str, tuple[int, int, int, int]]
BAR = ["accueil", "clients", "factures", "rapports", "reglages"]


def label(name: str, x: int, y: int) -> Label:
    return name, (x, y, x + 90, y + 20)


def page(words: list[str], columns: int = 6) -> list[Label]:
    """A bar of entries at the top, and words of its own in a grid below it."""
    bar = [label(word, 100 + 120 * index, 5) for index, word in enumerate(BAR)]
    own = [label(word, 250 + 150 * (i % columns), 150 + 60 * (i // columns)) for i, word in enumerate(words)]
    return [*bar, *own]


def many(start: str, count: int = 90) -> list[str]:
    return [f"{start}{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(count)]


def element(name: str, box: tuple[int, int, int, int]) -> UIElement:
    return UIElement(
        element_id=f"label_{box[0]}_{box[1]}", type="label", role="r", bbox=box,
        center=((box[0] + box[2]) // 2, (box[1] + box[3]) // 2), label=name, confidence=0.9,
    )  # fmt: skip


def test_a_screen_is_known_again_when_most_of_it_is_read_otherwise():
    """L1-3"""
    words = many("mot")
    slips = random.Random(1).sample(range(len(words)), 60)
    other = [f"{word}x" if i in slips else word for i, word in enumerate(words)]
    first, second = structure_hashes(page(words)), structure_hashes(page(other))
    assert first != second
    assert set(first) & set(second)


def test_it_is_known_again_in_another_zoom():
    """L1-3"""
    words = page(many("mot"))
    larger = [(name, (2 * x1, 2 * y1, 2 * x2, 2 * y2)) for name, (x1, y1, x2, y2) in words]
    assert structure_hashes(words) == structure_hashes(larger)


def test_two_pages_that_share_only_their_bar_have_none_in_common():
    """L1-3"""
    one, two = structure_hashes(page(many("mot"))), structure_hashes(page(many("nom")))
    assert min(len(one), len(two)) >= ENOUGH
    assert not set(one) & set(two)


def test_a_page_with_nothing_of_its_own_is_known_by_its_bars():
    """L1-3"""
    assert set(structure_hashes(page([]))) & set(structure_hashes(page(["seul"])))


def test_less_than_three_labels_have_no_hash():
    """L1-3"""
    assert structure_hashes([]) == []
    assert structure_hashes(page([])[:2]) == []


def test_signatures_share_a_hash_or_do_not():
    """L1-3"""
    words, slip = page(many("mot")), page([*many("mot")[:-1], "autre"])
    first, second, other = (
        layout_signature([element(name, box) for name, box in labels]) for labels in (words, slip, page(many("nom")))
    )
    assert shares_hash(first, second)
    assert not shares_hash(first, other)
    bare = layout_signature([element(*label("seul", 300, 300))])
    assert shares_hash(bare, bare)
    assert not shares_hash(bare, first)
