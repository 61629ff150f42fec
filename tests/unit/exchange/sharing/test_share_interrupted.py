"""A sync that ends anywhere leaves what the next one mends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from lamella.application.memories.save import SaveRequest
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.shared_folder.folder import OpenFolder
from tests.unit.exchange.sharing.team import Member, done, joined

TEXTS = ("To edit.", "To purge.", "To delete.", "To replace.")
AFTER = {"Edited by hand.", "From somebody else.", "Replaced.", "Saved meanwhile."}
STEPS = [
    *((OpenFolder, name) for name in ("write", "remove", "record")),
    *((InMemoryObservations, name) for name in ("insert_new", "add", "purge")),
]


class KilledError(BaseException):
    """Raised in place of killing the process."""


@contextmanager
def killed(monkeypatch: pytest.MonkeyPatch, number: int, *, before: bool) -> Iterator[None]:
    """End the process before or after a number of changing steps."""
    left = [number]

    def dying(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] == 0 and before:
                raise KilledError
            result = step(*arguments, **options)
            if left[0] == 0:
                raise KilledError
            return result

        return run

    with monkeypatch.context() as patched:
        for kind, name in STEPS:
            patched.setattr(kind, name, dying(getattr(kind, name)))
        yield


def changed_on_both_sides(place: Path) -> Member:
    """Return a member whose memories and files have changed in every way since the last sync."""
    ada, bob = joined(place / "ada"), joined(place / "bob", first_id=100)
    ids: dict[str, UUID] = {text: ada.desk.save(text).id for text in TEXTS}
    ada.sync()
    files = {text: next(ada.folder / name for name, file in ada.files.items() if text in file) for text in TEXTS}
    files["To edit."].write_text(files["To edit."].read_text("utf-8").replace("To edit.", "Edited by hand."))
    files["To delete."].unlink()
    ada.desk.purge(ada.desk.call, [str(ids["To purge."])])
    ada.desk.saving(SaveRequest(text="Replaced.", replaces=(str(ids["To replace."]),)))
    ada.desk.save("Saved meanwhile.")
    bob.save("From somebody else.")
    ((name, text),) = bob.files.items()
    (ada.folder / name).write_text(text, "utf-8")
    return ada


@pytest.mark.parametrize("before", [True, False])
def test_a_sync_that_ends_anywhere_is_mended_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    steps = 0
    while True:
        steps += 1
        ada = changed_on_both_sides(tmp_path / str(steps))
        try:
            with killed(monkeypatch, steps, before=before):
                ada.sync()
        except KilledError:
            ada.sync()
        else:
            break
        assert ada.live == AFTER
        assert sorted(text.rpartition("---\n\n")[2].strip() for text in ada.files.values()) == sorted(AFTER)
        assert ada.sync() == done(files=4)
    assert steps > 6
