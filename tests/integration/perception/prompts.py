"""Pictures of prompts, forms and editors while somebody types, drawn by one start of Chromium."""

from __future__ import annotations

import html
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1280, 720

PROMPTS = {
    "passphrase": "user@poste:~$ ssh-add\nEnter passphrase for key '~/.ssh/id_ed25519':",
    "ssh": "user@poste:~$ ssh deploy@srv-prod-01\ndeploy@srv-prod-01.clinique-lilas.local's password:",
    "psql": "user@poste:~$ psql -h db -U admin facturation\nMot de passe pour l'utilisateur admin de la base :",
}
UNNAMED = "user@poste:~$ ./ouvrir-la-caisse\nSésame, ouvre-toi :"
TERMINALS = PROMPTS | {
    "unnamed": UNNAMED,
    "unnamed, entered": f"{UNNAMED}\nCaisse ouverte, bonjour Ana Martin.\nSolde du jour 1284,50 euros\nuser@poste:~$",
    "shell": "user@poste:~$ ",
    "shell, written": "user@poste:~$ grep -r",
}
INPUT = "<label>{}</label><br><input type={} style='font:18px sans-serif;width:400px;height:36px' value='{}'>"
PAGES = {
    "mail": ("Adresse e-mail", "text", "ana@clinique.fr"),
    "password": ("Mot de passe", "password", ""),
    "password, written": ("Mot de passe", "password", "abc"),
    "name": ("Prénom", "text", ""),
    "name, written": ("Prénom", "text", "ana"),
    "name, other": ("Prénom", "text", "Votre sésame"),
}
FIELD_AT = (600, 150)


def render(folder: Path) -> dict[str, NDArray[np.uint8]]:
    """Draw every screen."""
    screens = {name: _terminal(text) for name, text in TERMINALS.items()}
    screens |= {name: _page(INPUT.format(*fields)) for name, fields in PAGES.items()}
    file, picture = folder / "prompts.html", folder / "prompts.png"
    file.write_text("<meta charset=utf-8><body style='margin:0'>" + "".join(screens.values()), encoding="utf-8")
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as profile:
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
             "--force-device-scale-factor=1", f"--user-data-dir={profile}",
             f"--window-size={WIDTH},{HEIGHT * len(screens)}", f"--screenshot={picture}", file.as_uri()],
            capture_output=True, timeout=120, check=True,
        )  # fmt: skip
    image = cv2.imread(str(picture))
    assert image is not None
    assert image.shape[:2] == (HEIGHT * len(screens), WIDTH)
    return {name: image[at * HEIGHT : (at + 1) * HEIGHT] for at, name in enumerate(screens)}


def _terminal(text: str) -> str:
    style = f"background:#111;color:#eee;height:{HEIGHT}px;overflow:hidden"
    pre = f"<pre style='font:16px DejaVu Sans Mono;margin:0;padding:20px'>{html.escape(text)}</pre>"
    return f"<div style='{style}'>{pre}</div>"


def _page(body: str) -> str:
    inner = f"<div style='position:absolute;left:400px;top:100px;font:16px sans-serif'>{body}</div>"
    return f"<div style='height:{HEIGHT}px;background:#fff;position:relative;overflow:hidden'>{inner}</div>"
