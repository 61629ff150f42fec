"""Clauses on titles. A title names the session of one of its records."""

from attrs import evolve

from lamella.domain.transactions.conversation_writes import DropTitles, KeepEnds, KeepTitles, NameSession
from lamella.domain.transactions.look import ConversationFacts
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.conversations import ConversationFixture
from lamella_contracts.fixtures.project import signed


def _names(chat: ConversationFixture) -> dict[str, str]:
    return {each.id: each.name for each in chat.port.sessions()}


@every_clause_needs(Capability.CONVERSATIONS)
class TitleClauses:
    """A look answers known sessions, records and waiting titles."""

    def test_sessions_and_records_are_told(self, chat: ConversationFixture) -> None:
        """A record with the same beginning or without a question is answered, or a title is answered as a name."""
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
        assert facts == ConversationFacts(
            last=len(keys),
            names={"r1/3": True, "r10/": False},
            said={"r1": "r1/3"},
            ended={"r1": "r10/", "r2": "r1/3"},
        )
        assert chat.other("other").facts(records=("r1", "r2")) == ConversationFacts()

    def test_what_waits_is_kept_in_order(self, chat: ConversationFixture) -> None:
        """Titles are ordered by record, a repeated one moves to the end, or the latest ends are dropped first."""
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
        """An erase forgets keys, records, ends or sessions; frees a number; or keeps waiting titles."""
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
        """A merge or a split leaves titles behind, makes names of them, or gives them to another project."""
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
        """A merge replaces a name given by a person with the title from the new project."""
        old, new = chat.other("old"), chat.other("new")
        old.add(old.draft("said", session="a", key="r1/0"), names={"a": "Mine"})
        new.add(new.draft("said too", session="a", key="r2/0"), titles={"r2": "Title", "r1": "Other title"})
        chat.project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert _names(new) == {"a": "Mine"}
        chat.project.storage.registry.split(old.project.id, by=signed())
        assert _names(old) == {"a": "Mine"}
