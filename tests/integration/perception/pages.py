"""Pictures of made-up applications with the truth from the browser: what is written where, and which control is what.

All screens are stacked in one tall page, so that one start of Chromium draws them all and one more tells the truth.
"""

from __future__ import annotations

import html
import json
import random
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1920, 1080
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Page:
    name: str
    image: NDArray[np.uint8]
    texts: list[tuple[str, Box]]
    controls: list[tuple[str, str, Box]]
    """Kind, name (label or text), box."""

    def control(self, kind: str, name: str) -> Box:
        return next(box for k, n, box in self.controls if (k, n) == (kind, name))


def render(folder: Path) -> dict[str, Page]:
    """Draw every screen. Raises when Chromium does."""
    sections = build()
    names = list(sections)
    page = folder / "pages.html"
    page.write_text(_document(sections), encoding="utf-8")
    base = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-device-scale-factor=1",
        f"--window-size={WIDTH},{HEIGHT * len(names)}",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as profile:
        command = [*base, f"--user-data-dir={profile}"]
        picture = folder / "pages.png"
        subprocess.run(
            [*command, f"--screenshot={picture}", page.as_uri()], capture_output=True, timeout=120, check=True
        )
        dom = subprocess.run(
            [*command, "--dump-dom", page.as_uri()], capture_output=True, timeout=120, check=True, text=True
        ).stdout
    found = re.search(r'id="truth">(.*?)</script>', dom, re.S)
    assert found is not None, "the page did not tell its truth"
    truth = json.loads(html.unescape(found.group(1)))
    image = cv2.imread(str(picture))
    assert image is not None
    assert image.shape[:2] == (HEIGHT * len(names), WIDTH)
    pages = {}
    for index, screen in enumerate(names):
        top = index * HEIGHT
        texts = [(t, (x1, y1 - top, x2, y2 - top)) for t, x1, y1, x2, y2 in truth["texts"] if top <= y1 < top + HEIGHT]
        controls = [
            (kind, name, (x1, y1 - top, x2, y2 - top))
            for kind, name, x1, y1, x2, y2 in truth["controls"]
            if top <= y1 < top + HEIGHT
        ]
        pages[screen] = Page(screen, np.ascontiguousarray(image[top : top + HEIGHT]), texts, controls)
    return pages


def build() -> dict[str, str]:
    """The screens, by name."""
    return {
        "list_light": _invoices("light", seed=1, rows=22),
        "list_light_3_cells": _invoices("light", seed=1, rows=22, changed=True),
        "list_light_other": _invoices("light", seed=5, rows=22),
        "list_dark": _invoices("dark", seed=2, rows=22),
        "list_contrast": _invoices("contrast", seed=3, rows=20),
        "list_small": _invoices("small", seed=4, rows=34),
        "login_light": _login("light"),
        "login_dark": _login("dark"),
        "login_placeholder": _login("light", placeholder=True),
        "detail_light": _detail("light"),
        "detail_dark": _detail("dark"),
        "detail_contrast": _detail("contrast"),
        "dialog_light": _invoices("light", seed=1, rows=22, modal=True),
        "dialog_dark": _invoices("dark", seed=2, rows=22, modal=True),
        "settings_english": _settings(),
        "title_bars": _title_bars(),
    }


PEOPLE = [
    "LEFÈVRE Élodie", "Müller François", "GARÇON Noël", "Béranger Hélène", "D'Hôtel Gaëtan", "Nuñez Inès",
    "Côté Jérôme", "PÂRIS Aïcha", "Maître Zoé", "Prévôt Anaïs", "Lemaître Benoît", "Château Loïc", "Fauré Océane",
    "Dupré-Lacoste Maëlle", "Guérin Sébastien", "Hébert Clémence", "Évrard Thérèse", "Rocher Mickaël",
]  # fmt: skip
ACTS = ["Consultation spécialisée", "Contrôle annuel", "Soins infirmiers à domicile", "Séance de kinésithérapie",
        "Radiographie du thorax", "Bilan d'orthoptie"]  # fmt: skip
STATES = ["À valider", "Validée", "Échec", "Réglée", "En attente", "Rejetée", "À vérifier"]
HEADS = ["N° facture", "Date", "Patient", "Acte", "Organisme", "Montant", "Reste dû", "Statut"]
FUNDS = ["MGEN", "CPAM de l'Hérault", "Harmonie Mutuelle", "Malakoff Humanis", "CPAM du Rhône"]


