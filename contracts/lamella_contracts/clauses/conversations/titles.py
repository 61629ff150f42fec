"""Clauses on titles, which name a session by one of its records."""

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.conversations import Talk
from lamella_contracts.fixtures.project import Notebook


def _names(talk: Talk) -> dict[str, str]:
    return {each.id: each.name for each in talk.conversations.sessions()}


class TitleClauses:
    """A title names the session of its record, even if the record arrives later."""

    @needs(Capability.CONVERSATIONS)
    def test_a_title_names_the_session_of_its_record(self, notebook: Notebook) -> None:
        """A title is looked for among first parts only, among records that begin alike, or not in its batch."""
        talk = Talk(notebook)
        talk.add(talk.draft("one", session="before", key="r1/3"), talk.draft("ten", session="alike", key="r10/0"))
        talk.add(talk.draft("slash", session="deeper", key="r1/x/0"), talk.draft("bare", session="bare", key="r1"))
        with_it = talk.draft("with it", session="with it", key="r2/0")
        talk.add(with_it, titles={"r1": "Known before", "r2": "In its batch", "r": "Of none"})
        names = {"before": "Known before", "with it": "In its batch"}
        assert _names(talk) == {"alike": "ten", "deeper": "slash", "bare": "bare", **names}

    @needs(Capability.CONVERSATIONS)
    def test_a_title_waits_for_its_record(self, notebook: Notebook) -> None:
        """A title is dropped whose record has not been read yet, or waits beyond the first batch that comes."""
        talk = Talk(notebook)
        talk.add(titles={"r1": "Of a message", "r2": "Of an end"})
        talk.add(talk.draft("another", session="another", key="r3/0"))
        talk.add(talk.draft("first", session="a", key="r1/0"), talk.draft("second", session="b", key="r4/0"))
        assert _names(talk) == {"another": "another", "a": "Of a message", "b": "second"}
        talk.add(ends={"r2": "b"})
        assert _names(talk) == {"another": "another", "a": "Of a message", "b": "Of an end"}

    @needs(Capability.CONVERSATIONS)
    def test_a_record_without_words_is_known_by_its_title(self, notebook: Notebook) -> None:
        """The end of a conversation without words is forgotten after its batch."""
        talk = Talk(notebook)
        talk.add(talk.draft("said", session="s1"), ends={"r1": "s1"})
        talk.say("meanwhile", session="s2")
        talk.add(titles={"r1": "Ended in silence"})
        assert _names(talk) == {"s1": "Ended in silence", "s2": "meanwhile"}

    @needs(Capability.CONVERSATIONS)
    def test_a_title_replaces_a_title_and_no_name(self, notebook: Notebook) -> None:
        """The first title stays, or a title takes the place of a name, or stays where a name comes."""
        talk = Talk(notebook)
        for session in ("twice", "named", "later"):
            talk.add(talk.draft("said", session=session, key=f"{session}/0"))
        talk.add(titles={"twice": "First"}, names={"named": "Given"})
        talk.add(titles={"twice": "Second", "named": "Made up", "later": "Made up"})
        talk.add(names={"later": "Given"})
        talk.add(titles={"later": "Made up again"})
        assert _names(talk) == {"twice": "Second", "named": "Given", "later": "Given"}

    @needs(Capability.CONVERSATIONS)
    def test_what_waits_is_bounded(self, notebook: Notebook) -> None:
        """Titles and ends that no session ever takes pile up, or the latest are dropped first."""
        talk = Talk(notebook)
        talk.add(titles={"first": "Title"}, ends={"end": "early"})
        talk.add(titles={"second": "Title"})
        talk.add(
            titles={f"w{number}": "Title" for number in range(MAX_WAITING_TITLES - 1)},
            ends={f"e{number}": "late" for number in range(MAX_ENDS)},
        )
        for session in ("first", "second"):
            talk.add(talk.draft("said", session=session, key=f"{session}/0"))
        talk.say("said", session="early")
        talk.say("said", session="late")
        talk.add(titles={"end": "Title", "e0": "Title"})
        assert _names(talk) == {"first": "said", "second": "Title", "early": "said", "late": "Title"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_titles_of_erased_sessions_do_not_come_back(self, notebook: Notebook) -> None:
        """A title outlives its session, or one that is read later names what comes after an erase."""
        talk = Talk(notebook)
        talk.add(talk.draft("said", session="gone", key="r1/0"), ends={"r2": "gone"}, titles={"r1": "Title"})
        talk.conversations.erase("gone")
        talk.add(titles={"r1": "Again", "r2": "Again"})
        talk.say("anew", session="gone")
        talk.add(talk.draft("said", session="gone", key="r1/0"), ends={"r2": "gone"})
        assert _names(talk) == {"gone": "anew"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_titles_move_with_their_project(self, notebook: Notebook) -> None:
        """A merge or a split leaves titles behind, makes names of them, or gives them to another project."""
        old, new = Talk(notebook.elsewhere("old")), Talk(notebook.elsewhere("new"))
        old.add(old.draft("said", session="a", key="r1/0"), titles={"r1": "Old title", "r2": "For the new"})
        new.add(new.draft("said", session="b", key="r2/0"), titles={"r3": "For the old", "r6": "Waited on"})
        old.add(ends={"r3": "a", "r4": "a"})
        new.add(ends={"r5": "b"})
        assert (_names(old), _names(new)) == ({"a": "Old title"}, {"b": "said"})
        notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
        assert _names(new) == {"a": "For the old", "b": "For the new"}
        notebook.storage.registry.split(old.notebook.project.id)
        assert (_names(old), _names(new)) == ({"a": "For the old"}, {"b": "For the new"})
        old.add(titles={"r4": "Of its own end"})
        new.add(new.draft("said", session="c", key="r6/0"), titles={"r5": "Of its own end"})
        assert _names(old) == {"a": "Of its own end"}
        assert _names(new) == {"b": "Of its own end", "c": "Waited on"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_a_name_that_arrives_replaces_a_title(self, notebook: Notebook) -> None:
        """A name given by a person is lost in a merge to the title that the session has in the new project."""
        old, new = Talk(notebook.elsewhere("old")), Talk(notebook.elsewhere("new"))
        old.add(old.draft("said", session="a", key="r1/0"), names={"a": "Mine"})
        new.add(new.draft("said too", session="a", key="r2/0"), titles={"r2": "Title", "r1": "Other title"})
        notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
        assert _names(new) == {"a": "Mine"}
        notebook.storage.registry.split(old.notebook.project.id)
        assert _names(old) == {"a": "Mine"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_an_erase_takes_titles_that_wait(self, notebook: Notebook) -> None:
        """A title of an erased session stays, because it waits for a record that nobody has."""
        talk = Talk(notebook)
        talk.add(talk.draft("said", session="gone", key="r1/0"), titles={"r2": "Title"})
        assert talk.conversations.erase("another") == 0
        talk.conversations.erase("gone")
        talk.add(talk.draft("said", session="new", key="r2/0"))
        assert _names(talk) == {"new": "said"}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.DURABLE)
    def test_titles_survive_a_restart(self, notebook: Notebook) -> None:
        """Waiting titles and ends are in memory only, or a title becomes a name."""
        talk = Talk(notebook)
        talk.add(talk.draft("said", session="a", key="r1/0"), titles={"r1": "Title", "r2": "Waiting"})
        talk.add(ends={"r3": "a"})
        again = Talk(notebook.reopened())
        assert _names(again) == {"a": "Title"}
        again.add(titles={"r3": "Of its end"})
        assert _names(again) == {"a": "Of its end"}
        again.add(again.draft("said", session="b", key="r2/0"))
        assert _names(again) == {"a": "Of its end", "b": "Waiting"}
