"""What every page works with: the office, who looks, in which language, and how something is done on their behalf."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Literal, TypeVar, cast

from fastapi import Request
from nicegui import Client, context, run, ui

from rpa_vision.app.figures import figure, share
from rpa_vision.app.french_terms import REMEDIES, ROLES, STRATEGIES
from rpa_vision.app.office import Office
from rpa_vision.app.report_words import kind_word
from rpa_vision.app.sayings import said_in
from rpa_vision.app.users import Identity
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.account import Role
from rpa_vision.server.dashboard.words import ENGLISH, FRENCH, Lang
from rpa_vision.server.errors import ForbiddenError, NotSignedInError
from rpa_vision.server.news import News
from rpa_vision.server.own_thread import in_own_thread

T = TypeVar("T")


@dataclass(slots=True)
class Desk:
    """One open page of one person."""

    office: Office
    news: News
    identity: Identity
    lang: Lang
    client: Client | None = None

    def t(self, text: str, /, **values: object) -> str:
        """A text in the language of the reader; what is between braces is filled in."""
        said = (FRENCH if self.lang == "fr" else ENGLISH).get(text, text)
        return said.format(**values) if values else said

    def said(self, text: str) -> str:
        """A sentence of the system, in the language of the reader."""
        return said_in(self.lang, text)

    def remedy(self, error: RpaVisionError) -> str:
        """What to do about an error, in the language of the reader."""
        said = self.said(error.remedy)
        return REMEDIES.get(error.code, said) if self.lang == "fr" and said == error.remedy else said

    def may(self, role: Role) -> bool:
        """Whether this person may do what needs that role."""
        return self.identity.account.may(role)

    @property
    def who(self) -> str:
        return self.identity.account.name

    def still(self, role: Role) -> Identity:
        """The person as they are now: a token may have been revoked, a role taken away, since the page was opened."""
        found = self.office.accounts.current(self.identity)
        if found is None:
            raise NotSignedInError(self.t("You are no longer signed in."))
        if not found.account.may(role):
            raise ForbiddenError(self.t("This needs the role {role}.", role=self.t(role)))
        self.identity = found
        return found

    async def load(self, what: Callable[..., T], *arguments: Any, **options: Any) -> T | None:
        """Fetch something without holding up the other pages; None after telling what went wrong.

        Whoever was locked out since the page was opened is shown nothing more.
        """

        def fetched() -> T:
            self.still("viewer")
            return what(*arguments, **options)

        try:
            return cast("T | None", await run.io_bound(fetched))
        except RpaVisionError as error:
            self.complain(error)
            return None

    async def act(
        self, role: Role, what: Callable[..., T], *arguments: Any, done: str = "", **options: Any
    ) -> T | None:
        """Do something on behalf of this person, if they still may; tells how it went."""
        return cast("T | None", await self._done(role, partial(run.io_bound, what, *arguments, **options), done))

    async def act_at_once(
        self, role: Role, what: Callable[..., T], *arguments: Any, done: str = "", **options: Any
    ) -> T | None:
        """The same for what must not wait for anything that others do."""
        return cast("T | None", await self._done(role, partial(in_own_thread, what, *arguments, **options), done))

    async def _done(self, role: Role, act: Callable[[], Awaitable[Any]], done: str) -> Any:
        try:
            self.still(role)
            result = await act()
        except RpaVisionError as error:
            self.complain(error)
            return None
        if done:
            self.tell(done)
        return result

    def tell(self, message: str, kind: Literal["positive", "warning", "info"] = "positive") -> None:
        """A word in passing. What was pressed may be gone by then, drawn anew because of what it did; the page is not."""
        with self.page():
            ui.notify(message, type=kind, position="top")

    def go(self, to: str) -> None:
        """Lead to another page, after something was done."""
        with self.page():
            ui.navigate.to(to)

    def reload(self) -> None:
        """Draw the page anew, after something was done."""
        with self.page():
            ui.navigate.reload()

    def page(self) -> AbstractContextManager[object]:
        """The page itself: what stands in it outlives the part that was pressed, which may be drawn anew at any time."""
        return self.client if self.client is not None else nullcontext()

    def complain(self, error: RpaVisionError) -> None:
        """Say what went wrong, and what to do. Who is no longer signed in is led out."""
        if isinstance(error, NotSignedInError):
            self.go("/enter")
            return
        with self.page():
            ui.notify(f"{self.said(str(error))} — {self.remedy(error)}", type="negative", position="top", multi_line=True,
                      timeout=8000, close_button=True)  # fmt: skip

    def moment(self, text: str | datetime | None, *, with_day: bool = True) -> str:
        """A time as people of this language write it, in the server's time zone."""
        if not text:
            return ""
        found = (datetime.fromisoformat(text) if isinstance(text, str) else text).astimezone()
        day = f"{found:%d/%m/%Y}" if self.lang == "fr" else f"{found:%Y-%m-%d}"
        return f"{day} {found:%H:%M}" if with_day else f"{found:%H:%M:%S}"

    def span(self, seconds: float | None) -> str:
        """How long, in the two largest units."""
        if seconds is None:
            return ""
        if seconds < 60:
            return f"{self.number(seconds, 1)} s"
        minutes, rest = divmod(round(seconds), 60)
        if minutes < 60:
            return f"{minutes} min {rest:02d} s"
        hours, minutes = divmod(minutes, 60)
        if hours < 48:
            return f"{hours} h {minutes:02d}"
        return f"{hours // 24} {self.t('d')} {hours % 24} h"

    def kind(self, name: str) -> str:
        """A kind of element as people call it."""
        return kind_word(self.lang, name)

    def strategy(self, name: str | None) -> str:
        """By what a target was found."""
        return STRATEGIES.get(name or "", (name or "", name or ""))[self.lang == "fr"]

    def role(self, name: str) -> str:
        """What an element is for."""
        return ROLES.get(name, name) if self.lang == "fr" else name.replace("_", " ")

    @property
    def colon(self) -> str:
        """The sign itself: the French put a space before it."""
        return "\u00a0:" if self.lang == "fr" else ":"

    @property
    def semicolon(self) -> str:
        """The sign itself, which the French put a space before too."""
        return "\u00a0;" if self.lang == "fr" else ";"

    def day(self, text: str) -> str:
        """A day of this year in a chart, from YYYY-MM-DD."""
        return f"{text[8:10]}/{text[5:7]}" if self.lang == "fr" else text[5:]

    def number(self, value: float, places: int = 0) -> str:
        """A number with the separators of the language."""
        return figure(value, self.lang, places=places)

    def share(self, value: float, places: int = 0) -> str:
        """A part of one, as a percentage."""
        return share(value, self.lang, places=places)

    def score(self, value: float | None) -> str:
        """A score as people read it."""
        return "" if value is None else self.number(value, 2)

    def amount(self, value: float | None) -> str:
        """A count, or a share as a percentage."""
        if value is None:
            return "—"
        return self.share(value) if 0 < value < 1 else self.number(value, 0 if value == round(value) else 2)


