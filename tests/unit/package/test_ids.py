from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

import lamella
from lamella import Memory, TimelineRequest  # noqa: F401 - for the table
from tests.unit.support.tables import cases

FORMS: dict[str, Callable[[UUID], str | UUID]] = {
    "prefix": lambda uuid: str(uuid)[:8],
    "text": str,
    "UUID": lambda uuid: uuid,
}


@cases
@pytest.mark.parametrize("form", FORMS)
def test_every_method_takes_an_id_in_each_form(
    tmp_path: Path, form: str, call: Callable[[Memory, str | UUID], object]
) -> None:
    with lamella.open_memory(tmp_path, storage="memory:", data_directory=tmp_path) as memory:
        saved = memory.save("Staging is reset every night.").observation
        memory.save("Pears are sold out.")
        assert call(memory, FORMS[form](saved.id))
