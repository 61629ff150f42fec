"""Clauses on erasing, moving and summarising conversations, and on their titles."""

from attrs import evolve

from lamella.domain.conversations.summary import Summary
from lamella.domain.transactions.adding import ConversationFacts
from lamella.domain.transactions.conversation_writes import DropTitles, KeepEnds, KeepTitles, NameSession
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.conversations import ConversationFixture
from lamella_contracts.fixtures.project import signed

SUMMARY = Summary(first=1, last=2, sentences=("User: One?", "Assistant: Two."), files=("a.py",))


def _merged(chat: ConversationFixture) -> tuple[ConversationFixture, ConversationFixture]:
    """Return a merged project and its target. Both contain the same message."""
    old, new = chat.other("old"), chat.other("new")
    shared = old.draft("said in both", session="shared", key="same")
    old.add(old.draft("old one", session="o"), shared, old.draft("old two", session="o"), names={"o": "Old"})
    old.add(source="old's own", position="7")
    new.add(new.draft("new one", session="n"), shared, source="new's own", position="9")
    chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
    return old, new


@every_clause_needs(Capability.CONVERSATIONS)
class ConversationMovingClauses:
    """Conversations are erased, move with their project in merges and splits, and keep valid summaries."""

    @needs(Capability.ERASE)
    def test_erasing_a_session_leaves_nothing(self, chat: ConversationFixture) -> None:
        """Fails if messages, the name or summaries of the erased session are left.

        Also fails if another session or the import position of the source is erased too.
        """
        for session in ("gone", "kept"):
            chat.add(chat.draft("zebra one", session=session), chat.draft("two", session=session))
        chat.add(position="2", names={"gone": "Name of it"})
        chat.port.keep("gone", 1, {"mark": SUMMARY})
        assert [chat.port.erase(session) for session in ("gone", "gone", "never")] == [2, 0, 0]
        assert [each.id for each in chat.port.sessions()] == ["kept"]
        assert [hit.message.session for hit in chat.find("zebra")] == ["kept", "kept"]
        assert [each.text for each in chat.messages_of("kept")] == ["zebra one", "two"]
        assert (chat.port.kept("gone", 1), chat.port.position("transcript")) == ({}, "2")
        chat.say("new words", session="gone")
        assert chat.port.sessions("gone")[0].name == "new words"

    @needs(Capability.MERGE)
    def test_a_merge_moves_conversations(self, chat: ConversationFixture) -> None:
        """Fails if a merge leaves messages or names behind, or reuses message numbers.

        Also fails if a message stored in both projects appears twice.
        """
        old, new = _merged(chat)
        assert [(each.number, each.text) for each in new.messages_of("o")] == [(3, "old one"), (4, "old two")]
        assert [(each.number, each.text) for each in new.messages_of("shared")] == [(2, "said in both")]
        assert [each.name for each in old.port.sessions("o")] == ["Old"]
        assert old.port.sessions() == new.port.sessions()
        assert sorted(new.texts("old new")) == ["new one", "old one", "old two"]
        chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert len(new.port.numbers("o")) == 2

    @needs(Capability.MERGE)
    def test_open_conversations_follow_a_merge(self, chat: ConversationFixture) -> None:
        """Fails if conversations opened before a merge still read from or write to the old project."""
        old, new = chat.other("old"), chat.other("new")
        old.say("zebra before")
        opened = old.port
        chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        old.say("zebra after")
        assert opened.sessions() == new.port.sessions()
        assert sorted(new.texts("zebra")) == ["zebra after", "zebra before"]

    @needs(Capability.MERGE)
    def test_positions_go_with_a_merge(self, chat: ConversationFixture) -> None:
        """Fails if a merge loses import positions, so that everything is imported again.

        Also fails if a merge overwrites positions of the target project.
        """
        old, new = chat.other("old"), chat.other("new")
        for each, position in ((old, "at 3"), (new, "at 4")):
            each.add(source=f"of {each.project.location.name}", position=position)
            each.add(source="both", position=position)
        chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        sources = ("of old", "of new", "both")
        assert [new.port.position(each) for each in sources] == ["at 3", "at 4", "at 4"]
        chat.project.storage.registry.split(old.project.id, by=signed())
        assert [new.port.position(each) for each in sources] == ["", "at 4", "at 4"]
        assert [old.port.position(each) for each in sources] == ["at 3", "", ""]

    @needs(Capability.MERGE)
    def test_a_split_gives_conversations_back(self, chat: ConversationFixture) -> None:
        """Fails if a split leaves messages or names behind.

        Also fails if a split moves messages added after the merge, or messages of the other project.
        """
        old, new = _merged(chat)
        old.say("since", session="o")
        chat.project.storage.registry.split(old.project.id, by=signed())
        assert [each.text for each in old.messages_of("o")] == ["old one", "old two"]
        assert [each.name for each in old.port.sessions()] == ["Old"]
        assert [(each.text, each.session) for each in new.port.messages(range(10))] == [
            ("new one", "n"),
            ("said in both", "shared"),
            ("since", "o"),
        ]
        assert sorted(old.texts("old new since")) == ["old one", "old two"]
        assert sorted(new.texts("old new since")) == ["new one", "since"]

    @needs(Capability.ERASE)
    @needs(Capability.MERGE)
    def test_what_was_erased_stays_known_where_a_project_goes(self, chat: ConversationFixture) -> None:
        """Fails if erased messages can be imported again after a merge or split.

        Also fails if a merge brings back messages that were erased in the target project.
        """
        old, new = chat.other("old"), chat.other("new")
        first, second, third = (old.draft("gone", session=f"of {key}", key=key) for key in ("k1", "k2", "k3"))
        old.add(first, second, third, names={"of k3": "Named in old"})
        new.add(third)
        old.port.erase("of k1")
        new.port.erase("of k3")
        chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert new.add(first, third) == 0
        new.port.erase("of k2")
        chat.project.storage.registry.split(old.project.id, by=signed())
        assert [chat.add(first, second, third) for chat in (old, new)] == [0, 0]
        new.say("since", session="of k3")
        assert [each.name for chat in (old, new) for each in chat.port.sessions()] == ["since"]

    @needs(Capability.DURABLE)
    def test_conversations_survive_a_restart(self, chat: ConversationFixture) -> None:
        """Fails if messages, names, titles, import positions or summaries are only in memory.

        Also fails if message numbers start again at 1.
        """
        chat.add(chat.draft("zebra", key="r1/0"), chat.draft("horse"), position="at 2", names={"s1": "Animals"})
        chat.add(position="at 3", titles={"r1": "Title", "r2": "Waiting"}, ends={"r3": "s1"})
        chat.port.keep("s1", 1, {"mark": SUMMARY})

        def kept(chat: ConversationFixture) -> tuple[object, ...]:
            told = (chat.port.position("transcript"), chat.port.kept("s1", 1), chat.facts(records=("r1", "r3")))
            return (chat.find("zebra"), chat.port.sessions(), chat.messages_of("s1"), *told)

        before = kept(chat)
        again = ConversationFixture(chat.project.reopened())
        assert kept(again) == before
        again.add(again.draft("new", key="new"))
        assert again.port.numbers("s1") == (1, 2, 3)

    def test_summaries_are_kept_by_session_and_level(self, chat: ConversationFixture) -> None:
        """Fails if a summary is changed, or is returned for another session or level.

        Also fails if two summaries of the same messages are kept, or a summary of an unknown session.
        """
        for session in ("s1", "s2"):
            chat.say("said", session=session)
        empty, longer = Summary(first=3, last=3), evolve(SUMMARY, last=9)
        chat.port.keep("s1", 1, {"old": SUMMARY, "other": empty})
        chat.port.keep("s1", 1, {"new": longer})
        chat.port.keep("gone", 1, {"mark": SUMMARY})
        places = [(session, level) for session in ("s1", "s2", "gone") for level in (1, 2)]
        assert {place: kept for place in places if (kept := chat.port.kept(*place))} == {
            ("s1", 1): {"new": longer, "other": empty}
        }

    @needs(Capability.MERGE)
    def test_summaries_of_what_moved_away_are_dropped(self, chat: ConversationFixture) -> None:
        """Fails if summaries of messages that a split moved away are kept."""
        old, new = _merged(chat)
        new.port.keep("o", 1, {"mark": SUMMARY})
        chat.project.storage.registry.split(old.project.id, by=signed())
        assert (old.port.kept("o", 1), new.port.kept("o", 1)) == ({}, {})