def _amount(rng: random.Random) -> str:
    value = rng.choice([rng.uniform(5, 99), rng.uniform(100, 2500)])
    return f"{value:,.2f}".replace(",", "\u202f").replace(".", ",") + " €"


def _rows(seed: int, count: int) -> list[list[str]]:
    rng = random.Random(seed)
    return [
        [f"FAC-2026-{rng.randint(100, 99999):05d}", f"{rng.randint(1, 28):02d}/{rng.randint(1, 12):02d}/2026",
         rng.choice(PEOPLE), rng.choice(ACTS), rng.choice(FUNDS), _amount(rng), _amount(rng), rng.choice(STATES)]
        for _ in range(count)
    ]  # fmt: skip


def _top(app: str = "Clinique des Tilleuls") -> str:
    entries = "".join(f"<span data-k=menu_item>{e}</span>" for e in ["Accueil", "Patients", "Règlements", "Paramètres"])
    return f"<div class=top><b>{app}</b>{entries}<span style='margin-left:auto'>Dr Agnès Lévêque</span></div>"


def _invoices(theme: str, *, seed: int, rows: int, changed: bool = False, modal: bool = False) -> str:
    data = _rows(seed, rows)
    if changed:
        data[3][7], data[7][5], data[15][2] = "Refusée", "1\u202f999,99 €", "Nouvelle Patiente"
    body = _top() + (
        "<div class=main><h2 data-k=heading>Factures à traiter</h2><div class=bar>"
        "<input data-k=text_input data-n='Rechercher une facture' placeholder='Rechercher une facture'>"
        "<button data-k=button>Rechercher</button><button class=sec data-k=button>Réinitialiser</button>"
        "<button class=sec data-k=button>Exporter (CSV)</button></div><table><tr>"
        + "".join(f"<th>{head}</th>" for head in HEADS)
        + "</tr>"
    )
    for row in data:
        cells = [f"<a href=# data-k=link>{row[0]}</a>", *map(html.escape, row[1:])]
        body += "<tr>" + "".join(f"<td class=c{i}>{cell}</td>" for i, cell in enumerate(cells)) + "</tr>"
    body += "</table><div class=foot>Page 1 sur 8 — 187 éléments, total : 24\u202f815,60 €</div></div>"
    if modal:
        body += (
            "<div class=shade></div><div class=dialog data-k=dialog data-n='Confirmer la validation'>"
            "<h3>Confirmer la validation</h3>"
            "<p>La facture de FRANÇOIS d'un montant de 1\u202f050,78 € sera validée.</p>"
            "<div class=bar><button data-k=button>Confirmer</button>"
            "<button class=sec data-k=button>Annuler</button></div></div>"
        )
    return _section(theme, body)


def _login(theme: str, *, placeholder: bool = False) -> str:
    def field(kind: str, label: str, value: str = "") -> str:
        shown = f"placeholder='{label}'" if placeholder else f"value='{value}'"
        secret = "type=password" if kind == "password_input" else ""
        head = "" if placeholder else f"<label>{label}</label>"
        return f"{head}<input {secret} {shown} data-k={kind} data-n='{label}'>"

    body = (
        "<div class=card><h2 data-k=heading>Connexion</h2>"
        + field("text_input", "Identifiant", "claire.fontaine")
        + field("password_input", "Mot de passe")
        + "<div class=check><input type=checkbox data-k=checkbox data-n='Se souvenir de moi'>Se souvenir de moi</div>"
        + "<div class=bar><button data-k=button>Se connecter</button></div>"
        + "<a href=# data-k=link>Mot de passe oublié ?</a></div>"
    )
    return _section(theme, body)


def _detail(theme: str) -> str:
    fields = [("Numéro", "FAC-2026-00123"), ("Patient", "LEFÈVRE Élodie"), ("Montant", "1\u202f050,78 €"),
              ("Échéance", "30/11/2026"), ("Organisme", "CPAM de l'Hérault"), ("Référence", "")]  # fmt: skip
    grid = "".join(
        f"<label>{name}</label><input value='{html.escape(value, quote=True)}' data-k=text_input data-n='{name}'>"
        for name, value in fields
    )
    body = _top() + (
        "<div class=main><a href=# data-k=link>Retour à la liste</a><h2 data-k=heading>Facture FAC-2026-00123</h2>"
        f"<div class=grid>{grid}<label>Remarques</label><textarea data-k=textarea data-n=Remarques></textarea></div>"
        "<div class=bar><button data-k=button>Valider</button><button class=sec data-k=button>Réémettre</button>"
        "<button class=danger data-k=button>Supprimer définitivement</button></div>"
        "<p class=note>Le dossier a été créé le 3 février à 9 h 15. Où l'on indique « à régler », il reste un dû.</p>"
        "<p class=note>Dernière opération : échec de l'envoi, délai dépassé (code E-1047).</p></div>"
    )
    return _section(theme, body)


