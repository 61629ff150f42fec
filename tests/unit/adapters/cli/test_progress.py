"""What is said of long work that is broken off."""

import pytest

from lamella_adapters.cli.output import progress_bar
from tests.unit.support.tables import cases


def interrupted(*, of_bytes: bool) -> None:
    """Stop in the middle of an import."""
    with progress_bar("Importing", of_bytes=of_bytes) as shown:
        shown("3 memories", 2_000, 10_000)
        raise KeyboardInterrupt


@cases
def test_an_interruption_says_how_far_it_came_and_how_to_go_on(
    of_bytes: bool, reached: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(of_bytes=of_bytes)
    assert capsys.readouterr().err == (
        f"Interrupted at: {reached}. What is done stays; repeat the command to go on.\n"
    )
