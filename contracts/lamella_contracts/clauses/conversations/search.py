"""Clauses on finding messages by their words."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.query import Span
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.conversations import Talk
from lamella_contracts.fixtures.project import DAWN, MINUTE, Notebook
from lamella_contracts.fixtures.strategies import WORDS, any_text, bounded, phrases

YEAR = timedelta(days=365)


def message_drafts() -> st.SearchStrategy[MessageDraft]:
    """Return a strategy for messages of three sessions within about four years."""
    return st.builds(
        MessageDraft,
        key=st.uuids().map(str),
        session=st.sampled_from(("s1", "s2", "s3")),
        role=st.sampled_from(Role),
        text=phrases(5),
        at=st.integers(0, 1_500).map(lambda days: DAWN - timedelta(days=days)),
    )


def _same(mine: Sequence[MessageHit], theirs: Sequence[MessageHit]) -> None:
    """Assert that two answers are equal, with scores compared approximately."""
    plain = [[evolve(hit, score=1.0, spans=tuple(hit.spans)) for hit in hits] for hits in (mine, theirs)]
    assert plain[0] == plain[1]
    assert [hit.score for hit in mine] == pytest.approx([hit.score for hit in theirs], rel=1e-9, abs=0)


class MessageSearchClauses:
    """Messages are found by any word of the query; better and newer ones come first."""

    @needs(Capability.CONVERSATIONS)
    def test_any_word_finds_a_message(self, notebook: Notebook) -> None:
        """All words must be there, words are compared as they are spelled, or identifiers are one word."""
        talk = Talk(notebook)
        talk.add(*(talk.draft(text, session=text) for text in ("zebras cross", "horse", "call getUserById", "42")))
        asked = ("a zebra crossing horse", "get_user_by_id", "cow")
        assert [talk.texts(each) for each in asked] == [["zebras cross", "horse"], ["call getUserById"], []]

    @needs(Capability.CONVERSATIONS)
    def test_a_hit_says_where_and_in_which_session(self, notebook: Notebook) -> None:
        """The spans are those of something else than the text, or the session is not named as in the list."""
        talk = Talk(notebook)
        message = talk.say("A zebra, and a horse.")
        talk.add(position="2", names={"s1": "Animals"})
        (hit,) = talk.find("horse zebra")
        assert hit == MessageHit(
            message=message, session_name="Animals", score=hit.score, spans=(Span(2, 7, 1), Span(15, 20, 0))
        )
        assert hit.score > 0

    @needs(Capability.CONVERSATIONS)
    def test_tools_are_not_searched(self, notebook: Notebook) -> None:
        """Calls of tools and what they gave are found, or count as rows in the statistics."""
        talk, without = Talk(notebook), Talk(notebook.elsewhere("without"))
        for role in Role:
            talk.say(f"zebra {role}", session=role, role=role)
            if role.searched:
                without.say(f"zebra {role}", session=role, role=role, at=talk.of(role)[0].at)
        found = talk.find("zebra")
        assert {hit.message.role for hit in found} == {role for role in Role if role.searched}
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in without.find("zebra")])

    @needs(Capability.CONVERSATIONS)
    def test_what_was_said_before_helps_to_find(self, notebook: Notebook) -> None:
        """A message has no context, or one of another session, of tools, or of more than two messages."""
        talk = Talk(notebook)
        for text, session, role in (
            ("too far", "s1", Role.HUMAN),
            ("zebra", "s1", Role.HUMAN),
            ("horse", "s1", Role.ASSISTANT),
            ("cow", "s1", Role.TOOL),
            ("elsewhere", "s2", Role.HUMAN),
            ("yes", "s1", Role.HUMAN),
        ):
            talk.say(text, session=session, role=role)
        found = {asked: set(talk.texts(asked)) for asked in ("zebra", "horse", "far", "cow", "elsewhere")}
        assert found == {
            "zebra": {"zebra", "horse", "yes"},
            "horse": {"horse", "yes"},
            "far": {"too far", "zebra", "horse"},
            "cow": set(),
            "elsewhere": {"elsewhere"},
        }

    @needs(Capability.CONVERSATIONS)
    def test_a_message_is_found_by_its_day_and_speaker(self, notebook: Notebook) -> None:
        """The heading of a message is not indexed with its text."""
        talk = Talk(notebook)
        talk.add(talk.draft("one", session="a", at=DAWN), talk.draft("two", session="b", at=DAWN + timedelta(1)))
        talk.say("three", session="c", role=Role.SYSTEM, at=DAWN)
        assert talk.texts("2024-05-07")[:1] == ["two"]
        assert talk.texts("system") == ["three"]

    @needs(Capability.CONVERSATIONS)
    def test_a_year_old_message_weighs_less(self, notebook: Notebook) -> None:
        """Age is not counted, in steps, or from another moment than that of the question."""
        talk = Talk(notebook)
        ages = {"fresh": timedelta(), "half": YEAR / 2, "year": YEAR, "two": 2 * YEAR, "future": -YEAR}
        for session, age in ages.items():
            talk.say("zebra", session=session, at=DAWN - age)
        scores = {hit.message.session: hit.score for hit in talk.find("zebra", now=DAWN)}
        weights = {"fresh": 1, "half": 1 / 1.15, "year": 1 / 1.3, "two": 1 / 1.6, "future": 1}
        fresh = scores["fresh"]
        assert {session: score / fresh for session, score in scores.items()} == pytest.approx(weights)

    @needs(Capability.CONVERSATIONS)
    def test_equal_messages_are_found_later_first(self, notebook: Notebook) -> None:
        """Ties fall by session, key or time."""
        talk = Talk(notebook)
        for session in ("b", "c", "a"):
            talk.say("zebra", session=session, at=DAWN)
        assert [hit.message.session for hit in talk.find("zebra")] == ["a", "c", "b"]

    @needs(Capability.CONVERSATIONS)
    def test_message_filters_come_before_the_limit(self, notebook: Notebook) -> None:
        """The best are taken first and filtered afterwards, or a filter changes statistics or its own border."""
        talk = Talk(notebook)
        for number in range(6):
            talk.say("zebra zebra", session=f"other{number}", at=DAWN + MINUTE)
        talk.say("zebra and much else", session="mine", at=DAWN)
        (everywhere,) = [hit for hit in talk.find("zebra") if hit.message.session == "mine"]
        assert talk.find("zebra", session="mine", limit=1) == (everywhere,)
        assert len(talk.find("zebra", since=DAWN + MINUTE)) == 6
        assert len(talk.find("zebra", since=DAWN)) == 7
        assert talk.find("zebra", session="mine", since=DAWN + MINUTE) == ()

    @needs(Capability.CONVERSATIONS)
    def test_messages_rank_as_in_the_model(self, notebook: Notebook) -> None:
        """Tokens, columns, statistics, age or the order of ties differ from the model's."""

        @bounded(40)
        @given(
            st.lists(message_drafts(), min_size=4, max_size=14, unique_by=lambda draft: draft.key),
            st.lists(phrases(4), min_size=1, max_size=4),
            st.sampled_from((None, "s1")),
            st.integers(1, 6),
        )
        def agrees(
            drafts: Sequence[MessageDraft], queries: Sequence[str], session: str | None, limit: int
        ) -> None:
            tested = notebook.blank()
            talk, model = Talk(tested), Talk(tested.model())
            for each in (talk, model):
                each.add(*drafts[:3])
                each.add(*drafts[2:])
            for query in queries:
                _same(*(each.find(query, session=session, limit=limit) for each in (talk, model)))
            assert talk.conversations.sessions() == model.conversations.sessions()

        agrees()

    @needs(Capability.CONVERSATIONS)
    def test_the_best_of_many_messages_are_found(self, notebook: Notebook) -> None:
        """Only the best by words are looked at before age counts, and fresh ones behind many old are missed."""
        talk = Talk(notebook)
        old = [talk.draft("zebra", session=f"old{number}", at=DAWN - 20 * YEAR) for number in range(150)]
        fresh = [talk.draft("a zebra at last", session=f"fresh{number}", at=DAWN) for number in range(3)]
        talk.add(*fresh, *old, *(talk.draft("horse", session=f"horse{number}") for number in range(200)))
        assert [hit.message.session for hit in talk.find("zebra", limit=3)] == ["fresh2", "fresh1", "fresh0"]

    @needs(Capability.CONVERSATIONS)
    def test_any_text_can_be_looked_for_in_messages(self, notebook: Notebook) -> None:
        """Some text reaches the query language or can't be encoded."""
        talk = Talk(notebook)
        for word in WORDS[::3]:
            talk.say(word, session=word)

        @bounded(60)
        @given(any_text())
        def answers(text: str) -> None:
            assert talk.find(text, limit=3) == talk.find(text, limit=50)[:3]
            assert talk.find("zebra", session=f"{text} of nobody") == ()

        answers()
