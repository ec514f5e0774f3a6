"""Words of French and English screens, written for this project: trades, towns, names, labels, common words."""

from __future__ import annotations

FRENCH = """
accès accident accord accueil achat acompte acte action activité adhérent adresse affaire affecter âge agence agent agenda agrément aide aîné
ajouté alerte allergie allocation aménagement analyse ancien année annexe annulé antécédent août appareil appel apprécié apprêté après archivé
arrêt arrêté arrière arrivée article assemblée assiette associé assurance assuré atelier attaché attente attestation audience auprès aussi autre
auxiliaire avance avenant avis avoir avril bâche bâtiment banque barème base bénéfice bénéficiaire besoin bibliothèque bilan billet bloc blessé
boîte bon bordereau bœuf bout brûlé bulletin bureau caisse caissière calculé calendrier campagne canalisation candidat caractère carnet carrière
carte catégorie cause ceinture centre certificat cessation chaîne chambre champ chantier charge chargé château chèque chef chœur choisi chômage
ci-dessous ci-joint circuit civilité clé client clôture clôturé code cœur collège colonne commande commentaire commission commun complément complété
compris compta comptabilité compte concerné condition conduite confirmé congé connecté conseil constaté consultation contact contenu contrat contrôle
convention convoqué coordonnées copie côté cotisation couleur coût coûts crédit créé crèche crème critère croissant cuisinière cumul cursus
date déjà débit début débiteur décembre décès décision déclaration décompte décret déduction défaut degré dégât délai délégué demande démarche
dénomination départ dépassé dépense déplacement dépôt dernière désactivé désignation destinataire détail détaillé dette deuxième devis diagnostic
dictée diététique différé difficile diplôme directeur direction disponibilité distribué document domaine données dossier dotation douane double
droit durée échange échéance échéancier échec échelon école économie écran écriture édition effacé effectif effet égal élève élément éligible
émetteur émis emploi employeur emprunt encaissé enfant engagement énergie enquête enregistré ensemble entête entreprise entrée entretien enveloppe
envoi envoyé époux épreuve équipe équipement erreur escompte espace espèces essai établi établissement étage étape état été étiquette étranger être
étude événement évaluation exclu exécuté exemplaire exercice exigé expédié expéditeur export extérieur extrait fabriqué facture facturé faculté
faîtière famille fête feuille fiabilité fiche fichier fièvre filiale fin financé fixe flux fœtus fonction forêt forfait formation formulaire
formule fournisseur fraîcheur frais français fréquence frère fusion garantie garçon gâteau généré général génération géré gestion gîte glacière grâce
grade graphique grossesse groupe guérison guichet habilité hauteur hébergé héritage heure historique honoraires hôpital horaire hôte hôtel huître
hygiène hypothèque identifiant identité île image immatriculé immeuble impayé importé impôt imprimé inactif incident indemnité indice infirmière
initialisé inscription insérer intégré intérêt intérim interne intervention inventaire invité isolé itinéraire janvier jeûne joint joué jour journal
juillet juin juridique justificatif justifié kilomètre lâche laboratoire langue lecture légende lèvre libellé licence licencié lien lieu ligne liquidé
liste litige livraison livré local location logement loi longueur lot lycée machine magasin mai maître mairie maladie mandat manœuvre marché marge
mariage mars masqué matériau matériel maternité médecin médicament même mémoire mensualité mère message mesure méthode métier mètre meublé mineur
ministère minuté mis mise mobilité modèle modération modifié mois moitié montant mot motif moyenne mûr mutuelle naïf naissance nationalité nature
négocié niveau nœud noël nom nombre norme notaire noté notifié novembre numéro numérisé objet obligé observé obtenu occupé octobre œdème œil œuvre
offre opération opéré option ordonnance ordre organisé origine où oublié outil ouvert ouvrière page paiement panier papier paramètre parcelle parenté
parité partagé participé passé patient pâte pause payé péage pêche pièce père périmé période permanence permis personnel pharmacie photo pièces
placé plafond plainte planifié plein plombière poids point pôle police population porté poste pourcentage précédent précisé préféré prélevé
prélèvement premier première prénom prescrit présence présenté prestation prêt prévenu prévu primaire prime principal priorité prix procédure procès
procuré produit profil programmé projet prolongé propriétaire protégé provisoire province publié puîné qualifié qualité quantité quartier quittance
quota rachat radié raison rang rappel rapport rapproché réalisé réception recette recherche récépissé réclamé recommandé reçu récupéré redevance
réduit réel référence référent refusé régie régime région registre règle règlement réglé régularisé rejeté relais relance relevé remboursé remise
remplacé rémunéré rendez-vous renouvelé renseigné rente réparé répertoire répété réponse report reporté réseau réservé résidence résilié résolu
responsable ressource restauré résultat retard retenu retenue retiré retraite réunion révisé revenu rôle rubrique rupture saisi saisie salaire salarié
salle sanitaire santé scanné scolarité séance secrétariat secteur section sécurité sélection sélectionné semaine semestre séparé septembre série service
seuil siège signalé signé simulé sinistre site situation société sœur soigné solde somme sommaire sortie souhaité soumis source sous-total soûl spécial
stagiaire statistique statut stock structure succès suivi sujet supérieur supplément supprimé sûr sûreté sursis suspendu symptôme synthèse système
tâche taille tarif taux télécopie téléphone température temporaire tension terminé terrain texte théâtre thème tiers timbre titre titulaire tôle total
traçabilité traité traitement trajet transféré transmis travail travaux trésorerie tribunal trimestre trouvé tuteur type unité urgence usage usagé usine
utilisé utilisateur vacances vaccin validé validité valeur variété vêtement véhicule vente vérifié versé version veuf veuve vice vidé vigueur ville
virement viré visa visite visiteur voie voilà voirie volume vôtre vœux voyagé zéro zone
affiche affichage affilié officiel officier efficace efficacité coefficient suffisant difficulté effluent chiffre griffe souffle sifflet profil filtre
fleur flèche flocon reflet influence figure final finance flotte conflit afflux gonflé
""".split()

