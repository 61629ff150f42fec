"""Clauses on adding and reading messages of conversations."""

from datetime import timedelta
from functools import partial

import pytest

from lamella.domain.conversations.message import Batch, Message, Role, Session
from lamella.domain.errors import UnknownProjectError
from lamella.domain.memories.query import Recent
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.clauses.storage.concurrency import THREADS, at_once
from lamella_contracts.fixtures.conversations import Talk
from lamella_contracts.fixtures.project import DAWN, MINUTE, Notebook

HOSTILE = ("\x00 NUL", "quo\"ted 'text' -- ; %_", "\u202eright to left", "e\u0301 \u00e9", " kept \r\n as it is\t")


class MessageClauses:
    """Messages are added once and come back unchanged."""

    @needs(Capability.CONVERSATIONS)
    def test_every_field_of_a_message_comes_back(self, notebook: Notebook) -> None:
        """A field of a message has no column, or a time loses its zone or its microseconds."""
        talk = Talk(notebook)
        at = [DAWN + timedelta(microseconds=number) for number in range(len(Role))]
        drafts = [talk.draft(role.value, role=role, at=when) for role, when in zip(Role, at, strict=True)]
        assert talk.add(*drafts) == len(Role)
        assert talk.of("s1") == tuple(
            Message(number=number, session="s1", role=role, text=role.value, at=when)
            for number, (role, when) in enumerate(zip(Role, at, strict=True), start=1)
        )

    @needs(Capability.CONVERSATIONS)
    def test_hostile_messages_come_back_verbatim(self, notebook: Notebook) -> None:
        """Text is trimmed, normalised, cut at NUL, or has its line ends translated."""
        talk = Talk(notebook)
        talk.add(*(talk.draft(text, session=text, key=text) for text in HOSTILE))
        assert [each.text for text in HOSTILE for each in talk.of(text)] == list(HOSTILE)

    @needs(Capability.CONVERSATIONS)
    def test_a_known_key_is_passed_over(self, notebook: Notebook) -> None:
        """A message that is read again, or stands twice in a batch, is doubled or replaces the first."""
        talk = Talk(notebook)
        first, second = talk.draft("first", key="k1"), talk.draft("second", key="k2")
        again = talk.draft("again", key="k1")
        assert (talk.add(first), talk.add(again, second, again)) == (1, 1)
        assert [(each.number, each.text) for each in talk.of("s1")] == [(1, "first"), (2, "second")]

    @needs(Capability.CONVERSATIONS)
    def test_known_keys_are_told(self, notebook: Notebook) -> None:
        """A key is told that no message of the project has, or that of a call of a tool is not."""
        talk, there = Talk(notebook), Talk(notebook.elsewhere("there"))
        talk.add(talk.draft("one", key="k1"), talk.draft("two", key="k2", role=Role.TOOL))
        there.add(there.draft("there", key="k3"))
        assert talk.conversations.known(["k2", "k1", "k3", "k", "K1", "k1"]) == {"k1", "k2"}
        assert talk.conversations.known([]) == frozenset()

    @needs(Capability.CONVERSATIONS)
    def test_the_position_goes_with_the_messages(self, notebook: Notebook) -> None:
        """The position is not stored, is one for all sources, or needs new messages to move."""
        talk = Talk(notebook)
        assert talk.conversations.position("one") == ""
        talk.add(talk.draft("said"), source="one", position="at 17")
        talk.add(source="two", position="at 4")
        talk.add(source="two", position="at 5")
        assert [talk.conversations.position(each) for each in ("one", "two", "three")] == ["at 17", "at 5", ""]

    @needs(Capability.CONVERSATIONS)
    def test_messages_are_answered_by_number(self, notebook: Notebook) -> None:
        """The answer is in the order of asking, has repeats, or an unknown number is an error."""
        talk = Talk(notebook)
        said = [talk.say(text) for text in ("one", "two", "three")]
        asked = talk.conversations.messages((3, 99, 1, 3, -1, 2**70))
        assert asked == (said[0], said[2])

    @needs(Capability.CONVERSATIONS)
    def test_numbers_are_those_of_the_session(self, notebook: Notebook) -> None:
        """Numbers count within a session instead of the project, or those of another session are mixed in."""
        talk = Talk(notebook)
        for session in ("s1", "s2", "s1"):
            talk.say("said", session=session)
        sessions = ("s1", "s2", "s", "S1")
        assert [talk.conversations.numbers(session) for session in sessions] == [(1, 3), (2,), (), ()]

    @needs(Capability.CONVERSATIONS)
    def test_sessions_say_when_they_were(self, notebook: Notebook) -> None:
        """Beginning and end are those of the first and last number, or the order is that of their beginning."""
        talk = Talk(notebook)
        talk.say("early", session="long", at=DAWN)
        talk.say("meanwhile", session="b", at=DAWN + MINUTE)
        talk.say("meanwhile", session="a", at=DAWN + MINUTE)
        talk.say("late", session="long", at=DAWN + 2 * MINUTE)
        talk.say("told late", session="long", at=DAWN - MINUTE)
        talk.say("before", session="old", at=DAWN - 9 * MINUTE)
        every = talk.conversations.sessions()
        assert every[0] == Session(
            id="long", name="early", started_at=DAWN - MINUTE, ended_at=DAWN + 2 * MINUTE, messages=3
        )
        assert [each.id for each in every] == ["long", "a", "b", "old"]
        assert (talk.conversations.sessions("b"), talk.conversations.sessions("c")) == ((every[2],), ())

    @needs(Capability.CONVERSATIONS)
    def test_sessions_have_names(self, notebook: Notebook) -> None:
        """A given name is not used or not replaced, or one is made of a command or of what somebody else said."""
        talk = Talk(notebook)
        for session in ("given", "said"):
            talk.say("Thinking.", session=session, role=Role.THOUGHT)
            talk.say("/status", session=session)
            talk.say("Why does it fail? I don't know.", session=session)
            talk.say("And then?", session=session)
        talk.say("Not of people.", session="mute", role=Role.ASSISTANT)
        talk.say("/status", session="idle")
        talk.add(position="2", names={"given": "Provisional", "unheard": "Of"})
        talk.add(position="3", names={"given": "Final"})
        names = {each.id: each.name for each in talk.conversations.sessions()}
        assert names == {"given": "Final", "said": "Why does it fail?", "mute": "mute", "idle": "/status"}

    @needs(Capability.CONVERSATIONS)
    def test_messages_are_counted_by_their_time(self, notebook: Notebook) -> None:
        """Messages at exactly this time or of tools are left out, or the time of adding counts."""
        talk = Talk(notebook)
        for minutes, role in ((3, Role.HUMAN), (1, Role.TOOL), (2, Role.TOOL_RESULT)):
            talk.say("said", session=role.value, role=role, at=DAWN + minutes * MINUTE)
        assert [talk.conversations.count(since=DAWN + minutes * MINUTE) for minutes in range(5)] == [3, 3, 2, 1, 0]

    @needs(Capability.CONVERSATIONS)
    def test_messages_are_no_observations(self, notebook: Notebook) -> None:
        """Messages are found or counted among observations, or touch the statistics that those are ranked by."""
        notebook.save("zebra one", session="s1")
        notebook.save("two", session="s1")
        before = notebook.find("zebra two")
        talk = Talk(notebook)
        for _ in range(3):
            talk.say("zebra zebra")
        assert notebook.find("zebra two") == before
        assert (notebook.search.count(), len(notebook.find(Recent()))) == (2, 2)
        assert [each.text for each in talk.of("s1")] == ["zebra zebra"] * 3

    @needs(Capability.CONVERSATIONS)
    def test_each_project_has_its_own_conversations(self, notebook: Notebook) -> None:
        """Keys, numbers, positions or sessions are shared between projects, or an unknown project is made."""
        here, there = Talk(notebook), Talk(notebook.elsewhere("there"))
        assert (here.add(here.draft("here", key="k")), there.add(there.draft("there", key="k"))) == (1, 1)
        there.add(source="other", position="2", names={"s1": "There"})
        assert [(each.number, each.text) for each in here.of("s1")] == [(1, "here")]
        assert [each.name for each in here.conversations.sessions()] == ["here"]
        assert here.conversations.position("other") == ""
        assert (here.texts("there"), there.texts("there")) == ([], ["there"])
        for opened in (notebook.storage.conversations, notebook.storage.summaries):
            with pytest.raises(UnknownProjectError):
                opened("unknown")

    @needs(Capability.CONVERSATIONS)
    def test_racing_imports_double_nothing(self, notebook: Notebook) -> None:
        """The check for a known key is outside the transaction that stores the message."""
        talk = Talk(notebook)
        batch = Batch(
            source="t", position="1", drafts=tuple(talk.draft(f"message {number}") for number in range(5))
        )
        new = at_once([partial(talk.conversations.add, batch)] * THREADS)
        assert sum(new) == len(batch.drafts)
        assert [each.text for each in talk.of("s1")] == [draft.text for draft in batch.drafts]
