"""A look by chance: colours, edges, corners, shadows and sizes of controls that no kit has."""

from __future__ import annotations

import random


def own_style(rng: random.Random, theme: str) -> str:
    """A style sheet for a page without a kit."""
    hue, second = rng.randint(0, 360), rng.randint(0, 360)
    dark = theme == "dark"
    tint = rng.choice([0, 0, 8, 20])
    ground = f"hsl({hue},{tint}%,{rng.randint(8, 20) if dark else rng.choice([100, 100, 98, 96, 93, 88])}%)"
    panel = f"hsl({hue},{tint}%,{rng.randint(14, 28) if dark else rng.choice([100, 100, 98, 95])}%)"
    ink = f"hsl({hue},10%,{rng.randint(80, 96) if dark else rng.randint(5, 35)}%)"
    edge = f"hsl({hue},{tint}%,{rng.randint(28, 45) if dark else rng.choice([55, 70, 80, 85, 90])}%)"
    accent = f"hsl({second},{rng.randint(45, 95)}%,{rng.randint(30, 55)}%)"
    radius = rng.choice([0, 0, 2, 3, 4, 6, 8, 12, 24])
    pad_y, pad_x = rng.choice([1, 3, 4, 6, 8, 10, 13]), rng.choice([6, 8, 12, 16, 22])
    size = rng.choice([11, 12, 13, 13, 14, 14, 15, 16])
    shade = rng.choice(["none", "none", "0 1px 2px #0003", "0 2px 6px #0004"])
    grade = rng.random() < 0.15
    fills = {
        "v0": f"background:{f'linear-gradient({accent},hsl({second},60%,25%))' if grade else accent};color:#fff;border:1px solid {accent}",
        "v1": f"background:{'linear-gradient(#fff,#ccc)' if grade and not dark else panel};color:{ink};border:{rng.choice([1, 1, 2])}px solid {edge}",
        "v2": f"background:transparent;color:{accent};border:1px solid {rng.choice([accent, accent, 'transparent'])}",
        "v3": f"background:{edge};color:{ink};border:0",
    }
    buttons = "".join(f".btn.{name}{{{fill}}}" for name, fill in fills.items())
    fields = rng.choice(
        [
            f"border:1px solid {edge};background:{panel};border-radius:{radius}px",
            f"border:1px solid {edge};background:{panel};border-radius:{radius}px",
            f"border:2px solid {edge};background:{ground};border-radius:{radius}px",
            f"border:0;border-bottom:{rng.choice([1, 2])}px solid {edge};background:transparent;border-radius:0",
            f"border:0;background:{edge};border-radius:{radius}px",
            f"border:1px inset {edge};background:{panel};border-radius:0",
        ]
    )
    wide = rng.choice(["width:100%;", "width:100%;", "width:100%;", "width:220px;", ""])
    marks = (
        _marks(rng, accent, panel, edge)
        if rng.random() < 0.5
        else f"input[type=checkbox],input[type=radio]{{accent-color:{accent};width:{(side := rng.choice([12, 13, 14, 16, 18, 20]))}px;height:{side}px;vertical-align:middle}}"
        if rng.random() < 0.6
        else ""
    )
    rule = rng.choice(
        [f"border-bottom:1px solid {edge}", f"border:1px solid {edge}", "", f"border-top:1px solid {edge}"]
    )
    stripe = f".own-table tr:nth-child(even){{background:{edge}55}}" if rng.random() < 0.35 else ""
    head = rng.choice(
        [
            f"background:{accent};color:#fff",
            f"background:{edge}55",
            "",
            f"border-bottom:2px solid {edge}",
            "text-transform:uppercase;font-size:.8em",
        ]
    )
    card = rng.choice(
        [
            f"border:1px solid {edge};background:{panel}",
            f"background:{panel};box-shadow:0 1px 4px #0004",
            f"background:{panel}",
            "border:0",
        ]
    )
    select = (
        f"select{{appearance:none;background-image:url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23888' stroke-width='{rng.choice([2, 3])}'%3E%3Cpath d='M5 9l7 7l7-7'/%3E%3C/svg%3E\");background-repeat:no-repeat;background-position:right 8px center;background-size:{rng.choice([12, 14, 16])}px;padding-right:28px!important}}"
        if rng.random() < 0.55
        else ""
    )
    return (
        f"body{{margin:0;background:{ground};color:{ink};font-size:{size}px;line-height:{rng.choice([1.2, 1.35, 1.5])}}}*{{box-sizing:border-box}}"
        f".btn{{display:inline-block;text-decoration:none;padding:{pad_y}px {pad_x}px;border-radius:{radius}px;box-shadow:{shade};font-size:{rng.choice(['1em', '1em', '.9em', '1.1em'])};font-weight:{rng.choice([400, 500, 600])};{rng.choice(['', '', '', 'text-transform:uppercase;'])}cursor:pointer}}{buttons}.btn[disabled]{{opacity:.45}}"
        f"input:not([type=checkbox]):not([type=radio]):not([type=range]),select,textarea,.own-box{{{wide}{fields};padding:{rng.choice([2, 4, 6, 8, 11])}px {rng.choice([4, 8, 10, 14])}px;color:{ink};font-size:1em}}"
        f"input:disabled,select:disabled{{opacity:.5}}{select}{marks}a{{color:{rng.choice([accent, accent, '#06c', ink]) if not dark else f'hsl({second},80%,70%)'}}}"
        f".own-table{{border-collapse:collapse}}.own-table td,.own-table th{{padding:{rng.choice([2, 4, 7, 10])}px {rng.choice([4, 8, 12])}px;{rule};text-align:left}}.own-table th{{{head}}}{stripe}"
        f".own-card{{{card};border-radius:{radius}px;overflow:hidden}}.own-body{{padding:{rng.choice([8, 14, 20])}px}}.own-head{{padding:{rng.choice([4, 8, 12])}px;{rng.choice([f'background:{edge}66', f'border-bottom:1px solid {edge}', f'background:{accent};color:#fff', ''])}}}"
        f".own-badge{{background:{accent};color:#fff;border-radius:{rng.choice([2, 4, 12])}px;padding:1px 7px;font-size:.8em}}label{{{rng.choice(['display:inline-block;', 'font-weight:600;', 'font-size:.9em;', ''])}}}h1{{font-size:1.8em}}h2{{font-size:1.5em}}h3{{font-size:1.25em}}"
    )


