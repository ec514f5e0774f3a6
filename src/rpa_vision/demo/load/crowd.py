"""A crowd in front of the dashboard, in a process of its own: open pages that are kept up to date, and programs that
listen to events.

`python -m rpa_vision.demo.load.crowd`: reads who they are as JSON from the first line of standard input, says "ready"
when all are there, goes on until standard input closes, and prints what they saw.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import aiohttp

_CLIENT = re.compile(r"""["']client_id["']:\s*["']([0-9a-f-]+)["']""")
_NEXT = re.compile(r"""["']next_message_id["']:\s*(\d+)""")
_ACK_S = 3.0
_STEPS = ("step_begins", "step_ended")


@dataclass(slots=True)
class Seen:
    """What the crowd saw; of each listener the steps, as `run_id step kind`."""

    pages: int = 0
    updates: int = 0
    received_bytes: int = 0
    heard: list[set[str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """For whoever sent the crowd."""
        return {
            "pages": self.pages,
            "updates": self.updates,
            "received_bytes": self.received_bytes,
            "heard": [sorted(one) for one in self.heard],
            "errors": self.errors,
        }


class Visitor:
    """Somebody who has a page of the dashboard open, as a browser would: its HTML, then its socket."""

    def __init__(self, session: aiohttp.ClientSession, path: str, seen: Seen) -> None:
        self._session, self._path, self._seen = session, path, seen
        self._client, self._next, self._last = "", 0, ""
        self._began_s = asyncio.get_running_loop().time()

    async def enter(self) -> None:
        """Open the page."""
        # Browsers open a connection of its own for a socket; one that was used before is not used for it.
        async with self._session.get(self._path, headers={"Connection": "close"}) as answer:
            text = await answer.text()
            answer.raise_for_status()
        client, number = _CLIENT.search(text), _NEXT.search(text)
        if client is None or number is None:
            raise ValueError(f"{self._path} is no page of the dashboard")
        self._client, self._next = client[1], int(number[1])
        query = {
            "EIO": "4", "transport": "websocket", "client_id": self._client, "next_message_id": str(self._next),
            "document_id": str(uuid4()), "tab_id": str(uuid4()), "old_tab_id": "", "implicit_handshake": "true",
        }  # fmt: skip
        self._socket = await self._session.ws_connect("/_nicegui_ws/socket.io/", params=query, max_msg_size=0)
        await self._socket.receive_str()
        await self._socket.send_str("40")
        greeting = await self._socket.receive_str()
        if not greeting.startswith("40"):
            raise ValueError(f"{self._path}: the socket was refused ({greeting[:80]})")
        self._seen.pages += 1

    async def watch(self) -> None:
        """Take what comes, and say now and then that it came; a socket that closes is an error."""
        acknowledging = asyncio.create_task(self._acknowledge())
        try:
            async for message in self._socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    continue
                text = self._last = str(message.data)
                self._seen.received_bytes += len(text)
                if text == "2":
                    await self._socket.send_str("3")
                elif text.startswith("42"):
                    self._seen.updates += 1
                    self._next += 1
                    await self._answer(json.loads(text[2:]))
        finally:
            acknowledging.cancel()
        lasted_s = asyncio.get_running_loop().time() - self._began_s
        why = self._socket.exception() or self._last[:60]
        self._seen.errors.append(
            f"{self._path}: the socket was closed after {lasted_s:.0f} s ({self._socket.close_code}, {why})"
        )

    async def _answer(self, message: list[Any]) -> None:
        """A page is asked whether its menu is open, and answers as on a wide screen."""
        if message[0] == "run_javascript" and message[1].get("request_id"):
            told = {"request_id": message[1]["request_id"], "client_id": self._client, "result": True}
            await self._socket.send_str(f"42{json.dumps(['javascript_response', told])}")

    async def _acknowledge(self) -> None:
        while True:
            await asyncio.sleep(_ACK_S)
            said = json.dumps(["ack", {"client_id": self._client, "next_message_id": self._next}])
            await self._socket.send_str(f"42{said}")


async def listen(session: aiohttp.ClientSession, seen: Seen, there: asyncio.Event) -> None:
    """Hear every event; a stream that ends is an error."""
    heard: set[str] = set()
    seen.heard.append(heard)
    kind = ""
    async with session.get("/api/v1/events") as answer:
        answer.raise_for_status()
        there.set()
        async for raw in answer.content:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: ") and kind in _STEPS:
                told = json.loads(line[6:])
                heard.add(f"{told['run_id']} {told['step']} {kind}")
    seen.errors.append("a stream of events ended")


async def crowd(plan: dict[str, Any]) -> Seen:
    """Send them all in, wait until standard input closes, and say what they saw."""
    seen, loop = Seen(), asyncio.get_running_loop()
    headers = {"Cookie": plan["cookie"], "Origin": plan["url"]}
    limits = aiohttp.TCPConnector(limit=0)
    times = aiohttp.ClientTimeout(total=None, sock_connect=30)
    async with aiohttp.ClientSession(plan["url"], headers=headers, connector=limits, timeout=times) as session:
        visitors = [Visitor(session, path, seen) for path in plan["pages"]]
        tasks: list[asyncio.Task[None]] = []
        for one in visitors:
            await one.enter()
            tasks.append(asyncio.create_task(one.watch()))
        doors = [asyncio.Event() for _ in range(plan["listeners"])]
        tasks += [asyncio.create_task(listen(session, seen, door)) for door in doors]
        await asyncio.gather(*(door.wait() for door in doors))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await loop.run_in_executor(None, sys.stdin.read)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                seen.errors.append(f"{type(ended).__name__}: {ended}")
    return seen


def main() -> None:
    """As described above."""
    plan = json.loads(sys.stdin.readline())
    sys.stdout.write(json.dumps(asyncio.run(crowd(plan)).to_json()) + "\n")


if __name__ == "__main__":
    main()
