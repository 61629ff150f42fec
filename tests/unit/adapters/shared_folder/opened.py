"""Uses of a shared folder."""

from collections.abc import Callable

from lamella.ports.shared_folder import SharedFolder
from lamella_adapters.shared_folder.folders import RecordedFolders

PROJECT = "shop-0123456789"


def used(folders: RecordedFolders, use: Callable[[SharedFolder], object]) -> object:
    with folders.opened(PROJECT) as opened:
        assert opened is not None
        return use(opened)


def listed(folders: RecordedFolders) -> set[str]:
    with folders.opened(PROJECT) as opened:
        assert opened is not None
        return set(opened.files())
