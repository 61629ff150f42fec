"""Clauses on reading the recorded conversations of a client."""

import shutil

import pytest
from attrs import evolve

from lamella.domain.conversations.message import Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella_contracts.fixtures.transcripts import TranscriptsFixture

SAID = ("Why does the kiln cool too fast?", "The damper is open.", "Close it,\nthen.", "Fertig: 窑 🏺 is shut.")
MORE = ("And now?", "It holds its heat.")


class TranscriptsClauses:
    """Every conversation is read once and unchanged."""

    def test_everything_that_was_said_is_read(self, client: TranscriptsFixture) -> None:
        """Fails if messages, their order or their speakers are lost, or if a time has no zone."""
        client.say(*SAID)
        drafts = client.drafts()
        roles = [Role.HUMAN, Role.ASSISTANT] * 2
        assert [(draft.role, draft.text) for draft in drafts] == list(zip(roles, SAID, strict=True))
        assert len({draft.session for draft in drafts}) == 1
        assert [draft.at.tzinfo for draft in drafts if draft.at.tzinfo is None] == []

    def test_reading_again_gives_the_same_keys(self, client: TranscriptsFixture) -> None:
        """Fails if keys are random or depend on the time of reading, or if two messages share a key.

        Also fails if keys or the id of a source depend on the path of the folder.
        """
        client.say(*SAID, *MORE)
        before = client.drafts()
        shutil.copytree(client.folder, client.folder.parent / "there")
        there = evolve(client, folder=client.folder.parent / "there")
        assert client.drafts() == before
        keys = [draft.key for draft in before]
        assert (there.source().id, [draft.key for draft in there.drafts()]) == (client.source().id, keys)
        assert len(set(keys)) == len(keys)

    def test_each_session_has_its_own_messages(self, client: TranscriptsFixture) -> None:
        """Fails if messages get into another session, or if equal messages of two sessions share a key."""
        sessions = [f"5e551011-0000-4000-8000-00000000000{number}" for number in range(3)]
        for session in sessions:
            client.say(*SAID, session=session)
        transcripts = client.open(client.folder)
        drafts = [draft for source in transcripts.sources() for draft in transcripts.read(source, "").drafts]
        assert {session: [each.text for each in drafts if each.session == session] for session in sessions} == {
            session: list(SAID) for session in sessions
        }
        assert len({draft.key for draft in drafts}) == len(drafts)

    def test_what_is_said_later_is_read_from_there(self, client: TranscriptsFixture) -> None:
        """Fails if reading from a position repeats earlier messages, or loses later messages.

        Also fails if two reads without new messages return different positions.
        """
        client.say(*SAID)
        end = client.end()
        (batch,) = client.batches(end)
        assert (batch.drafts, batch.position, batch.complete) == ((), end, True)
        client.say(*SAID, *MORE)
        assert [draft.text for draft in client.drafts(end)] == list(MORE)
        assert client.drafts()[-len(MORE) :] == client.drafts(end)

    def test_long_sources_come_in_batches(self, client: TranscriptsFixture) -> None:
        """Fails if a long conversation is read as one batch, or if messages between two batches are lost."""
        texts = [f"Text {number}." for number in range(700)]
        client.say(*texts)
        batches = list(client.batches())
        assert [draft.text for batch in batches for draft in batch.drafts] == texts
        assert [len(batch.drafts) for batch in batches if len(batch.drafts) > 600] == []
        assert [batch.complete for batch in batches] == [False] * (len(batches) - 1) + [True]

    def test_a_replaced_source_is_read_anew(self, client: TranscriptsFixture) -> None:
        """Fails if a replaced file is read from the old position instead of from the start."""
        client.say(*SAID)
        end = client.end()
        others = [f"Another text {number}, longer than what it replaces." for number in range(12)]
        client.say(*others)
        assert [draft.text for draft in client.drafts(end)] == others

    def test_a_position_of_another_kind_is_the_beginning(self, client: TranscriptsFixture) -> None:
        """Fails if a damaged position, or an earlier version's position, raises instead of meaning the start."""
        client.say(*SAID)
        for position in ("nonsense", "{}", "[]", "7", '{"offset": -1}', "\ud800"):
            assert client.drafts(position) == client.drafts()

    def test_what_cannot_be_read_says_why(self, client: TranscriptsFixture) -> None:
        """Fails if a missing source is read as empty, or raises the file system's own error."""
        client.say(*SAID)
        transcripts, source = client.open(client.folder), client.source()
        client.lose()
        with pytest.raises(TranscriptsUnreadableError):
            transcripts.read(source, "")
        with pytest.raises(TranscriptsUnreadableError):
            client.open(client.folder).sources()
