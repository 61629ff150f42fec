"""Clauses on erasing, moving and summarising conversations."""

from attrs import evolve

from lamella.domain.conversations.summary import Summary
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.conversations import Talk
from lamella_contracts.fixtures.project import Notebook

SUMMARY = Summary(first=1, last=2, sentences=("User: One?", "Assistant: Two."), files=("a.py",))


def _merged(notebook: Notebook) -> tuple[Talk, Talk]:
    """Return an old project and the new one that it was merged into; both have read the same message."""
    old, new = Talk(notebook.elsewhere("old")), Talk(notebook.elsewhere("new"))
    shared = old.draft("said in both", session="shared", key="same")
    old.add(old.draft("old one", session="o"), shared, old.draft("old two", session="o"), names={"o": "Old"})
    old.add(source="old's own", position="7")
    new.add(new.draft("new one", session="n"), shared, source="new's own", position="9")
    notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
    return old, new


class ConversationErasingClauses:
    """A session can be erased."""

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_erasing_a_session_leaves_nothing(self, notebook: Notebook) -> None:
        """Messages, the name or summaries of an erased session are left, or another session is touched."""
        talk = Talk(notebook)
        for session in ("gone", "kept"):
            talk.add(talk.draft("zebra one", session=session), talk.draft("two", session=session))
        talk.add(position="2", names={"gone": "Name of it"})
        talk.summaries.keep("gone", 1, {"mark": SUMMARY})
        assert [talk.conversations.erase(session) for session in ("gone", "gone", "never")] == [2, 0, 0]
        assert [each.id for each in talk.conversations.sessions()] == ["kept"]
        assert [hit.message.session for hit in talk.find("zebra")] == ["kept", "kept"]
        assert [each.text for each in talk.of("kept")] == ["zebra one", "two"]
        assert talk.summaries.kept("gone", 1) == {}
        talk.say("new words", session="gone")
        assert talk.conversations.sessions("gone")[0].name == "new words"

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_numbers_of_erased_messages_are_not_used_again(self, notebook: Notebook) -> None:
        """The next number is the highest one present plus one, which an erase gives away again."""
        talk = Talk(notebook)
        talk.say("kept", session="kept")
        talk.say("last", session="gone")
        talk.conversations.erase("gone")
        assert talk.say("next", session="kept").number == 3

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_positions_outlive_an_erase(self, notebook: Notebook) -> None:
        """The position of a source goes with its messages, so that the next import brings them back."""
        talk = Talk(notebook)
        talk.add(talk.draft("gone", session="gone"), source="transcript", position="at 12")
        talk.conversations.erase("gone")
        assert talk.conversations.position("transcript") == "at 12"

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_an_erased_message_stays_known(self, notebook: Notebook) -> None:
        """Keys are forgotten with their messages, and a copy from another source or in a fork brings them back."""
        talk = Talk(notebook)
        gone = talk.draft("zebra gone", session="gone", key="k1")
        talk.add(gone, talk.draft("zebra kept", session="kept", key="k2"))
        talk.conversations.erase("gone")
        assert talk.conversations.known(["k1", "k2", "k3"]) == {"k1", "k2"}
        forked = evolve(gone, session="fork")
        assert [talk.add(gone, source="copy", position="at 3"), talk.add(forked, source="fork")] == [0, 0]
        assert talk.conversations.position("copy") == "at 3"
        assert [each.id for each in talk.conversations.sessions()] == ["kept"]
        assert talk.add(forked, talk.draft("zebra since", session="fork", key="k3")) == 1
        assert sorted(talk.texts("zebra")) == ["zebra kept", "zebra since"]

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    def test_the_name_of_an_erased_session_does_not_come_back(self, notebook: Notebook) -> None:
        """A copy of an erased session brings its name, which may say what was erased, and a later one is lost."""
        talk = Talk(notebook)
        talk.add(talk.draft("gone", session="gone"), names={"gone": "About what is gone"})
        talk.conversations.erase("gone")
        talk.add(source="copy", names={"gone": "About what is gone"})
        talk.say("new words", session="gone")
        assert [each.name for each in talk.conversations.sessions()] == ["new words"]
        talk.add(source="copy", position="2", names={"gone": "About the new"})
        assert [each.name for each in talk.conversations.sessions()] == ["About the new"]


