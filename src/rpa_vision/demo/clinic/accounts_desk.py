"""The accounting module's routes: slips of payments gone through line by line, and refund claims decided one by one."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable
from math import ceil

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rpa_vision.demo.clinic.accounts_data import ROWS_PER_SLIP_PAGE, Claim, ClaimStatus, PaymentStatus, SlipStatus
from rpa_vision.demo.clinic.accounts_store import AccountsOutcome, AccountsStore
from rpa_vision.demo.clinic.answers import form_fields, go, page, page_number
from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.pages import ROWS_PER_PAGE, Pages
from rpa_vision.demo.clinic.sessions import Message, Session
from rpa_vision.demo.clinic.texts import texts

Action = Callable[[Request, Session], Awaitable[Response]]
Guard = Callable[[Action], Callable[[Request], Awaitable[Response]]]


class AccountsDesk:
    """The pages and deeds of the module."""

    def __init__(self, accounts: AccountsStore, pages: Pages, drift: Callable[[], Drift]) -> None:
        self._accounts = accounts
        self._pages = pages
        self._drift = drift

    def routes(self, signed_in: Guard) -> list[Route]:
        """Everything of the module, behind the guard."""
        post = ["POST"]
        return [
            Route("/bordereaux", signed_in(self.slips)),
            Route("/bordereaux/{number}", signed_in(self.slip)),
            Route("/bordereaux/{number}/cloturer", signed_in(self.close_slip), methods=post),
            Route("/bordereaux/{number}/valider-tout", signed_in(self.validate_slip), methods=post),
            Route("/reglements/{number}", signed_in(self.payment)),
            Route("/reglements/{number}/valider", signed_in(self.validate_payment), methods=post),
            Route("/remboursements", signed_in(self.claims)),
            Route("/remboursements/{number}", signed_in(self.claim)),
            Route("/remboursements/{number}/valider", signed_in(self.validate_claim), methods=post),
            Route("/remboursements/{number}/responsable", signed_in(self.send_claim), methods=post),
        ]

    async def slips(self, request: Request, session: Session) -> Response:
        lines = [(slip, len(self._accounts.payments(slip.number))) for slip in self._accounts.slips()]
        return page(self._pages.render("slips.html", self._drift(), session, title="title_slips", lines=lines))

    async def slip(self, request: Request, session: Session) -> Response:
        slip = self._accounts.slip(request.path_params["number"])
        if slip is None:
            return self._missing(session)
        payments = self._accounts.payments(slip.number)
        pages = ceil(len(payments) / ROWS_PER_SLIP_PAGE)
        shown = min(max(1, page_number(request)), pages)
        return page(
            self._pages.render(
                "slip.html",
                self._drift(),
                session,
                title="title_slip",
                number=slip.number,
                slip=slip,
                is_open=slip.status is SlipStatus.OPEN,
                rows=payments[(shown - 1) * ROWS_PER_SLIP_PAGE : shown * ROWS_PER_SLIP_PAGE],
                count=len(payments),
                page=shown,
                pages=pages,
            )
        )

    async def close_slip(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        outcome, waiting = self._accounts.close_slip(number, session.user)
        if outcome is AccountsOutcome.UNKNOWN:
            return self._missing(session)
        self._say(session, outcome is AccountsOutcome.DONE, f"slip_{outcome.value}", number=number, count=waiting)
        return go(f"/bordereaux/{number}")

    async def validate_slip(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        if self._accounts.slip(number) is None:
            return self._missing(session)
        self._say(session, True, "slip_all_done", count=len(self._accounts.validate_slip(number, session.user)))
        return go(f"/bordereaux/{number}")

    async def payment(self, request: Request, session: Session) -> Response:
        payment = self._accounts.payment(request.path_params["number"])
        if payment is None:
            return self._missing(session)
        return page(
            self._pages.render(
                "payment.html",
                self._drift(),
                session,
                title="title_payment",
                number=payment.number,
                payment=payment,
                may_validate=payment.status is not PaymentStatus.VALIDATED,
                back_to=page_number(request),
            )
        )

    async def validate_payment(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        outcome = self._accounts.validate_payment(number, session.user)
        payment = self._accounts.payment(number)
        if payment is None:
            return self._missing(session)
        self._say(session, outcome is AccountsOutcome.DONE, f"payment_{outcome.value}", number=number)
        asked_from = (await form_fields(request)).get("page", "1")
        return go(f"/bordereaux/{payment.slip}?page={int(asked_from) if asked_from.isdigit() else 1}")

    async def claims(self, request: Request, session: Session) -> Response:
        claims, query = self._accounts.claims(), request.query_params.get("q", "").strip()
        found = [claim for claim in claims if _matches(claim, query)]
        if query and len(found) == 1:
            return go(f"/remboursements/{found[0].number}")
        pages = max(1, ceil(len(found) / ROWS_PER_PAGE))
        shown = min(max(1, page_number(request)), pages)
        return page(
            self._pages.render(
                "claims.html",
                self._drift(),
                session,
                title="title_claims",
                rows=found[(shown - 1) * ROWS_PER_PAGE : shown * ROWS_PER_PAGE],
                count=len(claims),
                waiting=sum(claim.status is ClaimStatus.TO_VALIDATE for claim in claims),
                query=query,
                page=shown,
                pages=pages,
            )
        )

    async def claim(self, request: Request, session: Session) -> Response:
        claim = self._accounts.claim(request.path_params["number"])
        if claim is None:
            return self._missing(session)
        is_open = claim.status is ClaimStatus.TO_VALIDATE
        return page(
            self._pages.render(
                "claim.html", self._drift(), session, title="title_claim", number=claim.number, claim=claim,
                is_open=is_open,
            )
        )  # fmt: skip

    async def validate_claim(self, request: Request, session: Session) -> Response:
        return self._decide(request, session, ClaimStatus.VALIDATED)

    async def send_claim(self, request: Request, session: Session) -> Response:
        return self._decide(request, session, ClaimStatus.SENT)

    def _decide(self, request: Request, session: Session, status: ClaimStatus) -> Response:
        number = request.path_params["number"]
        outcome = self._accounts.decide_claim(number, status, session.user)
        if outcome is AccountsOutcome.UNKNOWN:
            return self._missing(session)
        done = outcome is AccountsOutcome.DONE
        self._say(session, done, f"claim_{status.value}_done" if done else "claim_already", number=number)
        return go(f"/remboursements/{number}")

    def _missing(self, session: Session) -> Response:
        return page(self._pages.missing(self._drift(), session), status=404)

    def _say(self, session: Session, is_good: bool, key: str, **parts: object) -> None:
        words = texts(self._drift().lang, renamed=self._drift().renamed)
        session.message = Message("success" if is_good else "error", words[key].format(**parts))


def _matches(claim: Claim, query: str) -> bool:
    return _plain(query) in _plain(claim.number) or _plain(query) in _plain(claim.patient)


def _plain(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.replace("œ", "oe").replace("Œ", "OE"))
    return "".join(character for character in spread if not unicodedata.combining(character)).casefold()