def _title_bars() -> str:
    """What windows are called, as window managers draw it: shaded paper, light or dark letters with a shadow."""
    looks = [
        ("linear-gradient(#a0c0e8,#7fa4d4)", "#fff", "1px 1px 0 rgba(0,0,0,.5)"),
        ("linear-gradient(#5a6b7c,#39444f)", "#eef", "0 -1px 0 rgba(0,0,0,.7)"),
        ("linear-gradient(#f4f4f4,#c4c8cc)", "#333", "0 1px 0 rgba(255,255,255,.8)"),
        ("linear-gradient(#2d2d30 0%,#2d2d30 48%,#1a1a1c 52%,#1a1a1c 100%)", "#ccc", "none"),
        ("linear-gradient(#e0e4e8,#d0d4d8)", "#9a9ea2", "none"),
    ]
    titles = ["Connexion — Clinique des Lilas", "Facture FAC-2026-00188 — Clinique des Lilas", "Règlements à vérifier",
              "Échéancier 2026", "Total : 1\u202f537,39 €"]  # fmt: skip
    bars = "".join(
        f"<div style='display:flex;gap:60px;padding:0 8px;height:{round(1.8 * size)}px;"
        f"line-height:{round(1.8 * size)}px;"
        f"background:{paper};color:{ink};text-shadow:{shadow};font-size:{size}px;border-bottom:1px solid #345'>"
        + "".join(f"<span>{title}</span>" for title in titles)
        + "</div><div style='height:8px;background:#fff'></div>"
        for paper, ink, shadow in looks
        for size in (11, 12, 13, 15)
    )
    return f"<div class=light>{bars}</div>"


def _settings() -> str:
    checks = "".join(
        f"<div class=check><input type=checkbox {on} data-k=checkbox data-n='{name}'>{name}</div>"
        for name, on in [("Send a weekly report", "checked"), ("Notify by email", ""), ("Archive old invoices", "")]
    )
    radios = "".join(
        f"<div class=check><input type=radio name=r {on} data-k=radio data-n='{name}'>{name}</div>"
        for name, on in [("Every day", ""), ("Every week", "checked"), ("Never", "")]
    )
    body = (
        "<div class=main><h2 data-k=heading>Account settings</h2><div class=grid>"
        "<label>Full name</label><input value='Jane Doe' data-k=text_input data-n='Full name'>"
        "<label>New password</label><input type=password value=abcdefghij data-k=password_input data-n='New password'>"
        "<label>Language</label><select data-k=dropdown data-n=Language><option>English</option></select></div>"
        f"{checks}<h2>Frequency</h2>{radios}<div class=bar><button data-k=button>Save changes</button>"
        "<button class=sec data-k=button>Cancel</button><button class=danger data-k=button>Delete account</button>"
        "<button disabled data-k=button>Publish</button></div></div>"
    )
    return _section("light", body)


def _section(theme: str, body: str) -> str:
    return f"<section class={theme}>{body}</section>"


def _document(sections: dict[str, str]) -> str:
    body = "".join(sections.values())
    return f"<!doctype html><meta charset=utf-8><style>{CSS}</style>{body}<script>{SCRIPT}</script>"


