"""The whole server: API and dashboard behind one gate, in one process."""

from __future__ import annotations

import html
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, cast

from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from rpa_vision.app.folder_watch import FolderWatch
from rpa_vision.app.office import Office
from rpa_vision.app.users import Identity
from rpa_vision.server.api.application import make_api
from rpa_vision.server.gate import COOKIE, App, Gate
from rpa_vision.server.status_board import StatusBoard, StatusFirst

SESSION_S = 7 * 24 * 3600


def make_server(
    office: Office,
    folder_watch: FolderWatch,
    *,
    hosts: frozenset[str],
    secure_cookies: bool = False,
    dashboard: Callable[[FastAPI], None] | None = None,
) -> Gate:
    """Everything, ready to be served."""
    app = make_api(office, folder_watch)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncIterator[None]:
        async with inner(application):
            await app.state.news.start()
            yield
            await app.state.news.close()

    app.router.lifespan_context = lifespan
    _entrance(app, secure=secure_cookies)
    if dashboard is not None:
        dashboard(app)
    first = StatusFirst(cast(App, app), StatusBoard(office))
    return Gate(first, office.accounts, office.clock, hosts, secure_cookies)


def _entrance(app: FastAPI, *, secure: bool) -> None:
    """How a browser comes in and out: by a one-time link or by showing a token."""

    @app.get("/enter", include_in_schema=False)
    def enter(request: Request, code: str = "") -> Response:
        office: Office = app.state.office
        if not code:
            if getattr(request.state, "identity", None) is not None:
                return RedirectResponse("/", status_code=303)
            return _page("")
        found = office.accounts.redeem(code, _label(request))
        if found is None:
            return _page(
                "This link was used already, or is too old. / Ce lien a déjà servi, ou il est trop ancien.", 401
            )
        return _signed_in(found[1], secure)

    @app.post("/enter", include_in_schema=False)
    def enter_with_token(request: Request, token: Annotated[str, Form(max_length=200)] = "") -> Response:
        office: Office = app.state.office
        found = office.accounts.authenticate(token.strip())
        if found is None:
            redeemed = office.accounts.redeem(token.strip(), _label(request))
            if redeemed is None:
                return _page("That token is not right. / Ce jeton n'est pas valable.", 401)
            return _signed_in(redeemed[1], secure)
        return _signed_in(office.accounts.open_session(found, _label(request)), secure)

    @app.post("/leave", include_in_schema=False)
    def leave(request: Request) -> Response:
        office: Office = app.state.office
        identity: Identity | None = getattr(request.state, "identity", None)
        if identity is not None and identity.token.kind == "session":
            office.accounts.revoke(identity.token.token_id, who=identity.account.name)
        answer = RedirectResponse("/enter", status_code=303)
        answer.delete_cookie(COOKIE)
        return answer


def _signed_in(secret: str, secure: bool) -> Response:
    # A page rather than a redirect: a strict cookie is not sent along a redirect that another site began.
    answer = HTMLResponse('<!doctype html><meta http-equiv="refresh" content="0;url=/"><a href="/">RPA Vision</a>')
    answer.set_cookie(COOKIE, secret, max_age=SESSION_S, httponly=True, samesite="strict", secure=secure, path="/")
    return answer


def _label(request: Request) -> str:
    return (request.headers.get("user-agent") or "browser")[:60]


def _page(problem: str, status: int = 200) -> Response:
    told = f"<p class=bad>{html.escape(problem)}</p>" if problem else ""
    return HTMLResponse(_ENTER.replace("@@", told), status_code=status)


_ENTER = """<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
<title>RPA Vision</title><style>
:root{color-scheme:light dark}
body{font:16px system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:0}
main{width:min(26rem,90vw)}h1{font-weight:650;margin:0 0 .3rem}p{opacity:.75;line-height:1.5}
input,button{font:inherit;width:100%;box-sizing:border-box;padding:.7rem;border-radius:.6rem;border:1px solid #8886}
input,button{margin:.3rem 0}
button{background:#2f6fed;color:#fff;border:0;cursor:pointer}.bad{color:#d33;opacity:1}code{font-size:.9em}
</style><main><h1>RPA Vision</h1>@@
<p>Open the link that the server printed when it was first started, or enter a token.<br>
Ouvrez le lien affiché au premier démarrage du serveur, ou saisissez un jeton.</p>
<form method=post action=/enter>
<input name=token type=password autocomplete=current-password placeholder="rpav_…" required autofocus
aria-label="Token"><button>Enter · Entrer</button></form>
<p><code>rpa-vision serve --link admin</code></p></main></html>"""
