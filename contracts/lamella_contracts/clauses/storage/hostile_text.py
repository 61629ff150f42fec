"""Clauses on text that careless adapters change or reject."""

from typing import Any

from lamella.domain.memories.observation import CodeChange, Draft
from lamella.domain.memories.query import ByText, ByTitle, Recent
from lamella.domain.memories.timeline import TimelineQuery
from lamella.domain.text.printing import stored_key
from lamella.ports.storage.observations import Added, Saved
from lamella_contracts.fixtures.project import LONG_KEY, START, ProjectFixture

HOSTILE = (
    "it's \"quoted\" `twice`; DROP TABLE observation;--",
    "alpha AND beta OR gamma NOT delta",
    "cat* ^start NEAR(a b, 2) {title content}: x + y",
    "title:alpha -beta (gamma",
    "%_?*[a-z]\\%\\_ $1 :name @name {0} %s",
    "controls \x01\x1b[31m and \x7f",
    "\x01",
    "\u0634\u0643\u0631\u0627 \u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd",
    "zero\u200bwidth\u200djoiner\ufeffmark\u00adhyphen",
    "emoji \U0001f680 \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f \U0001f1e9\U0001f1ea",
    "composed \u00e9, decomposed e\u0301, ligature \ufb01, full width \uff21",
    "CRLF\r\nCR\rLF\nVT\x0bFF\x0cNEL\x85LS\u2028PS\u2029end",
    "  leading and trailing \t\n",
    "\u6570\u636e\u5e93\u8fde\u63a5\u8d85\u65f6 \u30c7\u30fc\u30bf \ud55c\uad6d\uc5b4 \u0e44\u0e17\u0e22",
    "not a character \uffff\ufdd0\U0010ffff",
    "one \\ backslash, two \\\\ and \\' \\\" quotes",
    "null", "None", "0", "1e5", "[]", "{}", "\\u0000 \\n &amp; <b>",
)  # fmt: skip
"""Texts known to break storages. All are valid contents: not blank."""


class HostileTextClauses:
    """Any text is stored verbatim."""

    def test_hostile_text_comes_back_in_every_field(self, project: ProjectFixture) -> None:
        """Fails if text is trimmed, normalised, escaped or cut, or if its line endings are translated."""
        for text in HOSTILE:
            named: dict[str, Any] = dict.fromkeys(
                (
                    "title",
                    "keywords",
                    "source",
                    "actor",
                    "author",
                    "branch",
                    "head",
                    "client",
                    "session",
                    "request",
                ),
                text,
            )
            saved = project.save(text, changes=(CodeChange(path=text, hunks=text),), **named)
            assert (saved.content, project.get(saved)) == (text, saved)

    def test_long_keys_are_told_apart(self, project: ProjectFixture) -> None:
        """Fails if a column or an index rejects or truncates the longest session or request id."""
        keys = [f"{LONG_KEY}{end}" for end in "ab"]
        saved = [project.save(f"zebra {key[-1]}", session=key, request=key) for key in keys]
        assert [each.session for each in saved] == list(map(stored_key, keys))
        assert [project.get(each) for each in saved] == saved
        for key, each in zip(keys, saved, strict=True):
            assert project.add(Draft(content=each.content, request=key)) == Saved(each, Added.RETRY)
            for search in (ByText("zebra"), Recent()):
                assert [hit.observation for hit in project.find(search, session=key)] == [each]
            (after,) = project.search.around(TimelineQuery(START, before=9, after=9, session=key)).after
            assert after.observation == each

    def test_long_words_are_told_apart(self, project: ProjectFixture) -> None:
        """Fails if a word too long for the index is truncated or omitted, or if the other words aren't found."""
        words = [f"{'x' * 3_000}{end}" for end in "ab"]
        for word in words:
            project.save(f"{word} zebra")
        assert [project.contents(word) for word in words] == [[f"{word} zebra"] for word in words]
        assert project.contents("zebra") == [f"{word} zebra" for word in reversed(words)]

    def test_large_text_comes_back_whole(self, project: ProjectFixture) -> None:
        """Fails if a column or a buffer is too short for 100 KB of text, or for one word of this length."""
        for text in ("word " * 20_480, "x" * 102_400, "\u6570" * 34_134):
            saved = project.save(text, title=text, changes=(CodeChange(path="a", hunks=text),))
            assert (saved.content, project.get(saved)) == (text, saved)

    def test_hostile_text_is_found_by_itself(self, project: ProjectFixture) -> None:
        """Fails if text is parsed as query syntax, or if a filter is interpolated into a statement."""
        for text in HOSTILE:
            saved = project.save(text, title=text, session=text, changes=(CodeChange(path=text),))
            for search in (ByTitle(text), Recent()):
                found = project.find(search, limit=1, session=text, path=text)
                assert [hit.observation for hit in found] == [saved]
            assert {hit.observation.id for hit in project.find(ByText(text), session=text)} <= {saved.id}
