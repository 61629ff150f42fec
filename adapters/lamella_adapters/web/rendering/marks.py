"""Snippets of memories and messages, with the words of a question highlighted."""

import re
from collections.abc import Iterable, Sequence

from attrs import frozen
from markupsafe import Markup, escape

from lamella.domain.memories.query import ByText, Hit, Span
from lamella.domain.replies.snippets import NOTHING_MORE, around_match, beyond_title
from lamella.domain.text.languages import Language
from lamella.domain.text.languages.latin import language_of
from lamella.domain.text.languages.stems import stems
from lamella.domain.text.printing import printed_line, shortened

SNIPPET_CHARACTERS = 260
"""Maximum length of a snippet."""

_CUT, _JOINTS = "...", " .:;,"
"""Sign of omitted text at the start or end of a snippet, and the separators to drop after this sign."""

_WORD = re.compile(r"[^\W_]+")

_MARKDOWN = (
    (re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?)", re.MULTILINE), ""),  # headings and quotes
    (re.compile(r"^[ \t]*[-*+][ \t]+", re.MULTILINE), "\u2022 "),
    (re.compile(r"^[ \t]*\|[-:| \t]+\|[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*\|[ \t]*|\|[ \t]*$", re.MULTILINE), ""),  # edges of tables
    (re.compile(r"(?<![\w*])(\*\*?)(?=\S)([^*\n]+)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"\[([^\[\]\n]+)\]\(https?://[^\s()]*\)"), r"\1"),
    (re.compile("`"), ""),
)
"""Patterns of Markdown's syntax, each with its replacement in a single line of text."""

_MARK = re.compile(r"[#>*+|\[`-]")
"""A character that every match of `_MARKDOWN` has. Most titles and sentences have none."""


@frozen
class Marks:
    """Highlighter of the words of a question, in all their forms.

    Attributes:
        language: Language of the question.
        stems: Stems of the question's words; empty without a question.
    """

    language: Language
    stems: frozenset[str]

    @classmethod
    def of(cls, question: str) -> "Marks":
        """Return the highlighter for a question."""
        language = language_of(question)
        forms = (form for word in ByText(question).words for form in word.forms)
        words = [word for form in forms for word in _WORD.findall(form)]
        return cls(language, frozenset(_stems_of(words, language).values()))

    def title(self, hit: Hit) -> Markup:
        """Return the title of a memory, with the question's words highlighted."""
        memory = hit.observation
        return self._marked(titled(memory.title), memory.content, hit.spans)

    def snippet(self, hit: Hit) -> Markup:
        """Return a highlighted snippet of a memory, without its title and the paths of its files."""
        return self._marked(plain(_beyond(hit)), hit.observation.content, hit.spans)

    def message(self, text: str, spans: Sequence[Span]) -> Markup:
        """Return the passage of a message around the matched words, with these words highlighted."""
        return self._marked(around_match(text, spans, SNIPPET_CHARACTERS), text, spans)

    def _marked(self, printed: str, content: str, spans: Sequence[Span]) -> Markup:
        if not self.stems:
            return escape(printed)
        found = {content[span.start : span.end].lower() for span in spans}
        stemmed = _stems_of(_WORD.findall(printed), self.language)
        pieces, place = [], 0
        for word in _WORD.finditer(printed):
            if word[0].lower() in found or stemmed.get(word[0].lower()) in self.stems:
                pieces += [escape(printed[place : word.start()]), "<mark>", escape(word[0]), "</mark>"]
                place = word.end()
        return Markup("".join([*pieces, escape(printed[place:])]))  # noqa: S704 - each piece is escaped, or made by lamella


def excerpt(hit: Hit) -> str:
    """Return the text of a memory from the first sentence beyond its title on, in one line."""
    if not (piece := plain(_beyond(hit).removesuffix(_CUT))):
        return ""
    line = printed_line(plain(hit.observation.content))
    return shortened(line[max(0, line.find(piece)) :], SNIPPET_CHARACTERS)


def titled(title: str) -> str:
    """Return a title as one line without Markdown; `untitled` if it is empty."""
    return printed_line(plain(title)) or "untitled"


def plain(text: str) -> str:
    """Return a text without the commonest syntax of Markdown. Items of lists begin with a dot."""
    if _MARK.search(text):
        for pattern, replacement in _MARKDOWN:
            text = pattern.sub(replacement, text)
    return text.strip()


def _beyond(hit: Hit) -> str:
    """Return the sentence with the most matches in a memory, beyond its title; empty without any match."""
    memory = hit.observation
    piece = beyond_title(memory.title, memory.content, hit.spans, SNIPPET_CHARACTERS)
    if piece.startswith(_CUT):
        piece = piece.removeprefix(_CUT).lstrip(_JOINTS)  # the title above shows the beginning of the sentence
    return "" if piece in {NOTHING_MORE, *(change.path for change in memory.changes)} else piece


def _stems_of(words: Iterable[str], language: Language) -> dict[str, str]:
    """Return the stems of words, keyed by the word in lower case. Omit stop words."""
    telling = [word for word in dict.fromkeys(map(str.lower, words)) if word not in language.stop_words]
    return dict(zip(telling, stems(telling, language), strict=True))
