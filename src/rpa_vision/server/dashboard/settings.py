"""Settings: oneself, people and their tokens, folders, health."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from nicegui import ui

from rpa_vision import __version__
from rpa_vision.app.deny_list import deny_list, write_deny_list
from rpa_vision.app.overview import workers
from rpa_vision.app.server_health import health_now
from rpa_vision.app.users import account_json, token_json
from rpa_vision.app.wiring_office import folder_watch
from rpa_vision.models.account import ROLES, Role
from rpa_vision.models.queue import RunAsked
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.parts import card, chip_html, table


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the page."""
    t = desk.t
    with frame(desk, t("Settings"), "/settings", subtitle=f"RPA Vision {__version__}"):
        with ui.element("div").classes("half"):
            with card(t("You")):
                _me(desk)
            with card(t("Health")):
                _health(desk)
        if desk.may("admin"):
            with card(t("People and programs")):
                people = Live(desk, lambda: _accounts(desk), lambda data: _draw_accounts(desk, data))
                await people.start()
                _new_account(desk, people)
        with card(t("Tokens")):
            tokens = Live(desk, lambda: _tokens(desk), lambda data: _draw_tokens(desk, data))
            await tokens.start()
            _new_token(desk, tokens)
        with card(t("Windows that are not looked at")):
            await _denied(desk)
        if desk.may("admin"):
            with card(t("Watched folders")):
                await _folders(desk)


async def _denied(desk: Desk) -> None:
    t, found = desk.t, await desk.load(deny_list, desk.office)
    if found is None:
        return
    ui.label(
        t(
            "A window whose title or application bears one of these words is neither seen nor heard by recordings and observers."
        )
    ).classes("quiet small")
    ui.label(t("Always: {words}", words=", ".join(found["always"]))).classes("quiet small")
    words = ui.textarea(t("One on each line."), value="\n".join(found["words"]))
    words.props('outlined dense autogrow data-testid="deny-list"').classes("w-full")
    words.set_enabled(desk.may("admin"))

    async def keep() -> None:
        await desk.act("admin", write_deny_list, desk.office, (words.value or "").splitlines(), who=desk.who,
                       done=t("Kept."))  # fmt: skip

    if desk.may("admin"):
        ui.button(t("Save"), icon="save", on_click=keep).props('outline data-testid="keep-deny-list"')


def _me(desk: Desk) -> None:
    t, account = desk.t, desk.identity.account

    async def prefer(**wanted: Any) -> None:
        await desk.load(desk.office.accounts.prefer, account.user_id, **wanted)
        desk.reload()

    ui.label(f"{account.name} · {t(account.role)}")
    with ui.element("div").classes("hb"):
        languages = {"": t("as the browser"), "en": "English", "fr": "Français"}
        ui.select(languages, value=account.language, label=t("Language"),
                  on_change=lambda event: prefer(language=event.value)).props("outlined dense").classes("grow")  # fmt: skip
        themes = {"": t("as the browser"), "light": t("light"), "dark": t("dark")}
        ui.select(themes, value=account.theme, label=t("Theme"),
                  on_change=lambda event: prefer(theme=event.value)).props("outlined dense").classes("grow")  # fmt: skip
    ui.link(t("API documentation"), "/docs", new_tab=True)


def _health(desk: Desk) -> None:
    found, t = health_now(desk.office), desk.t
    rows = [
        [escape(t(check.name)), f'<span class="chip {"ok" if check.ok else "bad"}">{escape(t("good") if check.ok else t("bad"))}</span>',
         escape(desk.said(check.detail))]
        for check in found.checks
    ]  # fmt: skip
    for worker in workers(desk.office):
        state = "ok" if worker["alive"] else "warn"
        word = t("at work") if worker["alive"] else t("nobody there")
        rows.append(
            [escape(f"{t('display')} {worker['display']}"), f'<span class="chip {state}">{escape(word)}</span>', ""]
        )
    table(["", "", ""], rows)
    ui.link(t("Metrics"), "/metrics", new_tab=True)


def _accounts(desk: Desk) -> dict[str, Any]:
    return {"users": [account_json(one) for one in desk.office.accounts.accounts()]}


def _draw_accounts(desk: Desk, data: dict[str, Any]) -> None:
    t, accounts = desk.t, desk.office.accounts
    for one in data["users"]:
        with ui.element("div").classes("item"):
            ui.icon("person_off" if one["disabled"] else "person").classes("quiet")
            ui.label(one["name"]).classes("main").style("font-weight:560")
            own = one["user_id"] == desk.identity.account.user_id
            roles = {role: t(role) for role in ROLES}
            ui.select(roles, value=one["role"], on_change=_changer(desk, one, "role")).props(
                "outlined dense options-dense"
            ).style("min-width:130px").set_enabled(not own)
            ui.switch(t("locked out"), value=one["disabled"], on_change=_changer(desk, one, "disabled")).set_enabled(
                not own
            )

            async def invite(account: dict[str, Any] = one) -> None:
                made = await desk.act("admin", accounts.issue, account["user_id"], "link", "invitation", who=desk.who)
                if made is not None:
                    _show_secret(
                        desk,
                        t("A link that lets {name} in once, within the hour", name=account["name"]),
                        made[1],
                        link=True,
                    )

            ui.button(t("Link"), icon="link", on_click=invite).props("flat dense")