class ConversationMovingClauses:
    """Conversations move with their project in merges and splits."""

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_a_merge_moves_conversations(self, notebook: Notebook) -> None:
        """A merge leaves messages or names behind, doubles what both have, or gives numbers that were used."""
        old, new = _merged(notebook)
        assert [(each.number, each.text) for each in new.of("o")] == [(3, "old one"), (4, "old two")]
        assert [(each.number, each.text) for each in new.of("shared")] == [(2, "said in both")]
        assert [each.name for each in old.conversations.sessions("o")] == ["Old"]
        assert old.conversations.sessions() == new.conversations.sessions()
        assert sorted(new.texts("old new")) == ["new one", "old one", "old two"]
        notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
        assert len(new.conversations.numbers("o")) == 2

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_open_conversations_follow_a_merge(self, notebook: Notebook) -> None:
        """A scope that was open before a merge still imports into the old project."""
        old, new = Talk(notebook.elsewhere("old")), Talk(notebook.elsewhere("new"))
        old.say("zebra before")
        opened = old.conversations
        notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
        old.say("zebra after")
        assert opened.sessions() == new.conversations.sessions()
        assert sorted(new.texts("zebra")) == ["zebra after", "zebra before"]

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_positions_go_with_a_merge(self, notebook: Notebook) -> None:
        """Positions stay behind, and everything is read again; or those of the new project are overwritten."""
        old, new = Talk(notebook.elsewhere("old")), Talk(notebook.elsewhere("new"))
        for talk, position in ((old, "at 3"), (new, "at 4")):
            talk.add(source=f"of {talk.notebook.location.name}", position=position)
            talk.add(source="both", position=position)
        notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
        sources = ("of old", "of new", "both")
        assert [new.conversations.position(each) for each in sources] == ["at 3", "at 4", "at 4"]
        notebook.storage.registry.split(old.notebook.project.id)
        assert [new.conversations.position(each) for each in sources] == ["", "at 4", "at 4"]
        assert [old.conversations.position(each) for each in sources] == ["at 3", "", ""]

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_a_split_gives_conversations_back(self, notebook: Notebook) -> None:
        """A split leaves messages or names behind, takes the other's along, or those that were imported since."""
        old, new = _merged(notebook)
        old.say("since", session="o")
        notebook.storage.registry.split(old.notebook.project.id)
        assert [each.text for each in old.of("o")] == ["old one", "old two"]
        assert [each.name for each in old.conversations.sessions()] == ["Old"]
        assert [(each.text, each.session) for each in new.conversations.messages(range(10))] == [
            ("new one", "n"),
            ("said in both", "shared"),
            ("since", "o"),
        ]
        assert sorted(old.texts("old new since")) == ["old one", "old two"]
        assert sorted(new.texts("old new since")) == ["new one", "since"]

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.ERASE)
    @needs(Capability.MERGE)
    def test_what_was_erased_stays_known_where_a_project_goes(self, notebook: Notebook) -> None:
        """A merge or a split forgets what was erased, or a merge brings what was erased in the new project."""
        old, new = Talk(notebook.elsewhere("old")), Talk(notebook.elsewhere("new"))
        first, second, third = (old.draft("gone", session=f"of {key}", key=key) for key in ("k1", "k2", "k3"))
        old.add(first, second, third, names={"of k3": "Named in old"})
        new.add(third)
        old.conversations.erase("of k1")
        new.conversations.erase("of k3")
        notebook.storage.registry.merge(old.notebook.project.id, new.notebook.project.id)
        assert new.add(first, third) == 0
        new.conversations.erase("of k2")
        notebook.storage.registry.split(old.notebook.project.id)
        assert [talk.add(first, second, third) for talk in (old, new)] == [0, 0]
        new.say("since", session="of k3")
        assert [each.name for talk in (old, new) for each in talk.conversations.sessions()] == ["since"]

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.DURABLE)
    def test_conversations_survive_a_restart(self, notebook: Notebook) -> None:
        """Messages, names, positions or summaries are in memory only, or numbers begin anew."""
        talk = Talk(notebook)
        talk.add(talk.draft("zebra"), talk.draft("horse"), position="at 2", names={"s1": "Animals"})
        talk.summaries.keep("s1", 1, {"mark": SUMMARY})
        before = (talk.find("zebra"), talk.conversations.sessions(), talk.of("s1"))
        again = Talk(notebook.reopened())
        assert (again.find("zebra"), again.conversations.sessions(), again.of("s1")) == before
        assert again.conversations.position("transcript") == "at 2"
        assert again.summaries.kept("s1", 1) == {"mark": SUMMARY}
        again.add(again.draft("new", key="new"))
        assert again.conversations.numbers("s1") == (1, 2, 3)


class SummaryClauses:
    """Summaries are kept as long as they are valid."""

    @needs(Capability.CONVERSATIONS)
    def test_summaries_are_kept_by_session_and_level(self, notebook: Notebook) -> None:
        """A summary comes back changed, or for another session or level."""
        talk = Talk(notebook)
        for session in ("s1", "s2"):
            talk.say("said", session=session)
        empty = Summary(first=3, last=3)
        talk.summaries.keep("s1", 1, {"mark": SUMMARY, "other": empty})
        kept = {
            (session, level): talk.summaries.kept(session, level) for session in ("s1", "s2") for level in (1, 2)
        }
        assert kept.pop(("s1", 1)) == {"mark": SUMMARY, "other": empty}
        assert set(map(len, kept.values())) == {0}

    @needs(Capability.CONVERSATIONS)
    def test_a_new_summary_replaces_the_one_before(self, notebook: Notebook) -> None:
        """Summaries pile up under each fingerprint that a group of messages ever had."""
        talk = Talk(notebook)
        talk.say("said")
        talk.summaries.keep("s1", 1, {"old": SUMMARY})
        longer = evolve(SUMMARY, last=9)
        talk.summaries.keep("s1", 1, {"new": longer})
        assert talk.summaries.kept("s1", 1) == {"new": longer}

    @needs(Capability.CONVERSATIONS)
    def test_no_summary_is_kept_of_nothing(self, notebook: Notebook) -> None:
        """A summary that was made while its session was erased stays after all."""
        talk = Talk(notebook)
        talk.summaries.keep("gone", 1, {"mark": SUMMARY})
        assert talk.summaries.kept("gone", 1) == {}

    @needs(Capability.CONVERSATIONS)
    @needs(Capability.MERGE)
    def test_summaries_of_what_moved_away_are_dropped(self, notebook: Notebook) -> None:
        """After a split the summaries of messages that went are still there."""
        old, new = _merged(notebook)
        new.summaries.keep("o", 1, {"mark": SUMMARY})
        notebook.storage.registry.split(old.notebook.project.id)
        assert (old.summaries.kept("o", 1), new.summaries.kept("o", 1)) == ({}, {})
