"""What happens, as it happens, as server-sent events: runs and steps, changes of state, alerts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from rpa_vision.app.office import Office
from rpa_vision.app.users import Identity
from rpa_vision.models.queue import Happening
from rpa_vision.server.api.answers import OfficeHere, Viewer, failures
from rpa_vision.server.news import News

router = APIRouter(responses=failures())
_KEEP_ALIVE_S = 15.0


@router.get(
    "/events", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}, **failures()}
)
async def read_events(
    request: Request,
    office: OfficeHere,
    me: Viewer,
    after: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    once: bool = False,
    last_event_id: Annotated[str | None, Header(max_length=30)] = None,
) -> StreamingResponse:
    """A stream that goes on where the last broke off (`Last-Event-ID`, or `after`); `once` ends it when all is told."""
    news: News = request.app.state.news
    given = int(last_event_id) if last_event_id is not None and last_event_id.isdecimal() else after
    start = news.last if given is None else min(given, 2**53)
    told = stream(office, news, me, start, once=once, is_gone=request.is_disconnected)
    return StreamingResponse(told, media_type="text/event-stream")


async def stream(
    office: Office, news: News, me: Identity, start: int, *, once: bool, is_gone: Callable[[], Awaitable[bool]]
) -> AsyncIterator[bytes]:
    """What happens after `start`, for as long as whoever listens may: that is looked up before anything is told."""
    number = start
    yield b"retry: 2000\n\n"
    while True:
        found = await asyncio.to_thread(office.queue.happenings, number) if once else await news.happenings(number)
        if await asyncio.to_thread(office.accounts.current, me) is None:
            return
        for one in found:
            number = one.number
            yield _told(one)
        if once and not found:
            return
        if once:
            continue
        if not await news.wait(number, timeout_s=_KEEP_ALIVE_S):
            yield b": still here\n\n"
        if await is_gone():
            return


def _told(one: Happening) -> bytes:
    body = {"at": one.at.isoformat(), "run_id": one.run_id, "workflow_id": one.workflow_id, **one.body}
    return f"id: {one.number}\nevent: {one.kind}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n".encode()
