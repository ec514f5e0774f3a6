"""More of the sentences of french_sayings.py: how something was found again on another picture, and why it was not."""

from __future__ import annotations

from typing import Final

_TAKEN: Final = (
    ("says its number among the same pages", "dit son numéro parmi les mêmes pages"),
    ("stands by its caption as it stood", "est à côté de sa légende comme avant"),
    ("alone has its caption, then and now", "est seule à porter sa légende, alors et maintenant"),
    ("stands to the texts of its row as it stood", "est placée comme avant par rapport aux textes de sa ligne"),
    ("it and a neighbour changed places", "elle et une voisine ont échangé leurs places"),
    ("is the « {a} » between the same texts", "est le « {a} » entre les mêmes textes"),
    ("holds the lines it held, and only it does", "contient les lignes qu'elle contenait, et elle seule"),
    ("stands among the words as it stood ({x}, the next {x2})",
     "est placée comme avant parmi les mots ({x}, la suivante {x2})"),
    ("alone bears the name « {a} », then and now", "est seule à porter le nom « {a} », alors et maintenant"),
    ("stands in its bar, in which as many stand in the same order and look the same",
     "est dans sa barre, où il y en a autant, dans le même ordre et du même aspect"),
    ("stands between the texts it stood between, and so do as many of its kind",
     "est entre les mêmes textes, avec autant d'éléments de sa sorte"),
    ("answers the question it answered, and stands to it as it stood",
     "répond à la question à laquelle elle répondait, et est placée comme avant par rapport à elle"),
    ("its place is unchanged, and so is what stands around it ({n} of {n2} parts)",
     "sa place est inchangée, et ce qui l'entoure aussi ({n} parties sur {n2})"),
    ("of all that both screens show this is it, whichever of the two is looked at first",
     "de tout ce que montrent les deux écrans c'est elle, quel que soit celui qu'on regarde d'abord"),
)  # fmt: skip

_REFUSED: Final = (
    ("the search for the target broke, so nothing is taken",
     "la recherche de la cible est tombée en panne, donc rien n'est pris"),
    ("it is drawn fainter than it was, and what stands around it is not: it is disabled",
     "elle est dessinée plus pâle qu'avant, et ce qui l'entoure ne l'est pas : elle est désactivée"),
    ("a dialog lies before it, or asks something else",
     "une boîte de dialogue est devant, ou demande autre chose"),
    ("a dialog lies before it, and did not", "une boîte de dialogue est devant, et n'y était pas"),
    ("the name beside it is that of another", "le nom à côté est celui d'une autre"),
    ("the name beside it is that of one of its likes", "le nom à côté est celui d'une de ses semblables"),
    ("its line says something else", "sa ligne dit autre chose"),
    ("what stood above its column does not stand above it", "ce qui était en tête de sa colonne n'est pas au-dessus"),
    ("hardly anything that stood on the recorded screen stands on this one",
     "presque rien de ce qui était sur l'écran enregistré n'est sur celui-ci"),
    ("the caption beside it is that of another, and its own stands elsewhere",
     "la légende à côté est celle d'une autre, et la sienne est ailleurs"),
    ("the caption beside it is another", "la légende à côté est une autre"),
    ("the text beside it is that of another, and its own stands elsewhere",
     "le texte à côté est celui d'une autre, et le sien est ailleurs"),
    ("it stood there already, with all around it, when the target stood elsewhere",
     "elle était déjà là, avec tout ce qui l'entoure, quand la cible était ailleurs"),
    ("the texts of its row stand in another row", "les textes de sa ligne sont sur une autre ligne"),
    ("it answers « {a} », which it was not seen to do", "elle répond à « {a} », ce qu'on ne l'a pas vue faire"),
    ("what is written in it stood elsewhere", "ce qui y est écrit était ailleurs"),
    ("« {a} » is said less often than it was, and this is elsewhere",
     "« {a} » est dit moins souvent qu'avant, et ceci est ailleurs"),
    ("« {a} » is said less often than it was: another may have moved up into its place",
     "« {a} » est dit moins souvent qu'avant : une autre a pu prendre sa place"),
    ("another of its kind stood there, among the same words",
     "une autre de sa sorte était là, parmi les mêmes mots"),
    ("nothing fills the box: give the box of one thing", "rien ne remplit le cadre : donnez le cadre d'une seule chose"),
)  # fmt: skip

_ELSEWHERE: Final = (
    ("another « {a} » looks as it did, and this one does not",
     "un autre « {a} » a l'aspect qu'il avait, et celui-ci ne l'a pas"),
    ("nothing is painted there", "rien n'y est dessiné"),
    ("{it} is not where it must lie", "{it} n'est pas là où il doit être"),
    ("nothing of it has the anchor « {a} » {said}, or none so near as was written",
     "rien de tel n'a l'ancre « {a} » {said}, ou pas aussi près qu'il est écrit"),
    ("nothing of it lies in {it}", "rien de tel ne se trouve dans {it}"),
    ("several containers are called « {a} »", "plusieurs conteneurs s'appellent « {a} »"),
    ("the container « {a} »", "le conteneur « {a} »"),
    ("the anchor « {a} »", "l'ancre « {a} »"),
    ("the region {a}", "la région {a}"),
    ("to its left", "à sa gauche"),
    ("to its right", "à sa droite"),
    ("above it", "au-dessus"),
    ("below it", "en dessous"),
)  # fmt: skip

FOUND_AGAIN: Final = (*_TAKEN, *_REFUSED, *_ELSEWHERE)