def desk_of(request: Request, office: Office, news: News) -> Desk:
    """The desk of whoever opened a page; the gate has let them in."""
    identity: Identity = request.state.identity
    chosen = identity.account.language or _preferred(request.headers.get("accept-language", ""))
    return Desk(office, news, identity, "fr" if chosen == "fr" else "en", context.client)


def _preferred(header: str) -> str:
    first = header.split(",")[0].strip().lower()
    return "fr" if first.startswith("fr") else "en"


class Live:
    """A part of a page that draws itself again when what it shows has changed; nobody needs to reload.

    Parts of several pages that show the same under one `key` fetch it once; what is costly is kept for `keep_s`, and
    fetched again before anybody has seen less than is known for longer.
    """

    def __init__(
        self,
        desk: Desk,
        load: Callable[[], T],
        draw: Callable[[T], Awaitable[None] | None],
        *,
        classes: str = "w-full",
        key: str = "",
        keep_s: float = 0.0,
        pick: Callable[[Any], Any] = lambda data: data,
    ) -> None:
        """`pick` is what this part shows of what was fetched."""
        self._desk, self._load, self._draw, self._pick = desk, load, draw, pick
        self._key, self._keep_s = key, keep_s
        self._seen: Any = None
        self._changes = -1
        self._box = ui.element("div").classes(classes)

    async def start(self) -> Live:
        """Draw it for the first time, and look after it from then on."""
        await self.refresh()
        self._desk.news.watch(self)
        return self

    @property
    def is_gone(self) -> bool:
        return self._box.is_deleted or self._box.client.is_deleted

    @property
    def is_behind(self) -> bool:
        return self._changes != self._desk.news.changes and self._box.client.has_socket_connection

    async def catch_up(self) -> None:
        try:
            await self.refresh()
        except RuntimeError:  # the page was left while it was drawn
            if not self.is_gone:
                raise

    async def refresh(self) -> None:
        """Draw it again if what it shows is another."""
        with self._box:
            fetched = await self._fetched()
            data = self._pick(fetched) if fetched is not None else None
            if data is None or data == self._seen or self.is_gone:
                return
            self._seen = data
            self._box.clear()
            drawn = self._draw(data)
            if drawn is not None:
                await drawn

    async def _fetched(self) -> Any:
        news, changes = self._desk.news, self._desk.news.changes
        if not self._key:
            data = await self._desk.load(self._load)
            self._changes = changes
            return data
        found = await self._desk.load(news.fetch, self._key, self._load, self._keep_s)
        self._changes, data = found if found is not None else (changes, None)
        return data


async def watch_over(desk: Desk) -> None:
    """Lead whoever is locked out off a page, also one on which nothing else is live."""
    await Live(desk, lambda: None, lambda _: None, classes="hidden").start()
