from lamella_adapters.cli.setup.diffs import difference
from tests.unit.support.tables import cases


@cases
def test_a_difference_shows_no_secret(before: str, after: str, expected: str) -> None:
    assert "\n".join(difference("f", before, after, ["l", "5"])) == expected
