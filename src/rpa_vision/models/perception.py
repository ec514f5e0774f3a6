"""Who looked at the screens: which detector, judge and reader, by name and the first letters of the checksum."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from rpa_vision.models.document import Part

RULES: Final = "rules"
"""The detector's name where no net proposes anything beside the rules."""


class Perception(Part):
    """What a screen is understood with. Another one names, parts and reads things otherwise."""

    detector: str = Field(min_length=1, description="the net, or `rules` where there is none")
    judge: str | None = Field(default=None, description="who decides between rules and net, where somebody does")
    reader: str = Field(min_length=1, description="who reads every line of text")

    def parts(self) -> dict[str, str]:
        """Its parts by their names; a judge that is not there is `none`."""
        return {"detector": self.detector, "judge": self.judge or "none", "reader": self.reader}
