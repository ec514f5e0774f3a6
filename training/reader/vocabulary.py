"""What the rendered lines say: words, made-up words, amounts, dates, codes, addresses, from one seeded source.

Half of the words do not exist: a reader that learned the dictionary would read a name it does not know as one it does.
"""

from __future__ import annotations

import random
import string
import unicodedata

from alphabet import CHARACTERS, canonical, readable
from word_lists import (
    DAYS,
    DOMAINS,
    ENGLISH,
    FIRST_NAMES,
    FRENCH,
    LABELS,
    LAST_NAMES,
    MONTHS,
    SHORT_ENGLISH,
    SHORT_FRENCH,
    TOWNS,
    UNITS,
)

_ACCENTED = [word for word in FRENCH if not word.isascii()]
_ONSETS = "b c d f g h j k l m n p r s t v w z bl br ch cl cr dr fl fr gl gr ph pl pr qu sc sp st tr th vr x y ff ll tt ss rn fi ffi fl".split()
_VOWELS = "a e i o u ai au eau ou oi é è ê ë î ï ô û ù â à ée ie œ æ y ea oo ü ö ä".split()
_VOWEL_WEIGHTS = [8, 9, 8, 7, 6, 2, 2, 1, 3, 2, 5, 3, 3, 1, 2, 2, 2, 2, 1, 2, 1.5, 1, 1, 1, 0.5, 1, 1, 1, 0.4, 0.4, 0.3]
_CODAS = "n s r t l m x c z nt st rd ng ll f p d b ff rn".split()
_SPACES = ("\u202f", "\u00a0", " ")
_MARKS = (".", ",", ";", " :", " !", " ?", ":", "…", ")", "!", "?")
_TRICKY = (
    "0O",
    "1lI",
    "I1l",
    "O0Q",
    "5S",
    "8B",
    "2Z",
    "rn m",
    "cl d",
    "vv w",
    "Il",
    "lI",
    "ÈÉÊ",
    "èéê",
    "ÀÂ",
    "ÇC",
    "ùû",
    "îï",
    "ôö",
    "ÎÏ",
    "ÔÖ",
    "ÙÛ",
    "ŒOE",
    "œoe",
    "«»",
    "°º",
    "-–—",
    "'’",
    ".,;:",
)


def line(chance: random.Random) -> str:
    """A text as a screen may show it in one line, of characters the reader knows."""
    while True:
        text = _line(chance)
        if chance.random() < 0.3:
            text = text.replace("'", "’")
        if chance.random() < 0.08:
            text = text.upper()
        text = "".join(char for char in text if readable(canonical(char) or " ")).strip()
        if text:
            return text


def sentence(chance: random.Random, words: int) -> str:
    """Words with the punctuation of sentences."""
    french = chance.random() < 0.6
    return _phrase(chance, words, french)


def _line(chance: random.Random) -> str:
    french = chance.random() < 0.6
    kinds = (
        (20, lambda: _phrase(chance, 1, french)),
        (26, lambda: _phrase(chance, chance.choice((2, 2, 3, 3, 4, 5, 6)), french)),
        (
            10,
            lambda: (
                chance.choice(LABELS) + chance.choice(("", "", "", " :", ":", "…", f" ({chance.randint(0, 99)})", " *"))
            ),
        ),
        (6, lambda: _number(chance)),
        (8, lambda: _amount(chance)),
        (7, lambda: _date(chance)),
        (8, lambda: _code(chance)),
        (7, lambda: _person(chance)),
        (3, lambda: _mail(chance)),
        (2, lambda: _address(chance)),
        (2, lambda: _path(chance)),
        (4, lambda: _random(chance)),
        (3, lambda: _tricky(chance)),
        (4, lambda: _odd(chance, french)),
    )
    return chance.choices([make for _, make in kinds], [weight for weight, _ in kinds])[0]()


def _word(chance: random.Random, french: bool) -> str:
    dice = chance.random()
    if dice < 0.22:
        return chance.choice(SHORT_FRENCH if french else SHORT_ENGLISH)
    if dice < 0.5:
        return _made_up(chance)
    if not french:
        return chance.choice(ENGLISH)
    return chance.choice(_ACCENTED if dice < 0.75 else FRENCH)


def _made_up(chance: random.Random) -> str:
    parts = []
    for _ in range(chance.choice((1, 1, 2, 2, 2, 3, 3, 4))):
        parts.append(chance.choice(_ONSETS) if chance.random() < 0.88 else "")
        parts.append(chance.choices(_VOWELS, _VOWEL_WEIGHTS)[0])
        parts.append(chance.choice(_CODAS) if chance.random() < 0.35 else "")
    word = "".join(parts)
    if chance.random() < 0.05:
        word = word.replace("c", "ç", 1)
    return word


