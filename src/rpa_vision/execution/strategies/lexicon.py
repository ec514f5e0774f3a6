"""Words that mean the same on a control, in French and English: « Valider » may be called « Approuver » tomorrow.

Only whole labels are compared. A group holds words for one deed; « Supprimer » and « Annuler » are never in one, nor is
anything with its opposite. Words that name several deeds (« OK ») are in no group with a verb.
"""

from __future__ import annotations

from typing import Final

from rpa_vision.graph.vocabulary import letters

_GROUPS: Final = (
    "valider|approuver|accepter|confirmer|validate|approve|accept|confirm",
    "enregistrer|sauvegarder|sauver|save|store",
    "supprimer|effacer|delete|remove|retirer|enlever",
    "annuler|abandonner|cancel|abort",
    "modifier|éditer|editer|edit|modify|change|changer",
    "rechercher|chercher|recherche|trouver|search|find|look up",
    "fermer|quitter|close|exit|dismiss|quit",
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
    "copier|copy|dupliquer|duplicate",
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
    return first is not None and first == _MEANINGS.get(_read(other))
