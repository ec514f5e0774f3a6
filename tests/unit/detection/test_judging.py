"""A judge hears rules, finder and lines, and decides what is something to act on."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from rpa_vision.detection.candidate_looks import LOOK_SHAPE
from rpa_vision.detection.candidates import KINDS, fact_count, gather
from rpa_vision.detection.controls import shows_mark
from rpa_vision.detection.judging import add_judged, judged
from rpa_vision.detection.loose_texts import find_texts, place_in_tables
from rpa_vision.detection.regions import Region
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.ports.perception import FoundElement

WHITE, GREY = (255, 255, 255), (200, 200, 200)


class ByPlace:
    """A judge that knows what each place is: by the left and top edge, as shares of the picture."""

    name = "by_place"

    def __init__(self, known):
        self.known = known

    def judge(self, facts, looks):
        shares, fits = np.zeros((len(facts), 1 + len(KINDS)), np.float32), np.zeros(len(facts), np.float32)
        for row, told in enumerate(facts):
            x1, x2 = round(told[5] * 600), round(told[6] * 600)
            y1, y2 = round(told[7] * 400), round(told[8] * 400)
            kind, sure, fit = self.known.get((x1, y1, x2, y2), (None, 0.0, 0.0))
            shares[row, 0] = 1 - sure
            if kind:
                shares[row, 1 + KINDS.index(kind)] = sure
            fits[row] = fit
        return shares, fits


def scene(*, regions=(), lines=()) -> Scene:
    image = np.full((400, 600, 3), 255, np.uint8)
    drawn = [Region(box, 1.0, WHITE, WHITE, GREY) for box in regions]
    return Scene(image, drawn, [TextLine(text=text, bbox=box.bbox, confidence=0.9) for text, box in lines])


BUTTON, LINE = Box(100, 100, 190, 136), Box(110, 108, 180, 128)


def test_everything_that_was_seen_is_a_candidate_once():
    """L2-1"""
    page = scene(regions=[BUTTON], lines=[("Valider", LINE)])
    found = [FoundElement(BUTTON.padded(1), "button", 0.8), FoundElement(Box(300, 300, 340, 320), "radio", 0.3)]
    candidates = gather(page, [Draft("button", BUTTON, 0.9)], found)
    assert sorted(map(tuple, candidates.boxes.tolist())) == sorted([BUTTON.bbox, LINE.bbox, (300, 300, 340, 320)])
    assert candidates.facts.shape == (3, fact_count())
    assert candidates.looks.shape == (3, *LOOK_SHAPE)
    assert np.isfinite(candidates.facts).all()
    assert np.isfinite(candidates.looks).all()


def test_the_order_of_what_the_finder_says_changes_nothing():
    """L2-2"""
    found = [FoundElement(Box(40 * i, 50, 40 * i + 30, 70), "button", 0.5) for i in range(3)]
    seen = [gather(scene(), [], list(order)) for order in permutations(found)]
    for other in seen[1:]:
        assert np.array_equal(seen[0].boxes, other.boxes)
        assert np.array_equal(seen[0].facts, other.facts)


def test_nothing_on_the_screen_is_nothing_to_judge():
    """L2-1"""
    assert judged(scene(), [], [], ByPlace({})) == []


def test_judge_and_finder_are_heard_together():
    """L2-1"""
    doubted, lonely = Box(100, 100, 190, 136), Box(300, 100, 390, 136)
    judge = ByPlace({doubted.bbox: ("button", 0.3, 0.9), lonely.bbox: ("button", 0.7, 0.9)})
    page = scene(regions=[doubted, lonely])
    seen = [FoundElement(doubted, "button", 0.9)]
    assert [verdict.box for verdict in judged(page, [], seen, judge)] == [doubted]
    assert [verdict.box for verdict in judged(page, [], [], judge)] == [lonely], "without a finder the judge decides"


def test_a_line_that_no_rule_knew_becomes_what_the_judge_says_with_its_words():
    """L2-1"""
    page = scene(lines=[("Mot de passe oublié", LINE)])
    [draft] = add_judged(page, [], [], ByPlace({LINE.bbox: ("link", 0.8, 0.9)}))
    assert (draft.kind, draft.label, draft.box, draft.confidence) == ("link", "Mot de passe oublié", LINE, 0.8)
    assert page.lines[0].used


def test_a_link_is_called_by_its_words_whoever_found_it():
    """L2-1: learned with the arrow and found without it, it would be another one"""
    page = scene(lines=[("← Retour à la liste", LINE)])
    [draft] = add_judged(page, [], [], ByPlace({LINE.bbox: ("link", 0.8, 0.9)}))
    assert (draft.label, draft.text) == ("Retour à la liste", "← Retour à la liste")


@pytest.mark.parametrize(
    ("sign", "at", "squareness", "name"),
    [
        ("M", Box(108, 110, 124, 126), 0.4, "Marie Dupont"),
        ("A", Box(102, 96, 132, 142), 1.0, "Marie Dupont"),
        ("M", Box(108, 110, 124, 126), 1.0, "M Marie Dupont"),
        ("3", Box(108, 110, 124, 126), 0.4, "3 Marie Dupont"),
    ],
    ids=["in a disc", "a disc read as a letter", "in no disc", "a number"],
)
def test_the_sign_of_a_person_is_no_part_of_the_name_beside_it(sign, at, squareness, name):
    """L2-1: what is read into a disc is another letter in each size, and the name would never be known again"""
    entry = Box(94, 90, 300, 146)
    page = scene(regions=[entry], lines=[(sign, at), ("Marie Dupont", Box(140, 110, 230, 126))])
    page.regions.append(Region(Box(100, 102, 132, 134), squareness, WHITE, WHITE, GREY))
    [draft] = add_judged(page, [], [], ByPlace({entry.bbox: ("menu_item", 0.9, 0.9)}))
    assert draft.label == name
    assert all(line.used for line in page.lines)


def test_a_draft_the_judge_does_not_believe_is_dropped_and_its_words_are_free():
    """L2-2"""
    page = scene(regions=[BUTTON], lines=[("Total", LINE)])
    page.lines[0].used = True
    assert add_judged(page, [Draft("button", BUTTON, 0.9, "Total")], [], ByPlace({})) == []
    assert not page.lines[0].used


@pytest.mark.parametrize("is_button", [True, False])
def test_the_words_of_a_badge_are_its_own_until_the_judge_sees_a_button_there(is_button):
    """L2-1: no text is lost, and none is told twice"""
    page = scene(regions=[BUTTON], lines=[("Validée", LINE)])
    page.lines[0].used = True
    badge = Draft("label", BUTTON, 0.6, "Validée", 0.9, "Validée", tags=["badge"])
    known = {BUTTON.bbox: ("button", 0.9, 0.9)} if is_button else {}
    drafts = add_judged(page, [badge], [], ByPlace(known))
    assert [(draft.kind, draft.label) for draft in drafts] == [("button" if is_button else "label", "Validée")]
    assert page.lines[0].used


@pytest.mark.parametrize(
    ("drafted", "found", "told"),
    [
        ("text_input", "text_input", "text_input"),
        ("text_input", "dropdown", "dropdown"),
        ("text_input", "button", "button"),
        ("button", "text_input", "button"),
        ("button", "button", "button"),
    ],
)
def test_what_rules_and_finder_both_call_a_field_the_judge_makes_no_button(drafted, found, told):
    """L2-1 EX-7: of a search field in large letters, nothing could be written into the button"""
    field = Box(100, 100, 400, 136)
    page = scene(regions=[field], lines=[("N° de facture ou patient", Box(110, 108, 260, 128))])
    judge = ByPlace({field.bbox: ("button", 0.9, 0.9)})
    [draft] = add_judged(page, [Draft(drafted, field, 0.8)], [FoundElement(field.padded(1), found, 0.8)], judge)
    assert draft.kind == told


def test_a_draft_the_judge_agrees_with_keeps_all_it_knew():
    """L2-1 L2-3"""
    page = scene(regions=[BUTTON], lines=[("Valider", LINE)])
    draft = Draft("button", BUTTON, 0.7, "Valider", 0.9, "Valider", stands_out=True)
    assert add_judged(page, [draft], [], ByPlace({BUTTON.bbox: ("button", 0.95, 1.0)})) == [draft]
    assert (draft.confidence, draft.stands_out) == (0.95, True)


def test_of_two_that_lie_over_each_other_the_better_fit_is_told():
    """L2-2"""
    page = scene(regions=[BUTTON], lines=[("Valider", LINE)])
    judge = ByPlace({BUTTON.bbox: ("button", 0.8, 0.9), LINE.bbox: ("button", 0.9, 0.3)})
    assert [verdict.box for verdict in judged(page, [], [], judge)] == [BUTTON]


@pytest.mark.parametrize(("inner", "count"), [("checkbox", 2), ("list_item", 1)])
def test_a_row_may_hold_other_things_but_not_itself_again(inner, count):
    """L2-1"""
    row, mark = Box(20, 40, 400, 80), Box(30, 52, 46, 68)
    judge = ByPlace({row.bbox: ("list_item", 0.9, 0.9), mark.bbox: (inner, 0.8, 0.8)})
    assert len(judged(scene(regions=[row, mark]), [], [], judge)) == count


@pytest.mark.parametrize(
    ("drawn", "heard", "told"),
    [(True, True, True), (False, False, False), (True, False, None), (False, True, None), (True, None, None)],
)
def test_a_mark_is_named_by_the_words_beside_it_and_its_state_is_told_where_look_and_finder_agree(drawn, heard, told):
    """L2-3"""
    mark = Box(100, 100, 116, 116)
    page = scene(lines=[("Se souvenir de moi", Box(124, 98, 240, 118))])
    if drawn:
        page.image[105:111, 105:111] = 0
    found = [FoundElement(mark, "checkbox", 0.6, checked=heard, enabled=False)]
    [draft] = add_judged(page, [], found, ByPlace({mark.bbox: ("radio", 0.7, 0.9)}))
    assert (draft.kind, draft.label, draft.checked, draft.enabled) == ("radio", "Se souvenir de moi", told, False)


@pytest.mark.parametrize(("seen", "told"), [(True, True), (False, False), (None, True)])
def test_whether_a_switch_is_on_the_finder_sees_better_than_the_rules_guess(seen, told):
    """L2-3"""
    mark = Box(100, 100, 140, 120)
    known = Draft("toggle", mark, 0.6, checked=True)
    found = [FoundElement(mark, "toggle", 0.8, checked=seen)]
    (draft,) = add_judged(scene(), [known], found, ByPlace({mark.bbox: ("toggle", 0.9, 0.9)}))
    assert draft.checked is told


@pytest.mark.parametrize(("guessed", "seen", "told"), [(True, False, False), (False, False, False), (None, True, None)])
def test_whether_a_box_is_ticked_is_told_where_what_is_drawn_is_what_somebody_says(guessed, seen, told):
    """L2-3: nothing is drawn there, so a tick that only the finder sees is in doubt"""
    mark = Box(100, 100, 116, 116)
    known = Draft("checkbox", mark, 0.6, checked=guessed)
    found = [FoundElement(mark, "checkbox", 0.8, checked=seen)]
    (draft,) = add_judged(scene(), [known], found, ByPlace({mark.bbox: ("checkbox", 0.9, 0.9)}))
    assert draft.checked is told


@pytest.mark.parametrize(("drafted", "told"), [(True, True), (False, None)])
def test_of_rules_and_finder_the_one_is_believed_that_says_what_is_drawn(drafted, told):
    """L2-3"""
    mark = Box(100, 100, 116, 116)
    page = scene()
    page.image[105:111, 105:111] = 0
    known = Draft("radio", mark, 0.7, label="Chaque jour", checked=drafted)
    found = [FoundElement(mark, "radio", 0.4, checked=False)]
    [draft] = add_judged(page, [known], found, ByPlace({mark.bbox: ("radio", 0.9, 0.9)}))
    assert draft.checked is told


def test_a_field_in_the_place_of_a_sheet_is_a_sheet():
    """L2-1: high enough for several lines"""
    sheet = Box(100, 100, 500, 190)
    (draft,) = add_judged(scene(), [Draft("textarea", sheet, 0.7)], [], ByPlace({sheet.bbox: ("text_input", 0.7, 0.9)}))
    assert draft.kind == "textarea"


def test_what_is_no_question_for_the_judge_is_kept_as_it_was():
    """L2-1"""
    dialog = Draft("dialog", Box(50, 50, 500, 350), 0.9)
    found = [FoundElement(Box(400, 200, 424, 224), "icon", 0.7)]
    assert {draft.kind for draft in add_judged(scene(), [dialog], found, ByPlace({}))} == {"dialog", "icon"}


@pytest.mark.parametrize(
    ("drawn", "kinds"),
    [(None, []), ("frame", ["text_input"]), ("line", ["text_input"]), ("ground", ["text_input"]), ("words", [])],
)
def test_a_field_has_an_end_that_can_be_seen(drawn, kinds):
    """L2-1 EX-7: a question in a dialog is no field, whatever it looks like to a net"""
    field = Box(100, 200, 400, 240)
    page = scene()
    inside = page.image[field.y1 : field.y2, field.x1 : field.x2]
    if drawn == "frame":
        inside[[0, -1]], inside[:, [0, -1]] = 180, 180
    elif drawn == "line":
        inside[-1] = 120
    elif drawn == "ground":
        inside[:] = 248
    elif drawn == "words":
        inside[10:30, 20:260:9] = 0
    judge = ByPlace({field.bbox: ("text_input", 0.9, 0.9)})
    made = add_judged(page, [], [FoundElement(field, "text_input", 0.8)], judge)
    assert [draft.kind for draft in made] == kinds


@pytest.mark.parametrize(
    ("kind", "words", "kinds"),
    [("text_input", (), []), ("text_input", ("Durand",), ["text_input"]), ("dropdown", (), ["dropdown"])],
)
def test_room_between_two_rules_that_run_on_is_no_field(kind, words, kinds):
    """L2-1 EX-7: behind a title in the head of a list; but what is written there may be changed there"""
    gap = Box(200, 200, 400, 240)
    page = scene(lines=[(word, Box(210, 208, 270, 228)) for word in words])
    page.image[[199, 240], 60:560] = 200
    judge = ByPlace({gap.bbox: (kind, 0.9, 0.9)})
    assert [draft.kind for draft in add_judged(page, [], [FoundElement(gap, kind, 0.8)], judge)] == kinds


def test_an_empty_field_in_a_row_between_rules_is_seen_by_where_it_begins():
    """L2-1"""
    field = Box(200, 200, 400, 240)
    page = scene()
    page.image[[199, 240], 60:560] = 200
    page.image[200:240, 200] = 200
    judge = ByPlace({field.bbox: ("text_input", 0.9, 0.9)})
    assert [draft.kind for draft in add_judged(page, [], [FoundElement(field, "text_input", 0.8)], judge)] == [
        "text_input"
    ]


@pytest.mark.parametrize(("regions", "kinds"), [((), []), ((Box(100, 60, 500, 300),), ["dialog"])])
def test_a_dialog_of_the_finder_is_one_where_the_picture_shows_a_box(regions, kinds):
    """L2-1"""
    found = [FoundElement(Box(104, 70, 506, 290), "dialog", 0.9)]
    assert [draft.kind for draft in add_judged(scene(regions=regions), [], found, ByPlace({}))] == kinds


@pytest.mark.parametrize(
    ("other", "kinds"),
    [
        (Box(320, 60, 560, 300), []),
        (Box(40, 305, 280, 430), []),
        (Box(320, 60, 560, 280), ["dialog"]),
        (Box(60, 60, 260, 300), ["dialog"]),
        (Box(40, 30, 280, 60), ["dialog"]),
        (Box(40, 300, 280, 340), ["dialog"]),
        (Box(40, 10, 280, 40), ["dialog"]),
        (Box(300, 60, 340, 300), ["dialog"]),
    ],
    ids=["beside", "below", "ends elsewhere", "in it", "its title", "its foot", "a field above", "a bar beside"],
)
def test_cards_of_a_page_are_no_dialogs(other, kinds):
    """L2-1: a card in strong lines looks like a dialog to a net, but cards begin and end with each other"""
    page = scene(regions=[Box(40, 60, 280, 300), other])
    found = [FoundElement(Box(42, 66, 276, 296), "dialog", 0.7)]
    assert [draft.kind for draft in add_judged(page, [], found, ByPlace({}))] == kinds


STACKED = [("Connexion", Box(60, 40, 160, 62)), ("Accès réservé", Box(60, 70, 200, 90)), ("Nom", Box(60, 98, 100, 118))]


@pytest.mark.parametrize("count", [1, 3])
def test_one_entry_alone_is_no_list_and_its_lines_stay_their_own(count):
    """L2-1: a dialog keeps its title, and a field below it its name"""
    entry = Box(50, 30, 300, 112)
    page = scene(lines=STACKED[:count])
    found = [FoundElement(entry, "list_item", 0.8)]
    assert add_judged(page, [], found, ByPlace({entry.bbox: ("list_item", 0.9, 0.9)})) == []
    assert not any(line.used for line in page.lines)


def test_entries_of_several_texts_leave_these_to_stand_for_themselves():
    """L2-1 L4-3: they may be cells of a table"""
    rows = [Box(40, 100 + 30 * i, 560, 128 + 30 * i) for i in range(3)]
    texts = [(text, Box(x, row.y1 + 4, x + 80, row.y2 - 4)) for row in rows for text, x in (("Acte", 50), ("12", 400))]
    page = scene(lines=texts)
    found = [FoundElement(row, "list_item", 0.8) for row in rows]
    made = add_judged(page, [], found, ByPlace({row.bbox: ("list_item", 0.9, 0.9) for row in rows}))
    assert [draft.label for draft in made] == ["Acte 12"] * 3
    assert not any(line.used for line in page.lines)


def test_a_line_that_a_box_cuts_through_is_not_its_words():
    """L2-3"""
    button = Box(100, 100, 300, 112)
    page = scene(lines=[("Valider", Box(110, 101, 180, 119))])
    found = [FoundElement(button, "button", 0.8)]
    [draft] = add_judged(page, [], found, ByPlace({button.bbox: ("button", 0.9, 0.9)}))
    assert draft.label == ""


@pytest.mark.parametrize(("drafted", "judged_as"), [("radio", "checkbox"), ("checkbox", "radio")])
def test_whether_a_mark_is_round_or_square_is_told_by_its_drawing(drafted, judged_as):
    """L2-1"""
    mark = Box(100, 100, 116, 116)
    known = Draft(drafted, mark, 0.7, label="Chaque jour")
    [draft] = add_judged(scene(), [known], [], ByPlace({mark.bbox: (judged_as, 0.9, 0.9)}))
    assert (draft.kind, draft.label, draft.confidence) == (drafted, "Chaque jour", pytest.approx(0.9))


def test_a_small_thing_in_a_line_does_not_take_its_words():
    """L2-3"""
    mark, line = Box(180, 100, 208, 130), Box(100, 104, 300, 126)
    page = scene(lines=[("Factures à traiter", line)])
    found = [FoundElement(mark, "button", 0.8)]
    [draft] = add_judged(page, [], found, ByPlace({mark.bbox: ("button", 0.9, 0.9)}))
    assert draft.label == ""
    assert not page.lines[0].used


TITLES = [("Date", 50), ("Nom", 200), ("Statut", 400)]
BLUE, GREEN, CYAN = (200, 60, 20), (30, 120, 20), (255, 255, 0)


def test_a_stray_tab_or_a_coloured_word_in_a_table_is_a_cell():
    """L2-1: rows and cells are told by alignment"""
    page = scene()
    drafts = [Draft("label", Box(x, 40, x + 60, 58), 0.7, text, 0.9, text) for text, x in TITLES]
    drafts[1].kind = "tab"
    for row in range(4):
        for column, (_, x) in enumerate(TITLES):
            text = f"{row}{column}" if column < 2 else "Rejeté"
            draft = Draft(
                "link" if column else "label", Box(x, 80 + 30 * row, x + 60, 98 + 30 * row), 0.7, text, 0.9, text
            )
            draft.shape, draft.ink = "text", BLUE if column == 1 else GREEN
            drafts.append(draft)
    place_in_tables(page, drafts)
    assert {draft.kind for draft in drafts[:3]} == {"cell"}
    assert [draft.kind for draft in drafts[3:6]] == ["cell", "link", "cell"]


@pytest.mark.parametrize(
    ("ink", "paper", "kind"),
    [
        ((255, 255, 0), 0, "link"),
        ((255, 255, 0), 200, "label"),
        ((0, 255, 0), 0, "label"),
        ((255, 255, 255), 0, "label"),
    ],
)
def test_on_black_links_are_cyan(ink, paper, kind):
    """L2-1: in themes of high contrast"""
    image = np.full((400, 600, 3), paper, np.uint8)
    image[110:126, 112:178:4] = ink
    page = Scene(image, [], [TextLine(text="Toutes les factures", bbox=LINE.bbox, confidence=0.9)])
    assert [draft.kind for draft in find_texts(page)] == [kind]


@pytest.mark.parametrize(("sure", "kind"), [(0.1, "label"), (0.3, "label"), (0.5, "link")])
@pytest.mark.parametrize("words", ["Chiffre du mois", "Open"])
def test_blue_words_that_a_judge_hardly_believes_in_are_no_link(words, sure, kind):
    """L2-1: on real pages they were a heading, a figure or a state far more often than a link"""
    image = np.full((400, 600, 3), 255, np.uint8)
    image[110:126, 112:178:4] = (220, 90, 20)
    page = Scene(image, [], [TextLine(text=words, bbox=LINE.bbox, confidence=0.9)])
    assert [draft.kind for draft in find_texts(page)] == ["link"]
    add_judged(page, [], [], ByPlace({LINE.bbox: ("link", sure, 0.9)}))
    assert [draft.kind for draft in find_texts(page)] == [kind]


@pytest.mark.parametrize("words", ["← Toutes les factures", "Suite ›", "Retour à la liste"])
def test_blue_words_that_point_or_tell_what_to_do_lead_somewhere_whoever_doubts_it(words):
    """L2-1"""
    image = np.full((400, 600, 3), 255, np.uint8)
    image[110:126, 112:178:4] = (220, 90, 20)
    page = Scene(image, [], [TextLine(text=words, bbox=LINE.bbox, confidence=0.9)])
    add_judged(page, [], [], ByPlace({LINE.bbox: ("link", 0.1, 0.9)}))
    assert [draft.kind for draft in find_texts(page)] == ["link"]


def table(titles=TITLES) -> list[Draft]:
    drafts = [Draft("label", Box(x, 40, x + 60, 58), 0.7, text, 0.9, text) for text, x in titles]
    for row in range(4):
        for column, (_, x) in enumerate(titles):
            text = f"{row}{column}"
            drafts.append(Draft("label", Box(x, 80 + 30 * row, x + 60, 98 + 30 * row), 0.7, text, 0.9, text))
    return drafts


@pytest.mark.parametrize(("is_boxed", "kind"), [(False, "cell"), (True, "button")])
def test_what_stands_among_the_titles_of_columns_is_one_unless_it_is_drawn_as_a_button(is_boxed, kind):
    """L1-3: or the layout would be another one by a slip of the judge"""
    drafts = table()
    drafts[1].kind = "button"
    place_in_tables(scene(regions=[drafts[1].box] if is_boxed else []), drafts)
    assert [draft.kind for draft in drafts[:3]] == ["cell", kind, "cell"]
    assert drafts[1].metadata["header"] is True


def test_an_entry_over_several_cells_does_not_make_one_column_of_them():
    """L2-1: its texts stand for themselves"""
    drafts = table()
    entry = Draft("list_item", drafts[3].box.union(drafts[4].box).padded(4), 0.9, "00 01", 0.9, "00 01")
    place_in_tables(scene(), [*drafts, entry])
    assert [draft.metadata["column"] for draft in drafts] == [0, 1, 2] * 5
    assert "row" not in entry.metadata


@pytest.mark.parametrize(("is_empty", "kinds"), [(True, ["textarea"]), (False, ["button"])])
def test_the_page_of_an_editor_is_too_large_for_the_judge_and_stays(is_empty, kinds):
    """L2-1: unless there are controls on it"""
    sheet, line = Box(10, 40, 590, 390), Box(20, 10, 60, 22)
    page = scene(lines=[("File", line), ("Edit", line.moved(60, 0))])
    judge = ByPlace({} if is_empty else {BUTTON.bbox: ("button", 0.9, 0.9)})
    drafts = [Draft("textarea", sheet, 0.55)] + ([] if is_empty else [Draft("button", BUTTON, 0.9)])
    assert [draft.kind for draft in add_judged(page, drafts, [], judge)] == kinds


MARK = Box(100, 100, 116, 116)


def marked(kind, lines, *others):
    """The drafts the judge makes of a mark (and others like it) among lines, by their left edge; and the scene."""
    page = scene(lines=lines)
    boxes = (MARK, *others)
    found = [FoundElement(box, kind, 0.6) for box in boxes]
    made = add_judged(page, [], found, ByPlace({box.bbox: (kind, 0.9, 0.9) for box in boxes}))
    return {draft.box.x1: draft for draft in made}, page


@pytest.mark.parametrize(
    ("text", "name"), [("Se souvenir de moi", "Se souvenir de moi"), ("O Lundi", "Lundi"), ("À payer", "À payer")]
)
def test_a_line_that_begins_over_a_mark_names_it_and_is_no_text_of_its_own(text, name):
    """L2-3"""
    drafts, page = marked("checkbox", [(text, Box(95, 97, 260, 119))])
    assert drafts[100].label == name
    assert [line.used for line in page.lines] == [True]


def test_words_that_run_over_several_marks_name_none_of_them():
    """L2-3"""
    lines = [("Lundi Mardi", Box(120, 98, 260, 118))]
    drafts, _ = marked("radio", lines, Box(180, 100, 196, 116))
    assert [draft.label for draft in drafts.values()] == ["", ""]


@pytest.mark.parametrize(("kind", "name"), [("toggle", "Notifications"), ("checkbox", "")])
def test_the_words_of_a_switch_may_stand_before_it(kind, name):
    """L2-3"""
    drafts, _ = marked(kind, [("Notifications", Box(20, 98, 95, 118)), ("Autre chose", Box(20, 140, 95, 160))])
    assert drafts[100].label == name
    assert drafts[100].metadata.get("label_from") == ("left" if name else None)


def test_white_on_a_strong_colour_is_a_drawing():
    """L2-3"""
    page = scene()
    page.image[100:116, 100:116] = (228, 132, 53)
    page.image[104:112, 104:112] = 255
    assert shows_mark(page, MARK)


@pytest.mark.parametrize(("kind", "told"), [("button", None), ("tab", True)])
def test_a_button_is_never_selected(kind, told):
    """L2-3"""
    page = scene(regions=[BUTTON], lines=[("Valider", LINE)])
    found = [FoundElement(BUTTON, kind, 0.8, selected=True)]
    [draft] = add_judged(page, [], found, ByPlace({BUTTON.bbox: (kind, 0.9, 0.9)}))
    assert draft.selected is told
