"""A folder of a working tree that is shared."""

from pathlib import Path

import pytest

from lamella.ports.shared_folder import Share
from lamella_adapters.shared_folder.folders import RecordedFolders
from tests.unit.adapters.shared_folder.opened import PROJECT


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    made.mkdir()
    return made


@pytest.fixture
def folders(tmp_path: Path, root: Path) -> RecordedFolders:
    made = RecordedFolders(tmp_path / "data")
    made.start(PROJECT, Share(root=root, folder="docs/memory"))
    return made


@pytest.fixture
def place(folders: RecordedFolders, root: Path) -> Path:
    del folders
    return root / "docs/memory"
