"""Clauses on finding messages by their words."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from attrs import asdict, evolve
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.conversations.message import MessageDraft, Role
from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.query import Span
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.fixtures.conversations import ConversationFixture
from lamella_contracts.fixtures.project import MINUTE, START
from lamella_contracts.fixtures.strategies import WORDS, any_text, bounded, phrases, questions

YEAR = timedelta(days=365)


def message_drafts() -> st.SearchStrategy[MessageDraft]:
    """Return a strategy for messages of three sessions within about four years."""
    return st.builds(
        MessageDraft,
        key=st.uuids().map(str),
        session=st.sampled_from(("s1", "s2", "s3")),
        role=st.sampled_from(Role),
        text=phrases(5),
        at=st.integers(0, 1_500).map(lambda days: START - timedelta(days=days)),
    )


def _same(mine: Sequence[MessageHit], theirs: Sequence[MessageHit]) -> None:
    """Assert that two answers are equal. Scores and strengths are compared approximately."""
    assert [hit.message for hit in mine] == [hit.message for hit in theirs]
    for one, other in zip(*([_plain(hit) for hit in each] for each in (mine, theirs)), strict=True):
        assert {name: (value, other[name]) for name, value in one.items() if value != other[name]} == {}
    numbers = [[number for hit in each for number in (hit.score, hit.strength)] for each in (mine, theirs)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-9, abs=1e-12)


def _plain(hit: MessageHit) -> dict[str, object]:
    return asdict(evolve(hit, score=1.0, strength=1.0, spans=tuple(hit.spans)), recurse=False)


@every_clause_needs(Capability.CONVERSATIONS)
class MessageSearchClauses:
    """Messages are found by any word of the query; better and newer matches come first."""

    def test_any_word_finds_a_message(self, chat: ConversationFixture) -> None:
        """Fails if a message must contain every word of the query, or exactly the same form of a word.

        Also fails if an identifier is indexed as one word instead of as its parts.
        """
        chat.add(*(chat.draft(text, session=text) for text in ("zebras cross", "horse", "call getUserById", "42")))
        asked = ("a zebra crossing horse", "get_user_by_id", "cow")
        assert [chat.texts(each) for each in asked] == [["zebras cross", "horse"], ["call getUserById"], []]

    def test_a_hit_says_where_and_in_which_session(self, chat: ConversationFixture) -> None:
        """Fails if spans don't point at the words in the text, or if matched words are missing.

        Also fails if the session's name differs from its name in the list of sessions.
        """
        message = chat.say("A zebra, and a horse.")
        chat.add(position="2", names={"s1": "Animals"})
        (hit,) = chat.find("horse zebra")
        assert hit == MessageHit(
            message=message,
            session_name="Animals",
            score=hit.score,
            strength=1.0,
            spans=(Span(2, 7, 1), Span(15, 20, 0)),
            held=hit.held,
        )
        assert hit.score > 0
        assert sorted(hit.held) == ["horse", "zebra"]

    def test_tools_are_not_searched(self, chat: ConversationFixture) -> None:
        """Fails if tool calls or their results are found, or count as rows in the ranking statistics."""
        without = chat.other("without")
        for role in Role:
            chat.say(f"zebra {role}", session=role, role=role)
            if role.searched:
                without.say(f"zebra {role}", session=role, role=role, at=chat.messages_of(role)[0].at)
        found = chat.find("zebra")
        assert {hit.message.role for hit in found} == {role for role in Role if role.searched}
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in without.find("zebra")])

    def test_what_was_said_before_helps_to_find(self, chat: ConversationFixture) -> None:
        """Fails if words of the two preceding messages don't find a message.

        Also fails if a message is found by words of tools, of other sessions, or of messages before these two.
        """
        for text, session, role in (
            ("too far", "s1", Role.HUMAN),
            ("zebra", "s1", Role.HUMAN),
            ("horse", "s1", Role.ASSISTANT),
            ("cow", "s1", Role.TOOL),
            ("elsewhere", "s2", Role.HUMAN),
            ("yes", "s1", Role.HUMAN),
        ):
            chat.say(text, session=session, role=role)
        found = {asked: set(chat.texts(asked)) for asked in ("zebra", "horse", "far", "cow", "elsewhere")}
        assert found == {
            "zebra": {"zebra", "horse", "yes"},
            "horse": {"horse", "yes"},
            "far": {"too far", "zebra", "horse"},
            "cow": set(),
            "elsewhere": {"elsewhere"},
        }

    def test_messages_have_strength(self, chat: ConversationFixture) -> None:
        """Fails if the strength ignores preceding messages, falls with age, or is the same for all hits."""
        chat.say("which zebra?")
        chat.say("the horse", role=Role.ASSISTANT, at=START - 9 * YEAR)
        for number in range(3):
            chat.say(f"filler {number}", session=f"f{number}")
        strengths = {hit.message.text: hit.strength for hit in chat.find("zebra horse")}
        assert strengths["the horse"] == pytest.approx(1.0)
        assert 0 < strengths["which zebra?"] < 1

    def test_message_filters_come_before_the_limit(self, chat: ConversationFixture) -> None:
        """Fails if filters are applied after the limit, or change the ranking statistics.

        Also fails if `since` excludes messages at exactly that time.
        """
        for number in range(6):
            chat.say("zebra zebra", session=f"other{number}", at=START + MINUTE)
        chat.say("zebra and much else", session="mine", at=START)
        (everywhere,) = [hit for hit in chat.find("zebra") if hit.message.session == "mine"]
        assert chat.find("zebra", session="mine", limit=1) == (everywhere,)
        assert len(chat.find("zebra", since=START + MINUTE)) == 6
        assert len(chat.find("zebra", since=START)) == 7
        assert chat.find("zebra", session="mine", since=START + MINUTE) == ()

    def test_messages_rank_as_in_the_model(self, chat: ConversationFixture) -> None:
        """Fails if the ranking differs from the in-memory storage's.

        Likely causes are differences in tokens, columns, statistics, the weight of age, or the order of ties. Also
        fails if `held` lacks a query word of the message itself, or has a query word found only in the message's
        context.
        """

        @bounded(12)
        @given(
            st.lists(message_drafts(), min_size=4, max_size=14, unique_by=lambda draft: draft.key),
            st.lists(questions(4), min_size=1, max_size=4),
            st.sampled_from((None, "s1")),
            st.integers(1, 6),
        )
        def agrees(
            drafts: Sequence[MessageDraft], queries: Sequence[str], session: str | None, limit: int
        ) -> None:
            blank = chat.project.fresh()
            tested, model = ConversationFixture(blank), ConversationFixture(blank.in_memory())
            for each in (tested, model):
                each.add(*drafts[:3])
                each.add(*drafts[2:])
            for query in queries:
                _same(*(each.find(query, session=session, limit=limit) for each in (tested, model)))
            assert tested.port.sessions() == model.port.sessions()

        agrees()

    def test_the_best_of_many_messages_are_found(self, chat: ConversationFixture) -> None:
        """Fails if only the best matches by words are weighted by age, so that newer matches are missing.

        Also fails if only part of a large batch is stored.
        """
        old = [chat.draft("zebra", session=f"old{number}", at=START - 20 * YEAR) for number in range(150)]
        fresh = [chat.draft("a zebra at last", session=f"fresh{number}", at=START) for number in range(3)]
        others = [chat.draft("horse", session=f"horse{number}") for number in range(200)]
        assert chat.add(*fresh, *old, *others) == 353
        assert [hit.message.session for hit in chat.find("zebra", limit=3)] == ["fresh2", "fresh1", "fresh0"]

    def test_any_text_can_be_looked_for_in_messages(self, chat: ConversationFixture) -> None:
        """Fails if some text is parsed as query syntax, or can't be encoded."""
        for word in WORDS[::3]:
            chat.say(word, session=word)

        @bounded(15)
        @given(any_text())
        def answers(text: str) -> None:
            assert chat.find(text, limit=3) == chat.find(text, limit=50)[:3]
            assert chat.find("zebra", session=f"{text} of nobody") == ()

        answers()
