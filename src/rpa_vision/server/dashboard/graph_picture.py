"""A workflow drawn: screens as thumbnails in the order they are reached, steps as numbered arrows between them."""

from __future__ import annotations

from html import escape
from typing import Any

WIDTH, HEIGHT, GAP_X, GAP_Y, LABEL = 208, 118, 96, 66, 34
_PAD = 28
_LOOP_ROOM = 24
_FITS = 5
"""So many screens side by side are made to fit the page; more are scrolled."""


def drawn(graph: dict[str, Any], numbers: dict[str, int], *, legend: dict[str, str]) -> str:
    """The whole graph as SVG. `numbers` gives each step the number it has in the procedure."""
    places = _places(graph["nodes"])
    across = max((x for x, _ in places.values()), default=0) + 1
    down = max((y for _, y in places.values()), default=0) + 1
    width = _PAD * 2 + across * WIDTH + (across - 1) * GAP_X
    height = _PAD * 2 + _LOOP_ROOM + down * (HEIGHT + LABEL) + (down - 1) * GAP_Y
    fit = "max-width:100%;height:auto" if across <= _FITS else ""
    parts = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" style="{fit}" role="img" '
        f'aria-label="{escape(legend["graph"])}" xmlns="http://www.w3.org/2000/svg">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#8a94a6"/></marker></defs>'
    ]
    spread: dict[tuple[str, str], int] = {}
    for edge in graph["edges"]:
        if edge["from_node"] in places and edge["to_node"] in places:
            pair = (edge["from_node"], edge["to_node"])
            spread[pair] = spread.get(pair, -1) + 1
            parts.append(_edge(edge, places, spread[pair], numbers.get(edge["edge_id"])))
    parts += [_node(graph["workflow_id"], node, places[node["node_id"]], legend) for node in graph["nodes"]]
    return "".join([*parts, "</svg>"])


def _places(nodes: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """Column by rank, row by order within the rank; error screens below all others."""
    taken: dict[int, int] = {}
    found: dict[str, tuple[int, int]] = {}
    plain = [node for node in nodes if not node["is_error"]]
    for node in plain:
        column = node["rank"]
        found[node["node_id"]] = (column, taken.get(column, 0))
        taken[column] = taken.get(column, 0) + 1
    below = max(taken.values(), default=0)
    for column, node in enumerate(node for node in nodes if node["is_error"]):
        found[node["node_id"]] = (column, below)
    return found


def _corner(place: tuple[int, int]) -> tuple[int, int]:
    return _PAD + place[0] * (WIDTH + GAP_X), _PAD + _LOOP_ROOM + place[1] * (HEIGHT + LABEL + GAP_Y)


def _node(workflow_id: str, node: dict[str, Any], place: tuple[int, int], legend: dict[str, str]) -> str:
    x, y = _corner(place)
    identity = escape(node["node_id"])
    picture = (
        f'<image href="/api/v1/workflows/{escape(workflow_id)}/pictures/{identity}" x="{x + 1}" y="{y + 1}" '
        f'width="{WIDTH - 2}" height="{HEIGHT - 2}" preserveAspectRatio="xMidYMin slice" clip-path="inset(0 round 9px)"/>'
        if node["picture"]
        else f'<text x="{x + WIDTH / 2}" y="{y + HEIGHT / 2}" text-anchor="middle" class="q" font-size="12">'
        f"{escape(legend['no picture'])}</text>"
    )
    marks = [legend[key] for key, is_so in (("begins", node["is_entry"]), ("ends", node["is_end"])) if is_so]
    below = " · ".join([*marks, *([node["error_type"]] if node["is_error"] else [])])
    stroke = ' style="stroke:var(--bad)"' if node["is_error"] else ""
    return (
        f'<a href="#{identity}"><rect class="node" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="10"{stroke}/>{picture}'
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="10" fill="none" class="edge" stroke-width="1"{stroke}/>'
        f'<text x="{x + 2}" y="{y + HEIGHT + 16}" font-size="12.5" font-weight="600">{escape(_short(node["label"], 30))}</text>'
        f'<text x="{x + 2}" y="{y + HEIGHT + 31}" font-size="11" class="q">{escape(below)}</text>'
        f"<title>{escape(node['label'])}\n{escape(', '.join(node['texts']))}</title></a>"
    )


def _edge(edge: dict[str, Any], places: dict[str, tuple[int, int]], lane: int, number: int | None) -> str:
    (x1, y1), (x2, y2) = _corner(places[edge["from_node"]]), _corner(places[edge["to_node"]])
    column1, column2 = places[edge["from_node"]][0], places[edge["to_node"]][0]
    dot: tuple[float, float]
    dash = ' stroke-dasharray="5 4"' if edge["condition"] or edge["is_recovery"] else ""
    if edge["from_node"] == edge["to_node"]:
        left = x1 + 26 + lane * 34
        top = y1
        path = f"M{left} {top}C{left - 6} {top - 30} {left + 34} {top - 30} {left + 26} {top}"
        dot = (left + 13, top - 21)
    elif column2 > column1:
        start, end = y1 + HEIGHT / 2 + lane * 26 - 10, y2 + HEIGHT / 2 + lane * 26 - 10
        sx, ex = float(x1 + WIDTH), float(x2)
        bend = (ex - sx) / 2
        path = f"M{sx} {start}C{sx + bend} {start} {ex - bend} {end} {ex} {end}"
        dot = ((sx + ex) / 2, (start + end) / 2)
    else:
        sx, ex = x1 + WIDTH / 2 + lane * 26, x2 + WIDTH / 2 + lane * 26
        sy, ey = y1 + HEIGHT, y2 + HEIGHT
        drop = max(sy, ey) + 44 + lane * 14
        path = f"M{sx} {sy}C{sx} {drop} {ex} {drop} {ex} {ey}"
        dot = ((sx + ex) / 2, max(sy, ey) + 0.75 * (drop - max(sy, ey)))
    label = str(number) if number is not None else "!"
    mark = "↻" if edge["loop"] else ("?" if edge["condition"] or edge["has_question"] else "")
    return (
        f'<a href="#{escape(edge["edge_id"])}"><path class="edge" d="{path}" marker-end="url(#tip)"{dash}/>'
        f'<circle class="dot" cx="{dot[0]:.0f}" cy="{dot[1]:.0f}" r="11"/>'
        f'<text class="dot-t" x="{dot[0]:.0f}" y="{dot[1] + 4:.0f}" text-anchor="middle" font-size="11">{label}{mark}</text>'
        f"<title>{escape(edge['sentence'])}</title></a>"
    )


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