CSS = """
*{box-sizing:border-box}body{margin:0}
section{position:relative;width:1920px;height:1080px;overflow:hidden;font:14px 'Liberation Sans',sans-serif;
 --page:#f4f6f8;--text:#1f2933;--line:#d5dbe3;--panel:#fff;--key:#1e5aa8;--on:#fff;--head:#e8eef5;--edge:#9aa5b1;
 background:var(--page);color:var(--text)}
.dark{--page:#16181d;--text:#d7dae0;--line:#30343c;--panel:#1f232a;--key:#3b82f6;--head:#262b33;--edge:#5a6270}
.contrast{--page:#000;--text:#fff;--line:#fff;--panel:#000;--key:#ffd400;--on:#000;--head:#000;--edge:#fff}
.small{font-size:11px;font-family:'DejaVu Sans'}
.top{background:var(--key);color:var(--on);padding:12px 20px;display:flex;gap:28px;align-items:center;height:48px}
.main{position:absolute;left:40px;top:70px;right:40px}h2{font-size:22px;margin:8px 0 14px}.bar{display:flex;gap:12px;
 margin:14px 0}
button{font:inherit;background:var(--key);color:var(--on);border:1px solid var(--key);border-radius:4px;
 padding:8px 16px}
.sec{background:var(--panel);color:var(--key)}.danger{background:#b00020;color:#fff;border-color:#b00020}
button:disabled{background:#eceff2;color:#b4bcc5;border-color:#dde2e7}
input:not([type=checkbox]):not([type=radio]),textarea,select{font:inherit;color:var(--text);background:var(--panel);
 border:1px solid var(--edge);border-radius:4px;padding:8px 10px;width:320px}textarea{height:90px;width:480px}
table{border-collapse:collapse;width:100%;background:var(--panel)}
td,th{border-bottom:1px solid var(--line);padding:9px 10px;text-align:left;white-space:nowrap}
.small td,.small th{padding:6px 8px}th{background:var(--head)}.c5,.c6{text-align:right}.c7{color:#0a6b2d;
 font-weight:bold}
.dark .c7{color:#5fd38d}.contrast .c7{color:#fff}
a{color:#1e5aa8}.dark a{color:#8ab4f8}.contrast a{color:#ffd400}.foot{margin-top:8px}
.card{position:absolute;left:730px;top:260px;width:460px;background:var(--panel);border:1px solid var(--line);
 border-radius:8px;padding:30px;display:flex;flex-direction:column;gap:8px}.card input:not([type=checkbox]){width:100%}
.card label{margin-top:8px}.grid{display:grid;grid-template-columns:180px 520px;gap:12px;align-items:center}
.check{margin:10px 0;display:flex;gap:8px;align-items:center}.check input{width:15px;height:15px;margin:0}
.shade{position:absolute;inset:0;background:#0008}.dialog{position:absolute;left:700px;top:380px;width:520px;
 background:var(--panel);border-radius:8px;padding:24px;box-shadow:0 6px 30px #0008}.dialog h3{margin:0 0 10px;
 font-size:18px}
"""

SCRIPT = """
window.onload=function(){const texts=[],controls=[];let n;
const free=(x,y,p)=>{const e=document.elementFromPoint(x,y);return !e||p.contains(e)||e.contains(p)};
const walker=document.createTreeWalker(document.body,NodeFilter.SHOW_TEXT);
while(n=walker.nextNode()){const p=n.parentElement;if(p.closest('script,style,select'))continue;const t=n.textContent;
 const lines=[];for(let i=0;i<t.length;i++){const r=document.createRange();r.setStart(n,i);r.setEnd(n,i+1);
  const b=r.getClientRects()[0];if(!b)continue;let L=lines[lines.length-1];
  if(!L||Math.abs(L.y1-b.top)>4){L={t:'',x1:b.left,y1:b.top,x2:b.right,y2:b.bottom};lines.push(L)}
  L.t+=t[i];L.x2=Math.max(L.x2,b.right);L.y2=Math.max(L.y2,b.bottom)}
 for(const L of lines){const s=L.t.trim(),y=(L.y1+L.y2)/2;
  if(s&&free(L.x1+2,y,p)&&free(L.x2-2,y,p))texts.push([s,L.x1,L.y1,L.x2,L.y2])}}
for(const e of document.querySelectorAll('input:not([type=password]):not([type=checkbox]):not([type=radio])')){
 const b=e.getBoundingClientRect(),s=e.value||e.placeholder;
 if(s&&free(b.left+5,b.top+5,e))texts.push([s,b.left+11,b.top+8,b.left+11+7*s.length,b.bottom-8])}
for(const e of document.querySelectorAll('[data-k]')){const b=e.getBoundingClientRect();
 if(free((b.left+b.right)/2,(b.top+b.bottom)/2,e))
  controls.push([e.dataset.k,e.dataset.n||e.textContent.trim(),b.left,b.top,b.right,b.bottom])}
const s=document.createElement('script');s.type='application/json';s.id='truth';
s.textContent=JSON.stringify({texts,controls});document.body.appendChild(s)}
"""
