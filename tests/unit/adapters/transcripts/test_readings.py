"""Messages of all clients, as the files of `readings` tell them."""

from pathlib import Path

import pytest

from lamella.entry_points import adapter
from tests.unit.adapters.transcripts.reading import Reading, lines_of, readings
from tests.unit.adapters.transcripts.samples import batches

ALL = [each for file in sorted(Path(__file__).with_name("readings").glob("*.txt")) for each in readings(file)]


@pytest.mark.parametrize("reading", ALL, ids=str)
def test_records_are_read_as_what_they_are(tmp_path: Path, reading: Reading) -> None:
    reading.write(tmp_path)
    assert lines_of(batches(adapter("transcripts", reading.client)(tmp_path))) == reading.expected
