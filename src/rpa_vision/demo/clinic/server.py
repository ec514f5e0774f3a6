"""The clinic's routes: what a person can do in it, and what each click leads to."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.pages import HERE, Pages
from rpa_vision.demo.clinic.sessions import Access, Message, Session, Sessions
from rpa_vision.demo.clinic.store import Outcome, Store
from rpa_vision.demo.clinic.texts import texts
from rpa_vision.demo.clinic.truth import Truth

COOKIE = "lilas_session"
Action = Callable[[Request, Session], Awaitable[Response]]


def create_app(
    store: Store, drift: Drift | None = None, *, report_layout: bool = True, now: Callable[[], float] = time.time
) -> Starlette:
    """The application over a database; `report_layout` puts the scripted person's script into its pages."""
    return _Clinic(store, Truth(store, Sessions(now), drift or Drift()), Pages(report_layout=report_layout)).app()


class _Clinic:
    def __init__(self, store: Store, truth: Truth, pages: Pages) -> None:
        self._store = store
        self._truth = truth
        self._sessions = truth.sessions
        self._pages = pages

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
                return _go("/session-expiree", forget=True)
            if session is None:
                return _go("/connexion")
            return await action(request, session)

        return guarded

    async def home(self, request: Request) -> Response:
        return _go("/factures")

    async def login(self, request: Request) -> Response:
        if request.method == "GET":
            return _page(self._pages.login(self._drift, refused=False))
        form = await _form(request)
        user = form.get("user", "").strip()
        token = self._sessions.open(user, form.get("password", ""))
        if token is None:
            self._store.note(user, "login_refused")
            return _page(self._pages.login(self._drift, refused=True, user=user), status=401)
        self._store.note(user, "login")
        answer = _go("/factures")
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict")
        return answer

    async def logout(self, request: Request) -> Response:
        self._sessions.close(request.cookies.get(COOKIE))
        return _go("/connexion", forget=True)

    async def expired(self, request: Request) -> Response:
        return _page(self._pages.expired(self._drift))

    async def missing(self, request: Request, error: Exception) -> Response:
        return _page(self._pages.missing(self._drift, None), status=404)

    async def list(self, request: Request, session: Session) -> Response:
        query = request.query_params.get("q", "")
        page = request.query_params.get("page", "1")
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1
        return _page(self._pages.list(self._drift, session, self._store.invoices(), query, number))

    async def detail(self, request: Request, session: Session) -> Response:
        invoice = self._store.invoice(request.path_params["number"])
        if invoice is None:
            return _page(self._pages.missing(self._drift, session), status=404)
        return _page(self._pages.detail(self._drift, session, invoice))

    async def validate(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        reason = (await _form(request)).get("reason", "").strip()
        if self._drift.required_field and not reason:
            self._store.note(session.user, "refused", number, "reason_missing")
            self._say(session, "error", "reason_missing")
            return _go(f"/factures/{number}")
        outcome = self._store.validate(number, session.user, reason or None)
        if outcome is Outcome.UNKNOWN:
            return _page(self._pages.missing(self._drift, session), status=404)
        kind = "success" if outcome is Outcome.VALIDATED else "error"
        self._say(session, kind, outcome.value, number=number)
        return _go(f"/factures/{number}")

    async def validate_all(self, request: Request, session: Session) -> Response:
        count = len(self._store.validate_all(session.user))
        self._say(session, "success", "all_validated", count=count)
        return _go("/factures")

    async def postpone(self, request: Request, session: Session) -> Response:
        number = request.path_params["number"]
        if self._store.invoice(number) is None:
            return _page(self._pages.missing(self._drift, session), status=404)
        self._store.note(session.user, "postponed", number)
        self._say(session, "success", "postponed", number=number)
        return _go(f"/factures/{number}")

    async def statistics(self, request: Request, session: Session) -> Response:
        return _page(self._pages.statistics(self._drift, session, self._store.invoices()))

    async def help(self, request: Request, session: Session) -> Response:
        return _page(self._pages.help(self._drift, session))

    def _say(self, session: Session, kind: str, key: str, **parts: object) -> None:
        words = texts(self._drift.lang, renamed=self._drift.renamed)
        session.message = Message(kind, words[key].format(**parts))


def _page(html: str, status: int = 200) -> HTMLResponse:
    # A page kept by the browser would show a status that is no longer true.
    return HTMLResponse(html, status_code=status, headers={"Cache-Control": "no-store"})


def _go(path: str, *, forget: bool = False) -> RedirectResponse:
    answer = RedirectResponse(path, status_code=303)
    if forget:
        answer.delete_cookie(COOKIE)
    return answer


async def _form(request: Request) -> dict[str, str]:
    """The fields of a posted form. Starlette's own reader needs one more library than these forms deserve."""
    fields = parse_qs((await request.body()).decode("utf-8", errors="replace"), keep_blank_values=True)
    return {name: values[0] for name, values in fields.items()}
