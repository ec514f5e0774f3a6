"""The three tasks of a day at the office, step by step, each able to be left in the middle and taken up again.

A go is a generator: it yields the name of each step that is done, where nothing is lost if something else comes now.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from urllib.request import Request, urlopen

from rpa_vision.demo import mousepad
from rpa_vision.demo.day.agenda import Go
from rpa_vision.demo.person.diary import Diary, Entry
from rpa_vision.demo.person.eyes import ExpectationError, Look, wait_for_found
from rpa_vision.demo.person.tasks.assignment import Assignment
from rpa_vision.demo.person.tasks.clinic_steps import click, log_in_if_asked
from rpa_vision.demo.windows import Window, find_windows

TYPO_CHANCE = 0.18
_REACTION_S = 0.25
_PATIENCE_S = 8.0
_CLICKS = 3
_NEIGHBOURS = "azertyuiop"
Steps = Iterator[str]


class Goes:
    """How each task is done, with a diary of it."""

    def __init__(self, job: Assignment, diary: Diary) -> None:
        self._job = job
        self._diary = diary

    def begin(self, go: Go) -> Steps:
        """The steps of a go, from its beginning."""
        return {"slips": self._slips, "claims": self._claims, "journal": self._journal}[go.task](go)

    def take_up(self, go: Go) -> None:
        """Find the way back to where a go was left. The journal goes on in its own window and needs nothing."""
        if go.task == "slips":
            self._follow(go, "nav-slips", f"row:{go.subject}", "open_slips", kind="resume")
            self._follow(go, f"row:{go.subject}", "close-slip", "open_slip", kind="resume")

    def _slips(self, go: Go) -> Steps:
        yield self._follow(go, "nav-slips", f"row:{go.subject}", "open_slips")
        yield self._follow(go, f"row:{go.subject}", "close-slip", "open_slip")
        for number in go.rows:
            while not self._job.eyes.wait_for("close-slip").shows(f"row:{number}"):
                yield self._follow(go, "page-next", "page-previous", "next_page")
            yield self._follow(go, f"row:{number}", "validate", "open_payment")
            yield self._follow(go, "validate", "message", "validate_payment")
        while self._job.eyes.wait_for("close-slip").shows("page-next"):
            yield self._follow(go, "page-next", "page-previous", "next_page")
        yield self._follow(go, "close-slip", "message", "close_slip")

    def _claims(self, go: Go) -> Steps:
        yield self._follow(go, "nav-claims", "claim-search", "open_claims")
        self._type_into(go, "claim-search", "type_claim")
        yield self._submit(go, "submit_claim", "validate")
        if go.is_high:
            yield self._follow(go, "send", "message", "send_claim")
        else:
            yield self._follow(go, "validate", "message", "validate_claim")
        yield self._follow(go, "back", "claim-search", "back_to_claims")

    def _journal(self, go: Go) -> Steps:
        if go.expires_at == "open_invoices":
            self._let_session_end()
            with self._step(go, "open_invoices"):
                before = click(self._job, "nav-invoices")
                self._job.eyes.wait_until("the ended session", lambda look: look.shows("reconnect"))
            self._sign_in_again(go, before)
        else:
            yield self._follow(go, "nav-invoices", "search", "open_invoices")
        self._type_into(go, "search", "type_invoice")
        if go.expires_at == "submit_search":
            self._let_session_end()
            with self._step(go, "submit_search"):
                before = self._job.eyes.look()
                self._job.hands.press("Return")
                self._job.eyes.wait_until("the ended session", lambda look: look.shows("reconnect"))
            self._sign_in_again(go, before)
            self._type_into(go, "search", "type_invoice", kind="resume")
            yield self._submit(go, "submit_search", f"row:{go.subject}", kind="resume")
        else:
            yield self._submit(go, "submit_search", f"row:{go.subject}")
        yield self._follow(go, f"row:{go.subject}", "back", "open_invoice")
        editor = wait_for_found(self._job.pace, "the journal", lambda: journal_window(self._job))
        with self._step(go, "switch_to_journal"):
            self._job.hands.think(_REACTION_S)
            self._job.hands.click(_free_place(self._job, editor))
        with self._step(go, "go_to_end"):
            self._job.hands.press("End", "Control_L")
        with self._step(go, "type_line"):
            self._type(go, journal_line(go))
        with self._step(go, "end_line"):
            self._job.hands.press("Return")
        with self._step(go, "save"):
            self._job.hands.think(_REACTION_S)
            self._job.hands.press("s", "Control_L")
            wait_for_found(self._job.pace, "the journal to be saved", lambda: _is_saved(self._job))
        yield "save"

    def _follow(self, go: Go, control: str, then: str, step: str, kind: str = "step") -> str:
        """Click something, and see what it leads to; where nothing comes of it, click again, as people do."""
        for _ in range(_CLICKS):
            with self._step(go, step, kind) as entry:
                before = click(self._job, control)
                if self._sees_page_after(before):
                    self._job.eyes.wait_until(f"'{then}' after '{control}'", lambda now: now.shows(then))
                    return step
                entry.came_to_nothing()
        raise ExpectationError(f"nothing comes of clicking '{control}'")

    def _sees_page_after(self, before: Look) -> bool:
        return self._job.eyes.sees(lambda now: now.page > before.page, _PATIENCE_S) is not None

    def _type_into(self, go: Go, field: str, step: str, kind: str = "step") -> None:
        with self._step(go, step, kind):
            look = click(self._job, field)
            if field in look.filled:
                self._job.hands.press("a", "Control_L")
            self._type(go, go.subject)

    def _submit(self, go: Go, step: str, then: str, kind: str = "step") -> str:
        with self._step(go, step, kind):
            before = self._job.eyes.look()
            self._job.hands.press("Return")
            self._job.eyes.wait_until(
                f"'{then}' after the search", lambda now: now.page > before.page and now.shows(then)
            )
        return step

    def _type(self, go: Go, text: str) -> None:
        """Type, now and then beside the key, and put it right."""
        rng, hands = self._job.hands.rng, self._job.hands
        if rng.random() >= TYPO_CHANCE:
            hands.type(text)
            return
        at = rng.randrange(1, len(text))
        hands.type(text[:at])
        wrong = "".join(rng.choices(_NEIGHBOURS, k=rng.randint(1, 3)))
        with self._diary.doing("typo", go=go.name, kind="noise"):
            hands.type(wrong)
            hands.think(_REACTION_S)
            for _ in wrong:
                hands.press("BackSpace")
        hands.type(text[at:])

    def _sign_in_again(self, go: Go, before: Look) -> None:
        with self._diary.doing("sign_in_again", go=go.name, kind="recovery"):
            log_in_if_asked(self._job)
            self._job.eyes.wait_until("the invoices", lambda now: now.page > before.page and now.shows("search"))

    def _let_session_end(self) -> None:
        with urlopen(Request(f"{self._job.clinic.rstrip('/')}/truth/expire", data=b"{}"), timeout=5):
            pass

    def _step(self, go: Go, step: str, kind: str = "step") -> AbstractContextManager[Entry]:
        return self._diary.doing(step, go=go.name, kind=kind)


def journal_line(go: Go) -> str:
    """What is written for an invoice, with plain spaces as a keyboard gives them."""
    return f"{go.subject} : {go.amount}".replace("\u00a0", " ")


def journal_window(job: Assignment) -> Window | None:
    """The window of the journal."""
    return next((w for w in find_windows(job.display, mousepad.WM_CLASS) if not w.is_dialog), None)


def _free_place(job: Assignment, editor: Window) -> tuple[int, int]:
    """Somewhere in the lower half of the text, where nothing is written yet."""
    rng = job.hands.rng
    return (
        editor.x + round(editor.width_px * rng.uniform(0.3, 0.7)),
        editor.y + round(editor.height_px * rng.uniform(0.6, 0.85)),
    )


def _is_saved(job: Assignment) -> bool | None:
    editor = journal_window(job)
    return True if editor is not None and not editor.title.startswith("*") else None
