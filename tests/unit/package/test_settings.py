from contextlib import nullcontext
from pathlib import Path

import pytest
from dependency_injector import providers

from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.conversations.errors import ConversationsNotSharedError
from lamella.domain.conversations.message import Role
from lamella.settings import Settings
from lamella_adapters.memory import InMemoryStorage
from tests.unit.support.tables import cases


@cases
def test_conversations_stay_on_the_machine_unless_the_user_shares_them(
    tmp_path: Path, shared: bool, wanted: bool, kept: bool
) -> None:
    storage = providers.Object(InMemoryStorage(shared=shared))
    lamella = Lamella(Settings(data_directory=tmp_path, share_conversations=wanted), storage=storage)
    assert lamella.keeps_conversations == kept
    call = Call(directory=tmp_path)
    for keep in (
        lambda: next(lamella.import_transcripts(call, tmp_path, dry_run=True)),
        lambda: lamella.add_messages(call, "chat", [(Role.HUMAN, "Hi.")]),
    ):
        refused = pytest.raises(ConversationsNotSharedError, match="set LAMELLA_SHARE_CONVERSATIONS=on")
        with nullcontext() if kept else refused:
            keep()
