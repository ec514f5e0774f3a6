"""What stands around and over a page's blocks: bars, side bars, dialogs with their veil, open menus, a log-in."""

from __future__ import annotations

from factory.page_blocks import PageBlocks


class PageFrame(PageBlocks):
    """What frames a page or lies over it."""

    def navbar(self) -> str:
        on = self.r.randrange(6)
        links = ""
        for index in range(self.r.randint(2, 7)):
            here = index == on
            style = (
                ""
                if self.part("nav_link") or self.part("nav_item")
                else "padding:6px 10px;display:inline-block;text-decoration:none;color:inherit"
            )
            one = f'<a href="#" class="{self.part("nav_link")} {self.part("nav_on") if here else ""}" data-t="menu_item" data-on="{int(here)}" style="{style}">{self.text(self.words.menu())}{" ▾" if self.odds(0.15) else ""}</a>'
            links += (
                one
                if self.part("nav_bare") or self.part("nav_tag") == "div"
                else f'<li class="{self.part("nav_item")}" style="list-style:none">{one}</li>'
            )
        inner = (
            links
            if self.part("nav_bare")
            else f'<{"div" if self.part("nav_tag") == "div" else "ul"} class="{self.part("nav_list")}" style="display:flex;flex-direction:row;margin:0;padding:0">{links}</{"div" if self.part("nav_tag") == "div" else "ul"}>'
        )
        search = f'<div style="width:220px">{self.input()}</div>' if self.odds(0.3) else ""
        icons = "".join(self.ghost() for _ in range(self.r.randint(0, 4)))
        avatar = (
            f'<span data-t="button" style="width:30px;height:30px;border-radius:50%;background:hsl({self.r.randint(0, 360)},50%,55%);display:inline-block"></span>'
            if self.odds(0.4)
            else ""
        )
        back = (
            ""
            if self.part("nav")
            else self.r.choice(
                [
                    "background:#2b5797;color:#fff;",
                    "background:#222;color:#eee;",
                    "background:#8881;",
                    "border-bottom:1px solid #8885;",
                ]
            )
        )
        brand = f'<b style="padding:0 14px;font-size:1.15em">{self.text(self.words.person().split()[0])}</b>'
        return f'<nav class="{self.part("nav")}" style="display:flex;align-items:center;gap:8px;{back}">{brand}{inner}<span style="flex:1"></span>{search}{icons}{avatar}</nav>'

    def menubar(self) -> str:
        made = "".join(
            f'<span data-t="menu_item" data-on="0" style="padding:{self.r.choice([2, 3, 5])}px 9px;display:inline-block">{self.text(self.words.menu())}</span>'
            for _ in range(self.r.randint(4, 9))
        )
        return f'<div style="display:flex;background:#8881;font-size:{self.r.choice([12, 13, 14])}px">{made}</div>'

    def sidebar(self) -> str:
        r = self.r
        dark = self.odds(0.45)
        on = r.randrange(8)
        tag = self.kit.parts.get("side_tag", "ul")
        kit_side = bool(self.part("side") and not dark)
        with_icons = self.odds(0.65)
        made = ""
        for index in range(r.randint(5, 13)):
            here = index == on
            inner = (self.icon(16) + " " if with_icons else "") + self.text(self.words.menu())
            if self.odds(0.12):
                inner += f'<span style="float:right">{r.choice(["›", "▾", "3", "12"])}</span>'
            if self.odds(0.08):
                made += f'<li style="list-style:none;opacity:.6;padding:10px 12px 2px;font-size:.8em">{self.text(self.words.menu().upper())}</li>'
            if kit_side and self.part("side_item") and not self.part("side_link"):
                made += f'<li class="{self.part("side_item")} {self.part("side_on_item") if here else ""}" data-t="menu_item" data-on="{int(here)}">{inner}</li>'
                continue
            style = (
                ""
                if kit_side
                else f"display:block;padding:{r.choice([5, 8, 11]) if index == 0 else self._pad}px 14px;text-decoration:none;color:inherit;"
                + ("background:#4a90e255;border-left:3px solid #4a90e2;" if here else "")
            )
            if index == 0 and not kit_side:
                self._pad = int(style.split("padding:")[1].split("px")[0])
            one = f'<a href="#" class="{self.part("side_link") if kit_side else ""} {self.part("side_on") if kit_side and here else ""}" data-t="menu_item" data-on="{int(here)}" style="{style}">{inner}</a>'
            made += (
                one
                if tag == "div"
                else f'<li class="{self.part("side_item") if kit_side else ""} {self.part("side_on_item") if kit_side and here else ""}" style="list-style:none">{one}</li>'
            )
        look = (
            "background:#263238;color:#dde;"
            if dark
            else r.choice(["", "background:#8881;", "border-right:1px solid #8884;"])
        )
        head = f'<div style="padding:14px"><b>{self.text(self.words.person())}</b></div>' if self.odds(0.5) else ""
        return f'<aside style="width:{r.choice([170, 210, 250, 290])}px;flex:none;{look}">{head}<{tag} class="{self.part("side") if kit_side else ""}" style="padding:0;margin:0;width:100%">{made}</{tag}></aside>'

    def dialog(self) -> str:
        r = self.r
        shade, width = r.choice([0.2, 0.35, 0.5, 0.5, 0.65]), r.choice([340, 420, 520, 680, 860])
        self.side_labels, self.gap, self.label_px, self.label_side = False, 8, 120, "left"
        inside = r.choice(
            [
                lambda: f"<p>{self.text(self.words.sentence(6, 20))}</p>",
                lambda: "".join(self.field() for _ in range(r.randint(2, 6))),
            ]
        )()
        close = (
            f'<button type="button" class="{self.part("close")}" data-t="button" style="margin-left:auto"></button>'
            if self.part("close") and self.kit.name != "foundation" and self.odds(0.8)
            else f'<span style="margin-left:auto">{self.ghost(14)}</span>'
            if self.odds(0.6)
            else ""
        )
        head = f'<div class="{self.part("dialog_head")}" style="display:flex;align-items:center;gap:10px"><span class="{self.part("dialog_title")}" style="font-weight:600" data-t="heading">{self.text(self.words.phrase(1, 4))}</span>{close}</div>'
        foot = f'<div class="{self.part("dialog_foot")}" style="display:flex;gap:8px;justify-content:{r.choice(["flex-end", "flex-end", "center", "space-between"])};padding-top:10px">{"".join(self.button() for _ in range(r.randint(1, 3)))}</div>'
        solid = "" if self.part("dialog") else "padding:16px;border-radius:6px;"
        back = "#fff;color:#222" if self.theme == "light" else "#333;color:#eee"
        left, top = r.choice([50, 50, 50, 40, 60]), r.choice([50, 50, 35, 30])
        veil = (
            f'<div style="position:fixed;inset:0;background:rgba(0,0,0,{shade});z-index:5000"></div>'
            if self.odds(0.85)
            else ""
        )
        return f'{veil}<div class="{self.part("dialog")}" data-c="dialog" style="position:fixed;z-index:5001;left:{left}%;top:{top}%;transform:translate(-50%,-50%);width:{width}px!important;max-width:95%;display:block;background:{back};box-shadow:0 4px 24px #0006;opacity:1;visibility:visible;{solid}">{head}<div class="{self.part("dialog_body")}">{inside}</div>{foot}</div>'

    def open_menu(self) -> str:
        r = self.r
        with_icons, short = self.odds(0.4), self.odds(0.3)
        made = ""
        for _ in range(r.randint(3, 11)):
            if self.odds(0.12):
                made += '<div style="border-top:1px solid #8886;margin:4px 0"></div>'
            style = "display:block;text-decoration:none;color:inherit;" + (
                ""
                if self.part("menu_item") or self.part("menu_li")
                else f"padding:{r.choice([3, 5, 8]) if not made else 5}px 14px"
            )
            keys = (
                f'<span style="float:right;opacity:.6;padding-left:24px">Ctrl+{r.choice("NOSPZXCVF")}</span>'
                if short
                else ""
            )
            one = f'<a href="#" class="{self.part("menu_item")}" data-t="menu_item" data-on="0" style="{style}">{self.icon(14) + " " if with_icons else ""}{self.text(self.words.action())}{keys}</a>'
            made += (
                f'<div class="{self.part("menu_li")}" style="padding:0">{one}</div>' if self.part("menu_li") else one
            )
        back = "#fff;color:#222" if self.theme == "light" else "#333;color:#eee"
        return f'<div style="position:fixed;z-index:6000;left:{r.randint(2, 70)}%;top:{r.randint(3, 50)}%;min-width:{r.choice([150, 200, 260])}px;background:{back};box-shadow:0 2px 10px #0005;border:1px solid #8886"><div class="{self.part("menu")}" style="position:static;display:block;opacity:1;visibility:visible;transform:none;width:auto;max-height:none;margin:0;float:none">{made}</div></div>'

    def toast(self) -> str:
        return f'<div style="position:fixed;z-index:7000;right:16px;{self.r.choice(["top", "bottom"])}:16px;padding:12px 18px;border-radius:6px;background:{self.r.choice(["#323232", "#2e7d32", "#c62828", "#1565c0"])};color:#fff">{self.text(self.words.sentence(3, 8))} {self.ghost(12)}</div>'

    def login(self) -> str:
        self.side_labels, self.gap, self.label_px, self.label_side = False, 10, 120, "left"

        def label() -> str:
            return f'<label class="{self.part("label")}">{self.text(self.words.label())}</label>'

        inside = f'{self.heading(2)}<div style="margin:8px 0">{label()}{self.input()}</div><div style="margin:8px 0">{label()}{self.input("password_input")}</div>{self.mark("checkbox", self.odds(0.5), "r", self.words.phrase(2, 4))}<div style="margin-top:12px">{self.button(extra="style=width:100%" if self.odds(0.5) else "")}</div><p>{self.link(self.words.phrase(2, 4))}</p>'
        return f'<div style="width:{self.r.choice([320, 380, 460])}px;margin:{self.r.choice([20, 60, 120])}px auto">{self.card(inside, plain=0.1)}</div>'
