"""Markdown to HTML. Memories and conversations are untrusted, so HTML in their text is escaped."""

from markdown_it import MarkdownIt
from markupsafe import Markup

from lamella.domain.text.printing import visible

_LINKED = ("https://", "http://")
"""Prefixes of addresses accepted in links."""

_NESTING = 40
"""Maximum nesting depth; a quote or list counts twice. Deeper text is dropped, because each level costs time."""

MOST_CHARACTERS = 20_000
"""Maximum length to parse: twice the length of a memory. In the worst case, a text of brackets, this takes 1 s."""

_HEADINGS = ("heading_open", "heading_close")
_FIRST_LEVEL = 2
"""Level of a text's highest heading. Level 1 is the heading of the page."""


def _parser() -> MarkdownIt:
    parser = MarkdownIt(
        "commonmark", {"html": False, "breaks": True, "xhtmlOut": False, "maxNesting": _NESTING}
    ).enable(["table", "strikethrough"])
    # Show images as links, because loading them would contact other servers.
    parser.disable("image")
    parser.validateLink = lambda url: url.lower().startswith(_LINKED)  # type: ignore[method-assign]
    return parser


_PARSER = _parser()


def rendered(text: str) -> Markup:
    """Return a text in Markdown as HTML, with hidden characters shown. A long text is shown unformatted."""
    if len(text) > MOST_CHARACTERS:
        return Markup("<pre>{}</pre>").format(visible(text))
    tokens = _PARSER.parse(text)
    levels = sorted({token.tag for token in tokens if token.type in _HEADINGS})
    for token in tokens:
        if token.type in _HEADINGS:
            # Don't skip levels: this would confuse readers who navigate by headings.
            token.tag = f"h{levels.index(token.tag) + _FIRST_LEVEL}"
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrSet("rel", "noreferrer noopener")
    # Entities can encode hidden characters, so escape the rendered page.
    page = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return Markup(visible(page))  # noqa: S704 - the renderer has escaped it
