"""The command line in a folder in which nothing was saved yet."""

from pathlib import Path

import pytest

from tests.end_to_end.support.command_line import CommandLine


@pytest.fixture
def lamella(tmp_path: Path) -> CommandLine:
    """Return the command line in the folder `orchard`."""
    directory = tmp_path / "orchard"
    directory.mkdir()
    return CommandLine(tmp_path / "data", directory)
