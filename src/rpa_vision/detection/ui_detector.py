"""From a screenshot to the things on it: the elements a person would name, with type, role, label and look.

Boxes and lines of text are proposed, put together by simple rules (controls, loose texts, tables, captions), and
described. A finder (a trained detector) may propose more; what it finds goes the same way. A judge, where there is one,
hears rules and finder as witnesses and decides. No randomness: the same pixels always give the same elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rpa_vision.detection.bare_captions import without_captions
from rpa_vision.detection.candidates import prepare
from rpa_vision.detection.captions import caption_fields, find_hidden
from rpa_vision.detection.controls import find_controls, find_dialog
from rpa_vision.detection.descriptions import describe
from rpa_vision.detection.followed_judge import FollowedJudge
from rpa_vision.detection.judging import add_judged
from rpa_vision.detection.long_fields import with_long_fields
from rpa_vision.detection.loose_texts import draft_texts, find_texts, name_menus, name_tabs, place_in_tables
from rpa_vision.detection.pixel_work import PixelWork
from rpa_vision.detection.proposals import add_found
from rpa_vision.detection.regions import Region
from rpa_vision.detection.roles import is_secret_label
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.detection.states import tell_states
from rpa_vision.detection.text_detector import TextDetector, as_bgr, regions_of
from rpa_vision.detection.words import fold
from rpa_vision.models.frame import Pixels
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import ElementFinder, ElementJudge, FollowingFinder, FoundElement, Look, SteppingFinder

SMALLEST_PX = 8
"""A picture narrower or lower than this holds nothing one could name."""

Merge = Callable[[Scene, list[Draft], Sequence[FoundElement]], list[Draft]]


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """How sure an element must be to be told (P003-3)."""

    min_confidence: float = 0.4


class UIDetector:
    """The embedded detector: boxes and text lines, and what a finder adds where there is one."""

    def __init__(
        self,
        text_detector: TextDetector,
        settings: DetectorSettings | None = None,
        *,
        finder: ElementFinder | None = None,
        judge: ElementJudge | None = None,
        merge: Merge = add_found,
    ) -> None:
        self._text = text_detector
        self._settings = settings or DetectorSettings()
        self._finder = finder
        self._judge = judge
        self._merge = merge
        self._found_before: Sequence[FoundElement] = ()
        """What the finder told of the last picture that it looked at while others worked."""

    @property
    def name(self) -> str:
        """Which detector this is, for the record."""
        beside = [part.name for part in (self._finder, self._judge) if part is not None]
        return "+".join(["boxes_and_lines_2", *beside])

    def following(self) -> UIDetector:
        """The same detector for one screen that is followed: a finder that can need not look at all of it again, and
        of what is as it was the judge is not asked again."""
        finder = self._finder.following() if isinstance(self._finder, FollowingFinder) else self._finder
        judge = FollowedJudge(self._judge) if self._judge is not None else None
        return UIDetector(self._text, self._settings, finder=finder, judge=judge, merge=self._merge)

    @property
    def has_finder(self) -> bool:
        """Whether anybody proposes elements beside the rules."""
        return self._finder is not None

    def find(self, screenshot: Pixels) -> list[FoundElement]:
        """What the finder proposes; nothing where there is none."""
        image = as_bgr(screenshot)
        return [] if self._finder is None or min(image.shape[:2]) < SMALLEST_PX else self._finder.find(image)

    def begin(self, screenshot: Pixels) -> Look:
        """The same, begun: what takes long can be done meanwhile."""
        image = as_bgr(screenshot)
        if isinstance(self._finder, SteppingFinder) and min(image.shape[:2]) >= SMALLEST_PX:
            return self._finder.begin(image)
        return _WholeLook(image, self.find)

    def detect_elements(
        self,
        screenshot: Pixels,
        window_context: WindowContext | None = None,
        *,
        text_lines: Sequence[TextLine] | None = None,
        regions: Sequence[Region] | None = None,
        found: Sequence[FoundElement] | Callable[[], Sequence[FoundElement]] | None = None,
        screenshot_id: str | None = None,
        work: PixelWork | None = None,
    ) -> list[UIElement]:
        """The elements, in reading order.

        `text_lines`, `regions` and `found` save finding again what was found already, `work` what was done for the
        picture before. `found` may be asked for when it is needed, so that it can be looked for meanwhile.
        """
        image = as_bgr(screenshot)
        if min(image.shape[:2]) < SMALLEST_PX:
            return []
        boxes = regions_of(image, work) if regions is None else regions
        lines = self._text.read(image, self._text.find(image, boxes, work)) if text_lines is None else text_lines
        scene = Scene(image, boxes, lines, work)
        drafts = find_controls(scene)
        if callable(found):
            self._prepare(scene, drafts)
            self._found_before = proposed = found()
        else:
            proposed = self.find(image) if found is None else found
        drafts = self._understand(scene, drafts, proposed)
        kept = [draft for draft in drafts if draft.confidence >= self._settings.min_confidence]
        return describe(scene, kept, window_context or WindowContext(), screenshot_id)

    def _prepare(self, scene: Scene, drafts: Sequence[Draft]) -> None:
        """Do while the finder looks what does not need its answer."""
        draft_texts(scene)
        if self._judge is not None:
            prepare(scene, drafts, likely=self._found_before)

    def _understand(self, scene: Scene, drafts: list[Draft], found: Sequence[FoundElement]) -> list[Draft]:
        if self._judge is not None:
            judged = add_judged(scene, drafts, found, self._judge)
            drafts = without_captions(scene, with_long_fields(scene, drafts, judged))
        elif found:
            drafts = self._merge(scene, drafts, found)
        drafts += find_texts(scene)
        # A darkened screen tells of a dialog more surely than its look does.
        dialog = find_dialog(scene) or next((draft for draft in drafts if draft.kind == "dialog"), None)
        find_hidden(scene, drafts)
        caption_fields(scene, drafts)
        for draft in drafts:
            if draft.kind == "text_input" and (is_secret_label(draft.label) or draft.metadata.get("hidden")):
                draft.kind = "password_input"
        drafts += place_in_tables(scene, drafts, partial(self._text.read, scene.image))
        name_menus(scene, drafts)
        name_tabs(scene, drafts)
        if dialog is not None:
            drafts = [draft for draft in drafts if draft.kind != "dialog"]
            _put_before(dialog, drafts)
            drafts.append(dialog)
        tell_states(scene, drafts)
        return sorted(drafts, key=lambda d: (d.box.y1, d.box.x1, d.box.x2, d.box.y2, d.kind))


class _WholeLook:
    """A look by a finder that does all at once."""

    def __init__(self, image: Pixels, find: Callable[[Pixels], list[FoundElement]]) -> None:
        self._image = image
        self._find = find
        self._found: list[FoundElement] = []

    def go_on(self) -> None:
        self._found = self._find(self._image)

    def found(self) -> list[FoundElement]:
        return self._found


def _put_before(dialog: Draft, drafts: list[Draft]) -> None:
    """What lies in the dialog is its own, the rest is behind it. Its name is its first line: a line further down may be
    the higher one by no more than the cedilla of a name in it."""
    inside = []
    for draft in drafts:
        if dialog.box.contains(draft.box.center):
            draft.parent = draft.parent or dialog
            inside.append(draft)
        else:
            draft.metadata["behind_dialog"] = True
    titles = [d for d in inside if d.kind in ("heading", "label") and len(fold(d.label)) >= 3]
    if titles:
        first = min(titles, key=lambda d: (d.box.y1, d.box.x1))
        dialog.label, dialog.label_confidence = first.label, first.label_confidence
