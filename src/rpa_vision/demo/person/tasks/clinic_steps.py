"""The movements that every task in the clinic is made of."""

from __future__ import annotations

from rpa_vision.demo import browser
from rpa_vision.demo.person.eyes import ExpectationError, Look, wait_for_found
from rpa_vision.demo.person.motion import aim
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.windows import Window, find_windows

_REACTION_S = 0.22
_WAYS_OUT = ("modal-close", "notice-close")
_SAME_PLACE_PX = 4.0
_NUDGES = 15


def sit_down(job: Assignment) -> None:
    """Bring the pointer into the browser and find out where the page is on the screen."""
    window = _browser_window(job)
    job.eyes.wait_until("the application in the browser", lambda look: look.seq > 0)
    centre = (window.x + window.width_px // 2, window.y + window.height_px // 2)
    first = _origin_seen_from(job, window, (centre[0] - 60, centre[1] + 40))
    second = _origin_seen_from(job, window, centre)
    if max(abs(first[0] - second[0]), abs(first[1] - second[1])) > _SAME_PLACE_PX:
        raise ExpectationError("the browser window does not keep still")
    job.eyes.remember_origin(second)


def log_in_if_asked(job: Assignment) -> None:
    """Type user and password when the login page is shown, or the page of an ended session before it."""
    look = job.eyes.look()
    if look.shows("reconnect") and job.may_log_in:
        click(job, "reconnect")
        look = job.eyes.wait_for("password")
    if not look.shows("password"):
        return
    if not job.may_log_in:
        raise ExpectationError("the application asks for a login")
    fill(job, "user", job.user)
    fill(job, "password", job.password)
    click(job, "login")
    after = job.eyes.wait_for_page_after(look, "another page after the login")
    if after.shows("password"):
        raise ExpectationError(f"the login was refused: {after.said}")


def open_list(job: Assignment) -> None:
    """Go to the list of invoices from wherever the last work ended."""
    look = job.eyes.look()
    if not look.shows("search") and look.shows("nav-invoices"):
        click(job, "nav-invoices")
    job.eyes.wait_for("search")


def fill(job: Assignment, name: str, text: str) -> None:
    """Click into a field and type, over what it may hold."""
    look = click(job, name)
    if name in look.filled:
        job.hands.press("a", "Control_L")
    job.hands.type(text)


def click(job: Assignment, name: str) -> Look:
    """Click a control, out of whatever lies over it; returns what was seen before the click."""
    look = job.eyes.wait_for(name)
    job.hands.think(_REACTION_S)
    look = _uncover(job, _bring_into_view(job, name), name)
    box = job.eyes.box_on_screen(look, name)
    job.hands.click(aim(job.hands.rng, box), goal_size_px=min(box[2], box[3]))
    return look


def validate_open_invoice(job: Assignment, number: str) -> None:
    """On the page of an invoice: validate, confirm, see that it worked, and go back to the list."""
    job.eyes.wait_until(f"the page of invoice {number}", lambda look: number in look.title and look.shows("back"))
    if not job.eyes.look().shows("validate"):
        raise ExpectationError(f"invoice {number} has no button to validate it")
    click(job, "validate")
    before = job.eyes.wait_for("confirm")
    if before.shows("reason"):
        fill(job, "reason", job.reason)
    click(job, "confirm")
    after = job.eyes.wait_for_page_after(before, f"an answer to the validation of {number}")
    if not after.shows("message") and not (after.shows("error") and job.goes_on_after_refusal):
        raise ExpectationError(f"invoice {number} was not validated: {after.said or after.title}")
    job.hands.think(_REACTION_S)
    click(job, "back")
    job.eyes.wait_until("the list of invoices", lambda look: look.page > after.page and look.shows("search"))


def _browser_window(job: Assignment) -> Window:
    def newest() -> Window | None:
        windows = [w for w in find_windows(job.display, browser.WM_CLASS) if not w.is_dialog]
        return windows[-1] if windows else None

    return wait_for_found(job.pace, "a browser window on this display", newest)


def _origin_seen_from(job: Assignment, window: Window, place: tuple[int, int]) -> tuple[float, float]:
    before = job.eyes.wait_until_still()
    for step_px in range(0, 10 * _NUDGES, 10):
        # A page that is still loading does not notice the first move; a person moves the mouse again.
        job.hands.move((place[0] + step_px, place[1]))
        if job.eyes.sees(lambda look: look.seq > before.seq and look.pointer is not None, within_s=1.0):
            origin = job.eyes.find_origin(job.eyes.wait_until_still(), job.hands.at)
            if origin is not None and _is_inside(origin, window):
                return origin
    raise ExpectationError("the page under the pointer is not the one that reports")


def _is_inside(origin: tuple[float, float], window: Window) -> bool:
    return (
        window.x - _SAME_PLACE_PX <= origin[0] < window.x + window.width_px
        and window.y - _SAME_PLACE_PX <= origin[1] < window.y + window.height_px
    )


def _bring_into_view(job: Assignment, name: str) -> Look:
    look = job.eyes.look()
    for _ in range(40):
        if not look.shows(name):
            raise ExpectationError(f"'{name}' went away")
        if look.is_in_view(name):
            return look
        job.hands.scroll(2 if look.items[name][1] > 0 else -2)
        look = job.eyes.wait_until_still()
    raise ExpectationError(f"'{name}' cannot be scrolled into view")


def _uncover(job: Assignment, look: Look, name: str) -> Look:
    while name in look.covered:
        way_out = next((w for w in _WAYS_OUT if look.shows(w) and w not in look.covered), None)
        if way_out is None:
            raise ExpectationError(f"'{name}' is covered by something that cannot be closed")
        look = _close(job, way_out)
    return look


def _close(job: Assignment, way_out: str) -> Look:
    click(job, way_out)
    return job.eyes.wait_until(f"'{way_out}' to close", lambda look: not look.shows(way_out))
