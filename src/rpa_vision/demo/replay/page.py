"""The form, served by itself: what was done to it is told by the page, not by the robot."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlparse


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing to do: a text into a field, or a click, and what the page shows then."""

    label: str
    kind: str
    text: str = ""
    shows: str = ""


DEEDS: Final = (
    Deed("Nom", "text_input", "Lefèvre"),
    Deed("Prénom", "text_input", "Éloïse"),
    Deed("Urgent", "checkbox"),
    Deed("Date de naissance", "text_input", "02/03/1984"),
    Deed("Courriel", "text_input", "eloise.lefevre@exemple.fr"),
    Deed("Vérifier", "button", shows="Identité vérifiée"),
    Deed("Téléphone", "text_input", "06 12 34 56 78"),
    Deed("Adresse", "text_input", "12 rue des Écoles"),
    Deed("Ville", "text_input", "Besançon"),
    Deed("Patient connu", "checkbox"),
    Deed("Localiser", "button", shows="Adresse localisée"),
    Deed("Montant", "text_input", "1250,50"),
    Deed("Référence", "text_input", "FAC-2026-00042"),
    Deed("Calculer", "button", shows="Montant calculé"),
    Deed("Chèque", "radio"),
    Deed("Copie au patient", "checkbox"),
    Deed("Aperçu", "button", shows="Document prêt"),
    Deed("Commentaire", "text_input", "Déjà réglé à la réception"),
    Deed("Prévenir", "button", shows="Secrétariat prévenu"),
    Deed("Classer", "button", shows="Dossier classé"),
    Deed("Imprimer", "button", shows="Impression lancée"),
    Deed("Archiver", "button", shows="Copie archivée"),
    Deed("Relire", "button", shows="Relecture terminée"),
    Deed("Signer", "button", shows="Signature posée"),
    Deed("Terminer", "button", shows="Merci, tout est enregistré"),
)

_PAGE = """<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Dossier patient</title><style>
body{font:16px "DejaVu Sans",sans-serif;margin:24px 40px;background:#fff;color:#111}
h1{font-size:24px;margin:0 0 16px}main{display:grid;grid-template-columns:1fr 1fr 1fr;gap:14px 60px;max-width:1700px}
.field{display:flex;flex-direction:column;gap:4px}.field input{font:inherit;padding:7px 9px;border:1px solid #666;
border-radius:3px;width:360px;outline:none}.box{display:flex;align-items:center;gap:8px;height:44px}
.box input{width:20px;height:20px;margin:0}button{font:inherit;padding:9px 20px;border:1px solid #444;border-radius:4px;
background:#e8ecf2;justify-self:start;align-self:center}#said{margin-top:22px;line-height:1.7}
</style></head><body><h1>Dossier patient</h1><main id="form"></main><div id="said"></div><script>
const deeds=DEEDS, rename=RENAME, form=document.getElementById("form"), said=document.getElementById("said"), did=[];
const all=q=>[...document.querySelectorAll(q)];
const tell=()=>fetch("/did",{method:"POST",body:JSON.stringify({did,
values:Object.fromEntries(all("input[type=text]").map(i=>[i.name,i.value])),ticked:all("input:checked").map(i=>i.name)})});
for(const d of deeds){const name=rename[d.label]||d.label;let e;
if(d.kind==="text_input"){e=document.createElement("label");e.className="field";e.innerHTML=
`<span>${name}</span><input type="text" name="${d.label}" autocomplete="off" spellcheck="false">`;
e.querySelector("input").oninput=tell}
else if(d.kind==="button"){e=document.createElement("button");e.textContent=name;
e.onclick=()=>{did.push(d.label);tell();if(d.label==="Terminer"){document.title="Terminé";document.body.innerHTML=`<h1>${d.shows}</h1>`}
else{const p=document.createElement("div");p.textContent=d.shows;said.append(p)}}}
else{e=document.createElement("label");e.className="box";e.innerHTML=
`<input type="${d.kind==="radio"?"radio":"checkbox"}" name="${d.label}"><span>${name}</span>`;
e.querySelector("input").onchange=()=>{did.push(d.label);tell()}}
form.append(e)}
</script></body></html>"""


class FormServer:
    """Serves the form on a port of its own; `truth` is what the page last told of itself."""

    def __init__(self) -> None:
        self.truth: dict[str, Any] = {"did": [], "values": {}, "ticked": []}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self._thread = threading.Thread(target=self._server.serve_forever, name="form", daemon=True)

    def url(self, **rename: str) -> str:
        """The address of the form; names in it are changed as told: `Vérifier=Contrôler`."""
        query = "&".join(f"{old}={new}" for old, new in rename.items())
        return f"http://127.0.0.1:{self._server.server_address[1]}/?{query}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, form: FormServer, *arguments: Any) -> None:
        self._form = form
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """The page."""
        rename = {old: new[0] for old, new in parse_qs(urlparse(self.path).query).items()}
        deeds = [{"label": d.label, "kind": d.kind, "shows": d.shows} for d in DEEDS]
        page = _PAGE.replace("DEEDS", json.dumps(deeds)).replace("RENAME", json.dumps(rename))
        self._answer(page.encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """What was done."""
        self._form.truth = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._answer(b"{}", "application/json")

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
