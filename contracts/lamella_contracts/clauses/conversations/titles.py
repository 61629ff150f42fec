"""Clauses on titles, which name a session by one of its records."""

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.conversations import ConversationFixture
from lamella_contracts.fixtures.project import ProjectFixture, signed


def _names(chat: ConversationFixture) -> dict[str, str]:
    return {each.id: each.name for each in chat.port.sessions()}


class TitleClauses:
    """A title names the session of its record, even if the record arrives later."""

    @needs(Capability.CONVERSATIONS)
    def test_a_title_names_the_session_of_its_record(self, project: ProjectFixture) -> None:
        """A title is looked for among first parts only, among records that begin alike, or not in its batch."""
        chat = ConversationFixture(project)
        chat.add(chat.draft("one", session="before", key="r1/3"), chat.draft("ten", session="alike", key="r10/0"))
        chat.add(chat.draft("slash", session="deeper", key="r1/x/0"), chat.draft("bare", session="bare", key="r1"))
        with_it = chat.draft("with it", session="with it", key="r2/0")
        chat.add(with_it, titles={"r1": "Known before", "r2": "In its batch", "r": "Of none"})
        names = {"before": "Known before", "with it": "In its batch"}
        assert _names(chat) == {"alike": "ten", "deeper": "slash", "bare": "bare", **names}

    @needs(Capability.CONVERSATIONS)
    def test_a_title_waits_for_its_record(self, project: ProjectFixture) -> None:
        """A title is dropped whose record has not been read yet, or waits beyond the first batch that comes."""
        chat = ConversationFixture(project)
        chat.add(titles={"r1": "Of a message", "r2": "Of an end"})
        chat.add(chat.draft("another", session="another", key="r3/0"))
        chat.add(chat.draft("first", session="a", key="r1/0"), chat.draft("second", session="b", key="r4/0"))
        assert _names(chat) == {"another": "another", "a": "Of a message", "b": "second"}
        chat.add(ends={"r2": "b"})
        assert _names(chat) == {"another": "another", "a": "Of a message", "b": "Of an end"}

    @needs(Capability.CONVERSATIONS)
    def test_a_record_without_words_is_known_by_its_title(self, project: ProjectFixture) -> None:
        """The end of a conversation without words is forgotten after its batch."""
        chat = ConversationFixture(project)
        chat.add(chat.draft("said", session="s1"), ends={"r1": "s1"})
        chat.say("meanwhile", session="s2")
        chat.add(titles={"r1": "Ended in silence"})
        assert _names(chat) == {"s1": "Ended in silence", "s2": "meanwhile"}

    @needs(Capability.CONVERSATIONS)
    def test_a_title_replaces_a_title_and_no_name(self, project: ProjectFixture) -> None:
        """The first title stays, or a title takes the place of a name, or stays where a name comes."""
        chat = ConversationFixture(project)
        for session in ("twice", "named", "later"):
            chat.add(chat.draft("said", session=session, key=f"{session}/0"))
        chat.add(titles={"twice": "First"}, names={"named": "Given"})
        chat.add(titles={"twice": "Second", "named": "Made up", "later": "Made up"})
        chat.add(names={"later": "Given"})
        chat.add(titles={"later": "Made up again"})
        assert _names(chat) == {"twice": "Second", "named": "Given", "later": "Given"}

    @needs(Capability.CONVERSATIONS)
    def test_what_waits_is_bounded(self, project: ProjectFixture) -> None:
        """Titles and ends that no session ever takes pile up, or the latest are dropped first."""
        chat = ConversationFixture(project)
        chat.add(titles={"first": "Title"}, ends={"end": "early"})
        chat.add(titles={"second": "Title"})
        chat.add(
            titles={f"w{number}": "Title" for number in range(MAX_WAITING_TITLES - 1)},
            ends={f"e{number}": "late" for number in range(MAX_ENDS)},
        )
        for session in ("first", "second"):
            chat.add(chat.draft("said", session=session, key=f"{session}/0"))
        chat.say("said", session="early")
        chat.say("said", session="late")
        chat.add(titles={"end": "Title", "e0": "Title"})
        assert _names(chat) == {"first": "said", "second": "Title", "early": "said", "late": "Title"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_titles_of_erased_sessions_do_not_come_back(self, project: ProjectFixture) -> None:
        """A title outlives its session, or one that is read later names what comes after an erase."""
        chat = ConversationFixture(project)
        chat.add(chat.draft("said", session="gone", key="r1/0"), ends={"r2": "gone"}, titles={"r1": "Title"})
        chat.port.erase("gone")
        chat.add(titles={"r1": "Again", "r2": "Again"})
        chat.say("anew", session="gone")
        chat.add(chat.draft("said", session="gone", key="r1/0"), ends={"r2": "gone"})
        assert _names(chat) == {"gone": "anew"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_titles_move_with_their_project(self, project: ProjectFixture) -> None:
        """A merge or a split leaves titles behind, makes names of them, or gives them to another project."""
        old, new = ConversationFixture(project.other("old")), ConversationFixture(project.other("new"))
        old.add(old.draft("said", session="a", key="r1/0"), titles={"r1": "Old title", "r2": "For the new"})
        new.add(new.draft("said", session="b", key="r2/0"), titles={"r3": "For the old", "r6": "Waited on"})
        old.add(ends={"r3": "a", "r4": "a"})
        new.add(ends={"r5": "b"})
        assert (_names(old), _names(new)) == ({"a": "Old title"}, {"b": "said"})
        project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert _names(new) == {"a": "For the old", "b": "For the new"}
        project.storage.registry.split(old.project.id, by=signed())
        assert (_names(old), _names(new)) == ({"a": "For the old"}, {"b": "For the new"})
        old.add(titles={"r4": "Of its own end"})
        new.add(new.draft("said", session="c", key="r6/0"), titles={"r5": "Of its own end"})
        assert _names(old) == {"a": "Of its own end"}
        assert _names(new) == {"b": "Of its own end", "c": "Waited on"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_a_name_that_arrives_replaces_a_title(self, project: ProjectFixture) -> None:
        """A name given by a person is lost in a merge to the title that the session has in the new project."""
        old, new = ConversationFixture(project.other("old")), ConversationFixture(project.other("new"))
        old.add(old.draft("said", session="a", key="r1/0"), names={"a": "Mine"})
        new.add(new.draft("said too", session="a", key="r2/0"), titles={"r2": "Title", "r1": "Other title"})
        project.storage.registry.merge(old.project.id, new.project.id, by=signed())
        assert _names(new) == {"a": "Mine"}
        project.storage.registry.split(old.project.id, by=signed())
        assert _names(old) == {"a": "Mine"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_an_erase_takes_titles_that_wait(self, project: ProjectFixture) -> None:
        """A title of an erased session stays, because it waits for a record that nobody has."""
        chat = ConversationFixture(project)
        chat.add(chat.draft("said", session="gone", key="r1/0"), titles={"r2": "Title"})
        assert chat.port.erase("another") == 0
        chat.port.erase("gone")
        chat.add(chat.draft("said", session="new", key="r2/0"))
        assert _names(chat) == {"new": "said"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.DURABLE)
    def test_titles_survive_a_restart(self, project: ProjectFixture) -> None:
        """Waiting titles and ends are in memory only, or a title becomes a name."""
        chat = ConversationFixture(project)
        chat.add(chat.draft("said", session="a", key="r1/0"), titles={"r1": "Title", "r2": "Waiting"})
        chat.add(ends={"r3": "a"})
        again = ConversationFixture(project.reopened())
        assert _names(again) == {"a": "Title"}
        again.add(titles={"r3": "Of its end"})
        assert _names(again) == {"a": "Of its end"}
        again.add(again.draft("said", session="b", key="r2/0"))
        assert _names(again) == {"a": "Of its end", "b": "Waiting"}
