"""Dense pages for the reader to learn on: every way a screen shows a line, with everything that stands beside text.

No style sheet of any kit is used: papers, frames, fonts and sizes are drawn by chance, so kits can be kept for scoring.
"""

from __future__ import annotations

import html
import random
from dataclasses import dataclass
from pathlib import Path

from vocabulary import line, sentence


@dataclass(frozen=True)
class Supplies:
    """What pages are made of besides words."""

    families: tuple[str, ...]
    icons: tuple[str, ...]
    like_signs: tuple[str, ...] = ()


LIKE_SIGNS = ("menu", "list", "justify", "align-justify", "filter", "filter-left", "chevron-", "arrow-", "caret-", "grip", "ellipsis", "three-dots", "equal", "search", "sliders",
              "bar-chart", "chart-bar", "chart-column", "signal", "upload", "download", "circle", "square", "triangle", "share", "tag", "pin", "flag", "slash", "tilde", "move-")  # fmt: skip
"""What the names of drawings begin with that look like a sign or a letter: bars like =, a glass like Q, arrows, dots."""
SIGNS = 0.4
"""How often one of them is drawn where any drawing could stand."""
NARROW = 0.3
"""The share of paragraphs so narrow that most lines are one word, often a short one without a capital."""


def load_icons(folders: list[Path], *, like_signs: bool = False) -> tuple[str, ...]:
    """Drawings that stand beside text and are no text; or those alone that look like signs.

    Those that are drawn letters or digits are left out."""
    letters = ("type", "font", "letter", "text", "alpha", "number", "digit", "-a-", "1-", "2-", "3-", "4-", "5-", "6-", "7-", "8-", "9-", "0-", "badge", "file", "heading",
               "case", "bold", "italic", "underline", "strikethrough", "currency", "euro", "dollar", "pound", "question", "info", "exclamation", "hash", "at-sign", "percent",
               "plus", "minus", "dash", "x-", "check-l", "asterisk", "quote", "braces", "brackets", "parentheses", "slash", "regex", "alphabet", "copyright", "registered", "trademark")  # fmt: skip
    kept = []
    for folder in folders:
        for path in sorted(folder.glob("*.svg")):
            name = path.stem
            if name in ("x", "check", "plus", "minus", "dot", "at", "type") or any(part in name for part in letters):
                continue
            if like_signs and not name.startswith(LIKE_SIGNS):
                continue
            text = path.read_text(encoding="utf-8")
            start = text.find("<svg")
            if start >= 0 and len(text) < 2500:
                kept.append(text[start:])
    return tuple(kept)


def page(chance: random.Random, supplies: Supplies, *, width: int, height: int) -> str:
    """A document of blocks, each with its own paper, font and size, that fills the given size."""
    maker = _Maker(chance, supplies)
    blocks, used = [], 0.0
    while used < height * 1.02:
        markup, tall = maker.block(width)
        blocks.append(markup)
        used += tall
    smooth = chance.choice(("auto", "antialiased", "subpixel-antialiased"))
    rendering = chance.choice(("auto", "optimizeLegibility", "optimizeLegibility", "geometricPrecision"))
    style = (
        "*{box-sizing:border-box}body{margin:0;background:#fff;overflow:hidden;-webkit-font-smoothing:" + smooth
        + ";text-rendering:" + rendering + "}button,input{font:inherit;color:inherit;letter-spacing:inherit}svg{display:inline-block;vertical-align:middle;flex:none}"
        ".b{position:relative;overflow:hidden;display:flex;align-items:center;flex-wrap:wrap;align-content:flex-start}table{border-collapse:collapse}"
    )  # fmt: skip
    return f"<!doctype html><html><head><meta charset=utf-8><style>{style}</style></head><body>{''.join(blocks)}</body></html>"


