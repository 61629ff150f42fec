from lamella.domain.privacy.private_files import is_private
from tests.unit.support.tables import cases


@cases
def test_files_for_secrets_are_private(path: str) -> None:
    assert is_private(path)


@cases
def test_other_files_are_not(path: str) -> None:
    assert not is_private(path)
