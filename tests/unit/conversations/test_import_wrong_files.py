"""Imports of files that have no conversation."""

from collections import Counter

from attrs import evolve

from lamella.domain.conversations.message import Batch
from lamella.ports.transcripts import Source
from tests.unit.conversations.test_import_transcripts import Shelf, imported
from tests.unit.support.doubles import HOME, Desk


class Rubbish(Shelf):
    """Files whose records are none of a conversation."""

    def read(self, source: Source, since: str) -> Batch:
        return evolve(super().read(source, since), drafts=(), names={})


def test_a_named_file_without_any_message_is_refused_each_time() -> None:
    desk, wrong = Desk(), Rubbish({"a": ["?", "?", "?"]})
    for _ in range(2):
        account = imported(desk, wrong, HOME)
        assert (account.messages, account.skipped, account.waiting) == (0, Counter(), 0)
        (refused,) = account.unreadable
        assert refused.startswith("The file contains no message of a conversation. Check the file")
    assert desk.here.conversations().position("a") == ""
    assert imported(desk, wrong).unreadable == []


def test_files_of_a_named_folder_without_any_message_are_not_kept_and_not_told() -> None:
    desk, wrong = Desk(), Rubbish({"a": ["?"], "b": ["?"]})
    for _ in range(2):
        account = imported(desk, wrong, HOME)
        assert (account.with_messages, account.messages, account.skipped) == (0, 0, Counter({"other record": 2}))
    assert account.unreadable == []
    assert desk.here.conversations().position("a") == ""
    assert imported(desk, Shelf({"a": ["one"], "b": ["two"]}), HOME).with_messages == 2