def _phrase(chance: random.Random, words: int, french: bool) -> str:
    said = []
    for _ in range(words):
        word, dice = _word(chance, french), chance.random()
        if dice < 0.06:
            word = _number(chance)
        elif dice < 0.09:
            word = f"({word})"
        elif dice < 0.13:
            word = chance.choice(
                ("« {} »", "«\u202f{}\u202f»", "« {} »", '"{}"', "“{}”", "'{}'", "[{}]", "{{{}}}", "<{}>")
            ).format(word)
        elif dice < 0.2:
            word += chance.choice(_MARKS)
        elif dice < 0.24:
            word += chance.choice("--/&_.'+") + _word(chance, french)
        elif dice < 0.26:
            word += " " + chance.choice("–—-•·→|+=*/&<>←×")
        elif dice < 0.36:
            word = word.capitalize()
        elif dice < 0.42:
            word = word.upper()
        said.append(word)
    text = " ".join(said).replace("' ", "'")
    if chance.random() < 0.55:
        text = text[:1].upper() + text[1:]
    if chance.random() < 0.15:
        text += chance.choice(_MARKS)
    return text


def _digits(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(string.digits, k=count))


def _capitals(chance: random.Random, count: int) -> str:
    return "".join(chance.choices(string.ascii_uppercase, k=count))


def _number(chance: random.Random) -> str:
    dice = chance.random()
    if dice < 0.35:
        value = chance.choice((chance.uniform(0, 99), chance.uniform(100, 9999), chance.uniform(1e3, 9e6)))
        text = f"{value:,.{chance.choice((0, 2, 2, 2))}f}"
        return text.replace(",", chance.choice(_SPACES)).replace(".", ",") if chance.random() < 0.7 else text
    if dice < 0.55:
        return str(chance.randint(0, 10 ** chance.randint(1, 9)))
    if dice < 0.65:
        return f"{chance.randint(0, 100)}{chance.choice(('', ' ', _SPACES[0]))}%"
    if dice < 0.82:
        return _digits(chance, chance.randint(1, 6)) + chance.choice("-./ :,") + _digits(chance, chance.randint(1, 6))
    return f"{chance.uniform(-100, 1000):.{chance.randint(1, 4)}f}"


def _amount(chance: random.Random) -> str:
    number = _number(chance)
    space = chance.choice(_SPACES)
    forms = (
        "{n}{s}€",
        "{n}{s}€",
        "{n} €",
        "${n}",
        "£{n}",
        "-{n}{s}€",
        "– {n} €",
        "{n} EUR",
        "{n} k€",
        "+{n} $",
        "{n}{s}€ TTC",
        "€{n}",
        "({n})",
    )
    return chance.choice(forms).format(n=number, s=space)


def _date(chance: random.Random) -> str:
    day, month, year = chance.randint(1, 31), chance.randint(1, 12), chance.randint(1950, 2035)
    hour, minute, second = chance.randint(0, 23), chance.randint(0, 59), chance.randint(0, 59)
    return chance.choice((
        f"{day:02d}/{month:02d}/{year}", f"{day:02d}/{month:02d}/{year}", f"{day:02d}/{month:02d}/{year % 100:02d}",
        f"{year}-{month:02d}-{day:02d}", f"{day} {chance.choice(MONTHS)} {year}", f"{chance.choice(MONTHS)} {day}, {year}",
        f"{day:02d}.{month:02d}.{year}", f"{hour:02d}:{minute:02d}", f"{hour:02d}:{minute:02d}:{second:02d}",
        f"{hour} h {minute:02d}", f"{hour}h{minute:02d}", f"{year}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}:{second:02d}",
        f"{chance.choice(DAYS)} {day} {chance.choice(MONTHS)}", f"{minute}m {second}s", f"1er {chance.choice(MONTHS)}",
        f"{day:02d}/{month:02d}/{year} à {hour:02d}:{minute:02d}", f"{hour % 12}:{minute:02d} {chance.choice(('AM', 'PM'))}",
    ))  # fmt: skip


def _code(chance: random.Random) -> str:
    dice = chance.random()
    if dice < 0.25:
        return f"{_capitals(chance, chance.randint(1, 4))}-{chance.randint(2015, 2030)}-{_digits(chance, chance.randint(3, 6))}"
    if dice < 0.37:
        d = [_digits(chance, n) for n in (2, 2, 2, 3, 3, 2)]
        return f"{chance.choice('12')} {' '.join(d)}"
    if dice < 0.45:
        return f"FR{_digits(chance, 2)} " + " ".join(_digits(chance, 4) for _ in range(4))
    if dice < 0.57:
        pairs = " ".join(_digits(chance, 2) for _ in range(4))
        return f"+33 {_digits(chance, 1)} {pairs}" if chance.random() < 0.5 else f"0{_digits(chance, 1)} {pairs}"
    if dice < 0.75:
        return "".join(chance.choices(string.ascii_uppercase + string.digits, k=chance.randint(4, 12)))
    if dice < 0.82:
        return "".join(chance.choices("0123456789abcdef", k=chance.randint(6, 16)))
    return f"{_capitals(chance, chance.randint(2, 5))}{chance.choice('-_/#. ')}{_digits(chance, chance.randint(1, 7))}"


