"""Names of dates in several languages. To add a language, write its table and name it in `TABLES`."""

from typing import NamedTuple

from lamella.domain.text.languages.language import Language
from lamella.domain.text.languages.latin import ENGLISH, FRENCH, GERMAN, SPANISH


class DateTable(NamedTuple):
    """Names of dates in one language, in lower case, as patterns of `re`.

    Spellings of one name stand between `|`. In a phrase, `{number}` and `{unit}` stand for one of those names.
    `before_...` are the words before a name that make it a date: "in May" is one, "may" is not. All may stand
    behind `since` too.
    """

    language: Language
    months: tuple[str, ...]  # January first
    weekdays: tuple[str, ...]  # Monday first
    days: tuple[str, ...]  # today, yesterday, the day before
    units: tuple[str, str, str, str]  # day, week, month, year
    numbers: tuple[str, ...]  # one first; digits are known
    since: str
    this: str  # "this week"
    last: str  # "last week"
    ago: str  # "two weeks ago"
    past: str  # "the past two weeks"
    before_weekday: str
    before_month: str
    before_weekend: str
    weekend: str


ENGLISH_DATES = DateTable(
    language=ENGLISH,
    months=(
        *("january|jan", "february|feb", "march", "april|apr", "may", "june|jun"),
        *("july|jul", "august|aug", "september|sept|sep", "october|oct", "november|nov", "december|dec"),
    ),
    weekdays=("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    days=(
        "today|tonight|this (?:morning|afternoon|evening)",
        "yesterday|last (?:night|evening)",
        "(?:the )?day before yesterday",
    ),
    units=("days?", "weeks?", "months?", "years?"),
    numbers=(
        *("an?|one", "two|(?:a )?couple(?: of)?", "three|(?:a )?few", "four", "five|several", "six"),
        *("seven", "eight", "nine", "ten", "eleven", "twelve"),
    ),
    since="since",
    this="this {unit}",
    last="(?:last|previous) {unit}",
    ago="{number} {unit} (?:ago|earlier|back)",
    past="(?:(?:last|past|previous) {number}|past) {unit}",
    before_weekday="on|last|this|past",
    before_month="in|during|of|last|(?:in |since )?(?:early|mid|late)",
    before_weekend="the|last|this|past",
    weekend="weekend",
)

GERMAN_DATES = DateTable(
    language=GERMAN,
    months=(
        *("januar|jänner|jan", "februar|feber|feb", "märz|maerz", "april|apr", "mai", "juni|jun"),
        *("juli|jul", "august|aug", "september|sept|sep", "oktober|okt", "november|nov", "dezember|dez"),
    ),
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"),
    days=("heute", "gestern", "vorgestern"),
    units=("tag(?:en?)?", "wochen?", "monat(?:en?|s)?", "jahr(?:en?|es)?"),
    numbers=(
        *("eine[mnr]?|ein", "zwei", "drei|ein paar|einigen|wenigen", "vier", "fünf|fuenf", "sechs"),
        *("sieben", "acht", "neun", "zehn", "elf", "zwölf|zwoelf"),
    ),
    since="seit",
    this="diese[mnrs]? {unit}",
    last="(?:letzt|vorig|vergangen)e[mnrs]? {unit}",
    ago="vor {number} {unit}",
    past="(?:letzt|vorig|vergangen)en {number} {unit}",
    before_weekday="am|(?:letzt|vorig|vergangen)e[mn]|diesen",
    before_month="im|(?:im |seit )?(?:anfang|mitte|ende)|(?:letzt|vorig|vergangen)e[mn]",
    before_weekend="am|dem|das|(?:letzt|vorig|vergangen|dies)e[mns]",
    weekend="wochenendes?",
)

FRENCH_DATES = DateTable(
    language=FRENCH,
    months=(
        *("janvier", "février|fevrier", "mars", "avril", "mai", "juin"),
        *("juillet", "août|aout", "septembre", "octobre", "novembre", "décembre|decembre"),
    ),
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    days=("aujourd'hui|ce (?:matin|soir)", "hier", "avant-hier"),
    units=("jours?", "semaines?", "mois", "ans?|années?"),
    numbers=(
        *("une?", "deux", "trois|quelques", "quatre", "cinq", "six"),
        *("sept", "huit", "neuf", "dix", "onze", "douze"),
    ),
    since="depuis",
    this="ce(?:tte)? {unit}",
    last="{unit} (?:derni(?:er|ère)|passée?|précédente?)",
    ago="il y a {number} {unit}",
    past="(?:ces |les )?{number} derni(?:ers|ères) {unit}",
    before_weekday="ce|le",
    before_month="en|(?:en |depuis )?(?:début|fin|mi)|au mois de",
    before_weekend="le|ce",
    weekend="week-?end",
)

SPANISH_DATES = DateTable(
    language=SPANISH,
    months=(
        *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
        *("julio", "agosto", "septiembre|setiembre", "octubre", "noviembre", "diciembre"),
    ),
    weekdays=("lunes", "martes", "miércoles|miercoles", "jueves", "viernes", "sábado|sabado", "domingo"),
    days=("hoy|esta (?:mañana|tarde|noche)", "ayer|anoche", "anteayer|antes de ayer"),
    units=("días?|dias?", "semanas?", "mes(?:es)?", "años?"),
    numbers=(
        *("una?", "dos|un par de", "tres|unos|unas|pocos", "cuatro", "cinco", "seis"),
        *("siete", "ocho", "nueve", "diez", "once", "doce"),
    ),
    since="desde",
    this="est[ea] {unit}",
    last="(?:últim[oa] )?{unit}(?: pasad[oa])",
    ago="hace {number} {unit}",
    past="últim[oa]s {number} {unit}",
    before_weekday="el|este",
    before_month="en|durante|(?:a |desde )?(?:principios|mediados|finales) de",
    before_weekend="el|este",
    weekend="fin de semana",
)

TABLES = (ENGLISH_DATES, GERMAN_DATES, FRENCH_DATES, SPANISH_DATES)
