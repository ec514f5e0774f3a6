"""What generated screens say: labels, actions, values and sentences in French and English, from one seeded source."""

from __future__ import annotations

import random

_ACTIONS = {
    "fr": "Valider|Annuler|Enregistrer|Supprimer|Modifier|Ajouter|Nouveau|Fermer|OK|Rechercher|Imprimer|Exporter|Importer"
    "|Suivant|Précédent|Envoyer|Télécharger|Appliquer|Réinitialiser|Connexion|Se déconnecter|Créer un dossier|Payer"
    "|Enregistrer et fermer|Générer la facture|Approuver|Refuser|Dupliquer|Archiver|Actualiser|Filtrer|Voir le détail"
    "|Ajouter une ligne|Afficher plus|Joindre un fichier|Répondre|Transférer|Continuer|Terminer|Ignorer|Réessayer"
    "|Copier|Coller|Couper|Parcourir…|Options…|Calculer|Planifier|Partager|Synchroniser|Verrouiller|Aperçu|Retour|Oui"
    "|Non|Accepter|Confirmer la commande|Rejeter|Restaurer|Affecter à…|Clôturer",
    "en": "Save|Cancel|Delete|Edit|Add|New|Close|OK|Search|Print|Export|Import|Next|Back|Submit|Send|Download|Apply|Reset"
    "|Sign in|Log out|Create folder|Pay now|Save and close|Generate invoice|Approve|Reject|Duplicate|Archive|Refresh"
    "|Filter|View details|Add row|Show more|Attach file|Reply|Forward|Continue|Finish|Skip|Retry|Copy|Paste|Cut|Browse…"
    "|Options…|Calculate|Schedule|Share|Sync|Lock|Preview|Yes|No|Accept|Confirm order|Restore|Assign to…|Learn more|Help",
}
_NOUNS = {
    "fr": "Nom|Prénom|Adresse|Ville|Code postal|Téléphone|Courriel|Date de naissance|Société|Service|Référence|Montant HT"
    "|Montant TTC|Quantité|Prix unitaire|Remise|TVA|Statut|Priorité|Échéance|Client|Fournisseur|Commande|Facture|Devis"
    "|Livraison|Paiement|Mode de règlement|Commentaire|Description|Numéro de dossier|Patient|Médecin|Rendez-vous|Motif"
    "|Catégorie|Étiquette|Projet|Responsable|Équipe|Début|Fin|Durée|Budget|Solde|Compte|Banque|IBAN|Pays|Langue|Fuseau horaire"
    "|Identifiant|Profil|Rôle|Droits d’accès|Créé le|Modifié le|Pièce jointe|Objet|Destinataire|Expéditeur|Contrat|Garantie"
    "|Numéro de série|Entrepôt|Stock|Unité|Poids|Couleur|Taille|Modèle|Marque|Véhicule|Immatriculation|Bénéficiaire|Civilité",
    "en": "Name|First name|Address|City|Postcode|Phone|Email|Date of birth|Company|Department|Reference|Net amount|Total"
    "|Quantity|Unit price|Discount|VAT|Status|Priority|Due date|Customer|Supplier|Order|Invoice|Quote|Delivery|Payment"
    "|Payment method|Comment|Description|Case number|Patient|Doctor|Appointment|Reason|Category|Label|Project|Owner|Team"
    "|Start|End|Duration|Budget|Balance|Account|Bank|IBAN|Country|Language|Time zone|Login|Profile|Role|Access rights"
    "|Created|Modified|Attachment|Subject|To|From|Contract|Warranty|Serial number|Warehouse|Stock|Unit|Weight|Colour|Size"
    "|Model|Brand|Vehicle|Plate|Beneficiary|Title|Notes|Website|Region|Currency|Tags",
}
_MENUS = {
    "fr": "Accueil|Tableau de bord|Clients|Factures|Commandes|Produits|Rapports|Paramètres|Utilisateurs|Messages|Calendrier|Aide"
    "|Fichier|Édition|Affichage|Insertion|Format|Outils|Données|Fenêtre|Historique|Documents|Comptabilité|Ressources humaines"
    "|Planning|Stocks|Achats|Ventes|Statistiques|Sécurité|Général|Avancé|Notifications|Mon compte|Administration|Courrier"
    "|Boîte de réception|Brouillons|Corbeille|Favoris|Récents|Contacts|Tâches|Dossiers|Journal",
    "en": "Home|Dashboard|Customers|Invoices|Orders|Products|Reports|Settings|Users|Messages|Calendar|Help|File|Edit|View"
    "|Insert|Format|Tools|Data|Window|History|Documents|Accounting|Human resources|Planning|Inventory|Purchases|Sales"
    "|Statistics|Security|General|Advanced|Notifications|My account|Administration|Mail|Inbox|Drafts|Trash|Favourites|Recent"
    "|Contacts|Tasks|Folders|Log|Analytics|Billing|Team|Overview|Details",
}
_WORDS = {
    "fr": "la facture du mois dernier a été réglée par virement le client souhaite recevoir un duplicata avant fin décembre merci de"
    " vérifier les pièces jointes et de confirmer l’adresse de livraison toute modification doit être validée par le responsable"
    " du service après réception aucune donnée n’est enregistrée sans votre accord veuillez saisir une valeur comprise entre"
    " zéro et cent cette opération est définitive où trouver mon numéro de contrat ça fonctionne déjà très bien grâce à l’équipe",
    "en": "the invoice of last month was paid by bank transfer the customer would like a copy before the end of december please"
    " check attachments and confirm the delivery address any change must be approved by the manager of the department after"
    " receipt no data is stored without your consent please enter a value between zero and one hundred this cannot be undone"
    " where do I find my contract number it already works very well thanks to the whole team",
}
_FIRST = "Marie|Jean|Léa|Hélène|Zoé|Noël|François|Chloé|Anaïs|Paul|Luc|Inès|Gaël|Karim|Sofia|John|Emma|Olivia|Liam|Aïcha|Théo|Maëlle"
_LAST = "Martin|Bernard|Lefèvre|Dubois|Garçon|Muñoz|Müller|Smith|Brown|Taylor|Moreau|Legrand|Benoît|Château|O’Neil|Nguyen|Pérez|Roche"
_CITIES = "Paris|Lyon|Besançon|Orléans|Nîmes|Saint-Étienne|Genève|Liège|London|Leeds|Bristol|Dublin|Québec|Angers|Évreux|Lille"
_STREETS = (
    "rue de la Paix|avenue Jean-Jaurès|boulevard Gambetta|High Street|Station Road|chemin des Écoliers|place du Marché"
)
_STATES = {
    "fr": "Payée|En attente|Annulé|Brouillon|Validé|Refusé|À traiter|En cours|Clôturé|Urgent|Actif|Inactif|Nouveau|Bêta",
    "en": "Paid|Pending|Cancelled|Draft|Approved|Rejected|To do|In progress|Closed|Urgent|Active|Inactive|New|Beta",
}


