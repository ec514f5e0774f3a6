"""What `render_pairs.py` writes: other names, names that are too long, and what dialogs ask.

Whoever tunes on the earlier splits has read their questions; those of a split that is scored were written for it and
are asked nowhere else.
"""

from __future__ import annotations

SYNONYMS = {
    "fr": "Valider=Approuver|Enregistrer=Sauvegarder|Supprimer=Effacer|Modifier=Éditer|Rechercher=Chercher|"
    "Fermer=Quitter|"
    "Ajouter=Nouveau|Annuler=Abandonner|Envoyer=Transmettre|Imprimer=Impression|Aide=Assistance|Accueil=Page d’accueil|"
    "Continuer=Poursuivre|Retour=Précédent|Télécharger=Récupérer|Paramètres=Réglages|Connexion=Se connecter",
    "en": "Save=Store|Submit=Send|Delete=Remove|Edit=Modify|Search=Find|Close=Dismiss|Add=New|Cancel=Abort|Send=Submit|"
    "Help=Support|Home=Start page|Continue=Proceed|Back=Previous|Settings=Preferences|Sign in=Log in|Approve=Validate|"
    "Confirm=Approve|Download=Get file|Next=Continue",
}
SIBLINGS = {
    "fr": ("{} tout", "{} et fermer", "Ne pas {}", "{} la sélection"),
    "en": ("{} all", "{} and close", "Do not {}", "{} selection"),
}

Question = tuple[str, str]
"""The title of the dialog, and what it asks."""

YES = {"fr": ("Valider", "Oui", "Confirmer", "OK", "Continuer"), "en": ("Approve", "Yes", "Confirm", "OK", "Continue")}
NO = {"fr": ["Annuler", "Fermer"], "en": ["Cancel", "Close"]}

