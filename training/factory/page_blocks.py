"""Blocks of a generated page: forms, tables, lists, tabs, tool bars, tiles, spreadsheets, calendars."""

from __future__ import annotations

from factory.page_fields import PageFields
from factory.page_parts import OWN_MARKS


class PageBlocks(PageFields):
    """What the middle of a page is made of."""

    def form(self) -> str:
        r = self.r
        columns = r.choice([1, 1, 2, 2, 3, 4])
        self.side_labels, self.gap, self.label_px, self.label_side = (
            self.odds(0.35),
            r.choice([2, 6, 10, 14, 18]),
            r.choice([90, 120, 160, 220]),
            r.choice(["left", "right"]),
        )
        width = r.choice(["100%", "100%", "60%", "420px", "760px"]) if columns == 1 else "100%"
        fields = "".join(self.field() for _ in range(r.randint(3, 12)))
        buttons = " ".join(self.button() for _ in range(r.randint(1, 3)))
        head = self.heading() if self.odds(0.3) else ""
        return self.card(
            f'<form class="{self.part("form")}" onsubmit="return false" style="max-width:{width}">{head}<div style="display:grid;grid-template-columns:repeat({columns},minmax(0,1fr));gap:4px 24px;align-items:{r.choice(["start", "end"])}">{fields}</div>'
            f'<div style="margin-top:12px;display:flex;gap:8px;justify-content:{r.choice(["flex-start", "flex-end", "space-between"])}">{buttons}</div></form>'
        )

    def card(self, inside: str, *, plain: float = 0.3) -> str:
        if self.odds(plain):
            return f'<section style="margin:8px 0">{inside}</section>'
        tools = f'<span style="float:right">{self.ghost(14)}</span>' if self.odds(0.2) else ""
        title = (
            f'<div class="{self.part("card_head")} own-head"><div class="{self.part("card_title")}" data-t="heading">{self.text(self.words.menu())}</div>{tools}</div>'
            if self.odds(0.55)
            else ""
        )
        tag = self.kit.parts.get("card_tag", "section")
        return f'<{tag} class="{self.part("card") or "own-card"}" style="margin-bottom:14px">{title}<div class="{self.part("card_body") or "own-body"}">{inside}</div></{tag}>'

    def table(self) -> str:
        r = self.r
        columns, rows = r.randint(3, 9), r.randint(3, 18)
        with_checks, actions = self.odds(0.35), r.choice(["", "", "text", "icon", "link", "menu"])
        kinds = [
            r.choice(["value"] * 5 + ["link", "badge", "words", "input"] if self.odds(0.5) else ["value"])
            for _ in range(columns)
        ]
        if kinds.count("input") > 2:
            kinds = ["value" if kind == "input" else kind for kind in kinds]
        more = r.choice(self.kit.parts.get("table_more", "").split("|"))
        small = r.choice(["", "", "font-size:12px;", "font-size:13px;", "line-height:1.1;"])
        th, td, tr = self.part("th"), self.part("td"), self.part("row")
        bare = OWN_MARKS & set(self.kit.parts)

        def tick(on: bool) -> str:
            return (
                self.mark("checkbox", on, self.fresh(), "")
                if bare
                else f'<input type="checkbox" class="{self.part("check")}"{" checked" if on else ""} data-t="checkbox" data-on="{int(on)}" style="margin:0;position:static">'
            )

        head = (
            (f'<th class="{th}">{tick(False)}</th>' if with_checks else "")
            + "".join(
                f'<th class="{th}">{self.text(self.words.noun())}{" " + self.icon(11) if self.odds(0.15) else ""}</th>'
                for _ in range(columns)
            )
            + (f'<th class="{th}"></th>' if actions else "")
        )
        picked = r.randrange(rows) if self.odds(0.25) else -1
        body = ""
        for index in range(rows):
            cells = f'<td class="{td}">{tick(self.odds(0.25))}</td>' if with_checks else ""
            for kind in kinds:
                inner = {
                    "value": lambda: self.text(self.words.value()),
                    "link": lambda: self.link(self.words.value()),
                    "badge": self.badge,
                    "words": lambda: self.text(self.words.said(2, 7)),
                    "input": lambda: self.input(style="min-width:70px"),
                }[kind]()
                cells += f'<td class="{td}">{inner}</td>'
            if actions:
                made = {
                    "text": lambda: self.button(small=True, extra='style="padding:1px 8px;font-size:.85em"'),
                    "icon": lambda: "".join(self.ghost(14) for _ in range(r.randint(1, 3))),
                    "link": lambda: self.link(self.words.action()) + " " + self.link(self.words.action()),
                    "menu": lambda: self.ghost(16),
                }[actions]()
                cells += f'<td class="{td}" style="white-space:nowrap">{made}</td>'
            look = ' style="background:#4a90e244"' if index == picked else ""
            if self.words.is_shown():
                body += f'<tr class="{tr}" data-c="table_row"{look}>{cells}</tr>'
        table = f'<table class="{self.part("table")} {more} own-table" data-c="table" style="width:{r.choice(["100%", "100%", "100%", "auto"])};{small}"><thead class="{self.part("thead")}"><tr>{head}</tr></thead><tbody class="{self.part("tbody")}">{body}</tbody></table>'
        before = after = ""
        if self.odds(0.5):
            before = f'<div style="display:flex;gap:10px;justify-content:space-between;align-items:center;margin-bottom:8px"><div>{self.button()} {self.button()}</div><div style="width:260px">{self.input()}</div></div>'
        if self.odds(0.5):
            after = f'<div style="display:flex;justify-content:space-between;align-items:center;gap:12px"><span>{self.text(self.words.phrase(2, 5))}</span>{self.pages()}</div>'
        clip = "max-height:320px;" if self.odds(0.2) else ""
        return self.card(
            f'{before}<div class="{self.part("table_wrap")}" style="overflow:auto;{clip}">{table}</div>{after}'
        )

    def pages(self) -> str:
        on = self.r.randint(1, 4)
        item, link, tag = self.part("page_item"), self.part("page_link"), self.kit.parts.get("pages_tag", "ul")
        made = ""
        for words in ("«", "1", "2", "3", "4", "»"):
            here = words == str(on)
            one = f'<a href="#" class="{link} {self.part("page_on_link") if here else ""}" data-t="button" data-on="{int(here)}" style="{"" if link else "padding:3px 9px;display:inline-block"}">{words}</a>'
            made += (
                one
                if tag == "div"
                else f'<li class="{item} {self.part("page_on") if here else ""}" style="list-style:none;display:inline-block">{one}</li>'
            )
        return f'<{tag} class="{self.part("pages")}" style="display:flex;padding:0;margin:4px 0">{made}</{tag}>'

    def tabs(self) -> str:
        r = self.r
        count = r.randint(2, 7)
        on = r.randrange(count)
        look = r.choice(["line", "box", "pill"])
        tag = self.kit.parts.get("tabs_tag", "ul")
        tag = "ul" if tag == "menu" else tag
        kit_tabs = bool(self.part("tabs") or self.part("tabs_wrap"))
        made = ""
        for index in range(count):
            here = index == on
            say = (self.icon(14) + " " if self.odds(0.2) else "") + self.text(self.words.menu())
            aria = (
                f'aria-selected="{"true" if here else "false"}"'
                if self.kit.parts.get("tab_aria") or self.kit.name.startswith("win")
                else ""
            )
            if self.part("tab_div"):
                inner = f'<div class="{self.part("tab_inner")}">{say}</div>' if self.part("tab_inner") else say
                made += f'<div class="{self.part("tab_div")} {self.part("tab_on") if here else ""}" {aria} data-t="tab" data-on="{int(here)}">{inner}</div>'
                continue
            style = ""
            if not kit_tabs:
                edge = {
                    "line": f"border-bottom:3px solid {'currentColor' if here else 'transparent'};",
                    "box": "border:1px solid #8888;"
                    + ("border-bottom-color:transparent;background:#fff2;" if here else "opacity:.75;"),
                    "pill": f"border-radius:20px;{'background:#4a7fd0;color:#fff;' if here else ''}",
                }[look]
                style = f"display:inline-block;padding:6px 14px;text-decoration:none;{edge}"
            one = f'<a href="#" class="{self.part("tab")} {self.part("tab_on") if here else ""}" {aria} data-t="tab" data-on="{int(here)}" style="{style}">{say}</a>'
            made += (
                one
                if tag == "div"
                else f'<li class="{self.part("tab_item")} {self.part("tab_on_item") if here else ""}" style="list-style:none">{one}</li>'
            )
        bar = f'<{tag} class="{self.part("tabs")}" role="tablist" style="{"" if kit_tabs else "display:flex;gap:2px;padding:0;border-bottom:1px solid #8885"}">{made}</{tag}>'
        if self.part("tabs_wrap"):
            bar = f'<div class="{self.part("tabs_wrap")}">{bar}</div>'
        return bar + r.choice([self.form, self.table, self.paragraph, self.list_block])()

    def list_block(self) -> str:
        r = self.r
        count, on = r.randint(3, 10), r.randrange(12)
        lead, trail, lines = (
            r.choice(["", "", "icon", "avatar", "check"]),
            r.choice(["", "", "badge", "date", "ghost"]),
            r.choice([1, 1, 2]),
        )
        pad, rule = r.choice([4, 6, 8, 12]), r.choice(["", "border-bottom:1px solid #8884;"])
        made = ""
        for index in range(count):
            here = index == on
            first = {
                "": "",
                "icon": self.icon(18),
                "avatar": f'<span style="width:32px;height:32px;border-radius:50%;flex:none;background:hsl({r.randint(0, 360)},50%,60%)" data-t="image"></span>',
                "check": f'<input type="checkbox" data-t="checkbox" data-on="0" class="{self.part("check")}" style="margin:0;position:static;opacity:1;pointer-events:auto">'
                if "span_check" not in self.kit.parts
                else "",
            }[lead]
            last = {
                "": "",
                "badge": self.badge(),
                "date": f"<small>{self.text(self.words.date())}</small>",
                "ghost": self.ghost(14),
            }[trail]
            second = f"<br><small style='opacity:.7'>{self.text(self.words.said(3, 9))}</small>" if lines == 2 else ""
            style = "display:flex;gap:10px;align-items:center;" + (
                ""
                if self.part("list_item")
                else f"padding:{pad}px 12px;{rule}" + ("background:#4a90e233;" if here else "")
            )
            item = f'<li class="{self.part("list_item")} {self.part("list_on") if here else ""}" data-t="list_item" data-on="{int(here)}" style="{style}">{first}<span style="flex:1;min-width:0">{self.text(self.words.person() if lines == 2 else self.words.said(1, 4))}{second}</span>{last}</li>'
            made += item if self.words.is_shown() else ""
        return self.card(
            f'<ul class="{self.part("list")}" style="list-style:none;padding:0;margin:0;width:{r.choice(["100%", "100%", "360px"])}">{made}</ul>'
        )

    def tree(self) -> str:
        made = ""
        for _ in range(self.r.randint(4, 9)):
            depth = self.r.choice([0, 1, 1, 2])
            made += f'<div data-t="list_item" data-on="0" style="padding:2px 4px 2px {6 + 18 * depth}px">{self.r.choice(["▸", "▾", "+", "−", ""])} {self.icon(14)} {self.text(self.words.menu())}</div>'
        return self.card(f'<div style="max-width:320px">{made}</div>')

    def toolbar(self) -> str:
        r = self.r
        look = r.choice(["ghost", "ghost", "button", "mixed", "group"])
        made = ""
        for _ in range(r.randint(4, 14)):
            pick = r.random()
            if pick < 0.08:
                made += '<span style="border-left:1px solid #8886;margin:2px 6px;align-self:stretch"></span>'
            elif pick < 0.16:
                made += f'<div style="width:{r.choice([110, 160, 220])}px">{self.select() if self.odds(0.5) else self.input()}</div>'
            elif look == "ghost" or (look == "mixed" and self.odds(0.5)):
                made += self.ghost()
            else:
                made += self.button(only_icon=self.odds(0.5), small=self.odds(0.5))
        if look == "group":
            made = (
                f'<div class="{self.part("btn_group")}">{"".join(self.button(small=True) for _ in range(r.randint(2, 5)))}</div>'
                + made
            )
        back = r.choice(["", "background:#8881;", "border-bottom:1px solid #8885;"])
        return f'<div style="display:flex;flex-wrap:wrap;gap:{r.choice([0, 2, 4, 8])}px;align-items:center;padding:{r.choice([2, 4, 8])}px;{back}">{made}</div>'

    def paragraph(self) -> str:
        made = self.heading() + "".join(
            f"<p>{self.text(self.words.sentence(8, 40))}{' ' + self.link(self.words.phrase(1, 3)) if self.odds(0.5) else ''}</p>"
            for _ in range(self.r.randint(1, 3))
        )
        if self.odds(0.3):
            made += f'<div class="{self.part("alert")}" style="padding:10px;margin:8px 0;{"" if self.part("alert") else "background:#8882;border-left:4px solid #c80"}">{self.icon(16)} {self.text(self.words.sentence())} {self.link(self.words.action()) if self.odds(0.4) else ""}</div>'
        if self.odds(0.3):
            made += (
                "<ul>"
                + "".join(
                    f"<li>{self.link(self.words.phrase(1, 5)) if self.odds(0.6) else self.text(self.words.phrase(2, 6))}</li>"
                    for _ in range(self.r.randint(2, 5))
                )
                + "</ul>"
            )
        return self.card(made, plain=0.5)

    def tiles(self) -> str:
        r = self.r
        count, hue = r.randint(2, 6), r.randint(0, 360)
        made = ""
        for _ in range(count):
            what = r.randrange(3)
            if what == 0:
                inside = f"<small>{self.text(self.words.noun())}</small><div style='font-size:{r.choice([20, 26, 34])}px;font-weight:600'>{self.text(self.words.amount())}</div>{self.icon(28) if self.odds(0.5) else ''}"
            elif what == 1:
                bars = "".join(
                    f'<div style="flex:1;height:{r.randint(10, 100)}%;background:hsl({hue},60%,55%)"></div>'
                    for _ in range(r.randint(4, 14))
                )
                inside = f'<div>{self.text(self.words.menu())}</div><div data-t="image" style="display:flex;gap:3px;align-items:flex-end;height:{r.choice([90, 140])}px">{bars}</div>'
            else:
                inside = f'<div data-t="image" style="height:{r.choice([70, 110])}px;background:linear-gradient({r.randint(0, 180)}deg,hsl({r.randint(0, 360)},50%,60%),hsl({r.randint(0, 360)},50%,40%))"></div><b>{self.text(self.words.phrase(1, 3))}</b><p>{self.text(self.words.sentence(4, 9))}</p>{self.button() if self.odds(0.6) else self.link(self.words.action())}'
            made += f'<div style="flex:1 1 {r.choice([180, 240])}px">{self.card(inside, plain=0.05)}</div>'
        return f'<div style="display:flex;flex-wrap:wrap;gap:14px">{made}</div>'

    def spreadsheet(self) -> str:
        r = self.r
        columns, rows, width, height = (
            r.randint(6, 16),
            r.randint(8, 26),
            r.choice([64, 80, 110]),
            r.choice([18, 20, 22, 26]),
        )
        at = (r.randrange(rows), r.randrange(columns))
        line = r.choice(["#ccc", "#ddd", "#8886"])
        head = f'<div style="background:#8882;border:1px solid {line};font-size:12px;text-align:center">'
        made = head + "</div>" + "".join(head + chr(65 + column) + "</div>" for column in range(columns))
        for row in range(rows):
            made += head + f"{row + 1}</div>"
            for column in range(columns):
                edge = "outline:2px solid #1a73e8;outline-offset:-2px;" if (row, column) == at else ""
                say = self.text(self.words.value()) if self.odds(0.6) else ""
                made += f'<div data-c="cell" style="border-right:1px solid {line};border-bottom:1px solid {line};overflow:hidden;white-space:nowrap;font-size:12px;padding:0 3px;{edge}">{say}</div>'
        bar = (
            f'<div style="display:flex;gap:6px;padding:3px;align-items:center"><div style="width:80px">{self.input()}</div><i>fx</i><div style="flex:1">{self.input()}</div></div>'
            if self.odds(0.6)
            else ""
        )
        return f'{bar}<div data-c="table" style="display:grid;grid-template-columns:40px repeat({columns},{width}px);grid-auto-rows:{height}px;overflow:hidden;background:{"#fff" if self.theme == "light" else "#222"}">{made}</div>'

    def images(self) -> str:
        made = "".join(
            f'<div data-t="image" style="height:{self.r.choice([80, 120, 160])}px;flex:1;background:radial-gradient(hsl({self.r.randint(0, 360)},60%,60%),hsl({self.r.randint(0, 360)},60%,30%))"></div>'
            for _ in range(self.r.randint(1, 4))
        )
        return f'<div style="display:flex;gap:10px;margin:8px 0">{made}</div>'

    def links(self) -> str:
        """Breadcrumbs, a row of links, a footer."""
        gap = self.r.choice([" / ", " › ", " | ", " · ", "&emsp;"])
        return f'<div style="padding:6px">{gap.join(self.link(self.words.menu()) for _ in range(self.r.randint(2, 6)))}</div>'

    def calendar(self) -> str:
        days = "".join(f'<span style="text-align:center;opacity:.7">{self.words.menu()[:2]}</span>' for _ in range(7))
        on, hue = self.r.randint(1, 30), self.r.randint(0, 360)
        days += "".join(
            f'<span data-t="button" data-on="{int(day == on)}" style="text-align:center;padding:5px;border-radius:4px;{f"background:hsl({hue},70%,45%);color:#fff" if day == on else ""}">{day}</span>'
            for day in range(1, 31)
        )
        return self.card(
            f'<div style="width:{self.r.choice([230, 280, 340])}px"><div style="display:flex;justify-content:space-between;align-items:center">{self.ghost(14)}<b>{self.text(self.words.noun())}</b>{self.ghost(14)}</div><div style="display:grid;grid-template-columns:repeat(7,1fr);gap:1px">{days}</div></div>'
        )
