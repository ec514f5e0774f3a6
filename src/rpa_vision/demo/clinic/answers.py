"""How the clinic answers: pages that no browser keeps, and the way to the next one."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

COOKIE = "lilas_session"


def page(html: str, status: int = 200) -> HTMLResponse:
    """A page, always fresh."""
    # A page kept by the browser would show a status that is no longer true.
    return HTMLResponse(html, status_code=status, headers={"Cache-Control": "no-store"})


def go(path: str, *, forget: bool = False) -> RedirectResponse:
    """Off to another page, signed out on the way if asked."""
    answer = RedirectResponse(path, status_code=303)
    if forget:
        answer.delete_cookie(COOKIE)
    return answer


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a posted form. Starlette's own reader needs one more library than these forms deserve."""
    fields = parse_qs((await request.body()).decode("utf-8", errors="replace"), keep_blank_values=True)
    return {name: values[0] for name, values in fields.items()}


def page_number(request: Request) -> int:
    """Which page of a list is asked for; the first when that makes no sense."""
    page = request.query_params.get("page", "1")
    return int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 1