def _marks(rng: random.Random, accent: str, panel: str, edge: str) -> str:
    side, thick = rng.choice([14, 16, 18, 20, 22]), rng.choice([1, 1, 2])
    tick = "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='white' stroke-width='4'%3E%3Cpath d='M4 12l6 6L20 6'/%3E%3C/svg%3E"
    on = rng.choice(
        [
            f'background:{accent} url("data:image/svg+xml,{tick}") center/80% no-repeat;border-color:{accent}',
            f"background:{accent};box-shadow:inset 0 0 0 {rng.choice([2, 3, 4])}px {panel};border-color:{accent}",
            f'background:{accent} url("data:image/svg+xml,{tick}") center/80% no-repeat',
        ]
    )
    return (
        f"input[type=checkbox],input[type=radio]{{appearance:none;width:{side}px;height:{side}px;flex:none;border:{thick}px solid {rng.choice(['#888', '#555', edge, accent])};border-radius:{rng.choice([0, 2, 3, 5])}px;background:{panel};vertical-align:middle;margin:2px 4px 2px 0}}"
        f"input[type=radio]{{border-radius:50%!important}}input[type=checkbox]:checked{{{on}}}input[type=radio]:checked{{border-color:{accent};background:{rng.choice([panel, accent])};box-shadow:inset 0 0 0 {max(2, side // 4)}px {rng.choice([accent, panel])}}}"
    )
