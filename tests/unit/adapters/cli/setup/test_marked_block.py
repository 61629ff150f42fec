"""The block in a client's instructions: byte for byte, whatever else the file says."""

from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from lamella_adapters.cli.setup.entries import NAME, ConfigEntry, UnfitFileError
from lamella_adapters.cli.setup.formats.marked_block import ADVICE, BEGIN, MARKED_BLOCK
from lamella_adapters.cli.setup.plan import connected, disconnected
from tests.unit.adapters.cli.setup.conftest import NEITHER, Run, files
from tests.unit.support.tables import cases

BLOCK = ConfigEntry(path=(), name=NAME, value=ADVICE)
OLDER = evolve(BLOCK, value="An earlier text.")
MINE = "# Mine\n\nUse tabs.\n"

LINES = st.lists(
    st.sampled_from(["# Mine", "", "  ", "- é", "---", "<!-- lamella -->", "recall", "\ufeff"]), max_size=6
)


@example(lines=["", "  "], newline="\r\n", ended=False)
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_the_block_comes_once_and_goes_to_the_byte(lines: list[str], newline: str, ended: bool) -> None:
    text = newline.join(lines) + newline * ended
    added = connected(text, MARKED_BLOCK, [BLOCK])
    assert added.startswith(text)
    assert connected(added, MARKED_BLOCK, [BLOCK]) == added
    assert connected(connected(text, MARKED_BLOCK, [OLDER]), MARKED_BLOCK, [BLOCK]) == added
    assert disconnected(added, MARKED_BLOCK, [BLOCK], before=text) == text
    whole = text if text.endswith("\n") or not text else text + ("\r\n" if "\r\n" in text else "\n")
    assert disconnected(added + "More.\n", MARKED_BLOCK, [BLOCK], before=text) == whole + "More.\n"


def test_a_file_of_ours_has_the_front_matter_that_the_client_wants() -> None:
    ruled = evolve(MARKED_BLOCK, empty="---\napplyTo: '**'\n---\n")
    made = connected(None, ruled, [BLOCK])
    assert made.startswith(f"---\napplyTo: '**'\n---\n\n{BEGIN}\n")
    assert disconnected(made + "\n", ruled, [BLOCK], before=None) is None
    assert connected(MINE, ruled, [BLOCK]).startswith(MINE)


@cases
def test_marks_that_are_not_one_pair_are_left_alone(text: str) -> None:
    with pytest.raises(UnfitFileError, match="exactly once"):
        connected(text.replace("BEGIN", BEGIN).replace("END", "<!-- lamella: end -->"), MARKED_BLOCK, [BLOCK])


def test_instructions_of_the_users_own_are_shown_only_what_comes_and_come_back(home: Path, run: Run) -> None:
    file = home / ".config/crush/CRUSH.md"
    file.parent.mkdir(parents=True)
    file.write_text(MINE)
    before = files(home)
    done = run("crush", "--yes")
    assert (done.exit_code, "Use tabs" in done.output) == (0, False)
    assert file.read_text() == connected(MINE, MARKED_BLOCK, [BLOCK])
    assert run("crush", "--remove", "--yes").exit_code == 0
    assert files(home) == before
    file.write_text(f"{BEGIN}\n")
    done = run("crush", "--yes")
    assert (done.exit_code, done.stdout.endswith(f"crush: {NEITHER}.\n")) == (1, True)
