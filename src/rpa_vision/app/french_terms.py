"""Single things the system names by a code, in words: kinds and roles of elements, ways to find them, what to do."""

from __future__ import annotations

from typing import Final

_NOUNS: Final = {
    "button": "le bouton", "link": "le lien", "checkbox": "la case", "radio": "l'option (f)", "toggle": "l'interrupteur",
    "dropdown": "la liste", "tab": "l'onglet", "menu_item": "le menu", "table_row": "la ligne", "cell": "la cellule",
    "list_item": "l'élément", "icon": "l'icône (f)", "image": "l'image (f)", "label": "le texte", "heading": "le titre",
    "dialog": "la boîte de dialogue", "slider": "le curseur", "scrollbar": "la barre de défilement", "table": "le tableau",
    "textarea": "la zone de texte", "text_area": "la zone de texte", "text_input": "le champ", "password_input": "le champ", "field": "le champ",
    "target": "la cible",
}  # fmt: skip
"""With the article; (f) where it does not tell the gender."""


def _definite(noun: str) -> str:
    return noun.removesuffix(" (f)")


def _indefinite(noun: str) -> str:
    is_feminine = noun.startswith("la ") or noun.endswith(" (f)")
    return ("une " if is_feminine else "un ") + bare(noun)


def bare(noun: str) -> str:
    """Without its article."""
    return noun.removesuffix(" (f)").removeprefix("le ").removeprefix("la ").removeprefix("l'")


KINDS: Final = {name.replace("_", between): _definite(noun) for name, noun in _NOUNS.items() for between in "_ "}
"""« le bouton »; sentences write some kinds with a space."""
A_KIND: Final = {name.replace("_", between): _indefinite(noun) for name, noun in _NOUNS.items() for between in "_ "}
"""« un bouton »."""
KIND_NAMES: Final = {name: bare(noun) for name, noun in _NOUNS.items()}
"""« bouton », as in a table."""
ROLES: Final = {
    "delete_action": "supprimer", "cancel": "annuler", "close": "fermer", "ok_button": "OK", "validate": "valider",
    "search": "rechercher", "login": "se connecter", "logout": "se déconnecter", "submit": "envoyer",
    "navigation": "navigation", "edit_action": "modifier", "create_action": "créer", "export_action": "exporter",
    "form_input": "saisie", "data_display": "affichage", "title": "titre", "dialog": "boîte de dialogue", "icon": "icône",
    "image": "image", "scroll": "défilement", "action": "action", "primary_action": "action principale",
    "unknown": "inconnu",
}  # fmt: skip
"""What an element is for."""
STRATEGIES: Final = {
    "som_text_match": ("its text", "son texte"),
    "role": ("its role", "son rôle"),
    "spatial_anchor": ("its neighbours", "ses voisins"),
    "constellation": ("landmarks around it", "les repères autour"),
    "anchor_template": ("its picture", "son image"),
    "element_look": ("its outlines", "ses contours"),
    "remembered_target": ("memory", "le souvenir"),
    "approximate_position": ("its place", "sa place"),
    "som_vlm": ("a model", "un modèle"),
    "selection_policy": ("its order, as shown", "son rang, comme montré"),
}
"""By what a target was found, in English and French."""
FAILURES: Final = {
    "TARGET_NOT_FOUND": ("target not found", "cible introuvable"),
    "POSTCONDITION_FAILED": ("the expected effect did not come", "effet absent"),
    "WATCHDOG_TIMEOUT": ("took too long", "trop long"),
    "LOW_CONFIDENCE": ("not sure enough", "pas assez sûr"),
    "RUNTIME_DRIFT": ("the screen is another", "écran différent"),
}
"""Why a step failed, in English and French."""
ERROR_KINDS: Final = {
    "generic": "erreur", "authentication": "authentification", "business_logic": "règle métier", "network": "réseau",
    "timeout": "délai dépassé", "ui_not_found": "élément introuvable",
}  # fmt: skip
"""What sort of error came in the way; in English the code says it."""
TIMINGS: Final = {
    "locate": ("locate", "reconnaître l'écran"),
    "look": ("look", "regarder"),
    "resolve": ("resolve", "trouver la cible"),
    "asked": ("asked", "question posée"),
    "last_look": ("last look", "dernier regard"),
    "act": ("act", "agir"),
    "read_again": ("read again", "relecture"),
    "verify": ("verify", "vérifier"),
    "verify_again": ("verify again", "revérifier"),
    "write_down": ("write down", "consigner"),
}
"""What a step spent its time on, in English and French."""

REMEDIES: Final = {
    "usage": "Demandez-le autrement.",
    "run.parameter": "Regardez les variables du processus : leur type et leurs exemples y sont.",
    "id.unknown": "Regardez ce qu'il y a dans la liste.",
    "document.invalid": "Restaurez ce document depuis une sauvegarde, ou retirez-le ; les autres ne sont pas touchés.",
    "workflow.edited_meanwhile": "Faites la modification sur la version en service.",
    "workflow.invalid_file": "Corrigez les lignes indiquées ; rien n'a été changé.",
    "storage.failed": "Libérez de la place sur le disque, ou vérifiez les droits.",
    "environment.missing": "« rpa-vision doctor » vérifie tout.",
    "server.forbidden": "Demandez un autre rôle à un administrateur.",
    "server.too_large": "Envoyez-en moins à la fois.",
    "server.too_many_requests": "Attendez un instant.",
    "autonomy.not_as_seen": "Regardez à nouveau les preuves, puis décidez.",
    "autonomy.not_earned": "Les preuves disent ce qui manque.",
    "autonomy.not_acknowledged": "Laissez-le tourner plus souvent sous surveillance, ou confirmez que vous l'avez vu.",
    "auto_heal.transition_refused": "Ce changement d'état n'existe pas.",
    "expression.invalid": "Corrigez la condition.",
}
"""What to do, by the code of an error (docs/errors.md)."""
