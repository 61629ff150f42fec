"""The site of `make docs`: its navigation holds every page, and its links lead out of the pages only to files."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import lamella
from tests.release.commands import every_command
from tests.release.site import reference
from tests.release.site.build import foreign, navigation, write_sources
from tests.release.site.pages import HOME, INDEX, ROOT, Page, Site, SiteError, published, site


def named(entries: Any) -> list[str]:
    """The pages of a navigation, in its order."""
    match entries:
        case str():
            return [entries]
        case list():
            return [page for each in entries for page in named(each)]
    return named([*entries.values()])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a page, a folder of pages and a program."""
    for path, text in {
        HOME: "# Home\n",
        INDEX: "# Pages\n\n## Use it\n\n[one](one.md) `[code](none.md)`\n\n## Know\n\n[why](why/README.md)\n",
        "docs/one.md": "# One `tool`\n\n[run](../src/run.py#L3) [src](../src)\n![a](a.png)\n",
        "docs/why/README.md": "# Why\n\n[so](so.md) [one](../one.md)\n",
        "docs/why/so.md": "# So\n",
        "docs/a.png": "",
        "src/run.py": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_the_navigation_holds_every_page() -> None:
    pages = named(navigation(site()))
    every = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    every |= {HOME, "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "contracts/CLAUSES.md"}
    assert every - {*pages} == set()
    assert len(pages) == len({*pages})


def test_each_page_of_the_navigation_is_written_with_its_pictures(tmp_path: Path) -> None:
    write_sources(tmp_path)
    pages = named(tomllib.loads((tmp_path / "zensical.toml").read_text())["project"]["nav"])
    assert [page for page in pages if not (tmp_path / "pages" / page).is_file()] == []
    assert (tmp_path / "pages/docs/web/home.png").read_bytes() == (ROOT / "docs/web/home.png").read_bytes()


def test_the_index_gives_sections_and_a_readme_the_pages_of_its_folder(folder: Path) -> None:
    assert site(folder) == Site(
        {"Use it": (Page("docs/one.md"),), "Know": (Page("docs/why/README.md", (Page("docs/why/so.md"),)),)}
    )


def test_a_link_to_another_file_leads_to_the_repository(folder: Path) -> None:
    text, pictures = published(folder, "docs/one.md", site(folder), "https://host/it")
    run, source = "https://host/it/blob/main/src/run.py#L3", "https://host/it/tree/main/src"
    assert text == f"# One `tool`\n\n[run]({run}) [src]({source})\n![a](a.png)\n"
    assert pictures == {"docs/a.png"}


def test_a_page_missing_from_the_index_is_named(folder: Path) -> None:
    (folder / "docs/two.md").write_text("# Two\n")
    with pytest.raises(SiteError, match=r"docs/index\.md doesn't lead to docs/two\.md"):
        site(folder)


def test_a_link_to_nothing_is_named(folder: Path) -> None:
    (folder / "docs/one.md").write_text("# One\n\n[none](../none.py)\n")
    with pytest.raises(SiteError, match=r"docs/one\.md links to \.\./none\.py"):
        published(folder, "docs/one.md", site(folder), "https://host/it")


def test_a_page_that_loads_from_another_host_is_named(tmp_path: Path) -> None:
    own, other = tmp_path / "own.html", tmp_path / "other.html"
    own.write_text('<link href="assets/own.css"><a href="https://host">')
    other.write_text('<script defer src="//host/it.js">')
    assert foreign([own, other]) == ["other.html"]


def test_the_reference_has_every_public_name_and_every_command() -> None:
    page = reference.api()
    assert [name for name in lamella.__all__ if f"### {name}\n" not in page] == []  # type: ignore[attr-defined] # made of the stub
    assert "#### Memory.save\n" in page
    commands = reference.command_line()
    assert [
        found.command_path for _, found in every_command() if f"## {found.command_path}\n" not in commands
    ] == []
