"""Hooks say on which branch a memory was saved, and follow the files that it is about."""

from pathlib import Path

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from tests.end_to_end.hooks.place import Place, without_settings
from tests.unit.adapters.git.git_repository import Repository

NOTE = "Refunds go through retry_payment twice."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    without_settings(monkeypatch)
    repository = Repository.made(tmp_path / "shop")
    repository.commit(pay="".join(f"line {number}\n" for number in range(50)))
    return Place(tmp_path / "data", repository.root)


def saved(place: Place, text: str, *paths: str) -> None:
    with running(place.settings) as lamella:
        lamella.save(place.call, SaveRequest(text=text, paths=paths))


def line(text: str | None) -> str:
    """Return the line of the note."""
    (found,) = [each for each in (text or "").split("\n") if NOTE in each]
    return found.partition(NOTE)[2]


def test_a_memory_of_an_unmerged_branch_says_so(place: Place) -> None:
    repository = Repository(place.project)
    repository.git("checkout", "-q", "-b", "feat")
    repository.commit(refund="x\n")
    saved(place, NOTE)
    prompt = "Why does retry_payment run twice?"
    assert (line(place.start("a")), line(place.ask(prompt, "b"))) == ("", "")
    repository.git("checkout", "-q", "main")
    said = (line(place.start("c")), line(place.ask(prompt, "d")))
    assert said == (" (saved on feat)", " (saved on feat)")
    repository.git("merge", "-q", "feat")
    assert (line(place.start("e")), line(place.ask(prompt, "f"))) == ("", "")


def test_a_moved_file_is_followed_and_other_lines_do_not_count(place: Place) -> None:
    repository = Repository(place.project)
    (file,) = repository.root.glob("*.py")
    file.write_text(file.read_text().replace("line 7\n", "line 7\nrefund = 2\n"))
    saved(place, NOTE, "pay.py")
    file.write_text(file.read_text().replace("line 40\n", "line forty\n"))
    assert line(place.start("a")) == ""
    repository.commit()
    repository.git("mv", "pay.py", "payments.py")
    repository.git("commit", "-q", "-m", "move")
    assert line(place.start("b")) == ""
    repository.git("rm", "-q", "payments.py")
    repository.git("commit", "-q", "-m", "remove")
    assert line(place.start("c")) == " (gone)"


def test_a_file_that_never_was_is_not_here(place: Place) -> None:
    saved(place, NOTE, "draft.py")
    assert line(place.start()) == " (file not here)"


def test_without_git_nothing_is_said_of_branches(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(place.project)
    repository.git("checkout", "-q", "-b", "feat")
    repository.commit(refund="x\n")
    saved(place, NOTE, "pay.py")
    repository.git("checkout", "-q", "main")
    (repository.root / "pay.py").unlink()
    monkeypatch.setenv("PATH", "/nowhere")
    assert line(place.start()) == " (gone)"
