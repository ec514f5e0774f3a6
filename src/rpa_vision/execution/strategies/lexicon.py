"""Words that mean the same on a control, in French and English: « Valider » may be called « Approuver » tomorrow.

Only whole labels are compared. A group holds words for one deed; « Supprimer » and « Annuler » are never in one, nor
are « Supprimer » and « Effacer », « Copier » and « Dupliquer », « Fermer » and « Quitter », nor is anything with its
opposite. Words that name several deeds (« OK ») are in no group with a verb. In sentences and titles
a deed is known by the stem of its word (« Facture 12 validée », « Facture 12 approuvée »); what was done is told from
what is to be done, and every other word counts.
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
_STEMS: Final = (
    ("approve", "valid|approuv|approb|approv|accept|confirm"),
    ("save", "enregistr|sauvegard|save|saving"),
    ("delete", "supprim|suppress|delet"),
    ("erase", "effac|eras"),
    ("remove", "retir|retrai|enlev|remov"),
    ("cancel", "annul|abandon|cancel"),
    ("edit", "modif|edit"),
    ("search", "recherch|cherch|search"),
    ("close", "ferm|clos"),
    ("send", "envoy|transm|send|submit|soum"),
    ("refuse", "refus|rejet|reject|declin|deny|denied"),
    ("add", "ajout|add|crea|cree"),
    ("print", "impri|print"),
    ("archive", "archiv"),
)
_STEM_OF: Final = tuple((deed, re.compile(f"(?:{stems})(?P<rest>[a-z]*)$")) for deed, stems in _STEMS)
_DONE: Final = re.compile(r"(e|ee|es|ees|ed|ated|te|tes)$")
_IDLE: Final = frozenset(["la", "le", "les", "l", "de", "du", "des", "d", "un", "une", "the", "of", "oui", "yes"])
"""Words that say nothing about what is meant."""
_LOOK_ALIKES = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})


def _read(text: str) -> str:
    """The letters, with those as one that no reader can tell apart."""
    return letters(text).translate(_LOOK_ALIKES)


_MEANINGS: Final[dict[str, int]] = {
    _read(word): number for number, group in enumerate(_GROUPS) for word in group.split("|")
}


def same_meaning(one: str, other: str) -> bool:
    """Say whether two labels are other words for one thing."""
    first = _MEANINGS.get(_read(one))
    return (first is not None and first == _MEANINGS.get(_read(other))) or same_gist(one, other)


@lru_cache(maxsize=16_384)
def gist(text: str) -> tuple[str, ...]:
    """What counts of a text: its words in any order, deeds by what they mean and whether they are done; its numbers."""
    said = folded(text)
    words = [word for word in re.findall(r"[a-z]+", said) if word not in _IDLE and (len(word) > 1 or word == "a")]
    numbers = re.findall(r"[0-9]+", said)
    return (*sorted({_meant(word) for word in words}), " ".join(numbers))


def same_gist(one: str, other: str) -> bool:
    """Say whether two texts tell the same of the same deed, in other words."""
    first = gist(one)
    return any(word.startswith(_DEED) for word in first) and first == gist(other)


def names_a_deed(text: str) -> bool:
    """Say whether a text names anything that is done, so that it is known what it would do."""
    return _MEANINGS.get(_read(text)) is not None or any(word.startswith(_DEED) for word in gist(text))


_DEED: Final = "="


def _meant(word: str) -> str:
    for deed, stem in _STEM_OF:
        found = stem.match(word)
        if found is not None:
            return f"{_DEED}{deed}{' done' if _DONE.match(found['rest']) else ''}"
    return word
