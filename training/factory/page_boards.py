"""Pages as templates of others have them: boards of charts and figures, introductions, articles, profiles, galleries.

Much on them looks like something to act on and is not; and links stand in headings, lists and feet, where nothing but
their place or their colour tells. A class of its own, so that the pages of `Page` stay as they are for every seed.
"""

from __future__ import annotations

from factory.page import Page
from factory.page_bars import PageBars


class BoardPage(PageBars, Page):
    """A board, or a page that presents something."""

    WITH_SIDE = 0.7

    def blocks(self) -> list[str]:
        r = self.r
        self.kind = r.choice(["board", "board", "board", "front", "article", "profile", "gallery"])
        lead = {
            "board": [self.head, self.figures, self.chart, self.chart],
            "front": [self.hero, self.features],
            "article": [self.hero, self.articles],
            "profile": [self.profile, self.events, self.form],
            "gallery": [self.head, self.gallery],
        }[self.kind]
        everything = [
            self.chart, self.figures, self.progress, self.events, self.features, self.articles, self.gallery, self.prices,
            self.notes, self.table, self.list_block, self.form, self.tabs, self.samples, self.joined_fields, self.ways,
            self.states_table, self.type_sizes, self.foot, self.cards, self.counted_list,
        ]  # fmt: skip
        weights = [14, 6, 8, 9, 6, 7, 4, 5, 6, 12, 6, 8, 5, 8, 10, 4, 14, 4, 9, 8, 6]
        return [block() for block in lead + r.choices(everything, weights, k=r.randint(1, 5))]

    def laid_out(self, top: str, side: str, main: str) -> str:
        """Mostly the side bar goes up to the top, and the top bar begins beside it."""
        if self.odds(0.4):
            return super().laid_out(top, side, main)
        ground = self.r.choice(["", "", "background:#8881;"])
        beside = f'<div style="flex:1;min-width:0;{ground}">{top}<div style="display:flex">{main}</div></div>'
        return f'<div style="display:flex;align-items:stretch;min-height:100vh">{side}{beside}</div>'

    def head(self) -> str:
        """The page's name, a way back, and what can be done with all of it."""
        words, r = self.words, self.r
        parts = [self.link(words.menu()) for _ in range(r.randint(1, 2))] + [f"<span>{self.text(words.menu())}</span>"]
        way = f'<div style="font-size:.85em;opacity:.85">{r.choice([" / ", " › ", " » "]).join(parts)}</div>'
        level = r.choice([1, 2, 3])
        title = f'<h{level} data-t="heading" style="margin:.3em 0">{self.text(words.menu())}</h{level}>'
        deed = self.button(small=self.odds(0.5)) if self.odds(0.5) else ""
        return f'<div style="display:flex;justify-content:space-between;align-items:center"><div>{title}{way if self.odds(0.6) else ""}</div>{deed}</div>'

    def joined_fields(self) -> str:
        """Fields with something joined to them that is no button, or that is one; fields that are only a line."""
        r = self.r
        lined, made = self.odds(0.4), ""
        edge = (
            "border:0;border-bottom:1px solid #888a;border-radius:0;background:transparent"
            if lined
            else "border:1px solid #8889;background:transparent"
        )
        for _ in range(r.randint(2, 6)):
            height = r.choice([30, 36, 42])
            box = f'<input type="text" data-t="text_input" placeholder="{self.text(self.words.noun())}" style="flex:1;min-width:0;width:auto;height:{height}px;margin:0;padding:0 10px;box-sizing:border-box;color:inherit;{edge}">'
            addon = f'<span style="display:inline-flex;align-items:center;padding:0 12px;background:#8882;border:1px solid #8886;height:{height}px;box-sizing:border-box">{r.choice(["@", "€", "$", ".00", "%", "kg", self.icon(14)])}</span>'
            joined = r.choice(
                [box, addon + box, box + addon, box + self.button(small=True), self.button(small=True) + box]
            )
            made += f'<div style="margin:{r.choice([6, 12])}px 0"><div style="font-size:.85em">{self.text(self.words.label()) if self.odds(0.6) else ""}</div><div style="display:flex;align-items:center">{joined}</div></div>'
        return self.titled(made)

    def ways(self) -> str:
        """A row of signs, each a way to another site; below them perhaps who owns all this."""
        r = self.r
        side, shape = r.choice([0, 0, 30, 38, 48]), r.choice(["border-radius:50%", "border-radius:4px"])
        colour, gap = self.hue(), r.choice([4, 10, 18])
        own = (
            f"display:inline-flex;width:{side}px;height:{side}px;align-items:center;justify-content:center;background:{colour};color:#fff;{shape}"
            if side
            else "color:inherit"
        )
        made = "".join(
            f'<a href="#" data-t="link" style="{own};margin:0 {gap}px">{self.icon(side // 2 if side else r.choice([16, 20]))}</a>'
            for _ in range(r.randint(3, 6))
        )
        told = f"<p style='opacity:.7;font-size:.85em'>© {r.randint(2009, 2030)} {self.text(self.words.person())}. {self.link(self.words.menu()) if self.odds(0.6) else ''}</p>"
        return f'<div style="text-align:center;padding:14px">{made}{told if self.odds(0.6) else ""}</div>'

    def hero(self) -> str:
        words, r = self.words, self.r
        title = f'<h1 data-t="heading" style="font-size:{r.choice([32, 44, 56])}px;color:inherit;margin:.2em 0">{self.text(words.phrase(2, 5))}</h1><p style="font-size:{r.choice([16, 19])}px;max-width:640px">{self.text(words.sentence(8, 20))}</p>'
        deeds = "".join(self.button() + " " for _ in range(r.randint(0, 2)))
        return self.scene(title + (f"<div>{deeds}</div>" if deeds else ""), r.choice([260, 360, 460]))

    def features(self) -> str:
        """Columns that each praise something, with a large sign above."""
        r = self.r
        colour, round_, linked = self.hue(), self.odds(0.5), self.odds(0.4)
        made = ""
        for _ in range(r.randint(2, 4)):
            sign = self.icon(r.choice([24, 32, 44]))
            if round_:
                sign = f'<span style="display:inline-flex;width:76px;height:76px;border-radius:50%;background:{colour};color:#fff;align-items:center;justify-content:center">{sign}</span>'
            more = f"<div>{self.link(self.words.action())}</div>" if linked else ""
            made += f'<div style="flex:1;text-align:center;padding:14px">{sign}<h3 data-t="heading">{self.text(self.words.phrase(1, 3))}</h3><p style="opacity:.8">{self.text(self.words.sentence(6, 14))}</p>{more}</div>'
        return f'<div style="display:flex;gap:20px">{made}</div>'

    def articles(self) -> str:
        """Headings that are links, in the colour of any heading, with who and when below."""
        r = self.r
        style = r.choice(
            ["color:inherit;text-decoration:none", "color:inherit;text-decoration:none", "", "text-decoration:none"]
        )
        made = ""
        for _ in range(r.randint(2, 5)):
            level, picture = r.choice([2, 3, 4]), ""
            if self.odds(0.4):
                picture = (
                    f'<div style="width:{r.choice([120, 200])}px;flex:none">{self.scene("", r.choice([90, 130]))}</div>'
                )
            title = f'<h{level} style="margin:.2em 0"><a href="#" data-t="link" style="{style}">{self.text(self.words.phrase(2, 6))}</a></h{level}>'
            who = f'<div style="font-size:.85em;opacity:.7">{self.text(self.words.date())} · {self.link(self.words.person()) if self.odds(0.5) else self.text(self.words.person())}</div>'
            more = f"<div>{self.link(self.words.action() + ' →')}</div>" if self.odds(0.3) else ""
            made += f'<div style="display:flex;gap:16px;padding:12px 0;border-bottom:1px solid #8883">{picture}<div>{title}<p>{self.text(self.words.sentence(8, 26))}</p>{who}{more}</div></div>'
        return made

    def profile(self) -> str:
        words, r = self.words, self.r
        counts = "".join(
            f'<div style="flex:1;text-align:center"><b>{r.randint(1, 999)}</b><br><small>{self.text(words.menu())}</small></div>'
            for _ in range(3)
        )
        ways = "".join(self.ghost(18) for _ in range(r.randint(2, 4)))
        return self.card(
            f'{self.scene("", 120)}<div style="text-align:center;margin-top:-40px;position:relative">{self.portrait(80)}<h4 data-t="heading">{self.text(words.person())}</h4><p style="opacity:.7">{self.text(words.noun())}</p><p>{self.text(words.sentence(6, 16))}</p>{self.button() if self.odds(0.6) else ""}<div>{ways}</div></div><div style="display:flex;padding:10px">{counts}</div>',
            plain=0.05,
        )

    def gallery(self) -> str:
        """Signs or pictures with their names: to look at, or each of them a way somewhere."""
        r = self.r
        linked, drawn = self.odds(0.25), self.odds(0.7)
        size = r.choice([18, 24, 32]) if drawn else r.choice([90, 130])
        made = ""
        for _ in range(r.randint(8, 30)):
            sign = self.icon(size) if drawn else self.scene("", size)
            inside = f"{sign}<div style='font-size:.75em;opacity:.8'>{self.text(self.words.menu().lower())}</div>"
            tag = (
                "a href='#' data-t='link' style='color:inherit;display:block;padding:10px'"
                if linked
                else "div style='padding:10px'"
            )
            made += f"<{tag}>{inside}</{tag.split()[0]}>"
        return self.titled(
            f'<div style="display:grid;grid-template-columns:repeat(auto-fill,minmax({size + 70}px,1fr));text-align:center">{made}</div>'
        )

    def prices(self) -> str:
        made = ""
        for _ in range(self.r.randint(2, 4)):
            lines = "".join(
                f'<div style="padding:5px;border-bottom:1px solid #8882">{self.icon(13) if self.odds(0.5) else ""} {self.text(self.words.phrase(1, 4))}</div>'
                for _ in range(self.r.randint(3, 6))
            )
            offer = f'<div>{self.text(self.words.noun())}</div><div style="font-size:32px">{self.text(self.words.amount())}</div>{lines}<div style="padding:10px">{self.button()}</div>'
            made += f'<div style="flex:1;text-align:center">{self.card(offer, plain=0.05)}</div>'
        return f'<div style="display:flex;gap:18px">{made}</div>'

    def notes(self) -> str:
        """Notices in colour, with or without a cross to close them; words in them may lead somewhere."""
        made = ""
        for _ in range(self.r.randint(1, 5)):
            colour = self.hue()
            look = self.part("alert") or ""
            own = "" if look else f"background:{colour};color:#fff;border-radius:5px;"
            cross = f'<span style="float:right">{self.ghost(12)}</span>' if self.odds(0.5) else ""
            way = f' <a href="#" data-t="link" style="color:inherit;{self.r.choice(["font-weight:700", "font-weight:700;text-decoration:none", ""])}">{self.text(self.words.phrase(2, 4))}</a> {self.text(self.words.phrase(1, 4))}.'
            made += f'<div class="{look}" style="padding:10px 14px;margin:8px 0;{own}">{cross}{self.icon(15) if self.odds(0.4) else ""} <b>{self.text(self.words.state())}</b> {self.text(self.words.sentence(4, 12))}{way if self.odds(0.3) else ""}</div>'
        return made

    def cards(self) -> str:
        """Cards with a heading and some words, in colour or with a frame: to read, and a link or a deed below at most."""
        r = self.r
        deed = r.choice(["", "", "", "link", "button"])
        filled, head = self.odds(0.5), self.odds(0.4)
        made = ""
        for _ in range(r.randint(2, 6)):
            colour = self.hue()
            look = (
                f"background:{colour};color:#fff"
                if filled
                else f"border:1px solid {r.choice([colour, '#8885', '#8885'])}"
            )
            above = (
                f'<div style="padding:8px 12px;background:#0001;border-bottom:1px solid #8883">{self.text(self.words.menu())}</div>'
                if head
                else ""
            )
            end = {
                "": "",
                "link": f"<div>{self.link(self.words.action())} {self.link(self.words.action())}</div>",
                "button": self.button(small=self.odds(0.5)),
            }[deed]
            below = (
                f'<div style="padding:8px 12px;background:#0001;font-size:.85em;opacity:.8">{self.text(self.words.date())}</div>'
                if self.odds(0.2)
                else ""
            )
            made += f'<div style="flex:1 1 220px;border-radius:{r.choice([0, 4, 8])}px;overflow:hidden;{look}">{above}<div style="padding:12px"><b>{self.text(self.words.phrase(1, 3))}</b><p>{self.text(self.words.sentence(6, 14))}</p>{end}</div>{below}</div>'
        return f'<div style="display:flex;flex-wrap:wrap;gap:14px">{made}</div>'

    def counted_list(self) -> str:
        """Lines of a list, each with a count at its end: to read, or each of them a way."""
        r = self.r
        acts, on = self.odds(0.5), r.randrange(5)
        pad, made = r.choice([7, 10, 13]), ""
        for index in range(r.randint(3, 6)):
            count = (
                f'<span style="float:right;background:{self.hue()};color:#fff;border-radius:9px;font-size:.75em;padding:1px 7px">{r.randint(1, 99)}</span>'
                if self.odds(0.6)
                else ""
            )
            here = acts and index == on
            mark = "background:#4a90e2;color:#fff;" if here else ""
            tag = f'a href="#" data-t="list_item" data-on="{int(here)}"' if acts else "div"
            made += f'<{tag} style="display:block;padding:{pad}px 14px;border:1px solid #8884;margin-top:-1px;color:inherit;text-decoration:none;{mark}">{count}{self.text(self.words.phrase(1, 4))}</{tag.split()[0]}>'
        return f'<div style="max-width:{r.choice([280, 380, 520])}px">{made}</div>'

    def samples(self) -> str:
        """Every kind of button and of badge, side by side: those to press among those to read."""
        r = self.r
        rows = "".join(
            f'<div style="padding:6px;display:flex;gap:{r.choice([4, 8, 14])}px;flex-wrap:wrap;align-items:center">{"".join(make() for _ in range(r.randint(3, 8)))}</div>'
            for make in r.sample(
                [self.button, self.badge, self._round_button, self._icon_button, self._tag], r.randint(2, 4)
            )
        )
        return self.titled(rows)

    def _round_button(self) -> str:
        side = self.r.choice([28, 36, 44, 54])
        return f'<button type="button" data-t="button" style="width:{side}px;height:{side}px;min-width:0;padding:0;border:0;border-radius:50%;background:{self.hue()};color:#fff">{self.icon(side // 2)}</button>'

    def _icon_button(self) -> str:
        """A sign in a darker field of its own before the words."""
        colour, pad = self.hue(), self.r.choice([5, 8])
        return f'<a href="#" data-t="button" style="display:inline-flex;background:{colour};color:#fff;border-radius:4px;text-decoration:none;overflow:hidden"><span style="padding:{pad}px {pad + 3}px;background:#0003">{self.icon(14)}</span><span style="padding:{pad}px 12px">{self.text(self.words.action())}</span></a>'

    def _tag(self) -> str:
        return f'<span style="padding:3px 9px;border-radius:{self.r.choice([2, 10])}px;background:{self.hue()};color:#fff;font-size:.8em">{self.text(self.words.state())}</span>'
