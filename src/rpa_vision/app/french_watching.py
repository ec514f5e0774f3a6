"""More of the sentences of french_sayings.py: what was seen of a person's work, and who learned from it."""

from __future__ import annotations

from typing import Final

_LEARNED_WITH: Final = (
    ("{a} was learned with other eyes than run it now: {said}", "{a} a été appris avec d'autres yeux que ceux d'aujourd'hui : {said}"),
    ("{a}: the detector and reader it was learned with are unknown", "{a} : on ignore avec quel détecteur et quel lecteur il a été appris"),
    ("{said} --anew (what was edited by hand is to be edited again)",
     "{said} --anew (ce qui a été modifié à la main est à modifier de nouveau)"),
    ("Learn it again from its recordings: rpa-vision learn {a} --name={b}",
     "Réapprenez-le de ses enregistrements : rpa-vision learn {a} --name={b}"),
    ("Learn it again from its recordings: rpa-vision learn {a} --into={b}",
     "Réapprenez-le de ses enregistrements : rpa-vision learn {a} --into={b}"),
    ("Record it, then learn it anew: rpa-vision learn --name={a} --anew",
     "Enregistrez-le, puis réapprenez-le : rpa-vision learn --name={a} --anew"),
    ("Record it, then learn it anew: rpa-vision learn SESSION --into={a} --anew",
     "Enregistrez-le, puis réapprenez-le : rpa-vision learn SESSION --into={a} --anew"),
    ("detector {part} then, {part2} now", "détecteur {part} alors, {part2} maintenant"),
    ("judge {part} then, {part2} now", "juge {part} alors, {part2} maintenant"),
    ("reader {part} then, {part2} now", "lecteur {part} alors, {part2} maintenant"),
)  # fmt: skip

_SEEN: Final = (
    ("after step {n} of {n2} of {a}: {said}", "après l'étape {n} sur {n2} de {a} : {said}"),
    ("it was begun again", "elle a été recommencée"),
    ("no step of it was seen for {n} minutes", "aucune de ses étapes n'a été vue pendant {n} minutes"),
    ("{n} other things were done meanwhile", "{n} autres choses ont été faites entre-temps"),
    ("nothing more was watched", "plus rien n'a été observé"),
    ("step {n} was awaited, but {said}", "l'étape {n} était attendue, mais {said}"),
    ("the screen was not the one it is done on", "l'écran n'était pas celui où elle se fait"),
    ("something else was done", "autre chose a été fait"),
    ("other keys were pressed", "d'autres touches ont été pressées"),
    ("it was done to something else, or gave a value that the variable does not allow",
     "elle portait sur autre chose, ou donnait une valeur que la variable n'admet pas"),
    ("clicked another way", "cliqué autrement"),
    ("typed a secret instead", "un secret a été saisi à la place"),
    ("typed something else", "autre chose a été saisi"),
    ("left out: {part}", "omis : {part}"),
    ("{part} done otherwise ({said})", "{part} fait autrement ({said})"),
    ("{n} other deed in between", "{n} autre action entre-temps"),
    ("{n} other deeds in between", "{n} autres actions entre-temps"),
)  # fmt: skip

WATCHED: Final = (*_LEARNED_WITH, *_SEEN)
