"""The clinic's routes: what a person can do in it, and what each click leads to."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from rpa_vision.demo.clinic.accounts_desk import AccountsDesk
from rpa_vision.demo.clinic.accounts_store import AccountsStore
from rpa_vision.demo.clinic.answers import COOKIE, form_fields, go, page, page_number
from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.pages import HERE, Pages
from rpa_vision.demo.clinic.sessions import Access, Message, Session, Sessions
from rpa_vision.demo.clinic.store import Outcome, Store
from rpa_vision.demo.clinic.texts import texts
from rpa_vision.demo.clinic.truth import Truth

Action = Callable[[Request, Session], Awaitable[Response]]


def create_app(
    store: Store,
    drift: Drift | None = None,
    *,
    accounts: AccountsStore | None = None,
    report_layout: bool = True,
    now: Callable[[], float] = time.time,
) -> Starlette:
    """The application over a database; `report_layout` puts the scripted person's script into its pages.

    With `accounts` it has the accounting module: slips of payments and refund claims.
    """
    pages = Pages(report_layout=report_layout, has_accounts=accounts is not None)
    return _Clinic(store, accounts, Truth(store, Sessions(now), drift or Drift(), accounts), pages).app()


class _Clinic:
    def __init__(self, store: Store, accounts: AccountsStore | None, truth: Truth, pages: Pages) -> None:
        self._store = store
        self._truth = truth
        self._sessions = truth.sessions
        self._pages = pages
        self._accounts = AccountsDesk(accounts, pages, lambda: self._drift) if accounts is not None else None

    def app(self) -> Starlette:
        signed_in = self._signed_in
        return Starlette(
            routes=[
                Route("/", self.home),
                Route("/connexion", self.login, methods=["GET", "POST"]),
                Route("/deconnexion", self.logout, methods=["POST"]),
                Route("/session-expiree", self.expired),
                Route("/factures", signed_in(self.list)),
                Route("/factures/valider-tout", signed_in(self.validate_all), methods=["POST"]),
                Route("/factures/{number}", signed_in(self.detail)),
                Route("/factures/{number}/valider", signed_in(self.validate), methods=["POST"]),
                Route("/factures/{number}/reporter", signed_in(self.postpone), methods=["POST"]),
                Route("/statistiques", signed_in(self.statistics)),
                Route("/aide", signed_in(self.help)),
                *(self._accounts.routes(signed_in) if self._accounts is not None else ()),
                *self._truth.routes(),
                Mount("/static", StaticFiles(directory=HERE / "static")),
            ],
            exception_handlers={404: self.missing},
        )

    @property
    def _drift(self) -> Drift:
        return self._truth.drift

    def _signed_in(self, action: Action) -> Callable[[Request], Awaitable[Response]]:
        """Let only signed-in people through to the action."""

        async def guarded(request: Request) -> Response:
            drift = self._drift
            access, session = self._sessions.enter(
                request.cookies.get(COOKIE), drift.expire_after, drift.expire_after_s
            )
            if access is Access.EXPIRED and session is not None:
                self._store.note(session.user, "session_expired")
                return go("/session-expiree", forget=True)
            if session is None:
                return go("/connexion")
            return await action(request, session)

        return guarded

    async def home(self, request: Request) -> Response:
        return go("/factures")

    async def login(self, request: Request) -> Response:
        if request.method == "GET":
            return page(self._pages.login(self._drift, refused=False))
        form = await form_fields(request)
        user = form.get("user", "").strip()
        token = self._sessions.open(user, form.get("password", ""))
        if token is None:
            self._store.note(user, "login_refused")
            return page(self._pages.login(self._drift, refused=True, user=user), status=401)
        self._store.note(user, "login")
        answer = go("/factures")
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
        return answer

    async def logout(self, request: Request) -> Response:
        self._sessions.close(request.cookies.get(COOKIE))
        return go("/connexion", forget=True)

    async def expired(self, request: Request) -> Response:
        return page(self._pages.expired(self._drift))

    async def missing(self, request: Request, error: Exception) -> Response:
        return page(self._pages.missing(self._drift, None), status=404)

    async def list(self, request: Request, session: Session) -> Response:
        query = request.query_params.get("q", "")
        number = page_number(request)
        return page(self._pages.list(self._drift, session, self._store.invoices(), query, number))

    async def detail(self, request: Request, session: Session) -> Response:
        invoice = self._store.invoice(request.path_params["number"])
        if invoice is None:
            return page(self._pages.missing(self._drift, session), status=404)
        return page(self._pages.detail(self._drift, session, invoice))

    async def validate(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        reason = (await form_fields(request)).get("reason", "").strip()
        if self._drift.required_field and not reason:
            self._store.note(session.user, "refused", number, "reason_missing")
            self._say(session, "error", "reason_missing")
            return go(f"/factures/{number}")
        outcome = self._store.validate(number, session.user, reason or None)
        if outcome is Outcome.UNKNOWN:
            return page(self._pages.missing(self._drift, session), status=404)
        kind = "success" if outcome is Outcome.VALIDATED else "error"
        self._say(session, kind, outcome.value, number=number)
        return go(f"/factures/{number}")

    async def validate_all(self, request: Request, session: Session) -> Response:
        count = len(self._store.validate_all(session.user))
        self._say(session, "success", "all_validated", count=count)
        return go("/factures")

    async def postpone(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        if self._store.invoice(number) is None:
            return page(self._pages.missing(self._drift, session), status=404)
        self._store.note(session.user, "postponed", number)
        self._say(session, "success", "postponed", number=number)
        return go(f"/factures/{number}")

    async def statistics(self, request: Request, session: Session) -> Response:
        return page(self._pages.statistics(self._drift, session, self._store.invoices()))

    async def help(self, request: Request, session: Session) -> Response:
        return page(self._pages.help(self._drift, session))

    def _say(self, session: Session, kind: str, key: str, **parts: object) -> None:
        words = texts(self._drift.lang, renamed=self._drift.renamed)
        session.message = Message(kind, words[key].format(**parts))
