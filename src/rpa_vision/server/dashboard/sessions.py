"""Recordings: which there are, and one of them event by event, with its screens as a film."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from typing import Any

from nicegui import ui

from rpa_vision.app.session_views import elements_on, session_details, session_timeline
from rpa_vision.app.sessions import datasets_of, delete_session
from rpa_vision.errors import RpaVisionError
from rpa_vision.server.dashboard.desk import Desk, Live
from rpa_vision.server.dashboard.frame import frame
from rpa_vision.server.dashboard.given import whole_number
from rpa_vision.server.dashboard.parts import ask_reason, card, chip_html, empty, link, table

_EVENTS = 400
_COLOURS = ("#2f6fed", "#1a9a5c", "#c77700", "#8a5fc7", "#3b82c4", "#d33f49")


async def draw(desk: Desk, given: dict[str, str]) -> None:
    """Draw the list."""
    with frame(desk, desk.t("Recordings"), "/sessions"):
        await Live(desk, lambda: _load(desk), lambda data: _draw(desk, data)).start()


def _load(desk: Desk) -> dict[str, Any]:
    found = desk.office.data.sessions.list()
    return {"sessions": [asdict(one) for one in found.items], "unreadable": [asdict(bad) for bad in found.unreadable]}


def _draw(desk: Desk, data: dict[str, Any]) -> None:
    t = desk.t
    if not data["sessions"]:
        empty("videocam", t("Nothing was recorded yet"), t("Do a task three times or more while it is recorded."),
              'rpa-vision record --name "My task"')  # fmt: skip
        return
    with card():
        table(
            [t("began"), t("name"), t("events"), t("screens"), ""],
            [
                [
                    link(f"/sessions/{one['session_id']}", desk.moment(one["started_at"])),
                    escape(one["name"]),
                    desk.number(one["events"]),
                    desk.number(one["screenshots"]),
                    "" if one["complete"] else f'<span class="chip warn">{escape(t("was cut off"))}</span>',
                ]
                for one in data["sessions"]
            ],
            numbers=frozenset({2, 3}),
        )
    for bad in data["unreadable"]:
        ui.label(t("cannot be read: {name} ({problem})", **bad)).style("color:var(--bad)")


async def draw_one(desk: Desk, given: dict[str, str]) -> None:
    """Draw one recording."""
    t, session_id = desk.t, given["session_id"]
    about = session_details(desk.office, session_id)
    offset = whole_number(given, "from", most=max(0, about["events"] - 1))
    told = session_timeline(desk.office, session_id, offset=offset, limit=_EVENTS)
    with frame(
        desk,
        about["context"].get("training_label") or about["context"].get("name") or session_id,
        "/sessions",
        subtitle=session_id,
        back="/sessions",
    ):
        _facts(desk, about, session_id)
        _episodes(desk, about)
        if not told["events"]:
            empty("hourglass_empty", t("It holds no event"), t("The recorder was ended before anything happened."))
            return
        with ui.element("div").classes("two"):
            film = _Film(desk, session_id, told["events"])
            film.draw()
        if told["count"] > _EVENTS:
            with ui.element("div").classes("hb"):
                if offset:
                    ui.link(t("earlier"), f"/sessions/{session_id}?from={max(0, offset - _EVENTS)}")
                if offset + _EVENTS < told["count"]:
                    ui.link(t("later"), f"/sessions/{session_id}?from={offset + _EVENTS}")
                ui.label(f"{offset + 1}–{min(offset + _EVENTS, told['count'])} / {told['count']}").classes(
                    "quiet small"
                )


def _facts(desk: Desk, about: dict[str, Any], session_id: str) -> None:
    t, screen = desk.t, about["environment"]["screen"]
    width, height = screen["primary_resolution"]
    kinds = ", ".join(
        f"{count} {t(kind)}" for kind, count in sorted(about["kinds"].items(), key=lambda one: -one[1])[:6]
    )
    with card():
        facts = [desk.moment(about["started_at"]), f"{width}×{height}", about["environment"]["platform"],
                 t("{n} events", n=about["events"]), t("{n} screens", n=len(about["screenshots"])),
                 t("{n} taken for noise", n=about["noise"])]  # fmt: skip
        with ui.element("div").classes("hb"):
            with ui.element("div").classes("grow"):
                ui.label(" · ".join(facts))
                ui.label(kinds).classes("quiet small")
            if desk.may("admin"):
                _delete_button(desk, session_id)


def _delete_button(desk: Desk, session_id: str) -> None:
    t, office = desk.t, desk.office

    async def delete() -> None:
        copied = await desk.load(datasets_of, office.datasets, session_id) or ()
        told = t("Its events and pictures are gone for good. What was learned from it stays.")
        if copied:
            told += " " + t("Datasets keep copies of its pictures: {names}.", names=", ".join(copied))
        why = await ask_reason(desk, t("Delete this recording for good?"), told, t("Delete"), danger=True)
        if why is None:
            return
        done = await desk.act("admin", delete_session, office.data, office.datasets, office.heal.audit, session_id,
                              who=desk.who, reason=why, done=t("Deleted."))  # fmt: skip
        if done is not None:
            desk.news.changed()
            desk.go("/sessions")

    ui.button(t("Delete"), icon="delete", on_click=delete).props('flat color=negative data-testid="delete"')


def _episodes(desk: Desk, about: dict[str, Any]) -> None:
    t, segments = desk.t, about["segments"]
    if not segments:
        return
    total = max(1, about["events"])
    bars = "".join(
        f'<div title="{escape(one["label"])} · {escape(one["trigger"])}" style="position:absolute;top:0;bottom:0;border-radius:4px;'
        f"left:{one['start_event_index'] / total:.2%};width:max(4px,{(one['end_event_index'] + 1 - one['start_event_index']) / total:.2%});"
        f'background:{_COLOURS[hash(one["label"]) % len(_COLOURS)]};opacity:.75"></div>'
        for one in segments
    )
    with card(t("{n} episodes", n=len(segments))):
        ui.html(
            f'<div style="position:relative;height:22px;background:var(--bg);border-radius:5px">{bars}</div>',
            sanitize=False,
        )
        rows = [
            [escape(one["segment_id"]), escape(one["label"]), escape(t(one["trigger"])), desk.number(one['confidence'], 2),
             f'<a href="?from={one["start_event_index"]}">{one["start_event_index"]}–{one["end_event_index"]}</a>']
            for one in segments[:60]
        ]  # fmt: skip
        with ui.expansion(t("List")).classes("w-full"):
            table(["", t("label"), t("cut by"), t("sure"), t("events")], rows)


class _Film:
    """Events on the left, the screen of the chosen one on the right; it plays like a film."""

    def __init__(self, desk: Desk, session_id: str, events: list[dict[str, Any]]) -> None:
        self._desk, self._session_id, self._events = desk, session_id, events
        self._at = 0
        self._rows: list[ui.element] = []
        self._seen: dict[str, list[dict[str, Any]]] = {}

    def draw(self) -> None:
        desk, t = self._desk, self._desk.t
        with card().style("position:sticky;top:70px;align-self:start"):
            with ui.element("div").classes("hb tight"):
                self._button = ui.button(icon="play_arrow", on_click=self._toggle).props(
                    f'round dense data-testid="play" aria-label="{t("Play")}"'
                )
                ui.button(icon="skip_previous", on_click=lambda: self.show(self._at - 1)).props("flat round dense")
                ui.button(icon="skip_next", on_click=lambda: self.show(self._at + 1)).props("flat round dense")
                self._told = ui.label().classes("quiet small grow").props('data-testid="film-at"')
                self._elements = ui.switch(t("elements"), value=True, on_change=lambda: self.show(self._at))
                self._elements.props('dense data-testid="elements"')
            self._picture = ui.interactive_image(sanitize=False).classes("w-full").props('data-testid="film"')
            self._timer = ui.timer(0.7, lambda: self.show(self._at + 1, play=True), active=False)
        with card(t("Timeline")), ui.element("div").classes("scroll").style("max-height:72vh"):
            for number, event in enumerate(self._events):
                with ui.element("div").classes("step").style("padding:4px 6px") as row:
                    ui.label(f"{desk.number(event['t'], 1)} s").classes("quiet small").style(
                        "width:58px;text-align:right;flex:none"
                    )
                    with ui.element("div").classes("grow"):
                        ui.label(f"{t(event['type'])} {t(event['what'])}").classes("clip")
                        if event["window"].get("title"):
                            ui.label(event["window"]["title"]).classes("quiet small clip")
                    if event["noise"]:
                        ui.html(chip_html(desk, t("noise")), sanitize=False, tag="span")
                    elif event["role"]:
                        ui.html(chip_html(desk, event["role"]), sanitize=False, tag="span")
                row.on("click", lambda _, at=number: self.show(at))
                self._rows.append(row)
        self.show(0)

    def show(self, number: int, *, play: bool = False) -> None:
        if not 0 <= number < len(self._events):
            self._stop()
            return
        self._rows[self._at].classes(remove="on")
        self._at = number
        self._rows[number].classes(add="on")
        event = self._events[number]
        picture = event["before"] or event["after"] or self._last_picture(number)
        self._told.text = (
            f"{number + 1} / {len(self._events)} · {self._desk.t(event['type'])} {self._desk.t(event['what'])}"
        )
        if picture:
            mark = self._drawn(picture) if self._elements.value else ""
            if event["pos"] and event["before"]:
                x, y = event["pos"]
                mark += f'<circle cx="{x}" cy="{y}" r="22" fill="none" stroke="#d33f49" stroke-width="5"/>'
            self._picture.set_source(f"/api/v1/sessions/{self._session_id}/screenshots/{picture}")
            self._picture.set_content(mark)

    def _drawn(self, picture: str) -> str:
        """What was understood of the picture, as frames with their kind and label."""
        if picture not in self._seen:
            try:
                self._seen[picture] = elements_on(self._desk.office, self._session_id, picture)["elements"]
            except RpaVisionError as error:  # deleted while somebody looks at it
                self._desk.complain(error)
                return ""
        frames = []
        for one in self._seen[picture]:
            x1, y1, x2, y2 = one["bbox"]
            frames.append(f'<rect x="{x1}" y="{y1}" width="{x2 - x1}" height="{y2 - y1}" fill="#2f6fed14" stroke="#2f6fed" '
                          f'stroke-width="2"><title>{escape(self._desk.kind(one["type"]))} {escape(one["label"] or "")}</title></rect>')  # fmt: skip
        return "".join(frames)

    def _last_picture(self, number: int) -> str | None:
        found = (
            one["after"] or one["before"] for one in reversed(self._events[:number]) if one["after"] or one["before"]
        )
        return next(found, None)

    def _toggle(self) -> None:
        self._timer.active = not self._timer.active
        self._button.props(f"icon={'pause' if self._timer.active else 'play_arrow'}")

    def _stop(self) -> None:
        self._timer.active = False
        self._button.props("icon=play_arrow")