class Words:
    """One language, one source of chance."""

    def __init__(self, rng: random.Random, lang: str) -> None:
        self.rng = rng
        self.lang = lang

    def action(self) -> str:
        return self._one(_ACTIONS[self.lang])

    def noun(self) -> str:
        return self._one(_NOUNS[self.lang])

    def menu(self) -> str:
        return self._one(_MENUS[self.lang])

    def state(self) -> str:
        return self._one(_STATES[self.lang])

    def person(self) -> str:
        name = f"{self._one(_FIRST)} {self._one(_LAST)}"
        return name if self.rng.random() < 0.8 else name.upper()

    def phrase(self, low: int, high: int) -> str:
        """A few words that follow each other, the first with a capital."""
        words = _WORDS[self.lang].split()
        count = self.rng.randint(low, high)
        start = self.rng.randrange(len(words))
        text = " ".join((words * 2)[start : start + count] if count < len(words) else words)
        return text[0].upper() + text[1:]

    def said(self, low: int, high: int) -> str:
        """A few words in a row of a table or a list: content, where `phrase` may be a name of something."""
        return self.phrase(low, high)

    def chosen(self) -> str:
        """What a list of choices holds."""
        return self.noun()

    def ticked(self, on: bool) -> bool:
        """Whether a checkbox or a toggle is on."""
        return on

    def is_shown(self) -> bool:
        """Whether a row of a table or a list is there."""
        return True

    def sentence(self, low: int = 5, high: int = 18) -> str:
        return self.phrase(low, high) + self.rng.choice([".", ".", ".", " !", " ?", " :"])

    def amount(self) -> str:
        value = self.rng.choice([self.rng.uniform(0, 99), self.rng.uniform(0, 9999), self.rng.uniform(0, 9e6)])
        if self.lang == "fr":
            text = f"{value:,.2f}".replace(",", " ").replace(".", ",")
            return text + self.rng.choice([" €", " €", "", " %"])
        return self.rng.choice(["$", "£", "€", ""]) + f"{value:,.2f}"

    def date(self) -> str:
        day, month, year = self.rng.randint(1, 28), self.rng.randint(1, 12), self.rng.randint(1950, 2031)
        style = self.rng.randrange(4)
        if style == 0:
            return f"{year}-{month:02}-{day:02}"
        if style == 1 and self.lang == "en":
            return f"{month:02}/{day:02}/{year}"
        if style == 2:
            return f"{day:02}/{month:02}/{year} {self.rng.randint(0, 23):02}:{self.rng.randint(0, 59):02}"
        return f"{day:02}/{month:02}/{year}"

    def code(self) -> str:
        letters = "".join(self.rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(self.rng.randint(1, 4)))
        digits = "".join(self.rng.choice("0123456789") for _ in range(self.rng.randint(2, 7)))
        return letters + self.rng.choice(["-", "", "_", "/", " "]) + digits

    def value(self) -> str:
        """Something a cell or a field may hold."""
        rng = self.rng
        makers = [
            self.amount, self.amount, self.date, self.date, self.code, self.code, self.person, self.person, self.noun,
            self.state, lambda: self._one(_CITIES), lambda: str(rng.randint(0, 9999)), lambda: self.phrase(1, 4),
            lambda: f"{rng.randint(1, 250)} {self._one(_STREETS)}",
            lambda: f"0{rng.randint(1, 9)} " + " ".join(f"{rng.randint(0, 99):02}" for _ in range(4)),
            lambda: f"{self._one(_FIRST).lower()}.{self._one(_LAST).lower()}@exemple.fr".replace("’", ""),
        ]  # fmt: skip
        return rng.choice(makers)()

    def label(self) -> str:
        """The words beside a field."""
        text = self.noun() if self.rng.random() < 0.85 else self.phrase(2, 5)
        return text + self.rng.choice(["", "", "", " :" if self.lang == "fr" else ":", " *", ""])

    def _one(self, choices: str) -> str:
        return self.rng.choice(choices.split("|"))
