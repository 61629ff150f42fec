"""Clauses on the reason and the position of matches."""

from lamella.domain.memories.query import Hit, Match, Span
from lamella_contracts.fixtures.project import Notebook


def marked(hit: Hit) -> list[tuple[str, int]]:
    """Return the parts of the content that the spans of a hit mark, each with the number of its word."""
    return [(hit.observation.content[span.start : span.end], span.word) for span in hit.spans]


class MatchingClauses:
    """Hits have the reason of the match and its spans."""

    def test_all_words_are_told_from_some(self, notebook: Notebook) -> None:
        """The reason does not count the words of the query, stop words apart, in all of the memory's own text."""
        notebook.save("crossing", title="zebra")
        notebook.save("zebra here")
        found = {hit.observation.content: hit.match for hit in notebook.find("the zebra crossing")}
        assert found == {"crossing": Match.ALL_WORDS, "zebra here": Match.SOME_WORDS}

    def test_an_identifier_is_told(self, notebook: Notebook) -> None:
        """A path or name that matched among other words is not told from any word."""
        notebook.save("get_user broke")
        found = notebook.find("getUser unicorn")
        assert [hit.match for hit in found] == [Match.IDENTIFIER]

    def test_what_only_the_context_holds_is_some_words(self, notebook: Notebook) -> None:
        """The context counts as the memory's own text: it says "all words" and shows none of them."""
        notebook.save("zebra", session="s")
        notebook.save("follower", session="s")
        found = [(hit.observation.content, hit.match, tuple(hit.spans)) for hit in notebook.find("zebra")]
        assert found == [
            ("zebra", Match.ALL_WORDS, (Span(0, 5, 0),)),
            ("follower", Match.SOME_WORDS, ()),
        ]

    def test_spans_point_at_the_words_in_the_content(self, notebook: Notebook) -> None:
        """Spans are offsets in bytes, in the indexed text with its heading, or of the title."""
        notebook.save("\u00e4\u6570\U0001f680 zebra, na\u00efve Crossing zebras", title="zebra")
        (hit,) = notebook.find("zebra crossing")
        assert marked(hit) == [("zebra", 0), ("Crossing", 1), ("zebras", 0)]

    def test_spans_are_in_order(self, notebook: Notebook) -> None:
        """Spans come word by word instead of in the order of the text."""
        notebook.save("delta alpha beta alpha")
        (hit,) = notebook.find("alpha beta delta")
        assert list(hit.spans) == [Span(0, 5, 2), Span(6, 11, 0), Span(12, 16, 1), Span(17, 22, 0)]

    def test_a_title_match_has_no_spans(self, notebook: Notebook) -> None:
        """Spans of a word in the title point into the content."""
        notebook.save("content", title="zebra")
        (hit,) = notebook.find("zebra")
        assert (hit.match, tuple(hit.spans)) == (Match.ALL_WORDS, ())

    def test_parts_of_longer_words_are_marked(self, notebook: Notebook) -> None:
        """A word that was found by the `sub` column has no span, because it is no word of the content."""
        notebook.save("call getUserById now")
        notebook.save("\u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6")
        found = [marked(hit) for query in ("user", "\u8fde\u63a5") for hit in notebook.find(query)]
        assert found == [[("User", 0)], [("\u8fde\u63a5", 0)]]
