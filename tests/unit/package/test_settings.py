from pathlib import Path

import pytest

from lamella.container import Container
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
