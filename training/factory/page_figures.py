"""What pages show and nobody clicks: charts with their numbers, figures in cards, progress, scenes, headings of menus.

A detector that never saw a chart takes the numbers of its axis for buttons, and the sign in a coloured circle beside a
figure too. Nothing here is marked as something to act on.
"""

from __future__ import annotations

import math

from factory.page_frame import PageFrame

CHART_WIDTH = 600


class PageFigures(PageFrame):
    """Charts, figures and scenes."""

    def hue(self) -> str:
        return f"hsl({self.r.randint(0, 360)},{self.r.randint(35, 85)}%,{self.r.randint(38, 68)}%)"

    def chart(self) -> str:
        """A drawing with or without axes and a legend, in a card with a title."""
        r = self.r
        inside = r.choice([self._along, self._along, self._along, self._round, self._points])()
        legend = self._legend() if self.odds(0.6) else ""
        above = self.odds(0.6)
        drawn = f'<div data-t="image">{legend if above else ""}{inside}{"" if above else legend}</div>'
        note = f'<small style="opacity:.6">{self.text(self.words.phrase(2, 6))}</small>' if self.odds(0.3) else ""
        return self.titled(drawn + note)

    def _along(self) -> str:
        """Bars or lines over an axis."""
        r = self.r
        height, count, top = r.choice([150, 200, 260]), r.randint(4, 14), r.choice([10, 50, 100, 800, 40_000])
        left, colours = r.choice([28, 40, 52]), [self.hue() for _ in range(r.randint(1, 3))]
        size, grid = r.choice([9, 10, 11, 12]), r.choice(["#8882", "#8884", "none"])
        made, steps = "", r.randint(3, 7)
        for step in range(steps + 1):
            y = 8 + (height - 30) * step / steps
            made += f'<line x1="{left}" x2="{CHART_WIDTH}" y1="{y:.0f}" y2="{y:.0f}" stroke="{grid}"/>'
            made += self._number(f"{top * (steps - step) / steps:g}", left - 5, y + 4, size, "end")
        wide = (CHART_WIDTH - left) / count
        first, named = r.choice([1, 1, 2011]), self.odds(0.5)
        for index in range(count):
            name = self.words.menu()[:4] if named else str(first + index)
            made += self._number(name, left + wide * (index + 0.5), height - 6, size, "middle")
        for number, colour in enumerate(colours):
            values = [r.uniform(0.05, 0.95) * (height - 30) for _ in range(count)]
            if number == 0 and self.odds(0.5):
                made += "".join(
                    f'<rect x="{left + wide * (index + 0.2):.0f}" y="{height - 22 - value:.0f}" width="{wide * 0.6:.0f}" height="{value:.0f}" fill="{colour}"/>'
                    for index, value in enumerate(values)
                )
                continue
            places = [(left + wide * (index + 0.5), height - 22 - value) for index, value in enumerate(values)]
            line = " ".join(f"{x:.0f},{y:.0f}" for x, y in places)
            if self.odds(0.4):
                made += f'<polygon points="{left},{height - 22} {line} {CHART_WIDTH},{height - 22}" fill="{colour}" fill-opacity=".2"/>'
            made += f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{r.choice([1, 2, 3])}"/>'
            if self.odds(0.6):
                dot = r.choice([2, 3, 4])
                made += "".join(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{dot}" fill="{colour}"/>' for x, y in places)
        return self._drawing(made, height)

    def _round(self) -> str:
        """Slices of a whole, with or without a hole."""
        r = self.r
        height = r.choice([140, 180, 240])
        radius, middle, start, made = height / 2 - 6, CHART_WIDTH / 2, 0.0, ""
        shares = [r.uniform(0.2, 1) for _ in range(r.randint(2, 6))]
        for share in shares:
            end = start + share / sum(shares) * math.tau
            (x1, y1), (x2, y2) = (
                (middle + radius * math.sin(angle), height / 2 - radius * math.cos(angle)) for angle in (start, end)
            )
            far = int(end - start > math.pi)
            made += f'<path d="M{middle},{height / 2} L{x1:.1f},{y1:.1f} A{radius},{radius} 0 {far} 1 {x2:.1f},{y2:.1f} Z" fill="{self.hue()}" stroke="#fff"/>'
            start = end
        if self.odds(0.5):
            ground = "#fff" if self.theme == "light" else "#222"
            made += f'<circle cx="{middle}" cy="{height / 2}" r="{radius * r.uniform(0.5, 0.85):.0f}" fill="{ground}"/>'
            if self.odds(0.4):
                made += self._number(f"{r.randint(3, 99)} %", middle, height / 2 + 6, 18, "middle")
        return self._drawing(made, height)

    def _points(self) -> str:
        r = self.r
        height, colour = r.choice([150, 220]), self.hue()
        made = "".join(
            f'<circle cx="{r.randint(40, CHART_WIDTH - 10)}" cy="{r.randint(8, height - 30)}" r="{r.choice([2, 3, 5, 9])}" fill="{colour}" fill-opacity=".7"/>'
            for _ in range(r.randint(6, 40))
        )
        made += "".join(
            self._number(str(value), 45 + value * 6, height - 5, 10, "middle") for value in range(0, 90, 15)
        )
        return self._drawing(made, height)

    def _drawing(self, made: str, height: int) -> str:
        return f'<svg viewBox="0 0 {CHART_WIDTH} {height}" style="width:100%;display:block">{made}</svg>'

    def _number(self, words: str, x: float, y: float, size: int, anchor: str) -> str:
        return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" fill="currentColor" opacity=".75">{self.text(words)}</text>'

    def _legend(self) -> str:
        r = self.r
        shape = r.choice(["width:30px;height:11px", "width:10px;height:10px", "width:9px;height:9px;border-radius:50%"])
        return f'<div style="text-align:center;font-size:{r.choice([10, 11, 12])}px;padding:4px">' + "".join(
            f'<span style="margin:0 7px"><span style="display:inline-block;{shape};background:{self.hue()};margin-right:5px"></span>{self.text(self.words.menu())}</span>'
            for _ in range(r.randint(1, 4))
        ) + "</div>"  # fmt: skip

    def titled(self, inside: str) -> str:
        """A card whose head says what it shows; now and then with a flat menu at its end."""
        r = self.r
        head = self.text(self.words.phrase(1, 3) if self.odds(0.5) else self.words.menu())
        look = r.choice(
            ["", "font-weight:700;", "text-transform:uppercase;font-size:.8em;", "color:#4e73df;font-weight:700;"]
        )
        line = r.choice(["", "border-bottom:1px solid #8884;", "background:#8881;border-bottom:1px solid #8884;"])
        sign = f"{self.icon(14)} " if self.odds(0.25) else ""
        more = r.choice(["", "", self.ghost(14), self.dots(), self.dots()])
        return self.card(
            f'<div style="display:flex;justify-content:space-between;align-items:center;padding:6px 2px;margin-bottom:8px;{line}"><span style="{look}">{sign}{head}</span>{more}</div>{inside}',
            plain=0.05,
        )

    def dots(self) -> str:
        """Three dots: what else can be done."""
        r = self.r
        pad, say = r.choice([2, 4, 8]), r.choice(["⋮", "⋮", "⋯", "…"])
        return f'<a href="#" data-t="button" style="padding:{pad}px;line-height:1;font-size:{r.choice([14, 18, 22])}px;color:inherit;text-decoration:none;opacity:{r.choice([1, 0.6])}">{say}</a>'

    def figures(self) -> str:
        """A row of cards with a figure each, and a sign that is no button."""
        r = self.r
        shape, place = r.choice(["circle", "box", "bare", "floating", "tint"]), r.choice(["row", "row-reverse"])
        foot = r.choice(["", "line", "change", "link"])
        filled, edge = self.odds(0.3), self.odds(0.3)
        made = ""
        for _ in range(r.randint(2, 5)):
            colour, side = self.hue(), r.choice([36, 44, 52, 62])
            about = {
                "circle": f"width:{side}px;height:{side}px;border-radius:50%;background:{colour};color:#fff",
                "box": f"width:{side}px;height:{side}px;border-radius:6px;background:{colour};color:#fff",
                "bare": f"width:{side}px;color:{colour};opacity:.6",
                "floating": f"width:{side}px;height:{side}px;border-radius:8px;background:{colour};color:#fff;margin-top:-26px;box-shadow:0 3px 8px #0005",
                "tint": f"width:{side}px;height:{side}px;border-radius:50%;background:{colour.replace(')', ',.2)').replace('hsl', 'hsla')};color:{colour}",
            }[shape]
            sign = f'<div style="display:flex;align-items:center;justify-content:center;flex:none;{about}">{self.icon(side // 2)}</div>'
            small = f'<div style="font-size:.75em;{r.choice(["", "text-transform:uppercase;font-weight:700;"])}opacity:.75">{self.text(self.words.menu())}</div>'
            large = f'<div style="font-size:{r.choice([18, 22, 28])}px;font-weight:{r.choice([400, 700])}">{self.text(self.words.amount() if self.odds(0.6) else str(r.randint(2, 9999)))}</div>'
            end = {
                "": "",
                "line": self._bar(),
                "change": f'<div style="font-size:.8em"><span style="color:{r.choice(["#1a8f4a", "#c62828"])}">{r.choice(["▲", "▼", "+", "-"])} {r.randint(1, 99)} %</span> {self.text(self.words.phrase(1, 3))}</div>',
                "link": f'<div style="font-size:.8em;padding-top:6px;border-top:1px solid #8884">{self.link(self.words.action())}</div>',
            }[foot]
            inside = f'<div style="display:flex;flex-direction:{place};gap:12px;justify-content:space-between;align-items:center"><div>{small}{large}</div>{sign}</div>{end}'
            look = f"background:{colour};color:#fff;" if filled else ""
            look += f"border-left:4px solid {colour};" if edge else ""
            made += f'<div style="flex:1 1 180px;padding:14px;border-radius:{r.choice([0, 4, 8, 12])}px;box-shadow:0 1px 4px #0003;{look}">{inside}</div>'
        return f'<div style="display:flex;flex-wrap:wrap;gap:{r.choice([12, 18, 24])}px;margin:14px 0">{made}</div>'

    def _bar(self) -> str:
        """How far something has come: a bar that cannot be moved."""
        r = self.r
        height, part = r.choice([4, 6, 10, 16]), r.randint(5, 100)
        inside = f"{part} %" if height > 12 and self.odds(0.5) else ""
        return f'<div style="height:{height}px;background:#8883;border-radius:{r.choice([0, 3, 8])}px;overflow:hidden;margin:6px 0"><div style="width:{part}%;height:100%;background:{self.hue()};color:#fff;font-size:10px;text-align:center">{inside}</div></div>'

    def progress(self) -> str:
        made = "".join(
            f'<div style="font-size:.85em;margin-top:8px">{self.text(self.words.phrase(1, 3))}<span style="float:right">{self.r.randint(1, 100)} %</span></div>{self._bar()}'
            for _ in range(self.r.randint(2, 6))
        )
        return self.titled(made)

    def scene(self, inside: str, height: int) -> str:
        """Words over something like a photograph."""
        r = self.r
        seed, rough, colour = r.randint(1, 999), r.choice([0.004, 0.01, 0.02, 0.05]), self.hue()
        picture = (
            f'<svg style="position:absolute;inset:0;width:100%;height:100%"><filter id="n{seed}"><feTurbulence type="{r.choice(["turbulence", "fractalNoise"])}" baseFrequency="{rough} {rough * r.choice([1, 1, 3, 8])}" numOctaves="5" seed="{seed}"/>'
            f'<feColorMatrix type="saturate" values="{r.choice([0.1, 0.4, 0.8])}"/></filter><rect width="100%" height="100%" fill="{colour}"/><rect width="100%" height="100%" filter="url(#n{seed})" opacity="{r.uniform(0.4, 0.9):.1f}"/></svg>'
        )
        return f'<div data-t="image" style="position:relative;height:{height}px;overflow:hidden;color:#fff">{picture}<div style="position:absolute;inset:0;display:flex;flex-direction:column;justify-content:center;align-items:{r.choice(["center", "flex-start"])};padding:20px 6%;background:#0004">{inside}</div></div>'

    def portrait(self, size: int) -> str:
        """A round picture of somebody."""
        return f'<span data-t="image" style="display:inline-block;flex:none;width:{size}px;height:{size}px;border-radius:50%;background:radial-gradient(circle at 50% 38%,hsl({self.r.randint(15, 40)},45%,{self.r.randint(45, 80)}%) 0 32%,{self.hue()} 34% 48%,{self.hue()} 50%)"></span>'

    def events(self) -> str:
        """What happened, one after the other: signs, names, times, nothing to press but a word now and then."""
        r = self.r
        with_signs = self.odds(0.5)
        made = ""
        for _ in range(r.randint(3, 7)):
            mark = (
                f'<span style="width:30px;height:30px;border-radius:50%;background:{self.hue()};color:#fff;display:inline-flex;align-items:center;justify-content:center;flex:none">{self.icon(14)}</span>'
                if with_signs
                else self.portrait(r.choice([32, 40]))
            )
            named = self.link(self.words.person()) if self.odds(0.3) else f"<b>{self.text(self.words.person())}</b>"
            made += f'<div style="display:flex;gap:12px;padding:8px 0;border-bottom:1px solid #8883">{mark}<div>{named} <small style="opacity:.6">{self.text(self.words.date())}</small><div style="font-size:.9em">{self.text(self.words.sentence(4, 12))} {self.badge() if self.odds(0.3) else ""}</div></div></div>'
        return self.titled(made)