ENGLISH = """
about above access account action active activity actual add added address adjust admin advance agency agent agreement alert all allow amount analysis
annual answer any appeal apply appointment approval approve archive area article assign asset assistant attach attempt audit author available average
back balance bank base basic batch because been before begin benefit between bill billing birth block board body book both branch brand brief bring
budget build bulk business buyer by call campaign cancel capacity card care case cash catalogue category cause cell center central certificate chain
change channel charge chart check child choice city claim class clear click client clinic clock close code collect colour column comment commission
common company compare complete condition confirm connect consent contact content continue contract control convert copy cost count country course cover
create credit currency current custom customer daily dashboard data date day deadline deal debit decline default define delay delete deliver delivery
department deposit describe design detail device diagnosis different digital direct disable discount display district document domain done double draft
drive due duplicate duration each early edit effect efficient either email employee empty enable end engine enter entry error estimate event every exact
example except exchange expense expire export external extra factory fail false family fast fault favourite feature fee feedback field figure file fill
filter final finance find finish first fiscal fix flag flat flight float flow folder follow font food force forecast form format forward found fraction
free freight frequency from front full function fund future gallery general generate gift global goods grade grant graph gross group growth guest guide
half handle hardware header health height help hidden high history hold holiday home hospital host hour house idea identity ignore image import include
income index indicator info inform initial input insert inside inspect install insurance interest internal invalid inventory invoice issue item job join
journal keep key kind label lambda language large last late launch layout lead leave ledger legal length level library licence life light limit line link
list load loan local location lock logic login logout long loss lower machine mail main manage manager manual map margin market master match maximum
measure media medical meeting member memo menu merge message method middle minimum minute missing mobile mode model modify module money month monthly more
most move multiple name native nature need network never next night none normal note notice number nurse object offer office official offline often only
open operation option order origin other output outside over overview owner package page paid panel paper parent part partner password paste patient
pattern pause payment payroll pending people percent perform period permit person phone photo pick picture place plan planning plate platform player
please plus point policy position post postal power prefer premium prepare present preview previous price primary print priority private problem process
product profile profit program progress project property protect provide public publish purchase quality quantity quarter query question queue quick quote
random range rate rating raw reach read ready real reason receipt receive recent recipe record recover reduce reference refill refresh refund region
register regular reject related release reload remark remind remote remove rename renew rent repair repeat replace reply report request require reserve
reset resolve resource response rest restore result resume retail retry return revenue review revision right risk role room root round route row rule
safety salary sale sample save scale scan schedule school scope screen script search season seat second section secure security select sell send senior
sequence serial series server service session setting setup several share sheet shift shipping shop short show side sign signal silver similar simple
single site size skill skip small smart social software solution some sort sound source space special speed staff stage standard start state statement
station status step still stock stop storage store street string strong structure student style subject submit subtotal success suffix suggest suite summary
supplier support surname survey switch symbol system tab table tag target task tax team template term test text than thank theme there third this ticket
time timeline title today token tool topic total touch track trade traffic training transfer transit travel trend trial trigger true trust type unable under
undo unit unknown unlock until update upload urgent usage user usual vacation valid value variant vehicle vendor verify version video view visit visitor
voice volume voucher wait wallet warehouse warning warranty water website week weekly weight welcome when where which while width window with without
witness word work worker workflow workspace world would write wrong year yellow yes yield young your zero zone
affect afford baffle coffee different effort fluid fluent traffic waffle workflow benefit justify notify specify unify
""".split()

SHORT_FRENCH = "de la le les des du un une et à au aux en dans par pour sur avec sans est été être a ont où ou que qui se ce ne pas plus votre vos n' l' d' s' qu' c' il y sa son ses leur mon".split()
SHORT_ENGLISH = (
    "the of and to in is for on with by at from this that are not be your you or an a all new it as was if we".split()
)

