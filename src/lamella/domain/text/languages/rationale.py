"""Phrases by which a sentence decides something or says why, in several languages.

To add a language, write its phrases, without capitals and with a space for each apostrophe and hyphen. Hooks use
this module, so it imports little.
"""

import re

_WORDS = re.compile(r"\w+")

_REASONS = (
    *("because", "since", "so that", "due to", "in order to", "reason", "reasons", "that is why", "that s why"),
    *("which is why", "therefore", "otherwise", "to avoid", "to prevent", "rather than", "instead of"),
    *("weil", "damit", "denn", "sonst", "wegen", "aufgrund", "deshalb", "daher", "grund", "gründe", "statt"),
    *("anstatt", "um zu vermeiden", "nämlich"),
    *("parce que", "parce qu", "puisque", "afin de", "afin que", "pour que", "sinon", "à cause", "au lieu de"),
    *("porque", "ya que", "para que", "debido a", "en lugar de", "en vez de", "por eso"),
    *("perché", "poiché", "affinché", "altrimenti", "a causa di", "invece di", "in modo che"),
    *("para evitar", "por causa", "em vez de", "senão"),
    *("omdat", "zodat", "in plaats van"),
    *("потому что", "чтобы", "так как", "поскольку", "иначе", "из за", "вместо"),
    *("لأن", "بسبب", "حتى لا", "بدلا من"),
)
_DECISIONS = (
    *("decided", "decision", "decisions", "we agreed", "agreed to", "we chose", "we go with", "going with"),
    *("settled on", "we will use", "we keep", "we stay with", "from now on"),
    *("entschieden", "entscheidung", "beschlossen", "geeinigt", "wir nehmen", "wir bleiben", "ab jetzt"),
    *("décidé", "décision", "nous gardons", "on garde", "désormais"),
    *("decidido", "decidimos", "decisión", "elegimos", "a partir de ahora"),
    *("deciso", "decisione", "abbiamo scelto", "d ora in poi"),
    *("decidiu", "decisão", "escolhemos", "a partir de agora"),
    *("besloten", "besluit", "voortaan"),
    *("решили", "решено", "отныне"),
    *("قررنا", "قرار", "اخترنا"),
)

# Languages that join such phrases to other words.
_JOINED_REASONS = ("因为", "因為", "以便", "由于", "由於", "否则", "否則", "ため", "ので", "때문", "위해")
_JOINED_DECISIONS = ("决定", "決定", "決め", "결정", "정했")


def gives_reason(sentence: str) -> bool:
    """Return True if a sentence has a phrase that a reason follows."""
    return _holds(sentence, _REASONS, _JOINED_REASONS)


def decides(sentence: str) -> bool:
    """Return True if a sentence has a phrase of a decision."""
    return _holds(sentence, _DECISIONS, _JOINED_DECISIONS)


def _holds(sentence: str, phrases: tuple[str, ...], joined: tuple[str, ...]) -> bool:
    # Forty searches in a line are ten times faster than one by a pattern of forty choices.
    words = f" {' '.join(_WORDS.findall(sentence.lower()))} "
    apart = any(f" {phrase} " in words for phrase in phrases)
    return apart or (not sentence.isascii() and any(phrase in sentence for phrase in joined))
