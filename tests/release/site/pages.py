"""Pages of the site: the Markdown that GitHub shows, ordered by the index of `docs`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import field, frozen

ROOT: Final = Path(__file__).parents[3]
HOME: Final = "README.md"
INDEX: Final = "docs/index.md"

_PICTURES: Final = {".png", ".svg"}
_CODE: Final = re.compile(r"^( *)(`{3,}).*?^\1\2 *$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")
_SECTION: Final = re.compile(r"^## (.+)\n((?:(?!## ).*\n?)*)", re.MULTILINE)
_TITLE: Final = re.compile(r"^# (.+)", re.MULTILINE)


class SiteError(Exception):
    """A link leads nowhere, or a page is missing from the index."""


@frozen
class Page:
    """Page in the navigation.

    Attributes:
        path: Its file, relative to the root of the repository.
        inner: Pages below it: the Markdown files of its folder that a README links to.
    """

    path: str
    inner: "tuple[Page, ...]" = ()

    def all(self) -> Iterator[str]:
        """Yield the paths of the page and of those below it."""
        yield self.path
        for each in self.inner:
            yield from each.all()


@frozen
class Site:
    """Sections of the navigation, in the order of the index."""

    sections: dict[str, tuple[Page, ...]]
    paths: frozenset[str] = field(init=False)

    @paths.default
    def _paths(self) -> frozenset[str]:
        inside = {path for pages in self.sections.values() for page in pages for path in page.all()}
        return frozenset({HOME, INDEX, *inside})


def site(root: Path = ROOT) -> Site:
    """Read the index.

    Raises:
        SiteError: A page in `docs` isn't in the index, or a link leads nowhere.
    """
    seen = {HOME, INDEX}
    text = (root / INDEX).read_text("utf-8")
    made = Site({name: tuple(_pages(root, INDEX, part, seen)) for name, part in _SECTION.findall(text)})
    files = {path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md")}
    if missing := sorted(files - made.paths):
        raise SiteError(f"{INDEX} doesn't lead to {', '.join(missing)}; add a row for each")
    return made


def _pages(root: Path, source: str, text: str, seen: set[str], inside: Path | None = None) -> Iterator[Page]:
    """Yield the pages of any folder, or of one, that a text links to for the first time."""
    for target in links(root, source, text):
        if target.endswith(".md") and target not in seen and inside in {None, Path(target).parent}:
            seen.add(target)
            inner: tuple[Page, ...] = ()
            if Path(target).name == "README.md":
                linked = _pages(root, target, (root / target).read_text("utf-8"), seen, Path(target).parent)
                inner = tuple(linked)
            yield Page(target, inner)


def title(root: Path, path: str) -> str:
    """Return the heading of a page."""
    found = _TITLE.search((root / path).read_text("utf-8"))
    if not found:
        raise SiteError(f"{path} has no heading of the first level")
    return found[1].replace("`", "")


def links(root: Path, source: str, text: str) -> Iterator[str]:
    """Yield the files and folders that a text links to, relative to the root.

    Raises:
        SiteError: A link leads nowhere.
    """
    for found in _LINK.finditer(_without_code(text)):
        yield _target(root, source, found[1])


def published(root: Path, source: str, site: Site, address: str) -> tuple[str, set[str]]:
    """Return the text of a page with links to other files than pages as URLs, and the pictures it shows."""
    text = (root / source).read_text("utf-8")
    pictures: set[str] = set()
    parts, end = list[str](), 0
    for found in _LINK.finditer(_without_code(text)):
        target = _target(root, source, found[1])
        if Path(target).suffix in _PICTURES:
            pictures.add(target)
        elif target not in site.paths:
            kind = "tree" if (root / target).is_dir() else "blob"
            parts += text[end : found.start()], f"{address}/{kind}/main/{target}{found[2] or ''}"
            end = found.end()
    return "".join([*parts, text[end:]]), pictures


def _without_code(text: str) -> str:
    """Blank out code, of the same length."""
    return _CODE.sub(lambda found: " " * len(found[0]), text)


def _target(root: Path, source: str, link: str) -> str:
    path = (root / source).parent.joinpath(link).resolve()
    if not (path.exists() and path.is_relative_to(root)):
        raise SiteError(f"{source} links to {link}, which doesn't exist")
    return path.relative_to(root).as_posix()
