"""The bars of boards: at the side entries in groups, at the top signs, a search and who is there, at the foot who made it.

What answers to a click is mostly larger than what is drawn of it: an entry is as wide as its bar, a sign of the top bar
often as high as it, the name of the whole as large as its corner. And much beside them only looks like an entry: names of
groups, who is logged in, how much is new.
"""

from __future__ import annotations

from factory.page_figures import PageFigures

GROUNDS = ("#1e293b", "#212529", "#4e73df", "#2c3e50", "#343a40", "#673ab7", "#111827", "#222d32", "#0f172a", "#3f51b5")
MARKS = (
    "background:#fff3;", "font-weight:700;", "border-left:3px solid #4a90e2;", "background:#4a90e2;color:#fff;",
    "background:#fff;color:#333;box-shadow:0 2px 6px #0003;", "opacity:1;", "background:#0003;",
)  # fmt: skip
PLAIN = "color:inherit;text-decoration:none"


class PageBars(PageFigures):
    """What stands around a board."""

    def sidebar(self) -> str:
        """The name of the whole, entries in groups whose names are no entries, some of them open."""
        r = self.r
        centred, inset = self.odds(0.1), r.choice([0, 0, 0, 8, 12, 16, 24])
        wide = r.choice([90, 110]) if centred else r.choice([190, 210, 224, 240, 250, 260, 280])
        made = self._corner() if self.odds(0.8) else ""
        if self.odds(0.3):
            made += self._person()
        pad, size, on, entry = r.choice([5, 7, 9, 11, 13, 16]), r.choice([11, 12, 13, 14, 15, 16]), r.randrange(8), 0
        mark, with_icons = r.choice(MARKS), self.odds(0.8)
        upper = "text-transform:uppercase;" if self.odds(0.2) else ""
        for _ in range(r.choice([1, 1, 2, 3, 4])):
            made += self._group() if self.odds(0.7) else ""
            for _ in range(r.randint(2, 7)):
                here, entry = entry == on, entry + 1
                style = f"padding:{pad}px {r.choice([14, 14, 16])}px;font-size:{size}px;{upper}{mark if here else ''}"
                made += self._entry(style, inset, here=here, icon=with_icons, centred=centred)
                if self.odds(0.1) and not centred:
                    made += self._below(max(3, pad - 3), size - 1)
            if self.odds(0.35):
                made += '<hr style="margin:8px 14px;opacity:.25">'
        if self.odds(0.2):
            made += f'<div style="margin:14px;padding:12px;border-radius:6px;background:#8883;text-align:center;font-size:.85em"><p>{self.text(self.words.sentence(5, 9))}</p>{self.button(small=True)}</div>'
        if self.odds(0.15):
            made += '<div style="text-align:center;padding:10px"><button type="button" data-t="button" style="width:36px;height:36px;min-width:0;padding:0;border:0;border-radius:50%;background:#fff3;color:inherit">‹</button></div>'
        return f'<aside style="width:{wide}px;flex:none;{self._ground()}">{made}</aside>'

    def _ground(self) -> str:
        r = self.r
        dark = (
            f"background:{r.choice((*GROUNDS, self.hue()))};color:{r.choice(['#eef', '#ffffffcc', '#a9b4c4', '#fff'])};"
        )
        shaded = f"background:linear-gradient({r.choice([180, 160, 210])}deg,{self.hue()},{r.choice([*GROUNDS, self.hue()])});color:#fff;"
        light = f"background:#fff;color:{r.choice(['#444', '#66615b', '#67748e', '#333'])};box-shadow:0 0 6px #0002;"
        bare = "border-right:1px solid #8884;"
        return r.choices([dark, shaded, light, bare], [45, 15, 27, 13])[0]

    def _logo(self, size: int) -> str:
        r = self.r
        return f'<svg width="{size}" height="{size}" viewBox="0 0 10 10" style="vertical-align:middle"><path d="M0 {r.randint(0, 5)}L5 {r.randint(0, 3)}L10 {r.randint(2, 8)}L{r.randint(3, 7)} 10Z" fill="{self.hue()}"/></svg>'

    def _corner(self) -> str:
        """The name of the whole: a link as large as its corner, or as its words."""
        r = self.r
        high = r.choice([48, 56, 64, 72, 80])
        sign = r.choice([self._logo(r.choice([22, 28, 36])), self.icon(r.choice([20, 26])), ""])
        name = self.text(self.words.menu() if self.odds(0.5) else self.words.person().split()[-1])
        words = f'<span style="font-size:{r.choice([14, 16, 18, 22])}px;font-weight:{r.choice([400, 700, 800])};{r.choice(["", "text-transform:uppercase;letter-spacing:.05em;"])}">{name}</span>'
        whole = f"display:flex;align-items:center;gap:10px;height:{high}px;padding:0 16px;justify-content:{r.choice(['flex-start', 'center'])};box-sizing:border-box"
        close = f"display:inline-flex;align-items:center;gap:8px;padding:{r.choice([0, 4, 8])}px {r.choice([0, 6])}px"
        rule = r.choice(["", "border-bottom:1px solid #8884;", "background:#0002;"])
        if self.odds(0.6):
            return f'<a href="#" data-t="link" style="{whole};{PLAIN};{rule}">{sign}{words}</a>'
        return f'<div style="{whole};{rule}"><a href="#" data-t="link" style="{close};{PLAIN}">{sign}{words}</a></div>'

    def _person(self) -> str:
        """Who is there: to look at, or a way to what is known of them."""
        shown = f'{self.portrait(38)}<span><b>{self.text(self.words.person())}</b><br><small style="opacity:.7">{self.text(self.words.noun())}</small></span>'
        look = "padding:10px 14px;display:flex;gap:10px;align-items:center"
        if self.odds(0.5):
            return f'<a href="#" data-t="menu_item" data-on="0" style="{look};{PLAIN}">{shown}</a>'
        return f'<div style="{look}">{shown}</div>'

    def _group(self) -> str:
        r = self.r
        look = r.choice(
            ["text-transform:uppercase;font-weight:700;", "text-transform:uppercase;", "font-weight:700;", ""]
        )
        return f'<div style="padding:{r.choice([8, 14, 20])}px {r.choice([14, 14, 22])}px {r.choice([4, 8])}px;font-size:{r.choice([0.65, 0.72, 0.8, 0.9])}em;opacity:{r.choice([0.55, 0.75, 1])};{look}">{self.text(self.words.menu())}</div>'

    def _entry(self, style: str, margin: int, *, here: bool, icon: bool, centred: bool) -> str:
        r = self.r
        drawn = self.icon(r.choice([14, 16, 18, 22]))
        sign = (
            f'<span style="{"display:block" if centred else "display:inline-block;width:2em"}">{drawn}</span>'
            if icon
            else ""
        )
        end = ""
        if self.odds(0.25) and not centred:
            end = f'<span style="float:right;opacity:.7">{r.choice(["›", "‹", "▾", "+", self.badge(), self.icon(12)])}</span>'
        inset = f"margin:2px {margin}px;border-radius:{r.choice([0, 4, 8])}px;" if margin else ""
        return f'<a href="#" data-t="menu_item" data-on="{int(here)}" style="display:block;{PLAIN};{style}{inset}{"text-align:center;" if centred else ""}">{end}{sign}{self.text(self.words.menu())}</a>'

    def _below(self, pad: int, size: int) -> str:
        """The entries of an open one: further in, or on a card of their own."""
        left = self.r.choice([30, 44, 56])
        entries = "".join(
            f'<a href="#" data-t="menu_item" data-on="0" style="display:block;padding:{pad}px 14px {pad}px {left}px;font-size:{size}px;{PLAIN};opacity:.85">{self.text(self.words.menu())}</a>'
            for _ in range(self.r.randint(2, 4))
        )
        if self.odds(0.3):
            return f'<div style="margin:0 14px 8px;padding:6px 0;background:#fff;color:#444;border-radius:5px">{self._group() if self.odds(0.5) else ""}{entries.replace(f"14px {pad}px {left}px", f"10px {pad}px 14px")}</div>'
        return entries

    def navbar(self) -> str:
        """The name of the whole or of the page, a search, signs with how much is new, and who is there."""
        r = self.r
        ground = r.choice(
            [
                "background:#fff;color:#333;",
                "background:#212529;color:#ddd;",
                f"background:{self.hue()};color:#fff;",
                "",
                "",
            ]
        )
        high, gap = r.choice([44, 50, 56, 64, 70, 76]), r.choice([0, 0, 2, 10, 20])
        full = self.odds(0.5)
        entry = (
            f"display:inline-flex;align-items:center;height:{high}px;box-sizing:border-box;padding:0 {r.choice([8, 12, 16])}px"
            if full
            else f"display:inline-flex;align-items:center;padding:{r.choice([4, 8, 10])}px {r.choice([4, 8, 12])}px"
        )
        size = r.choice([14, 16, 20, 24])
        name = self.text(self.words.menu() if self.odds(0.6) else self.words.person().split()[0])
        brand = f'<a href="#" data-t="link" style="{entry};gap:8px;font-size:{size}px;font-weight:{r.choice([300, 400, 700])};{PLAIN}">{self._logo(26) if self.odds(0.4) else ""}{name}</a>'
        if self.odds(0.25):
            brand = f'<span style="padding:0 14px;font-size:{size}px">{name}</span>'
        fold = self.ghost(18) if self.odds(0.5) else ""
        signs = "".join(self._sign(entry) for _ in range(r.randint(0, 5)))
        links = "".join(
            f'<a href="#" data-t="menu_item" data-on="0" style="{entry};gap:6px;{PLAIN}">{self.icon(14) if self.odds(0.25) else ""}{self.text(self.words.menu())}{r.choice(["", "", "", " ▾"])}</a>'
            for _ in range(r.choice([0, 0, 2, 3, 5]))
        )
        end = '<span style="flex:1"></span>'
        rule = r.choice(["", "box-shadow:0 1px 4px #0003;", "border-bottom:1px solid #8884;"])
        who = self._who(entry) if self.odds(0.6) else ""
        search = self._search() if self.odds(0.5) else ""
        return f'<nav style="display:flex;align-items:center;height:{high}px;{ground}{rule}">{brand}{fold}{search}{links if self.odds(0.5) else end + links}{end}<span style="display:inline-flex;gap:{gap}px;align-items:center">{signs}{who}</span></nav>'

    def _sign(self, entry: str) -> str:
        r = self.r
        new = ""
        if self.odds(0.4):
            place = r.choice(["top:-6px;right:-8px", "top:-4px;right:-4px"])
            new = f'<span style="position:absolute;{place};background:{r.choice(["#e53935", "#e53935", self.hue()])};color:#fff;font-size:9px;border-radius:8px;padding:0 4px">{r.choice([r.randint(1, 19), "3+", "9+"])}</span>'
        return f'<a href="#" data-t="button" style="{entry};line-height:1;{PLAIN}"><span style="position:relative">{self.icon(r.choice([14, 16, 18, 20]))}{new}</span></a>'

    def _who(self, entry: str) -> str:
        r = self.r
        named = f"<span>{self.text(self.words.person())}{r.choice(['', ' ▾'])}</span>" if self.odds(0.6) else ""
        parts = [self.portrait(r.choice([26, 32, 38])), named]
        return f'<a href="#" data-t="button" style="{entry};gap:8px;{PLAIN}">{"".join(parts if self.odds(0.6) else parts[::-1])}</a>'

    def _search(self) -> str:
        """A field alone, with a sign in it, or with a button joined to it."""
        r = self.r
        kind, high = r.choice(["alone", "sign", "button", "button", "line"]), r.choice([30, 36, 40])
        look = {
            "alone": "border:1px solid #8886;background:#fff8", "sign": "border:0;background:transparent",
            "button": r.choice(["border:1px solid #8886;background:#fff8", "border:0;background:#8882"]),
            "line": "border:0;border-bottom:1px solid #888a;background:transparent",
        }[kind]  # fmt: skip
        field = f'<input type="text" data-t="text_input" placeholder="{self.text(self.words.action())}" style="{look};padding:0 10px;height:{high}px;width:{r.choice([140, 200, 260])}px;margin:0;box-sizing:border-box;color:inherit">'
        if kind == "sign":
            return f'<div style="display:flex;align-items:center;margin:0 16px;border-radius:{r.choice([4, 20])}px;background:#8882;padding:0 10px">{self.icon(14)}{field}</div>'
        press = ""
        if kind == "button":
            press = f'<button type="button" data-t="button" style="height:{high}px;width:{high + 6}px;min-width:0;padding:0;margin:0;border:0;background:{self.hue()};color:#fff;border-radius:0 4px 4px 0">{self.icon(14)}</button>'
        return f'<div style="display:flex;align-items:center;margin:0 16px">{field}{press}</div>'

    def foot(self) -> str:
        """Ways elsewhere, and who made all this."""
        r = self.r
        upper = r.choice(["", "text-transform:uppercase;font-size:.75em;"])
        pad = r.choice(["", "", "padding:12px;display:inline-block;"])
        ways = "".join(
            f'<a href="#" data-t="link" style="{PLAIN if self.odds(0.7) else ""};margin-right:16px;{pad}{upper}">{self.text(self.words.menu())}</a>'
            for _ in range(r.choice([0, 2, 3, 4]))
        )
        owner = f"© {r.randint(2012, 2030)}, {self.text(self.words.phrase(1, 3))} {self.link(self.words.person()) if self.odds(0.7) else self.text(self.words.person())}"
        parts = [f"<span>{ways}</span>", f"<span>{owner}</span>"]
        if self.odds(0.3):
            return f'<footer style="padding:18px;text-align:center;font-size:.85em">{owner}</footer>'
        return f'<footer style="display:flex;justify-content:space-between;align-items:center;padding:18px 6px;font-size:.9em">{"".join(parts if self.odds(0.6) else parts[::-1])}</footer>'

    def states_table(self) -> str:
        """A table to look at: dots and bars for how things are, portraits, and a deed at the end of a row at most."""
        r = self.r
        columns = r.sample(["who", "state", "bar", "people", "date", "amount", "tag", "words"], r.randint(3, 6))
        deed = r.choice(["", "", "dots", "word", "signs"])
        shape, upper = (
            r.choice([8, 10, 12, 14]),
            r.choice(["", "text-transform:uppercase;font-size:.75em;", "color:#4e73df;"]),
        )
        pad = r.choice([6, 10, 14])

        def cell(column: str) -> str:
            if column == "who":
                small = (
                    f'<br><small style="opacity:.6">{self.text(self.words.noun())}</small>' if self.odds(0.4) else ""
                )
                return f'<span style="display:inline-flex;gap:10px;align-items:center">{self.portrait(r.choice([28, 36]))}<span>{self.text(self.words.person())}{small}</span></span>'
            if column == "state":
                return f'<span style="display:inline-block;width:{shape}px;height:{shape}px;border-radius:50%;background:{self.hue()};margin-right:8px"></span>{self.text(self.words.state())}'
            if column == "bar":
                return f'<span style="display:inline-flex;gap:8px;align-items:center;width:130px">{r.randint(1, 100)} % <span style="flex:1">{self._bar()}</span></span>'
            if column == "people":
                return "".join(self.portrait(24) for _ in range(r.randint(2, 4)))
            if column == "tag":
                return self.badge()
            say = {"date": self.words.date, "amount": self.words.amount, "words": self.words.noun}[column]
            return self.text(say())

        end = {
            "": lambda: "", "dots": self.dots, "word": lambda: self.link(self.words.action()),
            "signs": lambda: self.ghost(14) + self.ghost(14),
        }[deed]  # fmt: skip
        head = "".join(
            f'<th style="padding:{pad}px;text-align:left;{upper}">{self.text(self.words.menu())}</th>'
            for _ in [*columns, *([1] if deed else [])]
        )
        rows = "".join(
            "<tr>" + "".join(f'<td style="padding:{pad}px;border-top:1px solid #8883">{inside}</td>' for inside in [*(cell(column) for column in columns), *([end()] if deed else [])]) + "</tr>"
            for _ in range(r.randint(3, 8))
        )  # fmt: skip
        return self.titled(
            f'<table data-t="table" style="width:100%;border-collapse:collapse"><tr>{head}</tr>{rows}</table>'
        )

    def type_sizes(self) -> str:
        """Every size of type, each with its name beside it: nothing to act on but a word now and then."""
        made = ""
        for level in range(1, 7):
            made += f'<div style="display:flex;gap:30px;align-items:baseline;margin:.5em 0"><small style="opacity:.5;width:110px">{self.text(self.words.noun())}</small><h{level} data-t="heading" style="margin:0">{self.text(self.words.phrase(2, 5))}</h{level}></div>'
        colours = "".join(
            f'<p style="color:{self.hue()}">{self.text(self.words.sentence(5, 12))}</p>'
            for _ in range(self.r.randint(2, 5))
        )
        return self.titled(made + colours)