class _Maker:
    def __init__(self, chance: random.Random, supplies: Supplies) -> None:
        self.r = chance
        self.s = supplies

    def block(self, width: int) -> tuple[str, float]:
        r = self.r
        size = r.choice((9, 10, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 16, 16, 17, 18, 20, 22, 24, 28, 32))
        if r.random() < 0.2:
            size = round(size * r.uniform(0.9, 1.2), 2)
        self.size = size
        self.paper, self.ink = self.colours()
        weight = r.choice((400, 400, 400, 400, 500, 600, 700, 300, 800))
        style = f"background:{self.paper};color:{self.ink};font-family:'{r.choice(self.s.families)}',sans-serif;font-size:{size}px;font-weight:{weight};"
        if r.random() < 0.1:
            style += "font-style:italic;"
        if r.random() < 0.06:
            style += f"letter-spacing:{r.choice((0.3, 0.5, 1, 1.5, -0.2))}px;"
        if r.random() < 0.06:
            style += "font-variant-numeric:tabular-nums;"
        if r.random() < 0.03:
            style += f"font-stretch:{r.choice(('condensed', 'expanded'))};"
        if r.random() < 0.05:
            style += "text-transform:uppercase;"
        if r.random() < 0.03:
            style += "text-shadow:0 1px 1px rgba(0,0,0,.35);"
        if r.random() < 0.05:
            style += self.photo()
        pad = r.choice((2, 4, 6, 8, 12))
        kind = r.choice(
            (
                self.row,
                self.row,
                self.controls,
                self.controls,
                self.table,
                self.table,
                self.menu,
                self.paragraph,
                self.form,
                self.log,
            )
        )
        inner, tall = kind(width - 2 * pad)
        return (
            f'<div class=b data-clip style="{style}padding:{pad}px;gap:{r.randint(2, 16)}px;height:{tall + 2 * pad:.0f}px">{inner}</div>',
            tall + 2 * pad,
        )

    def colours(self) -> tuple[str, str]:
        r = self.r
        dice = r.random()
        if dice < 0.5:
            paper, ink = r.randint(228, 255), r.randint(0, 125)
        elif dice < 0.75:
            paper, ink = r.randint(8, 70), r.randint(150, 255)
        else:
            return self.loud()
        return _tint(r, paper), _tint(r, ink)

    def loud(self) -> tuple[str, str]:
        """A coloured paper with white or dark words, as buttons and selections have."""
        r = self.r
        while True:
            paper = [r.randint(0, 255) for _ in range(3)]
            ink = (
                [255] * 3
                if r.random() < 0.6
                else [r.randint(0, 255) for _ in range(3)]
                if r.random() < 0.3
                else [r.randint(0, 40)] * 3
            )
            if abs(_grey(paper) - _grey(ink)) > 65:
                return _css(paper), _css(ink)

    def photo(self) -> str:
        r = self.r
        stops = ",".join(f"{_tint(r, r.randint(0, 255), 60)} {r.randint(0, 100)}%" for _ in range(r.randint(2, 4)))
        angle, fade = r.randint(0, 360), self.paper
        return f"background:linear-gradient({fade}d0,{fade}d0),repeating-linear-gradient({angle}deg,{stops});"

    def words(self, few: bool = False) -> str:
        r = self.r
        text = line(r)
        if few:
            text = text[:24].strip() or "OK"
        text = html.escape(text[:60].strip())
        dice = r.random()
        if dice < 0.03:
            return f"<u>{text}</u>"
        if dice < 0.05:
            return f"<a href=#x style='color:{r.choice(('#06c', '#4af', 'inherit'))}'>{text}</a>"
        if dice < 0.07:
            paper, ink = self.loud()
            return f"<span style='background:{paper};color:{ink}'>{text}</span>"
        if dice < 0.085:
            return f"<b>{text}</b>"
        if dice < 0.1:
            return f"{text}<span style='border-left:1px solid;margin-left:1px'></span>"
        return text

    def icon(self) -> str:
        r = self.r
        size = round(self.size * r.choice((0.8, 1, 1, 1.2, 1.4, 1.8)))
        drawing = r.choice(self.s.like_signs if self.s.like_signs and r.random() < SIGNS else self.s.icons)
        cut = drawing.find(">")
        head = drawing[:cut]
        for name in ("width", "height", "class"):
            at = head.find(f' {name}="') if f' {name}="' in head else head.find(f'\n  {name}="')
            if at >= 0:
                end = head.find('"', head.find('"', at) + 1)
                head = head[:at] + head[end + 1 :]
        colour = f" style='color:{_tint(r, r.randint(0, 255), 80)}'" if r.random() < 0.3 else ""
        return f"{head} width={size} height={size}{colour}{drawing[cut:]}"

    def mark(self) -> str:
        """What stands beside text: icon, chevron, check box, radio, dot, avatar, switch."""
        r = self.r
        dice = r.random()
        if dice < 0.5:
            return self.icon()
        size = round(self.size * r.uniform(0.7, 1.2))
        if dice < 0.62:
            return f"<input type={r.choice(('checkbox', 'radio'))} {'checked' if r.random() < 0.5 else ''} style='margin:0;width:{size}px;height:{size}px;flex:none'>"
        if dice < 0.7:
            fill = r.choice(("transparent", self.ink, _tint(r, r.randint(0, 255), 90)))
            return f"<span style='display:inline-block;flex:none;width:{size}px;height:{size}px;border:{r.choice((1, 1, 2))}px solid;background:{fill};border-radius:{r.choice((0, 2, 3, 50))}%'></span>"
        if dice < 0.8:
            turn = r.choice((45, 135, 225, 315))
            return f"<span style='display:inline-block;flex:none;width:{size * 0.5:.0f}px;height:{size * 0.5:.0f}px;border:solid;border-width:0 {r.choice((1, 1.5, 2))}px {r.choice((1, 1.5, 2))}px 0;transform:rotate({turn}deg);margin:0 3px'></span>"
        if dice < 0.88:
            return f"<span style='flex:none;width:0;height:0;border:{size * 0.3:.0f}px solid transparent;border-{r.choice(('top', 'left', 'bottom', 'right'))}-color:currentColor'></span>"
        if dice < 0.94:
            paper, ink = self.loud()
            return f"<span style='flex:none;display:inline-flex;align-items:center;justify-content:center;width:{size * 2}px;height:{size * 2}px;border-radius:50%;background:{paper};color:{ink};font-size:.8em'>{html.escape(line(r)[:2].strip().upper())}</span>"
        return f"<span style='flex:none;width:{size * 2}px;height:{size}px;border-radius:{size}px;background:{_tint(r, 140, 60)};display:inline-block'><i style='display:block;width:{size - 2}px;height:{size - 2}px;margin:1px;border-radius:50%;background:#fff'></i></span>"

    def marked(self, few: bool = False, often: float = 0.4) -> str:
        """Words, perhaps with something beside them that is no word."""
        r = self.r
        text = f"<span>{self.words(few)}</span>"
        gap = f"<i style='flex:none;width:{r.randint(2, 10)}px'></i>"
        if r.random() < often:
            text = self.mark() + gap + text
        if r.random() < often * 0.4:
            text += gap + self.mark()
        return f"<span style='display:inline-flex;align-items:center;white-space:nowrap'>{text}</span>"

    def row(self, width: int) -> tuple[str, float]:
        r = self.r
        columns = max(2, round(width / (self.size * r.uniform(9, 16))))
        cells = "".join(
            f"<div data-clip style='width:{width / columns - 14:.1f}px;overflow:hidden;padding:{r.choice((0, 1, 2))}px;white-space:nowrap'>{self.marked(often=0.2)}</div>"
            for _ in range(columns)
        )
        tall = self.size * r.uniform(1.3, 1.9)
        return (
            f"<div style='display:flex;gap:12px;line-height:{tall:.0f}px;height:{tall:.0f}px'>{cells}</div>",
            tall + 2,
        )

    def controls(self, width: int) -> tuple[str, float]:
        """Buttons, tabs, badges, fields side by side."""
        r = self.r
        made, used, tall = [], 0.0, self.size * r.choice((1.5, 1.8, 2.2, 2.6))
        round_, line_ = (
            r.choice((0, 2, 3, 4, 6, 8, 20)),
            r.choice(("none", "none", "1px solid", "1px solid #8888", "2px solid", "1px solid #ccc")),
        )
        while used < width - self.size * 8:
            text = self.marked(few=True, often=0.35)
            dice = r.random()
            pad = r.choice((3, 5, 8, 12, 16))
            style = f"display:inline-flex;align-items:center;height:{tall:.0f}px;padding:0 {pad}px;white-space:nowrap;"
            if dice < 0.55:
                paper, ink = self.loud() if r.random() < 0.6 else (self.paper, self.ink)
                style += f"background:{paper};color:{ink};border-radius:{round_}px;border:{line_};"
                if r.random() < 0.15:
                    style += "box-shadow:0 1px 3px rgba(0,0,0,.4);"
                if r.random() < 0.1:
                    style += "background-image:linear-gradient(#ffffff40,#00000018);"
            elif dice < 0.75:
                style += (
                    f"border-bottom:{r.choice((1, 2, 3))}px solid {r.choice(('transparent', 'currentColor', '#08f'))};"
                )
            elif dice < 0.9:
                style += f"border:1px solid #8889;border-radius:{round_}px;background:{self.paper};min-width:{r.randint(60, 160)}px;justify-content:{r.choice(('flex-start', 'center', 'space-between'))};"
            else:
                style += f"opacity:{r.choice((0.5, 0.65, 0.8))};"
            made.append(
                f"<button style='border:none;background:none;{style}'>{text}</button>"
                if r.random() < 0.5
                else f"<span style='{style}'>{text}</span>"
            )
            used += self.size * 9 + 2 * pad
        return "".join(made), tall + 6

    def table(self, width: int) -> tuple[str, float]:
        r = self.r
        columns, rows = max(2, round(width / (self.size * r.uniform(8, 14)))), r.randint(2, 6)
        tall = self.size * r.choice((1.25, 1.35, 1.5, 1.8, 2.2))
        rule = r.choice(
            (
                "",
                "border-bottom:1px solid #8886;",
                "border:1px solid #8888;",
                "border:1px solid #ddd;",
                "border-bottom:1px solid #eee;",
            )
        )
        align = [r.choice(("left", "left", "right", "center")) for _ in range(columns)]
        body = []
        for row in range(rows):
            stripe = "background:rgba(128,128,128,.1);" if row % 2 and rule == "" else ""
            if r.random() < 0.06:
                paper, ink = self.loud()
                stripe = f"background:{paper};color:{ink};"
            cells = "".join(
                f"<td data-clip style='{rule}text-align:{align[c]};padding:0 {r.choice((2, 4, 6))}px;overflow:hidden;max-width:{width / columns:.0f}px'>{self.marked(few=True, often=0.12)}</td>"
                for c in range(columns)
            )
            weight = "font-weight:bold;" if row == 0 and r.random() < 0.5 else ""
            body.append(f"<tr style='height:{tall:.0f}px;{stripe}{weight}'>{cells}</tr>")
        fixed = "table-layout:fixed;"
        return (
            f"<table style='width:{width}px;white-space:nowrap;line-height:{min(tall, self.size * 1.3):.0f}px;{fixed}'>{''.join(body)}</table>",
            rows * (tall + 1),
        )

    def menu(self, width: int) -> tuple[str, float]:
        """Entries with an icon before and a short cut or chevron behind, several columns of them."""
        r = self.r
        columns, rows = max(2, round(width / (self.size * 16))), r.randint(3, 6)
        tall = self.size * r.choice((1.4, 1.7, 2, 2.4))
        lists = []
        for _ in range(columns):
            entries = []
            for _ in range(rows):
                tail = r.choice(
                    (
                        "",
                        "",
                        html.escape(
                            r.choice(("Ctrl+S", "Ctrl+Maj+N", "F5", "Alt+F4", "⇧⌘Z"[0:0] or "Ctrl+Z", "3", "12", "99+"))
                        ),
                    )
                )
                style = ""
                if r.random() < 0.1:
                    paper, ink = self.loud()
                    style = f"background:{paper};color:{ink};"
                entries.append(
                    f"<div data-clip style='display:flex;align-items:center;justify-content:space-between;gap:8px;height:{tall:.0f}px;padding:0 6px;white-space:nowrap;overflow:hidden;{style}'>{self.marked(few=True, often=0.7)}<span>{tail}</span></div>"
                )
            lists.append(
                f"<div style='width:{width / columns - 12:.0f}px;border:1px solid #8885'>{''.join(entries)}</div>"
            )
        return f"<div style='display:flex;gap:10px'>{''.join(lists)}</div>", rows * tall + 4

    def paragraph(self, width: int) -> tuple[str, float]:
        """Lines so close that accents and tails of neighbours reach into each other's room."""
        r = self.r
        letters = r.uniform(4, 9) if r.random() < NARROW else r.uniform(18, 40)
        columns, lines_ = max(1, round(width / (self.size * letters + 20))), r.randint(2, 6)
        spacing = r.choice((1.0, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4, 1.5, 1.7))
        tall = self.size * spacing
        inner = "".join(
            f"<div data-clip style='width:{width / columns - 20:.0f}px;height:{lines_ * tall:.1f}px;overflow:hidden;line-height:{tall:.2f}px;text-align:{r.choice(('left', 'left', 'justify'))}'>"
            f"{html.escape(' '.join(sentence(r, 8) for _ in range(lines_)))}</div>"
            for _ in range(columns)
        )
        return f"<div style='display:flex;gap:20px'>{inner}</div>", lines_ * tall + 4

    def form(self, width: int) -> tuple[str, float]:
        """Labels with fields: frames close to the text, carets, units."""
        r = self.r
        columns, tall = max(2, round(width / (self.size * 22))), self.size * r.choice((1.35, 1.6, 2, 2.4))
        frame = r.choice(("1px solid #8889", "1px solid #ccc", "1px solid", "2px solid #48c", "0"))
        cells = []
        for _ in range(columns):
            above = r.random() < 0.4
            field_paper = r.choice((self.paper, "#fff", "#f4f4f4")) if _dark(self.ink) else self.paper
            field = f"<div data-clip style='display:flex;align-items:center;justify-content:space-between;height:{tall:.0f}px;border:{frame};border-radius:{r.choice((0, 2, 4))}px;padding:0 {r.choice((1, 2, 4, 8))}px;background:{field_paper};overflow:hidden;white-space:nowrap;flex:1'>{self.marked(few=True, often=0.2)}{self.mark() if r.random() < 0.2 else ''}</div>"
            label = f"<div style='white-space:nowrap;{'' if above else 'padding-right:6px;'}'>{html.escape(line(r)[:20].strip() or 'Nom')}{r.choice(('', ' :', '<span style=color:#c00> *</span>'))}</div>"
            cells.append(
                f"<div style='width:{width / columns - 12:.0f}px;{'' if above else 'display:flex;align-items:center'}'>{label}{field}</div>"
            )
        return (
            f"<div style='display:flex;gap:12px;align-items:flex-end;line-height:1.25'>{''.join(cells)}</div>",
            tall + self.size * 1.5,
        )

    def log(self, width: int) -> tuple[str, float]:
        r = self.r
        rows, tall = r.randint(2, 6), self.size * r.choice((1.15, 1.3, 1.5))
        mono = r.choice(
            (
                "DejaVu Sans Mono",
                "Liberation Mono",
                "Hack",
                "Noto Mono",
                "Fira Code",
                "JetBrains Mono",
                "Courier Prime",
                "FreeMono",
            )
        )
        count = max(1, round(width / (self.size * 45)))
        columns = "".join(
            f"<div style='width:{width / count - 12:.0f}px;overflow:hidden' data-clip>"
            + "".join(
                f"<div style='height:{tall:.0f}px'>{html.escape(line(r) + ' ' + line(r))}</div>" for _ in range(rows)
            )
            + "</div>"
            for _ in range(count)
        )
        return (
            f"<div style=\"display:flex;gap:12px;font-family:'{mono}',monospace;line-height:{tall:.0f}px;white-space:nowrap;overflow:hidden\">{columns}</div>",
            rows * tall,
        )


def _tint(chance: random.Random, value: int, most: int | None = None) -> str:
    spread = most if most is not None else chance.choice((0, 0, 0, 12, 35))
    return _css([max(0, min(255, value + chance.randint(-spread, spread))) for _ in range(3)])


def _css(colour: list[int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _grey(colour: list[int]) -> float:
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def _dark(colour: str) -> bool:
    return colour.startswith("#") and _grey([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) < 110
