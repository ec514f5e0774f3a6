"""What an element is for in somebody's work: `validate_invoice`, `invoice_row`, `patient_name_field`.

A business role is a subject (what the screen is about) joined to what the element does to it or shows of it. Subjects
and aspects come from a French and English table that people can read; the words of the element itself come before
those of its column, its dialog, the heading and the window title. Where the words name no subject, there is none.
"""

from __future__ import annotations

from functools import lru_cache

from rpa_vision.detection.words import fold, says
from rpa_vision.models.ui_element import FIELD_TYPES

SUBJECTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("invoice", ("facture", "factures", "facturation", "invoice", "invoices", "bill", "bills", "fac")),
    ("patient", ("patient", "patients", "patiente", "patientes")),
    ("payment", ("reglement", "reglements", "paiement", "paiements", "payment", "payments")),
    ("order", ("commande", "commandes", "order", "orders")),
    ("customer", ("client", "clients", "cliente", "customer", "customers")),
    ("supplier", ("fournisseur", "fournisseurs", "supplier", "suppliers", "vendor", "vendors")),
    ("appointment", ("rendez vous", "rdv", "appointment", "appointments")),
    ("contract", ("contrat", "contrats", "contract", "contracts")),
    ("product", ("produit", "produits", "article", "articles", "product", "products", "item", "items")),
    ("user", ("utilisateur", "utilisateurs", "user", "users", "compte", "comptes", "account", "accounts")),
    ("ticket", ("ticket", "tickets", "incident", "incidents", "demande", "demandes", "request", "requests")),
    ("document", ("document", "documents", "fichier", "fichiers", "file", "files", "dossier", "dossiers")),
)  # fmt: skip
ASPECTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("date", ("date", "echeance", "jour", "due date", "day", "cree le", "created")),
    ("amount", ("montant", "total", "prix", "reste du", "solde", "somme", "amount", "price", "balance", "sum")),
    ("status", ("statut", "etat", "status", "state")),
    ("number", ("numero", "n", "no", "reference", "ref", "code", "id", "identifiant", "number", "identifier")),
    ("name", ("nom", "prenom", "nom complet", "name", "full name", "first name", "last name", "libelle", "title")),
    ("address", ("adresse", "ville", "code postal", "address", "city", "zip", "postcode")),
    ("phone", ("telephone", "tel", "portable", "phone", "mobile")),
    ("email", ("email", "e mail", "mail", "courriel", "adresse mail")),
)  # fmt: skip
VERBS: dict[str, str] = {
    "validate": "validate", "delete_action": "delete", "submit": "submit", "search": "search", "cancel": "cancel",
    "create_action": "create", "edit_action": "edit", "export_action": "export", "primary_action": "process",
}  # fmt: skip
_ACTORS = frozenset({"button", "link", "menu_item", "icon"})
_SHOWN = frozenset({"cell", "label", "link"})


@lru_cache(maxsize=4096)
def subject_of(words: str) -> str | None:
    """What these words are about; where they name two things, the one named first."""
    folded = f" {fold(words)} "
    found = [
        (folded.index(f" {phrase} "), subject)
        for subject, phrases in SUBJECTS
        for phrase in phrases
        if f" {phrase} " in folded
    ]
    return min(found)[1] if found else None


@lru_cache(maxsize=4096)
def aspect_of(words: str) -> str | None:
    """What of something these words name: its amount, its date."""
    return next((aspect for aspect, phrases in ASPECTS if says(words, phrases)), None)


@lru_cache(maxsize=16_384)  # the same elements stand on every screen
def business_roles(kind: str, role: str, label: str, column_title: str, about: tuple[str, ...]) -> tuple[str, ...]:
    """The business roles of an element. `about`: what stands around it, the nearest first; `label` of a row is ''."""
    around = next((subject for words in about if (subject := subject_of(words)) is not None), None)
    if kind in _ACTORS and role in VERBS:
        subject = subject_of(label) or around
        return (f"{VERBS[role]}_{subject}",) if subject is not None else ()
    if kind == "table_row":
        return (f"{around}_row",) if around is not None else ()
    if kind in FIELD_TYPES or (kind in _SHOWN and column_title):
        named = _named(label if kind in FIELD_TYPES else column_title, around)
        return () if named is None else (named, f"{named}_field") if kind in FIELD_TYPES else (named,)
    return ()


def _named(words: str, around: str | None) -> str | None:
    own, aspect = subject_of(words), aspect_of(words)
    if own is not None:
        return f"{own}_{aspect or 'name'}"
    return f"{around}_{aspect}" if around is not None and aspect is not None else None
