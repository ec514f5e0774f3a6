"""Turns what the database knows into pages, in the language and looks the drift switches ask for."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from rpa_vision.demo.clinic.data import Invoice, Status
from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.sessions import Session
from rpa_vision.demo.clinic.texts import texts, write_amount, write_date

ROWS_PER_PAGE = 12
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of the list, after a search if there was one."""

    rows: Sequence[Invoice]
    found: int
    query: str
    page: int
    pages: int


def list_invoices(invoices: Sequence[Invoice], query: str, page: int) -> Listing:
    """Those whose number or patient holds the query, whatever the case and accents; a page past the end is the last."""
    wanted = _fold(query)
    found = [i for i in invoices if wanted in _fold(i.number) or wanted in _fold(i.patient)]
    pages = max(1, -(-len(found) // ROWS_PER_PAGE))
    page = min(max(1, page), pages)
    first = (page - 1) * ROWS_PER_PAGE
    return Listing(found[first : first + ROWS_PER_PAGE], len(found), query.strip(), page, pages)


class Pages:
    """The templates, and the words and looks given to each."""

    def __init__(self, *, report_layout: bool, has_accounts: bool = False) -> None:
        self._report_layout = report_layout
        self._has_accounts = has_accounts
        self._templates = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def login(self, drift: Drift, *, refused: bool, user: str = "") -> str:
        """The sign-in page."""
        return self.render("login.html", drift, None, title="title_login", refused=refused, user=user)

    def list(self, drift: Drift, session: Session, invoices: Sequence[Invoice], query: str, page: int) -> str:
        """The list of invoices, or what a search found."""
        listing = list_invoices(invoices, query, page)
        waiting = sum(i.status is Status.TO_VALIDATE for i in invoices)
        title = "title_search" if listing.query else "title_list"
        return self.render(
            "list.html",
            drift,
            session,
            title=title,
            query=listing.query,
            listing=listing,
            total=len(invoices),
            waiting=waiting,
        )

    def detail(self, drift: Drift, session: Session, invoice: Invoice) -> str:
        """One invoice."""
        return self.render("detail.html", drift, session, title="title_detail", number=invoice.number, invoice=invoice)

    def statistics(self, drift: Drift, session: Session, invoices: Sequence[Invoice]) -> str:
        """A few counts."""
        waiting = sum(i.status is Status.TO_VALIDATE for i in invoices)
        total = sum(i.amount_cents for i in invoices)
        return self.render(
            "statistics.html",
            drift,
            session,
            title="title_statistics",
            waiting=waiting,
            validated=len(invoices) - waiting,
            total=total,
        )

    def help(self, drift: Drift, session: Session) -> str:
        """How the work is done."""
        return self.render("help.html", drift, session, title="title_help")

    def expired(self, drift: Drift) -> str:
        """The session is over."""
        return self.render("expired.html", drift, None, title="title_expired")

    def missing(self, drift: Drift, session: Session | None) -> str:
        """There is no such page."""
        return self.render("missing.html", drift, session, title="title_missing")

    def render(self, template: str, drift: Drift, session: Session | None, *, title: str, **values: Any) -> str:
        """A page of any section: its template, the key of its title, and what it shows."""
        words = texts(drift.lang, renamed=drift.renamed)

        def say(key: str, **parts: Any) -> str:
            return words[key].format(**parts)

        return self._templates.get_template(template).render(
            t=say,
            amount=lambda cents: write_amount(cents, drift.lang),
            day=lambda when: write_date(when, drift.lang),
            drift=drift,
            session=session,
            message=session.take_message() if session else None,
            report_layout=self._report_layout,
            has_accounts=self._has_accounts,
            title=say(title, **values),
            **values,
        )


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("œ", "oe").replace("Œ", "OE"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold().strip()
