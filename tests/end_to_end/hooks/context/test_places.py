"""The index of a session by the folder that it begins in."""

from pathlib import Path

import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella_adapters.hooks.context.fence import tokens
from lamella_adapters.hooks.context.session_start import MOST_TOKENS
from tests.end_to_end.hooks.context import monorepo
from tests.end_to_end.hooks.place import Place, unmarked, without_settings
from tests.once import made_once
from tests.unit.adapters.git.git_repository import Repository


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Place:
    return monorepo.place_in(made_once(tmp_path_factory, worker_id, "monorepo", monorepo.make_in))


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    without_settings(monkeypatch)


def started(shop: Place, folder: Path, session: str) -> str:
    text = unmarked(evolve(shop, project=folder).start(session))
    assert tokens(text) <= MOST_TOKENS
    return text


def test_the_index_of_a_package_has_its_notes_and_decisions_of_the_project(shop: Place) -> None:
    text = started(shop, shop.project / "packages" / "mailer", "mailer")
    assert text.count(" of mailer ") >= 0.7 * monorepo.ITS_NOTES
    assert sum(each[:50] in text for each in monorepo.DECISIONS) >= 7
    assert "Here, in packages/mailer:\n" in text


def test_a_folder_inside_a_package_is_the_packages(shop: Place) -> None:
    package = shop.project / "packages" / "web"
    (package / "package.json").write_text("{}\n", "utf-8")
    text = started(shop, package / "src", "web")
    assert "Here, in packages/web:\n" in text
    assert text.count(" of web ") >= 20


def test_notes_of_a_renamed_package_are_the_packages(tmp_path: Path) -> None:
    place = monorepo.place_in(tmp_path)
    repository = Repository.made(place.project)
    repository.write("packages/mailer/send.py", "send\n")
    repository.commit()
    with running(place.settings) as lamella:
        lamella.save(place.call, SaveRequest(text="Bounces wait.", paths=("packages/mailer/send.py",)))
    repository.git("mv", "packages/mailer", "packages/post")
    repository.commit()
    assert "Here, in packages/post:\n" in started(place, place.project / "packages" / "post", "post")


def test_the_index_of_the_root_has_no_package(shop: Place) -> None:
    assert "Here, in" not in started(shop, shop.project, "root")
