"""An answer by its words, looked over with both pictures at hand: they may give one where words do not tell, or object.

What only looks the same is not it where its name or the question of its dialog has become another.
"""

from __future__ import annotations

from rpa_vision.execution.locating import name_beside, same_sight, sight_verdicts
from rpa_vision.execution.locating.located import Located, refused, seen_at
from rpa_vision.execution.locating.sought import Sought

_AT_EDGE_PX = 4
_NAMED_AS_BEFORE = ("same", "none")


def looked_over(found: Located, sought: Sought) -> Located:
    """The answer as it stands after a look at both pictures."""
    then, box, now = sought.then, sought.box, sought.now
    place = sought.place(found.point)
    scale = place.fit.scale if place.fit is not None else 1.0
    if found.box is not None and name_beside.name_there(then, box, now, found.box, scale) == "a like's":
        found = refused(found, "the name beside it is that of one of its likes")
    elif found.box is not None and sight_verdicts.changed_places(place, found.box, sought.target, then, now):
        return found
    seen = place.found
    if seen is None or name_beside.asks_otherwise(then, now, seen.box):
        return found
    if name_beside.name_there(then, box, now, seen.box, scale) not in _NAMED_AS_BEFORE:
        return found
    reached = not same_sight.dialog_is_new(then, now, seen.box, place.fit)
    if reached and (
        place.is_unchanged or (found.point is None and sight_verdicts.says_the_same(place, then, box, now))
    ):
        if found.point is not None and seen.box.padded(_AT_EDGE_PX).contains(found.point):
            return found
        share = f"{seen.around.same} of {seen.around.inked} parts"
        return seen_at(seen.box, seen.likeness, f"its place is unchanged, and so is what stands around it ({share})")
    if found.point is None:
        why = sight_verdicts.taken_over(place, then, box, now) if reached else None
        return found if why is None else seen_at(seen.box, seen.around.share(), why)
    against = sight_verdicts.objection(place, found.point, sought.target, then, box, now)
    return found if against is None else refused(found, against)
