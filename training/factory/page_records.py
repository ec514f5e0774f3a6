"""Pages on which people work through records: lists whose numbers or names lead to a record, and the record itself.

Words in colour are the whole question here: an identity in the first column leads somewhere, a state or an overdue
amount in another column does not, and both may be drawn alike but for the hue.
"""

from __future__ import annotations

from factory.page_boards import BoardPage

BACK = {
    "fr": ("Retour", "Retour à la liste", "Toutes les factures", "Liste des dossiers", "Précédent", "Annuler"),
    "en": ("Back", "Back to list", "All invoices", "All records", "Previous", "Cancel"),
}
TONES = ("#1a8f4a", "#c62828", "#b26a00", "#2e7d32", "#d9534f", "#5a3e9b", "#888")
"""The colours in which states and amounts are told."""


class RecordsPage(BoardPage):
    """A list of records, or one record."""

    WITH_SIDE = 0.4

    def blocks(self) -> list[str]:
        r = self.r
        self.kind = r.choice(["records", "records", "record"])
        lead = [self.records] if self.kind == "records" else [self.record]
        rest = [
            self.records,
            self.record,
            self.figures,
            self.form,
            self.links,
            self.foot,
            self.states_table,
            self.way_on,
        ]
        top = [self.way_back] if self.odds(0.8) else [self.head] if self.odds(0.6) else []
        return [block() for block in top + lead + r.choices(rest, [5, 5, 3, 3, 2, 2, 3, 6], k=r.randint(0, 3))]

    def way_back(self) -> str:
        """A line of its own that leads to where one came from."""
        words = self.r.choice(BACK[self.lang]) if self.odds(0.6) else self.text(self.words.phrase(1, 4))
        sign = self.r.choice(["← ", "← ", "‹ ", "« ", "", "", self.icon(12) + " "])
        return self._alone(sign + words)

    def way_on(self) -> str:
        """Lines of their own that lead on."""
        signs = ["", "", "", " →", " ›", " »"]
        return "".join(
            self._alone(self.text(self.words.action()) + self.r.choice(signs)) for _ in range(self.r.randint(1, 3))
        )

    def _alone(self, words: str) -> str:
        bare = self.r.choice(["", "text-decoration:none", "text-decoration:none"])
        leads = f'<a href="#" data-t="link" style="{bare}">{words}</a>'
        beside = f" {self.text(self.words.phrase(1, 4))}" if self.odds(0.15) else ""
        return f'<p style="margin:{self.r.choice([0.2, 0.5, 1])}em 0">{leads}{beside}</p>'

    def toned(self, words: str) -> str:
        """Coloured words that lead nowhere."""
        bold = self.r.choice(["", "font-weight:700;", "font-weight:600;"])
        return f'<span style="{bold}color:{self.tone}">{self.text(words)}</span>'

    def records(self) -> str:
        r = self.r
        rows, columns = r.randint(4, 22), r.randint(3, 7)
        identity = r.choice([self.words.code, self.words.code, self.words.person, lambda: str(r.randint(100, 99999))])
        bare = r.choice(["text-decoration:none", "text-decoration:none", ""]) + r.choice(["", "", ";font-weight:600"])
        leads = r.choice([True, True, True, False])
        kinds = [r.choice(["value"] * 5 + ["badge", "tone"]) for _ in range(columns)]
        th, td, tr = self.part("th"), self.part("td"), self.part("row")
        at = r.choice([0, 0, 0, 1])
        deed = r.choice(["", "", "", "button", "link"])
        head = "".join(f'<th class="{th}">{self.text(self.words.noun())}</th>' for _ in range(columns + 1))
        body = ""
        for _ in range(rows):
            cells = []
            for kind in kinds:
                self.tone = r.choice(TONES)
                made = {
                    "value": lambda: self.text(self.words.value()),
                    "badge": self.badge,
                    "tone": lambda: self.toned(r.choice([self.words.state, self.words.amount])()),
                }[kind]()
                cells.append(f'<td class="{td}">{made}</td>')
            says = self.text(identity())
            named = f'<a href="#" data-t="link" style="{bare}">{says}</a>' if leads else says
            cells.insert(at, f'<td class="{td}">{named}</td>')
            if deed:
                end = self.button(small=True) if deed == "button" else self.link(self.words.action())
                cells.append(f'<td class="{td}" style="white-space:nowrap">{end}</td>')
            body += f'<tr class="{tr}" data-c="table_row">{"".join(cells)}</tr>'
        small = r.choice(["", "", "font-size:13px;", "line-height:1.2;"])
        table = f'<table class="{self.part("table")} own-table" data-c="table" style="width:{r.choice(["100%", "100%", "auto"])};{small}"><thead class="{self.part("thead")}"><tr>{head}{"<th></th>" if deed else ""}</tr></thead><tbody class="{self.part("tbody")}">{body}</tbody></table>'
        search = f'<div style="display:flex;gap:10px;margin-bottom:8px">{self.input()}{self.button()}</div>'
        return self.card((search if self.odds(0.5) else "") + table + (self.pages() if self.odds(0.4) else ""))

    def record(self) -> str:
        """What is known of one: names and values, now and then a value that leads to another record."""
        r = self.r
        made = ""
        for _ in range(r.randint(4, 12)):
            self.tone = r.choice(TONES)
            value = self.words.value()
            pick = r.random()
            told = self.link(value) if pick < 0.2 else self.toned(value) if pick < 0.4 else self.text(value)
            made += f'<div style="opacity:.8">{self.text(self.words.label())}</div><div>{told}</div>'
        deeds = " ".join(self.button() for _ in range(r.randint(0, 3)))
        title = f'<h2 data-t="heading" style="{self.r.choice(["", "", f"color:{self.hue()}"])}">{self.text(self.words.noun())} {self.text(self.words.code())}</h2>'
        return self.card(
            f'{title}<div style="display:grid;grid-template-columns:{r.choice(["160px 1fr", "1fr 1fr", "220px 1fr"])};gap:{r.choice([2, 6, 10])}px 14px">{made}</div><div style="margin-top:12px">{deeds}</div>'
        )