def _names(chat: ConversationFixture) -> dict[str, str]:
    return {each.id: each.name for each in chat.port.sessions()}


@every_clause_needs(Capability.CONVERSATIONS)
class TitleClauses:
    """A generated title refers to the last record of a conversation, and waits until this record is stored.

    A query for facts returns the names of sessions, the session of each record, and the waiting titles.
    """

    def test_sessions_and_records_are_told(self, chat: ConversationFixture) -> None:
        """Fails if a record id matches as a prefix, or if sessions or records are returned unasked.

        Also fails if a generated title is reported as a name given by a person. Also fails if `ended` lacks a
        record that `KeepEnds` has stored, in case a message of the record is stored, too.
        """
        keys = ("r1/3", "r10/0", "r1/x/0", "r1", "r4/0")
        chat.add(*(chat.draft("said", session=key[:4], key=key) for key in keys))
        chat.apply(
            NameSession(session="r1/3", name="Title", titled=True),
            NameSession(session="r10/", name="Title", titled=True),
            NameSession(session="r10/", name="Name", titled=False),
            NameSession(session="r4/0", name="Not asked for", titled=False),
            KeepEnds(ends={"r1": "r10/", "r2": "r1/3", "r3": "r1/3"}, most=9, origin=chat.project.id),
        )
        facts = chat.facts(sessions=("r10/", "nobody"), records=("r1", "r2", "r", "r5"))
        assert facts.ended == {"r1": "r10/", "r2": "r1/3"}
        assert evolve(facts, ended={}) == ConversationFacts(
            last=len(keys), names={"r1/3": True, "r10/": False}, said={"r1": "r1/3"}
        )
        assert chat.other("other").facts(records=("r1", "r2")) == ConversationFacts()

    def test_what_waits_is_kept_in_order(self, chat: ConversationFixture) -> None:
        """Fails if waiting titles, which arrived before their record, are not kept in order of arrival.

        Also fails if `KeepEnds`, when its limit is reached, drops the newest records instead of the oldest.
        """
        chat.apply(KeepTitles(titles={"r3": "Three", "r1": "One", "r4": "Four"}, origin=chat.project.id))
        chat.apply(KeepTitles(titles={"r2": "Two"}, origin=chat.project.id), DropTitles(("r3", "r4")))
        chat.apply(KeepTitles(titles={"r3": "Third", "r0": "None"}, origin=chat.project.id))
        assert list(chat.facts().waiting.items()) == [
            ("r1", "One"),
            ("r2", "Two"),
            ("r3", "Third"),
            ("r0", "None"),
        ]
        for ends in ({"e2": "a", "e1": "a"}, {"e3": "b", "e2": "b"}):
            chat.apply(KeepEnds(ends=ends, most=2, origin=chat.project.id))
        assert chat.facts(records=("e1", "e2", "e3")).ended == {"e2": "b", "e3": "b"}

    @needs(Capability.ERASE)
    def test_erased_sessions_and_records_are_told(self, chat: ConversationFixture) -> None:
        """Fails if the erased keys, records and sessions aren't remembered.

        Also fails if the number of an erased message is reused, or if a title still waits for an erased record.
        """
        chat.add(chat.draft("said", session="gone", key="r1/0"), chat.draft("kept", session="kept", key="r2/0"))
        chat.add(names={"gone": "Name"}, ends={"r3": "gone"}, titles={"r4": "Waits"})
        assert [chat.port.erase(each) for each in ("another", "gone")] == [0, 1]
        asked = {"sessions": ("gone", "kept", "new"), "records": ("r1", "r2", "r3", "r4")}
        facts = ConversationFacts(
            last=2, silent=frozenset({"gone"}), said={"r2": "kept"}, gone=frozenset({"r1", "r3"})
        )
        assert chat.facts(**asked) == facts
        assert chat.port.known(["r1/0", "r2/0", "r5/0"]) == {"r1/0", "r2/0"}
        chat.add(chat.draft("since", session="gone", key="r5/0"))
        assert chat.facts(**asked) == evolve(facts, last=3, silent=frozenset())

    @needs(Capability.MERGE)
    def test_titles_move_with_their_project(self, chat: ConversationFixture) -> None:
        """Fails if a merge or split leaves titles behind or moves them to the wrong project.

        Also fails if a generated title becomes a name given by a person.
        """
        old, new = chat.other("old"), chat.other("new")
        old.add(old.draft("said", session="a", key="r1/0"), titles={"r1": "Old title", "r2": "For the new"})
        new.add(new.draft("said", session="b", key="r2/0"), titles={"r3": "For the old", "r6": "Waited on"})
        old.add(ends={"r3": "a", "r4": "a"})
        new.add(ends={"r5": "b"})
        assert (_names(old), _names(new)) == ({"a": "Old title"}, {"b": "said"})
        chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert _names(new) == {"a": "For the old", "b": "For the new"}
        chat.project.storage.registry.split(old.project.id, by=signed())
        assert (_names(old), _names(new)) == ({"a": "For the old"}, {"b": "For the new"})
        old.add(titles={"r4": "Of its own end"})
        new.add(new.draft("said", session="c", key="r6/0"), titles={"r5": "Of its own end"})
        assert _names(old) == {"a": "Of its own end"}
        assert _names(new) == {"b": "Of its own end", "c": "Waited on"}

    @needs(Capability.MERGE)
    def test_a_name_that_arrives_replaces_a_title(self, chat: ConversationFixture) -> None:
        """Fails if a merge replaces a name given by a person with a generated title of the target project."""
        old, new = chat.other("old"), chat.other("new")
        old.add(old.draft("said", session="a", key="r1/0"), names={"a": "Mine"})
        new.add(new.draft("said too", session="a", key="r2/0"), titles={"r2": "Title", "r1": "Other title"})
        chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert _names(new) == {"a": "Mine"}
        chat.project.storage.registry.split(old.project.id, by=signed())
        assert _names(old) == {"a": "Mine"}
