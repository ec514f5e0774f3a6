"""Colours of small pictures."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.imaging.colour import paper_and_ink


@pytest.mark.parametrize("shape", [(4, 1), (1, 4), (1, 1), (2, 2), (1, 40)])
def test_the_smallest_crops_have_a_paper_and_an_ink(shape):
    """L2-3: four pixels are a picture like any other."""
    picture = np.full((*shape, 3), 200, np.uint8)
    picture[0, 0] = 10
    paper, ink = paper_and_ink(picture)
    assert set(paper) | set(ink) <= {10, 200}