LABELS = (
    "Enregistrer|Annuler|Supprimer|Modifier|Ajouter|Fermer|Ouvrir|Imprimer|Aperçu|Rechercher|Fichier|Édition|Affichage|Insertion|Outils|Fenêtre|Aide|Paramètres|Préférences"
    "|Quitter|Précédent|Suivant|Terminer|Oui|Non|OK|Appliquer|Réinitialiser|Télécharger|Téléverser|Accueil|Déconnexion|Se connecter|Mot de passe oublié ?|Identifiant|Utilisateur"
    "|Société|Fournisseur|Référence|Quantité|Prix unitaire|Total TTC|Total HT|TVA 20 %|Échéance|Créé le|Modifié le|État|Statut|Rôle|Équipe|N° de sécurité sociale|Téléphone|Courriel"
    "|Pièce jointe|Tout sélectionner|Créer un dossier|Mettre à jour|Synchroniser|À propos|Étape suivante|Être rappelé|Où livrer ?|Ça va|Œuvres|Écrire un message|Êtes-vous sûr ?"
    "|Âge du patient|Île-de-France|Déjà réglé|Reçu le|Réglé par chèque|En cours…|Chargement…|Tous les éléments|Aucun résultat|Afficher plus|Voir le détail|Page précédente|Nº de dossier"
    "|Save|Save as…|Cancel|Delete|Edit|Close|Open|Print|Preview|Search…|File|View|Tools|Window|Help|Settings|Back|Next|Finish|Yes|No|Apply|Reset|Download|Upload|Home|Log in|Log out"
    "|Password|Username|Due date|Created at|Updated|Select all|Copy|Paste|Cut|Undo|Redo|Import|Export as CSV|Filter by|Sort by|Details|Overview|Loading…|Sign up|Forgot password?|My profile"
    "|View all|Read more|Add to cart|Show more|Mark as read|Unread (12)|Last 30 days|Learn more|Terms of service|Privacy policy|Dark mode|Rows per page: 10|1–10 of 254|No data available"
).split("|")  # fmt: skip

FIRST_NAMES = (
    "Élodie François Noël Hélène Gaëtan Inès Jérôme Aïcha Cédric Zoé Rémi Anaïs Benoît Loïc Océane Maëlle Sébastien Clémence Thérèse Mickaël Jean Marie Pierre Paul Luc Anne Sophie Julie"
    " Thomas Nicolas Chloé Léa Hugo Raphaël Agnès Éric Yaël Solène Gisèle Émilie Joël Valérie Stéphane Björn Óscar Íñigo Åsa Łukasz John Mary James Linda Robert Emma Olivia Noah Liam Grace"
    " William Jack Will Lily Illya Isla Iris Ophélie Philippe Geoffrey Tiffany Gaëlle Héloïse Maïté Jean-François Marie-Thérèse Eugène Régis Désirée"
).split()  # fmt: skip
LAST_NAMES = (
    "Martin Bernard Dubois Petit Durand Leroy Moreau Lefèbvre Garcia Fournier Mercier Boyer Gauthier Müller Évrard Hébert Châtelain Prévost Béraud Smith Jones Taylor Brown Wilson Walker"
    " Wright O'Brien Guérin Lemaître Bœuf Étienne Delaître Fabre Rousseau Lefort D'Angelo Maçon Forêt Núñez Gonçalves Åberg Sørensen Weiß Lefèvre Dupré Côté Françoise Légaré Ménard Pélissier"
    " Hoffmann Griffiths Fitzgerald Illich McAllister MacDonald Ilic Lillo Olivier Noguès Hübner Crèvecœur L'Hôte Benaïm Zoë"
).split()  # fmt: skip
TOWNS = (
    "Paris Lyon Marseille Orléans Besançon Nîmes Béziers Sète Angoulême Châteauroux Évreux Épinal Sélestat Saint-Étienne Saint-Denis Aix-en-Provence La-Roche-sur-Yon Nogent-sur-Marne"
    " Châlons-en-Champagne Mâcon Vénissieux Créteil Orly Évry Issy-les-Moulineaux Bezons Moûtiers Bagnères Prades Crépy-en-Valois L'Haÿ-les-Roses Fréjus Hyères Gérardmer Genève Liège"
    " Québec Montréal Zürich London Leeds Bristol Cardiff Dublin Boston Chicago Illinois Oslo München Köln Málaga Coruña Lisboa"
).split()  # fmt: skip
DOMAINS = "example.com exemple.fr acme.fr test.org clinique.net intra.local mairie.fr company.co.uk portal.io files.example.org mutuelle-sante.fr hopital.example".split()
MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec janv. févr. avr. juil. sept. oct. nov. déc.".split()
DAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche Monday Tuesday Wednesday Thursday Friday Saturday Sunday lun. mar. mer. Mon Tue Wed".split()
UNITS = "kg g mg µg m cm mm km m² m³ °C % ‰ h min s Mo Go ko px pt ml cl l/min km/h kWh V A W Hz dB € k€ $ £".split()
