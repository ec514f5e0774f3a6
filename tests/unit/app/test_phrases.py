"""What is said of a step, where a person is to do it by these words."""

from __future__ import annotations

import pytest

from rpa_vision.app.phrases import Phrases
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.guidance import Language


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Replace what the field holds by “roche.txt”"),
        ("fr", "Remplacer ce que contient le champ par « roche.txt »"),
    ],
)
def test_a_field_that_is_to_be_emptied_first_is_called_so_without_a_name(language: Language, said: str) -> None:
    """UX-5: who only types it gets roche.txt.txt."""
    typing = Action(type="text_input", parameters=ActionParameters(text="roche.txt", replace_existing=True))
    assert Phrases(language).action(typing) == said
