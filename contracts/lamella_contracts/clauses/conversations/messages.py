"""Clauses on adding and reading messages of conversations."""

from datetime import timedelta

from attrs import evolve

from lamella.domain.conversations.message import Message, Role, Session
from lamella.domain.conversations.summary import Summary
from lamella.domain.memories.query import Recent
from lamella.domain.text.printing import stored_key
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.fixtures.conversations import ConversationFixture
from lamella_contracts.fixtures.project import LONG_KEY, MICROSECOND, MINUTE, START, ZONES

HOSTILE = (
    "\x01 control",
    "quo\"ted 'text' -- ; %_",
    "\u202eright to left",
    "e\u0301 \u00e9",
    " kept \r\n as it is\t",
)


@every_clause_needs(Capability.CONVERSATIONS)
class MessageClauses:
    """Messages are added once and come back unchanged."""

    def test_every_field_of_a_message_comes_back(self, chat: ConversationFixture) -> None:
        """Fails if a field of a message is not stored, or if a time loses its zone or its microseconds."""
        at = [START + timedelta(microseconds=number) for number in range(len(Role))]
        drafts = [
            evolve(chat.draft(role, role=role, at=when), client=role) for role, when in zip(Role, at, strict=True)
        ]
        assert chat.add(*drafts) == len(Role)
        assert chat.messages_of("s1") == tuple(
            Message(number=number, session="s1", role=role, text=role, at=when, client=role)
            for number, (role, when) in enumerate(zip(Role, at, strict=True), start=1)
        )

    def test_hostile_messages_come_back_verbatim(self, chat: ConversationFixture) -> None:
        """Fails if text is trimmed, normalised, cut at a control character, or has its line endings translated."""
        chat.add(*(chat.draft(text, session=text, key=text) for text in HOSTILE))
        assert [each.text for text in HOSTILE for each in chat.messages_of(text)] == list(HOSTILE)

    def test_known_keys_are_told(self, chat: ConversationFixture) -> None:
        """Fails if a key that is not stored is reported as stored, or if the key of a tool call is missing."""
        there = chat.other("there")
        chat.add(chat.draft("one", key="k1"), chat.draft("two", key="k2", role=Role.TOOL))
        there.add(there.draft("there", key="k3"))
        assert chat.port.known(["k2", "k1", "k3", "k", "K1", "k1"]) == {"k1", "k2"}
        assert chat.port.known([]) == frozenset()

    def test_long_keys_of_messages_are_told_apart(self, chat: ConversationFixture) -> None:
        """Fails if long keys, session ids or sources are truncated, so that different keys look equal.

        Also fails if a lookup with a long key doesn't shorten it as `stored_key` does.
        """
        keys = [f"{LONG_KEY}{end}" for end in "ab"]
        for key in keys:
            chat.add(chat.draft(f"zebra {key[-1]}", session=key, key=key), source=key, position=key[-1])
            chat.port.keep(key, 1, {key[-1]: Summary(first=1, last=1, sentences=(), files=())})
        assert chat.port.known([*keys, LONG_KEY, stored_key(keys[0])]) == {*keys, stored_key(keys[0])}
        assert [chat.port.position(key) for key in keys] == ["a", "b"]
        assert [len(chat.port.numbers(key)) for key in keys] == [1, 1]
        assert [[each.id for each in chat.port.sessions(key)] for key in keys] == [
            [stored_key(key)] for key in keys
        ]
        assert [chat.texts("zebra", session=key) for key in keys] == [["zebra a"], ["zebra b"]]
        assert [list(chat.port.kept(key, 1)) for key in keys] == [["a"], ["b"]]

    def test_the_position_goes_with_the_messages(self, chat: ConversationFixture) -> None:
        """Fails if the import position is not stored, or is shared by all sources.

        Also fails if the position can't be set to an earlier value, or can't be set without new messages.
        """
        assert chat.port.position("one") == ""
        chat.add(chat.draft("said"), source="one", position="at 17")
        chat.add(source="two", position="at 4")
        chat.add(source="two", position="at 5")
        chat.add(source="two", position="at 10")
        assert [chat.port.position(each) for each in ("one", "two", "three")] == ["at 17", "at 10", ""]

    def test_messages_are_answered_by_number(self, chat: ConversationFixture) -> None:
        """Fails if messages are duplicated, or are sorted as in the request instead of by number.

        Also fails if an unknown number or an empty request raises.
        """
        said = [chat.say(text) for text in ("one", "two", "three")]
        asked = chat.port.messages((3, 99, 1, 3, -1, 2**70))
        assert asked == (said[0], said[2])
        assert chat.port.messages(()) == ()

    def test_numbers_are_those_of_the_session(self, chat: ConversationFixture) -> None:
        """Fails if messages are numbered within each session instead of within the project.

        Also fails if a session id matches as a prefix or as a pattern.
        """
        for session in ("s1", "s2", "s1"):
            chat.say("said", session=session)
        sessions = ("s1", "s2", "s", "S1", "s_", "%", " s1")
        assert [chat.port.numbers(session) for session in sessions] == [(1, 3), (2,), (), (), (), (), ()]
        assert [len(chat.port.sessions(session)) for session in sessions] == [1, 1, 0, 0, 0, 0, 0]

    def test_sessions_say_when_they_were(self, chat: ConversationFixture) -> None:
        """Fails if a session's start and end are the times of the messages added first and last.

        They must be the times of the earliest and latest messages.

        Also fails if the client of a session isn't the client of the message added last.
        """
        chat.say("early", session="long", at=START)
        chat.say("meanwhile", session="b", at=START + MINUTE)
        chat.say("meanwhile", session="a", at=START + MINUTE)
        chat.say("meanwhile", session="B", at=START + MINUTE)
        chat.say("late", session="long", at=START + 2 * MINUTE)
        chat.add(evolve(chat.draft("told late", session="long", at=START - MINUTE), client="codex"))
        chat.say("before", session="old", at=START - 9 * MINUTE)
        every = chat.port.sessions()
        assert every[0] == Session(
            id="long",
            name="early",
            started_at=START - MINUTE,
            ended_at=START + 2 * MINUTE,
            messages=3,
            client="codex",
        )
        assert [each.id for each in every] == ["long", "B", "a", "b", "old"]
        assert (chat.port.sessions("b"), chat.port.sessions("c")) == ((every[3],), ())

    def test_sessions_have_names(self, chat: ConversationFixture) -> None:
        """Fails if a given name is ignored, or can't be replaced by a later name.

        Also fails if a title is taken from a command, or from a message that the user didn't write.
        """
        for session in ("given", "said"):
            chat.say("Thinking.", session=session, role=Role.THOUGHT)
            chat.say("/status", session=session)
            chat.say("Why does it fail? I don't know.", session=session)
            chat.say("And then?", session=session)
        chat.say("Not of people.", session="mute", role=Role.ASSISTANT)
        chat.say("/status", session="idle")
        chat.add(position="2", names={"given": "Provisional", "unheard": "Of"})
        chat.add(position="3", names={"given": "Final"})
        names = {each.id: each.name for each in chat.port.sessions()}
        assert names == {"given": "Final", "said": "Why does it fail?", "mute": "mute", "idle": "/status"}

    def test_times_of_messages_count_microseconds(self, chat: ConversationFixture) -> None:
        """Fails if `since` or `until` is rounded or loses its zone, or if `since` excludes its own time.

        Also fails if `since` and `until` are compared with the times at which messages were added.
        """
        for number, role in ((2, Role.HUMAN), (0, Role.HUMAN), (1, Role.ASSISTANT), (3, Role.TOOL)):
            chat.say(f"zebra {number}", session=f"s{number}", role=role, at=START + number * MICROSECOND)
        times = [START + number * MICROSECOND for number in range(5)]
        for zone in ZONES:
            since = [each.astimezone(zone) for each in times]
            assert chat.port.counts(since=since) == (4, 3, 2, 1, 0)
            assert set(chat.texts("zebra", since=since[1])) == {"zebra 1", "zebra 2"}
            assert set(chat.texts("zebra", until=since[1])) == {"zebra 0"}
            assert set(chat.texts("zebra", since=since[1], until=since[2])) == {"zebra 1"}

    def test_messages_are_no_observations(self, chat: ConversationFixture) -> None:
        """Fails if messages are found or counted as observations, or change the ranking of observations."""
        chat.project.save("zebra one", session="s1")
        chat.project.save("two", session="s1")
        before = chat.project.find("zebra two")
        for _ in range(3):
            chat.say("zebra zebra")
        assert chat.project.find("zebra two") == before
        assert (chat.project.search.count(), len(chat.project.find(Recent()))) == (2, 2)
        assert [each.text for each in chat.messages_of("s1")] == ["zebra zebra"] * 3

    def test_each_project_has_its_own_conversations(self, chat: ConversationFixture) -> None:
        """Fails if projects share keys, message numbers, import positions or sessions."""
        there = chat.other("there")
        assert (chat.add(chat.draft("here", key="k")), there.add(there.draft("zebra", key="k"))) == (1, 1)
        there.add(source="other", position="2", names={"s1": "There"})
        assert [(each.number, each.text) for each in chat.messages_of("s1")] == [(1, "here")]
        assert [each.name for each in chat.port.sessions()] == ["here"]
        assert chat.port.position("other") == ""
        assert (chat.texts("zebra"), there.texts("zebra")) == ([], ["zebra"])

    def test_pages_of_messages_can_be_added_elsewhere(self, chat: ConversationFixture) -> None:
        """Fails if a page lacks keys, roles or times, overlaps the next page, or exceeds its limit.

        Also fails if `names` returns session names derived from messages, not only given names.
        """
        there = chat.other("there")
        drafts = [chat.draft(f"said {role}", role=role, session=f"s{role[0]}") for role in Role]
        chat.add(*drafts, names={"sh": "a name"})
        assert chat.port.page(limit=100) == dict(enumerate(drafts, start=1))
        assert chat.port.page(after=2, limit=2) == {3: drafts[2], 4: drafts[3]}
        assert chat.port.names() == {"sh": "a name"}
        there.add(*chat.port.page(limit=100).values(), names=chat.port.names())
        assert there.port.page(limit=100) == chat.port.page(limit=100)
        assert there.port.sessions() == chat.port.sessions()