_EARLIER: dict[str, tuple[Question, ...]] = {
    "fr": (
        ("Facture", "Valider la facture du mois de mars ?"),
        ("Contrat", "Résilier le contrat de ce client ?"),
        ("Suppression", "Supprimer définitivement tout le dossier ?"),
        ("Paiement", "Envoyer le paiement à la banque ?"),
        ("Modifications", "Enregistrer les modifications avant de quitter ?"),
        ("Utilisateurs", "Fermer la session de tous les utilisateurs ?"),
    ),
    "en": (
        ("Invoice", "Approve the invoice for March?"),
        ("Contract", "Cancel the contract of this customer?"),
        ("Deletion", "Delete the whole folder for good?"),
        ("Payment", "Send the payment to the bank?"),
        ("Changes", "Save the changes before leaving?"),
        ("Users", "Close the session of all users?"),
    ),
}
_LATER: dict[str, tuple[Question, ...]] = {
    "fr": (
        ("Congés", "Accepter la demande de congés de cette personne ?"),
        ("Congés", "Refuser la demande de congés de cette personne ?"),
        ("Stock", "Remettre le stock à zéro pour cet entrepôt ?"),
        ("Livraison", "Reporter la livraison à la semaine prochaine ?"),
        ("Message", "Transmettre ce message à toute l’équipe ?"),
        ("Mot de passe", "Réinitialiser le mot de passe du compte ?"),
        ("Fusion", "Fusionner les deux fiches en une seule ?"),
        ("Réservation", "Libérer la salle réservée demain matin ?"),
        ("Sauvegarde", "Restaurer la sauvegarde de la nuit dernière ?"),
        ("Remboursement", "Rembourser les frais de déplacement ?"),
    ),
    "en": (
        ("Leave", "Grant the leave this person asked for?"),
        ("Leave", "Decline the leave this person asked for?"),
        ("Stock", "Set the stock of this warehouse to zero?"),
        ("Delivery", "Put the delivery off until next week?"),
        ("Message", "Forward this message to the whole team?"),
        ("Password", "Reset the password of this account?"),
        ("Merge", "Merge both records into one?"),
        ("Booking", "Give back the room booked for tomorrow?"),
        ("Backup", "Restore the backup of last night?"),
        ("Refund", "Refund the travel expenses?"),
    ),
}
_FINAL: dict[str, tuple[Question, ...]] = {
    "fr": (
        ("Abonnement", "Suspendre l’abonnement de ce client ?"),
        ("Abonnement", "Renouveler l’abonnement de ce client ?"),
        ("Rendez-vous", "Déplacer le rendez-vous à jeudi ?"),
        ("Facture", "Marquer cette facture comme réglée ?"),
        ("Compte", "Bloquer le compte pendant trente jours ?"),
        ("Dossier", "Partager ce dossier avec le cabinet ?"),
        ("Tarif", "Appliquer le nouveau tarif à tous les articles ?"),
        ("Session", "Prolonger la session d’une heure ?"),
        ("Courrier", "Classer ce courrier sans suite ?"),
        ("Export", "Écraser le fichier exporté hier ?"),
    ),
    "en": (
        ("Subscription", "Suspend the subscription of this customer?"),
        ("Subscription", "Renew the subscription of this customer?"),
        ("Appointment", "Move the appointment to Thursday?"),
        ("Invoice", "Mark this invoice as paid?"),
        ("Account", "Lock the account for thirty days?"),
        ("Folder", "Share this folder with the practice?"),
        ("Prices", "Apply the new prices to every article?"),
        ("Session", "Extend the session by one hour?"),
        ("Mail", "File this letter without an answer?"),
        ("Export", "Overwrite the file exported yesterday?"),
    ),
}
_LATEST: dict[str, tuple[Question, ...]] = {
    "fr": (
        ("Contrat", "Résilier le contrat à la fin du mois ?"),
        ("Contrat", "Prolonger le contrat d’une année ?"),
        ("Machine", "Arrêter la machine après ce lot ?"),
        ("Échantillon", "Envoyer l’échantillon au laboratoire ?"),
        ("Caisse", "Clôturer la caisse de ce magasin ?"),
        ("Certificat", "Révoquer le certificat de ce poste ?"),
        ("Inscription", "Confirmer l’inscription de cet élève ?"),
        ("Trajet", "Attribuer le trajet à un autre chauffeur ?"),
        ("Archive", "Détruire les archives de l’an dernier ?"),
        ("Avoir", "Émettre un avoir pour cette livraison ?"),
    ),
    "en": (
        ("Contract", "Terminate the contract at the end of the month?"),
        ("Contract", "Prolong the contract by one year?"),
        ("Machine", "Stop the machine after this batch?"),
        ("Sample", "Send the sample to the laboratory?"),
        ("Till", "Close the till of this shop?"),
        ("Certificate", "Revoke the certificate of this computer?"),
        ("Enrolment", "Confirm the enrolment of this pupil?"),
        ("Trip", "Give the trip to another driver?"),
        ("Archive", "Destroy the archives of last year?"),
        ("Credit", "Issue a credit note for this delivery?"),
    ),
}
_AFRESH: dict[str, tuple[Question, ...]] = {
    "fr": (
        ("Devis", "Convertir ce devis en commande ferme ?"),
        ("Devis", "Déclarer ce devis perdu ?"),
        ("Véhicule", "Immobiliser le véhicule jusqu’au contrôle ?"),
        ("Ordonnance", "Renouveler l’ordonnance pour six mois ?"),
        ("Appel", "Mettre cet appel en attente ?"),
        ("Budget", "Geler le budget du deuxième semestre ?"),
        ("Badge", "Désactiver le badge de ce visiteur ?"),
        ("Colis", "Retourner le colis à l’expéditeur ?"),
        ("Planning", "Publier le planning de la semaine ?"),
        ("Candidature", "Écarter la candidature de cette personne ?"),
    ),
    "en": (
        ("Quote", "Turn this quote into a firm order?"),
        ("Quote", "Declare this quote lost?"),
        ("Vehicle", "Keep the vehicle off the road until it is inspected?"),
        ("Prescription", "Renew the prescription for six months?"),
        ("Call", "Put this call on hold?"),
        ("Budget", "Freeze the budget of the second half of the year?"),
        ("Badge", "Switch off the badge of this visitor?"),
        ("Parcel", "Return the parcel to its sender?"),
        ("Schedule", "Publish the schedule of the week?"),
        ("Application", "Turn down the application of this person?"),
    ),
}
_ANEW: dict[str, tuple[Question, ...]] = {
    "fr": (
        ("Sinistre", "Indemniser ce sinistre sans expertise ?"),
        ("Sinistre", "Mandater un expert pour ce sinistre ?"),
        ("Bail", "Donner congé au locataire de ce logement ?"),
        ("Adhésion", "Radier cet adhérent de l’association ?"),
        ("Sonde", "Étalonner la sonde de température ?"),
        ("Chantier", "Lever les réserves de ce chantier ?"),
        ("Prêt", "Prolonger le prêt de cet ouvrage ?"),
        ("Capteurs", "Couper l’alarme de tous les capteurs ?"),
        ("Vote", "Ouvrir le vote aux actionnaires absents ?"),
        ("Brevet", "Abandonner le dépôt de ce brevet ?"),
    ),
    "en": (
        ("Claim", "Settle this claim without an inspection?"),
        ("Claim", "Appoint an expert for this claim?"),
        ("Lease", "Give notice to the tenant of this flat?"),
        ("Membership", "Strike this member off the association?"),
        ("Probe", "Calibrate the temperature probe?"),
        ("Building site", "Lift the reservations about this site?"),
        ("Loan", "Lend this book for another month?"),
        ("Sensors", "Silence the alarm of every sensor?"),
        ("Vote", "Open the vote to absent shareholders?"),
        ("Patent", "Give up filing this patent?"),
    ),
}
_OWN = {"later": _LATER, "final": _FINAL, "latest": _LATEST, "afresh": _AFRESH, "anew": _ANEW}


def questions_of(split: str, lang: str) -> tuple[Question, ...]:
    """What is asked in a split, in a language."""
    return _OWN.get(split, _EARLIER)[lang]
