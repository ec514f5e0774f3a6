"""What the rest of the system says in English, said in French too: why something waits, what it needs, how it ended.

The API and the command line speak English; a page takes their sentences and says them in the language of its reader.
What is not known here is shown as it was said.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

_SAYINGS: Final = (
    (r"nobody works on display (\S+): start `(.+)`", r"personne ne travaille sur l'écran \1 : lancez « \2 »"),
    (r"next on (\S+), after (\S+)", r"suivante sur \1, après \2"),
    (r"one run is before it on (\S+)", r"une exécution passe avant, sur \1"),
    (r"(\d+) runs are before it on (\S+)", r"\1 exécutions passent avant, sur \2"),
    (r"about to begin", r"sur le point de commencer"),
    (r"paused by a person", r"mise en pause par une personne"),
    (r"everything is paused by (.+?) \((.*)\)", r"tout est en pause, par \1 (\2)"),
    (r"the workflow is paused", r"le processus est en pause"),
    (r"the workflow is rollback", r"le processus revient à une version antérieure"),
    (r"the workflow is quarantined until (.+)", r"le processus est en quarantaine jusqu'au \1"),
    (r"the workflow is quarantined", r"le processus est en quarantaine"),
    (r"(\d+) rows in a row did not complete: look why, then release the file",
     r"\1 lignes de suite n'ont pas abouti : regardez pourquoi, puis libérez le fichier"),
    (r"the workflow was not allowed to run \((.*)\): then release the file",
     r"le processus n'avait pas le droit de tourner (\1) : libérez ensuite le fichier"),
    (r"taken out of the queue by (.+)", r"retirée de la file par \1"),
    (r"stopped by a person", r"arrêtée par une personne"),
    (r"all (\d+) steps verified", r"les \1 étapes sont vérifiées"),
    (r"its worker died or was cut off while it ran: look at the screen, nobody knows how far it came",
     r"son exécutant est mort ou a été coupé en route : regardez l'écran, personne ne sait où elle en était"),
    (r"a person: rpa-vision workflows approve .*", r"attend votre accord"),
    (r"a person: rpa-vision heal .*", r"attend qu'une personne le libère"),
    (r"(\d+) more observed runs?", r"encore \1 exécutions observées"),
    (r"(\d+) more assisted runs?", r"encore \1 exécutions assistées"),
    (r"(\d+) more supervised runs?", r"encore \1 exécutions supervisées"),
    (r"at least (\d+ ?%) like what was learned", r"au moins \1 de ressemblance avec ce qui a été appris"),
    (r"can be kept", r"peut être gardé"),
    (r"no such button on the screen", r"ce bouton n'est pas à l'écran"),
    (r"(\d+) MiB free", r"\1 Mio libres"),
    (r"(\d+) demonstrations", r"\1 démonstrations"),
)  # fmt: skip
_KNOWN: Final = tuple((re.compile(english), french) for english, french in _SAYINGS)
_MOMENT: Final = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)")


def in_french(text: str) -> str:
    """A sentence of the system in French; parts between semicolons each for itself."""
    return "; ".join(_part(part) for part in text.split("; "))


def readable_moments(text: str, *, french: bool) -> str:
    """The same with times as people write them, in the server's time zone."""
    form = "%d/%m/%Y %H:%M" if french else "%Y-%m-%d %H:%M"
    return _MOMENT.sub(lambda found: datetime.fromisoformat(found[0]).astimezone().strftime(form), text)


def _part(text: str) -> str:
    for english, french in _KNOWN:
        found = english.fullmatch(text)
        if found is not None:
            return found.expand(french)
    return text
