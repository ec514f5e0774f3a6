"""The gate: one bad token locks nobody else out, and whoever was locked out reads no further."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from nicegui import Client, ui
from nicegui.page import page
from served import Served

from rpa_vision.app.users import Identity
from rpa_vision.app.wiring_office import folder_watch
from rpa_vision.server.api.events import stream
from rpa_vision.server.dashboard import home
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.gate import COOKIE
from rpa_vision.server.limits import RateLimit
from rpa_vision.server.news import News


@pytest.fixture
def fresh(api: Served) -> Iterator[Served]:
    """The gate as after a start: nobody has guessed, nobody is remembered."""
    api.gate.wrong = RateLimit(api.office.clock, rate=0.1, burst=10.0)
    api.gate.wrong_in_all = RateLimit(api.office.clock, rate=0.1, burst=100.0)
    api.client.cookies.clear()
    yield api
    api.client.cookies.clear()


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def entered(api: Served) -> int:
    """How a fresh one-time link is answered."""
    link = api.office.accounts.link_for("operator one", who="test")
    status: int = api.client.get(f"/enter?code={link}").status_code
    api.client.cookies.clear()
    return status


def test_a_session_that_has_ended_and_goes_on_asking_locks_nobody_out(fresh: Served) -> None:
    """UX-3: its secret is right, so it is no guess, however often it is shown."""
    accounts = fresh.office.accounts
    redeemed = accounts.redeem(accounts.link_for("viewer one", who="test"), "test")
    assert redeemed is not None
    accounts.revoke(redeemed[0].token.token_id, who="test")
    api_token, secret = accounts.issue(redeemed[0].account.user_id, "api", "polls", who="test")
    accounts.revoke(api_token.token_id, who="test")
    for headers in (bearer(secret), {"Cookie": f"{COOKIE}={redeemed[1]}"}):
        polled = {fresh.client.get("/api/v1/me", headers=headers).status_code for _ in range(150)}
        assert polled == {401}
    assert entered(fresh) == 200
    _, other = accounts.issue(redeemed[0].account.user_id, "api", "new", who="test")
    assert fresh.client.get("/api/v1/me", headers=bearer(other)).status_code == 200


def test_guessing_at_one_token_locks_out_no_other(fresh: Served) -> None:
    """UX-3"""
    guesses = [fresh.client.get("/api/v1/me", headers=bearer(f"rpav_{1:016x}_{n}")).status_code for n in range(14)]
    assert (guesses[0], guesses[-1]) == (401, 429)
    assert entered(fresh) == 200
    account = fresh.office.accounts.create("came after a guess", "viewer", who="test")
    _, other = fresh.office.accounts.issue(account.user_id, "api", "new", who="test")
    assert fresh.client.get("/api/v1/me", headers=bearer(other)).status_code == 200


def test_guessing_at_many_tokens_is_slow_too(fresh: Served) -> None:
    """UX-3: who was right before is not slowed down by it."""
    assert fresh.client.get("/api/v1/me", headers=fresh.as_("viewer")).status_code == 200
    fresh.gate.wrong_in_all = RateLimit(fresh.office.clock, rate=0.1, burst=20.0)
    guesses = [fresh.client.get("/api/v1/me", headers=bearer(f"rpav_{n:016x}_x")).status_code for n in range(24)]
    assert (guesses[15], guesses[-1]) == (401, 429)
    assert fresh.client.get(f"/enter?code=rpav_{99:016x}_x").status_code == 429
    assert fresh.client.get("/api/v1/me", headers=fresh.as_("viewer")).status_code == 200


@pytest.mark.parametrize("origin", ["http://[", "null", "http://127.0.0.1:1", "//[::1", ""])
def test_an_origin_that_is_none_is_a_foreign_one(fresh: Served, origin: str) -> None:
    """UX-3"""
    asked, who = {"reason": "x", "workflow_id": "nobody"}, fresh.as_("operator")
    answer = fresh.client.post("/api/v1/auto-heal/pause", headers=who | {"Origin": origin}, json=asked)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "server.foreign_origin")


def known(api: Served, name: str) -> tuple[Identity, str]:
    account = api.office.accounts.create(name, "viewer", who="test")
    _, secret = api.office.accounts.issue(account.user_id, "api", "t", who="test")
    identity = api.office.accounts.authenticate(secret)
    assert identity is not None
    return identity, secret


def test_the_stream_of_somebody_who_was_locked_out_ends(api: Served) -> None:
    """UX-3: what happens after that is not told any more."""
    accounts, queue = api.office.accounts, api.office.queue
    identity, _ = known(api, "listens")

    async def never() -> bool:
        return False

    async def story() -> tuple[list[bytes], list[bytes]]:
        news = News(api.office, folder_watch(api.office))
        await news.start()
        told = stream(api.office, news, identity, news.last, once=False, is_gone=never)
        before: list[bytes] = [await anext(told)]
        queue.tell("before", {}, now=api.office.clock.now())
        while not before[-1].startswith(b"id: "):
            before.append(await anext(told))
        accounts.revoke(identity.token.token_id, who="test")
        queue.tell("after", {}, now=api.office.clock.now())
        after = [part async for part in told]
        await news.close()
        return before, after

    before, after = asyncio.run(asyncio.wait_for(story(), 30.0))
    assert b"event: before" in before[-1]
    assert not [part for part in after if part.startswith(b"id: ")]


@pytest.mark.parametrize("key", ["", "what all pages show"])
def test_an_open_page_of_somebody_who_was_locked_out_is_led_out(api: Served, key: str) -> None:
    """UX-2, UX-3: it is shown nothing that came after."""
    identity, _ = known(api, f"looks on {key}")
    shown: list[str] = []

    async def story() -> list[Any]:
        now = ["old"]
        news = News(api.office, folder_watch(api.office))
        with Client(page("/somewhere")) as client:
            client.outbox.stop()
            desk = Desk(api.office, news, identity, "en")
            part = await Live(desk, lambda: now[0], shown.append, key=key).start()
            api.office.accounts.change(identity.account.user_id, who="test", disabled=True)
            now[0] = "new"
            news.fetch("what all pages show", lambda: "new", 0.0)
            news.changed()
            news.fetch("what all pages show", lambda: "new", 0.0)
            await part.refresh()
            return [message for _, kind, message in client.outbox.messages if kind == "open"]

    opened = asyncio.run(story())
    assert shown == ["old"]
    assert [one["path"] for one in opened] == ["/enter"]


def test_a_display_with_markup_in_its_name_is_shown_as_it_is_written(api: Served) -> None:
    """UX-2"""
    identity, _ = known(api, "reads home")
    worker = {"alive": False, "display": ":9<img src=x onerror=alert(1)>"}

    async def story() -> list[str]:
        with Client(page("/somewhere")) as client:
            desk = Desk(api.office, News(api.office, folder_watch(api.office)), identity, "en")
            home._running(desk, {"running": [], "waiting": [], "workers": [worker]})
            return [one.content for one in client.elements.values() if isinstance(one, ui.html)]

    (drawn,) = asyncio.run(story())
    assert "&lt;img src=x" in drawn
    assert "<img" not in drawn
