"""Words that mean the same on a control, in French and English: « Valider » may be called « Approuver » tomorrow.

Only whole labels are compared. A group holds words for one deed; « Supprimer » and « Annuler » are never in one, nor
are « Supprimer » and « Effacer », « Copier » and « Dupliquer », « Fermer » and « Quitter », nor is anything with its
opposite. Words that name several deeds (« OK ») are in no group with a verb. In sentences and titles
a deed is known by the forms of its word (« Facture 12 validée », « Facture 12 approuvée »); what was done is told from
what is to be done, and every other word counts, each single letter and sign too: « lot B » is not « lot C ».
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.wording import folded

_GROUPS: Final = (
    "valider|approuver|accepter|confirmer|validate|approve|accept|confirm",
    "enregistrer|sauvegarder|sauver|save|store",
    "supprimer|delete",
    "effacer|erase|clear",
    "retirer|enlever|remove",
    "annuler|abandonner|cancel|abort",
    "modifier|éditer|editer|edit|modify|change|changer",
    "rechercher|chercher|recherche|trouver|search|find|look up",
    "fermer|close",
    "quitter|exit|quit",
    "ignorer|dismiss",
    "ajouter|nouveau|nouvelle|créer|add|new|create",
    "envoyer|transmettre|soumettre|send|submit",
    "imprimer|impression|print",
    "aide|assistance|support|help",
    "accueil|page d’accueil|home|start page|home page",
    "suivant|suivante|étape suivante|continuer|poursuivre|next|continue|proceed",
    "retour|précédent|précédente|revenir|back|previous",
    "télécharger|récupérer|download|get file",
    "téléverser|importer un fichier|upload",
    "importer|import|importation",
    "exporter|export|exportation",
    "paramètres|réglages|préférences|options|configuration|settings|preferences",
    "connexion|se connecter|s’identifier|s'identifier|sign in|log in|login|connect",
    "déconnexion|se déconnecter|sign out|log out|logout|disconnect",
    "ouvrir|open",
    "afficher|voir|consulter|show|view|display",
    "masquer|cacher|hide",
    "copier|copy",
    "dupliquer|duplicate",
    "coller|paste",
    "actualiser|rafraîchir|recharger|refresh|reload",
    "appliquer|apply",
    "réinitialiser|remettre à zéro|reset",
    "refuser|rejeter|décliner|reject|decline|deny|refuse",
    "payer|régler|pay",
    "filtrer|filtre|filtres|filter|filters",
    "trier|sort",
    "tout sélectionner|select all",
    "partager|share",
    "archiver|archive",
    "terminer|finir|finish|done",
    "oui|yes",
    "non|no",
    "utilisateurs|users",
    "utilisateur|user|identifiant|username|user name|nom d’utilisateur",
    "mot de passe|password|code secret",
    "courriel|e-mail|email|adresse e-mail|email address|mail",
    "téléphone|phone|telephone|tél",
    "adresse|address",
    "nom|last name|surname|nom de famille",
    "prénom|first name|given name",
    "date|jour",
    "montant|amount|somme",
    "facture|invoice",
    "factures|invoices",
    "tableau de bord|dashboard",
    "commentaire|remarque|note|comment|remark",
    "motif|raison|reason",
)
_KIN: Final = (
    ("supprimer|delete", "effacer|erase|clear", "retirer|enlever|remove"),
    ("quitter|exit|quit", "fermer|close", "ignorer|dismiss"),
)
"""Deeds that only resemble each other, the gravest first: a later one may be the new name of an earlier one where
nothing else changed."""
_FORMS: Final[dict[str, tuple[str, str]]] = {
    "er": ("er ez", "e ee es ees"),
    "e": ("e es ing", "ed"),
    "s": (" s ing", "ed"),
    "ate": ("ate ates ating", "ated"),
    "ation": ("ation ations", ""),
    "ement": ("ement ements", ""),
    "al": ("al als", ""),
}
"""Endings of words that name a deed: of what is to be done, and of what was done (accents are gone: « validé »)."""
_STEMS: Final = (
    ("approve", "valid+er+ate+ation approuv+er approb+ation approv+e+al accept+er+s+ation confirm+er+s+ation"),
    ("save", "enregistr+er+ement sauvegard+er sav+e"),
    ("delete", "supprim+er delet+e"),
    ("erase", "effac+er+ement eras+e"),
    ("remove", "retir+er enlev+er+ement remov+e+al"),
    ("cancel", "annul+er+ation abandonn+er cancel+s+ation cancell+s+ation"),
    ("edit", "modifi+er edit+er+s"),
    ("search", "recherch+er cherch+er search+s"),
    ("close", "ferm+er clos+e"),
    ("send", "envoy+er send+s submit+s submitt+s"),
    ("refuse", "refus+er+e+al rejet+er reject+s declin+er+e"),
    ("add", "ajout+er add+s cre+er+ate+ation"),
    ("print", "imprim+er print+s"),
    ("archive", "archiv+er+e"),
)
_OTHER_FORMS: Final = (
    ("delete", "suppression suppressions deletion deletions", ""),
    ("remove", "retrait retraits", ""),
    ("cancel", "abandon abandons", ""),
    ("edit", "modification modifications modify modifies modifying", "modified"),
    ("search", "searches", ""),
    ("close", "fermeture closure", ""),
    ("send", "envoi envois soumettre transmettre transmission submission",
     "sent soumis soumise soumises transmis transmise transmises"),
    ("refuse", "refus rejet rejets rejection refusal deny denies denying", "denied"),
    ("add", "ajout ajouts addition", ""),
    ("print", "impression impressions", ""),
    ("archive", "archivage", ""),
)  # fmt: skip
_DEED: Final = "="
_ELISION: Final = re.compile(r"\b(?:[cdjlmnst]|qu)['’]")
_IDLE: Final = frozenset(["la", "le", "les", "de", "du", "des", "un", "une", "the", "of", "oui", "yes"])
"""Words that say nothing about what is meant."""
_STILL_TO: Final = frozenset(["a", "to"])
_SIGN: Final = re.compile(r"(?<![a-z0-9])[+\-−](?=[0-9])|(?<=[a-z0-9])[+\-−*#](?![a-z0-9])|[<>%&@€$£]")
"""Signs that make another thing of a word or a number: « A+ » is not « A- », nor « -500 » « 500 »; a hyphen is none."""
_LOOK_ALIKES = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})


def _read(text: str) -> str:
    """The letters, with those as one that no reader can tell apart."""
    return letters(text).translate(_LOOK_ALIKES)


def _deeds() -> dict[str, str]:
    """Every word that names a deed, and what it means; closed, so that an address is nothing that is added."""
    named: dict[str, str] = {}
    for deed, stems in _STEMS:
        for stem, *forms in (written.split("+") for written in stems.split()):
            for due, done in (_FORMS[form] for form in forms):
                named.update({stem + ending: f"{_DEED}{deed} done" for ending in done.split()})
                named.update({stem + ending: f"{_DEED}{deed}" for ending in due.split(" ")})
    for deed, due, done in _OTHER_FORMS:
        named.update(dict.fromkeys(due.split(), f"{_DEED}{deed}"))
        named.update(dict.fromkeys(done.split(), f"{_DEED}{deed} done"))
    return named


_DEEDS: Final = _deeds()
_MEANINGS: Final[dict[str, int]] = {
    _read(word): number for number, group in enumerate(_GROUPS) for word in group.split("|")
}


_KINDRED: Final[dict[str, tuple[int, int]]] = {
    _read(word): (number, rank)
    for number, ranks in enumerate(_KIN)
    for rank, group in enumerate(ranks)
    for word in group.split("|")
}


def is_kindred(said: str, was: str) -> bool:
    """Say whether a label names a deed of the same kind as it did, and no graver one. They are no synonyms: it is
    enough only for what stands in the very place, where nothing else changed."""
    (kind, rank), (old, old_rank) = (_KINDRED.get(_read(one), (-1, -1)) for one in (said, was))
    return kind >= 0 and kind == old and rank >= old_rank


def meaning_of(label: str) -> int:
    """The group of words for one thing that a label is in, by its number; -1 where it is in none."""
    return _MEANINGS.get(_read(label), -1)


def same_meaning(one: str, other: str) -> bool:
    """Say whether two labels are other words for one thing."""
    first = _MEANINGS.get(_read(one))
    return (first is not None and first == _MEANINGS.get(_read(other))) or same_gist(one, other)


@lru_cache(maxsize=16_384)
def gist(text: str) -> tuple[str, ...]:
    """What counts of a text: its words in any order, deeds by what they mean and whether they are done; its numbers."""
    said = _ELISION.sub("", folded(text))
    words = [word for word in re.findall(r"[a-z]+", said) if word not in _IDLE]
    numbers, signs = re.findall(r"[0-9]+", said), _SIGN.findall(said)
    return (*sorted({_DEEDS.get(word, word) for word in words}), " ".join(numbers), "".join(signs))


def same_gist(one: str, other: str) -> bool:
    """Say whether two texts tell the same of the same deed, in other words."""
    first = gist(one)
    return any(word.startswith(_DEED) for word in first) and first == gist(other)


def names_deed_of(label: str, text: str) -> bool:
    """Say whether a label names, with whatever else, the deed that a text names: « Supprimer la ligne », « delete »."""
    deed = {word for word in gist(text) if word}
    named = any(word.startswith(_DEED) for word in deed) and deed <= set(gist(label))
    return named or any(same_meaning(part, text) for part in (label, *_ELISION.sub("", folded(label)).split()))


def names_a_deed(text: str) -> bool:
    """Say whether a text names anything that is done, so that it is known what it would do."""
    return _MEANINGS.get(_read(text)) is not None or any(word.startswith(_DEED) for word in gist(text))


def deeds_in(text: str) -> frozenset[str]:
    """The deeds that a text names, to be done or done, in whatever words."""
    return frozenset(word for word in gist(text) if word.startswith(_DEED))


def is_due(text: str) -> bool:
    """Say whether a text tells that something is still to be done: « À valider », « to approve »."""
    first, _, rest = folded(text).partition(" ")
    return first in _STILL_TO and any(word.startswith(_DEED) for word in gist(rest))