def _person(chance: random.Random) -> str:
    first, last = chance.choice(FIRST_NAMES), chance.choice(LAST_NAMES)
    if chance.random() < 0.45:
        last = _made_up(chance).capitalize()
    if chance.random() < 0.35:
        last = last.upper()
    return chance.choice(("{f} {l}", "{l} {f}", "Dr {f} {l}", "M. {l}", "Mme {l} {f}", "{l}-{m} {f}", "{f} {l}, {t}", "{f[0]}. {l}")).format(
        f=first, l=last, m=chance.choice(LAST_NAMES), t=chance.choice(TOWNS)
    )  # fmt: skip


def _plain(text: str) -> str:
    flat = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return flat.replace("œ", "oe").replace("æ", "ae").replace("'", "").replace("ø", "o").replace("ß", "ss").lower()


def _mail(chance: random.Random) -> str:
    name = _plain(chance.choice(FIRST_NAMES)) + chance.choice((".", "_", "-", "")) + _plain(chance.choice(LAST_NAMES))
    if chance.random() < 0.4:
        name = _plain(_made_up(chance)) + str(chance.randint(1, 99))
    return f"{name}@{chance.choice([*DOMAINS, _plain(_made_up(chance)) + '.com'])}"


def _address(chance: random.Random) -> str:
    host = chance.choice([*DOMAINS, _plain(_made_up(chance)) + ".fr"])
    path = "/".join(_plain(_word(chance, True)) for _ in range(chance.randint(0, 2)))
    tail = chance.choice(("", "", f"?id={chance.randint(1, 9999)}", ".html", "#" + _plain(_made_up(chance))))
    return f"{chance.choice(('https://', 'http://', '', 'www.'))}{host}/{path}{tail}"


def _path(chance: random.Random) -> str:
    name, other = _word(chance, True).capitalize(), _word(chance, False).capitalize()
    ending = chance.choice((".pdf", ".csv", ".xml", ".json", ".log", ".xlsx", ".docx", ".txt", ".png"))
    return chance.choice((
        f"C:\\{name}\\{other}{ending}", f"/srv/{_plain(name)}/{other}", f"{name}_{chance.randint(1, 2030)}{ending}",
        f"~/{_plain(other)}/{_plain(name)}{ending}", f"{_plain(name)}-{_plain(other)}{ending}",
    ))  # fmt: skip


def _random(chance: random.Random) -> str:
    text = "".join(chance.choices(CHARACTERS[1:], k=chance.randint(1, 9)))
    return text + (" " + _word(chance, True) if chance.random() < 0.5 else "")


def _tricky(chance: random.Random) -> str:
    pool = chance.choice(_TRICKY)
    mixed = "".join(chance.choices(pool, k=chance.randint(1, 6)))
    return chance.choice(
        (
            mixed,
            mixed + _digits(chance, 2),
            _capitals(chance, 2) + mixed,
            _word(chance, True) + mixed.strip(),
            _word(chance, True).upper() + " " + mixed,
        )
    )


def _odd(chance: random.Random, french: bool) -> str:
    number, word = _number(chance), _phrase(chance, 1, french)
    return chance.choice((
        f"N° {_code(chance)}", f"n° {number}", f"№ {number}", f"{chance.choice('✓×→←•©·')} {word}", f"{number} {chance.choice(UNITS)}",
        f"{number}{chance.choice(UNITS)}", f"{number} × {number}", f"± {number}", f"[{_date(chance)}] {chance.choice(('INFO', 'WARN', 'ERROR', 'ERREUR', 'DEBUG'))}",
        f"{word} {chance.choice('–—')} {word}", f"{chance.choice(('À', 'É', 'Où', 'Ça', 'Être', 'Œuvre', 'Ève', 'ÈRE', 'Ô', 'Île'))} {word}",
        chance.choice(string.ascii_letters + string.digits), f"Page {chance.randint(1, 99)} sur {chance.randint(1, 99)}",
        f"{chance.randint(1, 99)} / {chance.randint(1, 99)}", f"{chance.choice(TOWNS)} ({_digits(chance, 2)})", f"{_digits(chance, 5)} {chance.choice(TOWNS)}",
        f"{word}…", f"{word}...", f"{word}*", f"#{chance.randint(1, 99999)}", f"v{chance.randint(0, 9)}.{chance.randint(0, 30)}.{chance.randint(0, 9)}",
        f"©{chance.randint(1990, 2030)} {word}", f"{word}™", f"{word}®", f"{number}½", f"§ {number}", f"{chance.choice(FIRST_NAMES)} {chance.choice(TOWNS)}",
        "|".join(_word(chance, french) for _ in range(2)), f"{word} > {word}", f"{word} / {word}", f"{chance.randint(1, 99)}{chance.choice(('e', 'er', 'ème', 'st', 'nd', 'th'))} {word}",
    ))  # fmt: skip
