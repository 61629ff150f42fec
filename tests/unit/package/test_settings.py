from contextlib import nullcontext
from pathlib import Path

import pytest

from lamella.container import Container, Lamella
from lamella.domain.call import Call
from lamella.domain.conversations.errors import ConversationsNotSharedError
from lamella.settings import Settings
from lamella_adapters.memory import InMemoryStorage


@pytest.mark.parametrize(
    ("shared", "wanted", "kept"), [(False, False, True), (True, False, False), (True, True, True)]
)
def test_conversations_stay_on_the_machine_unless_the_user_shares_them(
    tmp_path: Path, shared: bool, wanted: bool, kept: bool
) -> None:
    container = Container(settings=Settings(data_directory=tmp_path, share_conversations=wanted))
    with container.storage.override(InMemoryStorage(shared=shared)):
        assert container.keeps_conversations() == kept
        importing = Lamella(container).import_transcripts(Call(directory=tmp_path), tmp_path, dry_run=True)
        refused = pytest.raises(ConversationsNotSharedError, match="set LAMELLA_SHARE_CONVERSATIONS=on")
        with nullcontext() if kept else refused:
            next(importing)
