"""Anybody may write anything into the address of a page: it draws, whatever stands there."""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from rpa_vision.server.dashboard.pages import PAGES

ODD = ("-1", "9" * 20, "9" * 4400, "NaN", "²", "\x00", "\u202e\U0001f600", "../../etc/passwd", "a'b\"<i>{0}%s",
       "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00")  # fmt: skip
ODD_IDS = ("\x00", "9" * 4400, "9999-12-31T23:59:59-14:00")
_READ = re.compile(r"""given(?:\.get\(|\[|, )["'](\w+)["']""")
_IN_PATH = re.compile(r"\{(\w+)\}")
KNOWN = {"workflow_id": "WF_factures", "session_id": "sess_office_demande", "case_id": "case_office_without_effect"}
"""What is there in the office, for pages that read more than the id."""


def asked_by(path: str) -> list[str]:
    """What a page reads from its address, as its module says."""
    module = inspect.getmodule(PAGES[path])
    assert isinstance(module, ModuleType)
    return sorted(set(_READ.findall(inspect.getsource(module))) - set(_IN_PATH.findall(path)))


def filled(path: str, ids: dict[str, str]) -> str:
    """A path with its blanks filled in."""
    return _IN_PATH.sub(lambda found: quote(ids.get(found[1], "none"), safe=""), path)


def test_what_pages_read_is_found_in_their_code() -> None:
    """UX-2: the addresses below are made from it."""
    assert {"page", "since", "until", "status", "workflow", "text", "day"} <= set(asked_by("/runs"))
    assert asked_by("/weekly") == ["weeks_ago"]
    assert "from" in asked_by("/sessions/{session_id}")


@pytest.mark.parametrize("path", [path for path in PAGES if asked_by(path) or "{" in path])
def test_no_page_breaks_by_its_address(page: Page, server: Any, path: str) -> None:
    """UX-2: every parameter of every page, with whatever somebody may write there."""
    names = asked_by(path)
    urls = (
        [f"{filled(path, KNOWN)}?" + "&".join(f"{name}={quote(odd)}" for name in names) for odd in ODD] if names else []
    )
    urls += [filled(path, dict.fromkeys(_IN_PATH.findall(path), odd)) for odd in ODD_IDS if "{" in path]
    broken = [f"{status} {url[:120]}" for url in urls if (status := page.request.get(server.url + url).status) >= 500]
    assert broken == []
