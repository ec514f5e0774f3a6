"""Accounts that several people change at the same time, in one server or in two."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest
from served import Served

from rpa_vision.adapters.office.accounts import SqliteAccounts
from rpa_vision.app.users import Accounts
from rpa_vision.errors import UsageError


def another(api: Served) -> Accounts:
    """The accounts as another process has them: the same file, opened by itself."""
    numbers = count(1)
    office, store = api.office, SqliteAccounts(api.office.data.paths.accounts)
    return Accounts(store, office.heal.audit, office.clock, office.ids, lambda size: next(numbers).to_bytes(size))


@contextmanager
def meanwhile(what: Callable[[], object]) -> Iterator[None]:
    """Do something over and over in another thread."""
    ended = threading.Event()

    def again() -> None:
        while not ended.is_set():
            what()

    thread = threading.Thread(target=again)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def at_once(*asked: tuple[Accounts, str]) -> list[str]:
    """Make viewers of accounts at the same moment; gives what was refused."""
    gate = threading.Barrier(len(asked))
    refused: list[str] = []

    def demote(by: Accounts, user_id: str) -> None:
        gate.wait()
        try:
            by.change(user_id, who="test", role="viewer")
        except UsageError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=demote, args=one) for one in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def test_a_choice_of_language_undoes_no_change_of_role(api: Served) -> None:
    """UX-3: whoever was made a viewer stays one, whatever they click on meanwhile."""
    accounts, theirs = api.office.accounts, another(api)
    user_id = accounts.create("clicks on", "operator", who="test").user_id
    with meanwhile(lambda: theirs.prefer(user_id, theme="dark", language="fr")):
        for _ in range(40):
            for role in ("viewer", "operator"):
                accounts.change(user_id, who="test", role=role)
                assert [accounts.account(user_id).role for _ in range(5)] == [role] * 5
    kept = accounts.account(user_id)
    assert (kept.role, kept.language, kept.theme) == ("operator", "fr", "dark")


def test_two_administrators_who_demote_each_other_leave_one(api: Served) -> None:
    """UX-3"""
    accounts, theirs = api.office.accounts, another(api)
    mine, yours = (accounts.create(name, "admin", who="test").user_id for name in ("anna", "berta"))
    for one in accounts.accounts():
        if one.user_id not in (mine, yours):
            accounts.change(one.user_id, who="test", role="viewer")
    for _ in range(15):
        for user_id in (mine, yours):
            accounts.change(user_id, who="test", role="admin")
        assert at_once((accounts, yours), (theirs, mine)) == ["the last administrator cannot be taken away"]


def test_a_name_is_given_once(api: Served) -> None:
    """UX-3"""
    accounts = api.office.accounts
    accounts.create("carla", "viewer", who="test")
    other = accounts.create("dora", "viewer", who="test")
    with pytest.raises(UsageError, match="already"):
        accounts.change(other.user_id, who="test", name="Carla")
    assert accounts.account(other.user_id).name == "dora"
