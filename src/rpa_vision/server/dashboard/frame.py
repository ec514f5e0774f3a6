"""The frame around every page: where one is, where one can go, language, theme, and the way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui

from rpa_vision.server.dashboard.desk import Desk
from rpa_vision.server.dashboard.style import CSS

PAGES = (
    ("/", "home", "Home"),
    ("/runs", "play_circle", "Runs"),
    ("/workflows", "account_tree", "Workflows"),
    ("/sessions", "videocam", "Recordings"),
    ("/auto-heal", "healing", "Auto-heal"),
    ("/failures", "report", "Failure cases"),
    ("/approvals", "fact_check", "Approvals"),
    ("/confidence", "insights", "Confidence"),
    ("/policy", "tune", "Policy"),
    ("/datasets", "dataset", "Datasets"),
    ("/settings", "settings", "Settings"),
)


@contextmanager
def frame(desk: Desk, title: str, path: str, *, subtitle: str = "", back: str = "") -> Iterator[None]:
    """Draw the frame; what is drawn inside the block is the page."""
    t = desk.t
    speaks = f"addEventListener('load', () => {{ document.documentElement.lang = '{desk.lang}' }})"
    ui.add_head_html(f"<style>{CSS}</style><script>{speaks}</script>")
    ui.page_title(f"{title} · RPA Vision")
    theme = desk.identity.account.theme
    dark = ui.dark_mode(value={"dark": True, "light": False}.get(theme))
    ui.colors(primary="#2f6fed", positive="#1a9a5c", negative="#d33f49", warning="#c77700", info="#3b82c4")
    ui.query(".nicegui-content").classes("p-0")
    with (
        ui.left_drawer(value=False, top_corner=True)
        .props("width=216 breakpoint=900 show-if-above")
        .classes("rail") as drawer
    ):
        with ui.link(target="/").classes("brand"):
            ui.icon("visibility").classes("brand-mark")
            ui.label("RPA Vision")
        with ui.element("nav").classes("w-full").props(f'aria-label="{t("Pages")}"'):
            for target, icon, name in PAGES:
                active = path == target
                with ui.link(target=target).classes("nav" + (" nav-on" if active else "")):
                    ui.icon(icon)
                    ui.label(t(name))
        ui.element("div").classes("grow")
        with ui.element("div").classes("who"):
            ui.icon("person")
            with ui.element("div").classes("who-name"):
                ui.label(desk.who)
                ui.label(t(desk.identity.account.role)).classes("quiet small")
            ui.html('<form method="post" action="/leave"><button class="leave" '
                    f'title="{t("Sign out")}" aria-label="{t("Sign out")}">⏻</button></form>', sanitize=False)  # fmt: skip
    with ui.header(elevated=False).classes("bar"):
        ui.button(icon="menu", on_click=drawer.toggle).props(f'flat round dense aria-label="{t("Menu")}"').classes(
            "burger"
        )
        if back:
            ui.button(icon="arrow_back", on_click=lambda: ui.navigate.to(back)).props(
                f'flat round dense aria-label="{t("Back")}"'
            )
        with ui.element("div").classes("grow bar-title"):
            ui.label(title).classes("h1").props('role="heading" aria-level="1"')
            if subtitle:
                ui.label(subtitle).classes("quiet small")

        async def speak(language: str) -> None:
            await desk.load(desk.office.accounts.prefer, desk.identity.account.user_id, language=language)
            desk.reload()

        async def paint() -> None:
            wanted = "light" if dark.value else "dark"
            await desk.load(desk.office.accounts.prefer, desk.identity.account.user_id, theme=wanted)
            dark.set_value(wanted == "dark")
            moon.props(f"icon={_moon(wanted)}")

        other = "en" if desk.lang == "fr" else "fr"
        ui.button(other.upper(), on_click=lambda: speak(other)).props(
            f'flat dense data-testid="language" aria-label="{"English" if other == "en" else "Français"}"'
        ).classes("toggle")
        moon = (
            ui.button(icon=_moon(theme), on_click=paint)
            .props(f'flat round dense data-testid="theme" aria-label="{t("Light or dark")}"')
            .classes("toggle")
        )
    with ui.element("main").classes("page"):
        yield


def _moon(theme: str) -> str:
    return "light_mode" if theme == "dark" else "dark_mode"
