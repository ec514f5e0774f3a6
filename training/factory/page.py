"""A generated web page: structure from the layout seed, words from the content seed, look from a kit.

Every control is marked where it is made (`data-t`, its type; `data-on`, checked or selected), so that the truth does not
depend on how a kit builds it. The layout draws from its own source of chance and never from the words':
pages of one layout seed have the same structure whatever they say.
"""

from __future__ import annotations

import random

from factory.icons import icon_sheet
from factory.kits import PROCEDURAL
from factory.own_style import own_style
from factory.page_frame import PageFrame

WEB_FONTS = {
    "roboto": "Roboto", "open-sans": "Open Sans", "lato": "Lato", "inter": "Inter", "noto-sans": "Noto Sans", "source-sans-3": "Source Sans 3",
    "ibm-plex-sans": "IBM Plex Sans", "pt-sans": "PT Sans", "ubuntu": "Ubuntu", "fira-sans": "Fira Sans", "nunito": "Nunito", "poppins": "Poppins",
    "montserrat": "Montserrat", "work-sans": "Work Sans", "raleway": "Raleway", "merriweather": "Merriweather", "cantarell": "Cantarell",
    "public-sans": "Public Sans", "jetbrains-mono": "JetBrains Mono",
}  # fmt: skip
SYSTEM_FONTS = (
    "DejaVu Sans",
    "Liberation Sans",
    "Liberation Serif",
    "Carlito",
    "Noto Sans",
    "Cantarell",
    "FreeSans",
    "DejaVu Sans Mono",
)


class Page(PageFrame):
    """A whole page."""

    WITH_SIDE = 0.45
    """How often there is a bar at the side."""

    def blocks(self) -> list[str]:
        r = self.r

        def settings() -> str:
            return self.card(
                "".join(
                    self.mark("toggle", self.odds(0.5), "t", self.words.phrase(2, 6)) for _ in range(r.randint(3, 9))
                )
            )

        everything = [
            self.form,
            self.table,
            self.tabs,
            self.paragraph,
            self.list_block,
            self.toolbar,
            self.tiles,
            self.images,
            self.tree,
            self.links,
            settings,
            self.calendar,
            self.spreadsheet,
        ]
        weights = [26, 18, 12, 9, 10, 9, 6, 2, 4, 4, 4, 2, 2]
        lead = {"form": [self.form], "table": [self.toolbar, self.table], "list": [self.list_block, self.list_block], "dashboard": [self.tiles, self.tiles, self.table], "settings": [self.tabs, settings, self.form],
                "mail": [self.toolbar, self.list_block, self.paragraph], "grid": [self.toolbar, self.spreadsheet], "login": [self.login]}.get(self.kind, [])  # fmt: skip
        rest = 0 if self.kind in ("login", "grid") else r.randint(0, 3) if lead else r.randint(2, 6)
        return [block() for block in lead + r.choices(everything, weights, k=rest)]

    def render(self, base: str) -> str:
        """The whole page; `base` is where style sheets are served."""
        r = self.r
        sheets = [f"{base}/{sheet}" for sheet in self.kit.css] + (
            [f"{base}/{sheet}"] if (sheet := icon_sheet(self.icons)) else []
        )
        style = own_style(random.Random(f"style-{self._own}"), self.theme) if self.kit is PROCEDURAL else self.kit.extra
        if self.kit is PROCEDURAL or self.odds(0.3):
            if self.odds(0.7):
                name = r.choice(sorted(WEB_FONTS))
                sheets += [f"{base}/@fontsource/{name}/400.css", f"{base}/@fontsource/{name}/700.css"]
                family = WEB_FONTS[name]
            else:
                family = r.choice(SYSTEM_FONTS)
            style += f'body,button,input,select,textarea{{font-family:"{family}",sans-serif}}'
        if self.kit is not PROCEDURAL and self.odds(0.25):
            style += f"body{{font-size:{r.choice([12, 13, 14, 15, 17])}px}}"
        blocks, columns = self.blocks(), r.choice([1, 1, 2, 2, 3])
        main = (
            f'<div style="display:grid;grid-template-columns:repeat({columns},minmax(0,1fr));gap:18px;align-items:start">{"".join(f"<div>{block}</div>" for block in blocks)}</div>'
            if columns > 1 and len(blocks) > 1
            else "".join(blocks)
        )
        side = self.sidebar() if self.odds(self.WITH_SIDE) else ""
        top = (
            (self.menubar() if self.odds(0.25) else "")
            + (self.navbar() if self.odds(0.6) else "")
            + (self.toolbar() if self.odds(0.2) else "")
        )
        over = self.dialog() if self.kind == "dialog" or self.odds(0.1) else ""
        over += self.open_menu() if self.kind == "menu" or self.odds(0.07) else ""
        over += self.toast() if self.odds(0.06) else ""
        foot = f'<footer style="padding:8px;opacity:.85">{self.links()}</footer>' if self.odds(0.2) else ""
        dark = self.kit.dark
        attr = (
            f'data-bs-theme="{self.theme}" data-theme="{self.theme}" data-coreui-theme="{self.theme}"'
            if dark == "attr"
            else ""
        )
        body_class = dark.split(":")[1] if dark.startswith("class:") and self.theme == "dark" else ""
        padding, most, middle = (
            r.choice([6, 12, 20, 32]),
            r.choice(["none", "none", "none", "1140px", "900px"]),
            r.choice(["0", "0 auto"]),
        )
        framed = f'<main style="flex:1;min-width:0;padding:{padding}px;max-width:{most};margin:{middle}">{main}</main>'
        links = "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)
        still = "*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important;scroll-behavior:auto!important}"
        return (
            f'<!doctype html><html lang="{self.lang}" {attr} class="{body_class}"><head><meta charset="utf-8">{links}<style>{style}{still}</style></head><body class="{body_class}">'
            f"{self.laid_out(top, side, framed)}{foot}{over}</body></html>"
        )

    def laid_out(self, top: str, side: str, main: str) -> str:
        """The bar of the top over all."""
        return f'{top}<div style="display:flex;align-items:stretch;min-height:60vh">{side}{main}</div>'
