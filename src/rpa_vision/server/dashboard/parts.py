"""Pieces that pages are made of: chips, tiles, empty states, tables. Text of people is always escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import zip_longest
from typing import Any

from nicegui import ui

from rpa_vision.server.dashboard.desk import Desk

_KINDS = {
    "success": "ok", "running": "ok", "right": "ok", "AUTO_CONFIRMÉ": "ok", "stricter": "ok", "verified": "ok",
    "halted": "warn", "degraded": "warn", "waiting": "none", "paused": "warn", "interrupted": "bad", "looser": "warn",
    "failed": "bad", "blocked": "bad", "quarantined": "bad", "rollback": "info", "wrong": "bad", "cancelled": "none",
    "AUTO_CANDIDATE": "info", "COACHING": "info", "OBSERVATION": "none", "healed": "info", "ended": "none",
}  # fmt: skip


def chip_html(desk: Desk, word: str) -> str:
    """A word in the colour of its meaning."""
    return f'<span class="chip {_KINDS.get(word, "none")}">{escape(desk.t(word))}</span>'


def chip(desk: Desk, word: str) -> None:
    """A word in the colour of its meaning."""
    ui.html(chip_html(desk, word), sanitize=False, tag="span")


def state_html(desk: Desk, state: str) -> str:
    """The state the supervisor keeps a workflow in. « running » is that of one that nothing holds back: it may be run."""
    if state != "running":
        return chip_html(desk, state)
    why = desk.t("It is neither paused nor quarantined. Whether it may run alone is told by its level.")
    return f'<span class="chip ok" title="{escape(why)}">{escape(desk.t("workflow running"))}</span>'


def state_chip(desk: Desk, state: str) -> None:
    """The state the supervisor keeps a workflow in."""
    ui.html(state_html(desk, state), sanitize=False, tag="span")


def failure_html(desk: Desk, kind: str | None) -> str:
    """Why a step failed, in words; the code that scripts know small beside it."""
    if kind is None:
        return f'<span class="chip bad">{escape(desk.t("failed"))}</span>'
    code = f'<span class="quiet small mono">{escape(kind)}</span>'
    return f'<span class="chip bad">{escape(desk.t(kind))}</span> {code}'


def tile(number: str, label: str, target: str | None, *, tone: str = "") -> None:
    """A number that leads to its evidence."""
    box = ui.link(target=target).classes("tile") if target else ui.element("div").classes("tile")
    with box:
        ui.label(number).classes("n").style(f"color:var(--{tone})" if tone else "")
        ui.label(label).classes("l")


def warned(desk: Desk, warnings: Iterable[Mapping[str, str]]) -> None:
    """What should be known (`said`), and what to do about it (`remedy`)."""
    for one in warnings:
        with ui.element("div").classes("hb tight small").props('data-testid="warning"'):
            ui.icon("visibility").style("color:var(--warn)")
            ui.label(desk.said(one["said"])).style("color:var(--warn)")
            ui.label(desk.said(one["remedy"])).classes("quiet")


def empty(icon: str, title: str, text: str, command: str = "") -> None:
    """What to do first, where there is nothing yet."""
    with ui.element("div").classes("card"), ui.element("div").classes("empty"):
        ui.icon(icon)
        ui.html(f"<b>{escape(title)}</b>", sanitize=False)
        ui.label(text)
        if command:
            ui.html(f"<code>{escape(command)}</code>", sanitize=False)


def card(title: str = "") -> ui.element:
    """A box, with a title if it has one."""
    box = ui.element("section").classes("card")
    if title:
        with box:
            ui.label(title).classes("h2").props('role="heading" aria-level="2"')
    return box


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: frozenset[int] = frozenset()) -> None:
    """A table of finished HTML cells; cells are escaped by whoever makes them. A phone shows each row as a block."""
    lines = ['<table class="t stack">' if any(head) else "<table class=t>"]
    if any(head):
        names = (f'<th class="{"num" if at in numbers else ""}">{escape(name)}</th>' for at, name in enumerate(head))
        lines.append(f"<thead><tr>{''.join(names)}</tr></thead>")
    lines.append("<tbody>")
    for row in rows:
        cells = (
            f'<td class="{"num" if at in numbers else ""}" data-head="{escape(name)}">{cell}</td>'
            for at, (name, cell) in enumerate(zip_longest(head, row, fillvalue=""))
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody></table>")
    ui.html("".join(lines), sanitize=False).classes("scroll")


def link(target: str, text: str) -> str:
    """A link as a cell of a table."""
    return f'<a href="{escape(target)}">{escape(text)}</a>'


def meter_html(share: float, *, tone: str = "accent") -> str:
    """A bar that fills up."""
    width = max(0.0, min(1.0, share)) * 100
    return f'<span class=meter style="display:block"><i style="width:{width:.0f}%;background:var(--{tone})"></i></span>'


def chart(desk: Desk, options: dict[str, Any], *, height_px: int = 220) -> None:
    """A chart that reads well in both themes."""
    base = {
        "backgroundColor": "transparent",
        "textStyle": {"color": "#8a94a6"},
        "grid": {"left": 40, "right": 12, "top": 34, "bottom": 26},
        "animation": False,
        "tooltip": {"trigger": "axis", ":valueFormatter": _figures(desk)},
        "legend": {"top": 0, "right": 0, "textStyle": {"color": "#8a94a6"}, "itemWidth": 12, "itemHeight": 9},
    }
    for name in ("xAxis", "yAxis"):
        if options.get(name, {}).get("type") == "value":
            options[name]["axisLabel"] = {**options[name]["axisLabel"], ":formatter": _figures(desk)}
    ui.echart({**base, **options}, renderer="svg").style(f"height:{height_px}px;width:100%")


def _figures(desk: Desk) -> str:
    """Writes the numbers of a chart as the language does, in the browser."""
    return f"value => typeof value === 'number' ? value.toLocaleString('{desk.lang}') : (value ?? '—')"


def axis(kind: str, **more: Any) -> dict[str, Any]:
    """An axis with quiet lines."""
    return {"type": kind, "splitLine": {"lineStyle": {"color": "#8a94a633"}}, "axisLine": {"lineStyle": {"color": "#8a94a688"}},
            "axisLabel": {"color": "#8a94a6"}, **more}  # fmt: skip


async def ask_reason(desk: Desk, title: str, text: str, button: str, *, danger: bool = False) -> str | None:
    """Ask why; None when somebody thinks better of it."""
    with desk.page(), ui.dialog() as dialog, ui.card().style("min-width:min(440px,92vw)"):
        ui.label(title).classes("h2")
        if text:
            ui.label(text).classes("quiet")
        why = ui.input(desk.t("Why? The audit trail keeps it.")).props('autofocus outlined dense data-testid="reason"')
        why.classes("w-full")
        with ui.element("div").classes("hb").style("justify-content:flex-end"):
            ui.button(desk.t("Cancel"), on_click=lambda: dialog.submit(None)).props("flat")
            ui.button(button, on_click=lambda: dialog.submit(why.value)).props(
                f'unelevated color={"negative" if danger else "primary"} data-testid="confirm"'
            ).bind_enabled_from(why, "value", backward=lambda value: bool(value and value.strip()))
    found = await dialog
    dialog.delete()
    return found.strip() if isinstance(found, str) and found.strip() else None
