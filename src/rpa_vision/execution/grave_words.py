"""Words that have consequences: whoever waves them through, or answers them unread, may do harm.

No list of such words is complete. What is about to happen, what costs something and what was not kept is therefore
grave whatever it is about; only that something is not to be reached for a while is no more than news.
"""

from __future__ import annotations

import re

from rpa_vision.models.wording import folded

_HARM = re.compile(
    r"supprim|suppress|delet|definitiv|irreversib|permanent|overwrit|ecras|remov|perdu|\blos[et]\b|discard|effac|eras|"
    r"annul|cancel|vide[rz]?\b|\bempty|reinitialis|\breset|format[et]|detrui|destroy|remplac|replac|restaur|restor|"
    r"erreur|error|echec|fail|refus|denied|rejet|reject|incorrect|invalid|impossible|insuffis|insufficient|expir|"
    r"bloqu|block|verrouill|\block|obligatoire|required|attention|warning|avertissement|\balert|"
    r"doublon|duplicate|existe deja|deja ouvert|already|non (?:enregistr|sauve)|pas (?:ete )?(?:enregistr|sauve)|"
    r"unsaved|not (?:been )?saved|"
    r"patient(?:er|ez)|en cours|en train|chargement|loading|please|veuillez|in progress|being\b|\bdevez\b|\bmust\b|"
    r"confirm|payer|\bpay\b|paiement|payment|virement|transfer|debit|charged|envoy|\bsend\b|accept|autoris|allow|"
    r"permission|redemarr|restart|reboot|clotur|fusion|\bmerg|abonn|subscri|publi(?:er|ez|sh)|purg|resili|renouvel|renew"
)
"""What must not be waved through, or goes away when it is done, folded."""
_AMOUNT = re.compile(r"\d\s*(?:€|eur\b|euros?\b|\$|usd\b|dollars?\b|£|gbp\b|chf\b)|[€$£]\s*\d")
_TO_COME = re.compile(
    r"\b(?:va|vont|allez|sera|seront|serez|aura|auront|will|shall|about to|going to|sur le point)\b|'ll\b|"
    r"\b[a-z]{3,}(?:era|eront|erez|ira|iront|irez)\b"
)
_OUT_OF_REACH = re.compile(
    r"\b(?:sera|seront|va etre|vont etre|will be)(?: [a-z]+ment| temporarily)? "
    r"(?:indisponible|inaccessible|unavailable)s?\b"
)


def is_grave(text: str, *, but_out_of_reach: bool = False) -> bool:
    """Say whether a text has consequences; `but_out_of_reach`, unless all that is to come is that something is not to
    be reached."""
    said = folded(text)
    if _HARM.search(said) is not None or _AMOUNT.search(said) is not None:
        return True
    return _TO_COME.search(_OUT_OF_REACH.sub("", said) if but_out_of_reach else said) is not None
