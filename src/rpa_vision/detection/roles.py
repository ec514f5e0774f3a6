"""What an element is for, from its type and its words. French and English, by a table that people can read."""

from __future__ import annotations

from functools import lru_cache

from rpa_vision.detection.words import fold, says
from rpa_vision.models.secret_words import SECRET_PHRASES
from rpa_vision.models.ui_element import ElementType

ACTION_ROLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("delete_action", ("supprimer", "effacer", "retirer", "detruire", "corbeille", "resilier", "delete", "remove",
                       "erase", "discard")),
    ("cancel", ("annuler", "abandonner", "renoncer", "non", "ignorer", "cancel", "abort", "dismiss", "no", "skip")),
    ("close", ("fermer", "close", "quitter", "exit", "quit")),
    ("ok_button", ("ok", "d accord", "j ai compris", "compris", "got it", "entendu")),
    ("validate", ("valider", "approuver", "confirmer", "accepter", "viser", "validate", "approve", "confirm", "accept",
                  "oui", "yes")),
    ("search", ("rechercher", "chercher", "recherche", "filtrer", "trouver", "search", "find", "filter")),
    ("login", ("se connecter", "connexion", "s identifier", "ouvrir une session", "log in", "login", "sign in",
               "se reconnecter", "reconnect")),
    ("logout", ("se deconnecter", "deconnexion", "log out", "logout", "sign out")),
    ("submit", ("envoyer", "soumettre", "enregistrer", "sauvegarder", "transmettre", "payer", "regler", "appliquer",
                "publier", "submit", "send", "save", "apply", "pay", "publish", "post")),
    ("navigation", ("retour", "suivant", "suivante", "precedent", "precedente", "accueil", "page", "back", "next",
                    "previous", "home", "menu", "continuer", "continue", "ouvrir", "open", "voir", "view", "afficher",
                    "details", "detail")),
    ("edit_action", ("modifier", "editer", "edit", "rename", "renommer", "corriger")),
    ("create_action", ("ajouter", "creer", "nouveau", "nouvelle", "add", "create", "new")),
    ("export_action", ("exporter", "telecharger", "imprimer", "export", "download", "print")),
)  # fmt: skip

ROLE_OF_TYPE: dict[str, str] = {
    "text_input": "form_input", "password_input": "form_input", "textarea": "form_input", "checkbox": "form_input",
    "radio": "form_input", "toggle": "form_input", "dropdown": "form_input", "slider": "form_input",
    "link": "navigation", "tab": "navigation", "menu_item": "navigation", "list_item": "data_display",
    "table": "data_display", "table_row": "data_display", "cell": "data_display", "label": "data_display",
    "heading": "title", "dialog": "dialog", "icon": "icon", "image": "image", "scrollbar": "scroll", "button": "action",
}  # fmt: skip


@lru_cache(maxsize=16_384)
def role_of(kind: ElementType, label: str, *, stands_out: bool = False) -> str:
    """The role. `stands_out`: it is the one with the strong colour, what designers call the primary button."""
    if kind in ("button", "link", "menu_item", "tab", "icon") and label:
        for exact in (True, False):  # « Se déconnecter » is one letter pair away from « Se connecter »
            for role, phrases in ACTION_ROLES:
                if _leads(label, phrases, exact=exact):
                    return role
    if kind == "text_input" and says(label, ("rechercher", "recherche", "search", "chercher", "filtrer", "filter")):
        return "search"
    if kind == "button" and stands_out:
        return "primary_action"
    return ROLE_OF_TYPE.get(kind, "unknown")


def is_secret_label(text: str) -> bool:
    """The words beside a field say that what goes into it is nobody's business."""
    return bool(text) and says(text, SECRET_PHRASES, least=82.0)


def _leads(label: str, phrases: tuple[str, ...], *, exact: bool) -> bool:
    """What a button does comes first: « Retour à la liste », not « Tout savoir sur le retour »."""
    words = fold(label).split()
    starts = ((" ".join(words[: len(phrase.split())]), phrase) for phrase in phrases)
    return any(start == phrase if exact else says(start, (phrase,)) for start, phrase in starts)
