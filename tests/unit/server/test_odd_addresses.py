"""Anybody may write anything into an address: it is understood, refused or of no matter, and never a fault of ours.

The pages themselves are tried against a real server (tests/e2e/server/test_odd_pages.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import quote

import pytest
from served import Served

from rpa_vision.server.dashboard.given import moment, one_of, whole_number
from rpa_vision.server.limits import RateLimit

ODD = ("-1", "9" * 20, "9" * 4400, "NaN", "²", "\x00", "\u202e\U0001f600", "../../etc/passwd", "a'b\"<i>{0}%s",
       "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00")  # fmt: skip
ODD_IDS = ("\x00", "9" * 4400, "9999-12-31T23:59:59-14:00")
_IN_PATH = re.compile(r"\{(\w+)\}")


def test_no_route_breaks_by_its_address(api: Served) -> None:
    """UX-3: every parameter in the path or after the question mark of every route that reads."""
    described = api.client.get("/openapi.json", headers=api.as_("admin")).json()["paths"]
    api.gate.wrong = api.gate.wrong_in_all = RateLimit(api.office.clock, rate=1000.0, burst=5000.0)
    known, broken, count = {"workflow_id": "WF_factures"}, list[str](), 0
    for path, methods in described.items():
        if "get" not in methods or path.endswith("/events"):
            continue
        for url in addresses(path, methods["get"].get("parameters", ()), known):
            answer = api.client.get(url, headers=api.as_("admin"))
            count += 1
            if answer.status_code >= 500:
                broken.append(f"{answer.status_code} {url[:120]}")
    assert broken == []
    assert count > 300


def addresses(path: str, parameters: Any, known: dict[str, str]) -> Iterator[str]:
    """A route with each of its parameters in turn written oddly."""
    for one in parameters:
        if one["in"] == "path":
            yield from (filled(path, {**known, one["name"]: odd}) for odd in ODD_IDS)
        else:
            yield from (f"{filled(path, known)}?{one['name']}={quote(odd, safe='')}" for odd in ODD)


def filled(path: str, ids: dict[str, str]) -> str:
    """A path with its blanks filled in."""
    return _IN_PATH.sub(lambda found: quote(ids.get(found[1], "none"), safe=""), path)


@pytest.mark.parametrize(("text", "number"), [("", 0), ("7", 7), ("0007", 7), ("521", 520), ("9" * 4400, 520),
                                              ("-1", 0), ("1.5", 0), ("²", 0), ("٣", 0), (" 3", 0)])  # fmt: skip
def test_a_number_in_an_address_is_one_that_can_be_meant(text: str, number: int) -> None:
    """UX-2"""
    assert whole_number({"n": text}, "n", most=520) == number


def test_a_time_in_an_address_is_one_that_can_be_meant() -> None:
    """UX-2"""
    assert moment({"since": "2026-03-31"}, "since") == datetime(2026, 3, 31).astimezone()
    for odd in ("", "2026-02-30", "true", *ODD):
        assert moment({"since": odd}, "since") is None, odd


def test_a_word_in_an_address_is_one_that_is_known() -> None:
    """UX-2"""
    assert one_of({"day": "week"}, "day", ("today", "week")) == "week"
    for odd in ODD:
        assert one_of({"day": odd}, "day", ("today", "week")) == "", odd
