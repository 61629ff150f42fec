from hypothesis import given
from hypothesis import strategies as st

from lamella_adapters.hooks.read_only_commands import only_reads
from tests.unit.support.tables import cases


@cases
def test_what_plainly_reads_is_passed_over(command: str) -> None:
    assert only_reads(command)


@cases
def test_what_may_write_is_not(command: str) -> None:
    assert not only_reads(command)


@given(st.text())
def test_any_text_is_a_command(command: str) -> None:
    assert only_reads(command) in {True, False}
    assert not only_reads(f"{command.replace(chr(39), '').replace(chr(34), '')}\nrm file")