def _changer(desk: Desk, one: dict[str, Any], field: str) -> Callable[[Any], Any]:
    async def change(event: Any) -> None:
        wanted = {field: event.value}
        await desk.act(
            "admin", desk.office.accounts.change, one["user_id"], who=desk.who, done=desk.t("Kept."), **wanted
        )

    return change


def _new_account(desk: Desk, people: Live) -> None:
    t = desk.t
    with ui.element("div").classes("hb").style("margin-top:10px"):
        name = ui.input(t("Name")).props('outlined dense data-testid="new-name"')
        role = ui.select({one: t(one) for one in ROLES}, value="viewer", label=t("Role")).props("outlined dense")
        role.style("min-width:130px")

        async def create() -> None:
            made = await desk.act(
                "admin", desk.office.accounts.create, name.value or "", role.value, who=desk.who, done=t("Kept.")
            )
            if made is not None:
                name.value = ""
                await people.refresh()

        ui.button(t("Add"), icon="person_add", on_click=create).props('unelevated data-testid="add-account"')


def _tokens(desk: Desk) -> dict[str, Any]:
    own = None if desk.may("admin") else desk.identity.account.user_id
    names = {one.user_id: one.name for one in desk.office.accounts.accounts()}
    now = desk.office.clock.now()
    alive = [one for one in desk.office.accounts.tokens(own) if one.is_valid(now)]
    return {"tokens": [{**token_json(one), "name": names.get(one.user_id, "")} for one in alive[:100]]}


def _draw_tokens(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    for one in data["tokens"]:
        with ui.element("div").classes("item"):
            ui.html(chip_html(desk, t(f"{one['kind']} token")), sanitize=False, tag="span")
            with ui.element("div").classes("main"):
                ui.label(f"{one['label']} · {one['name']}").classes("clip")
                used = (
                    t("used on {at}", at=desk.moment(one["last_used_at"])) if one["last_used_at"] else t("never used")
                )
                ui.label(f"{t('until {at}', at=desk.moment(one['expires_at']))} · {used}").classes("quiet small")

            async def revoke(token: dict[str, Any] = one) -> None:
                role: Role = "viewer" if token["user_id"] == desk.identity.account.user_id else "admin"
                await desk.act(role, desk.office.accounts.revoke, token["token_id"], who=desk.who, done=t("Revoked."))
                desk.news.changed()

            ui.button(t("Revoke"), on_click=revoke).props("flat dense color=negative")


def _new_token(desk: Desk, tokens: Live) -> None:
    t = desk.t
    with ui.element("div").classes("hb").style("margin-top:10px"):
        label = ui.input(t("What for?")).props('outlined dense data-testid="token-label"')

        async def create() -> None:
            user = desk.identity.account.user_id
            made = await desk.act("viewer", desk.office.accounts.issue, user, "api", label.value or "API", who=desk.who)
            if made is not None:
                _show_secret(desk, t("This token is shown once. It may do what you may."), made[1])
                await tokens.refresh()

        ui.button(t("New token"), icon="key", on_click=create).props('unelevated data-testid="new-token"')


def _show_secret(desk: Desk, title: str, secret: str, *, link: bool = False) -> None:
    with desk.page(), ui.dialog().props("persistent") as dialog, ui.card().style("min-width:min(560px,94vw)"):
        ui.label(title).classes("h2")
        box = (
            ui.element("div")
            .classes("code")
            .style("word-break:break-all;user-select:all")
            .props('data-testid="secret"')
        )
        with box:
            ui.label(secret)
        if link:
            ui.run_javascript(
                f"document.querySelectorAll('[data-testid=secret]').forEach(one => one.innerText = location.origin + '/enter?code={secret}')"
            )
        ui.button(desk.t("I have kept it"), on_click=dialog.close).props("unelevated")
    dialog.open()


async def _folders(desk: Desk) -> None:
    t, watch = desk.t, folder_watch(desk.office)
    ui.label(t("New CSV and XLSX files in a folder of the server are run row by row.")).classes("quiet small")
    for one in watch.list():
        with ui.element("div").classes("item"):
            ui.icon("folder").classes("quiet")
            ui.label(f"{one['folder']} → {one['asked']['workflow_id']}").classes("main")

            async def remove(folder: dict[str, Any] = one) -> None:
                await desk.act("admin", watch.remove, folder["folder_id"], who=desk.who, done=t("Deleted."))
                desk.reload()

            ui.button(icon="delete", on_click=remove).props(f'flat round dense aria-label="{t("Delete")}"')
    names = {one.workflow_id: one.name for one in desk.office.data.workflows.list().items}
    if not names:
        return
    with ui.element("div").classes("hb").style("margin-top:8px"):
        folder = ui.input(t("Folder of the server")).props("outlined dense").classes("grow")
        workflow = ui.select(names, value=next(iter(names)), label=t("Workflow")).props("outlined dense")

        async def add() -> None:
            asked = RunAsked(workflow_id=workflow.value)
            if (
                await desk.act("admin", watch.add, Path(folder.value or ""), asked, who=desk.who, done=t("Kept."))
                is not None
            ):
                desk.reload()

        ui.button(t("Watch"), icon="add", on_click=add).props("outline")
