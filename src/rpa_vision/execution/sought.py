"""What is sought: the target with the run's values in it, how its recorded screen lies on this one, and all that may be
meant, whether it was detected or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.proposed_elements import proposed
from rpa_vision.execution.strategies import constellation
from rpa_vision.execution.strategies.evidence import Search, guarded
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.frame import Pixels
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import fill, variables_in
from rpa_vision.ports.learning import RememberedTarget


def search_for(
    target: TargetSpec,
    screen: ObservedScreen,
    values: Mapping[str, str],
    profile: HealingProfile,
    look: Pixels | None,
    terms: StepThresholds | None,
    memories: Sequence[RememberedTarget],
    *,
    on_its_screen: bool = False,
) -> Search:
    """Fill the target, lay its recorded screen over this one and collect what may be meant."""
    filled = dict(values)
    label = fill(target.label, filled) if target.label is not None else None
    elements = screen.state.ui_elements
    is_exact = target.label is not None and bool(variables_in(target.label))
    # What depends on the run's values is where they are, not where others were.
    moves = is_exact or bool(target.row_contains)
    sky = None if moves else guarded(constellation.NAME, lambda: constellation.sky_of(target, label, elements))
    search = Search(
        target=target,
        label=label,
        label_is_exact=is_exact,
        rows=tuple(fill(row, filled) for row in target.row_contains),
        look=look,
        screen=screen,
        profile=profile,
        elements=elements,
        sky=sky,
        remembered=tuple(memories),
        on_its_screen=on_its_screen,
        pixel_scale=terms.pixel_scale if terms is not None else 1.0,
    )
    more = guarded("proposed", partial(proposed, search), broken=())
    return replace(search, elements=(*elements, *more))
