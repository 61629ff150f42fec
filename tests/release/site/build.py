"""Build the site of all pages: GitHub's Markdown, and a reference made of docstrings and of help.

Usage: python -m tests.release.site.build ZENSICAL FOLDER

ZENSICAL is the command of the generator, FOLDER gets the site. Needs no network.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tests.release.site import reference
from tests.release.site.pages import HOME, INDEX, ROOT, Page, Site, SiteError, published, site, title

_SETTINGS: Final = Path(__file__).with_name("zensical.toml")
_REFERENCE: Final = {"reference/api.md": reference.api, "reference/commands.md": reference.command_line}
_FOREIGN: Final = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']?(https?:)?//""")


def write_sources(folder: Path) -> None:
    """Write the pages, their pictures and the generator's settings into a folder."""
    address = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Source"]
    pages = site()
    texts = {name: make() for name, make in _REFERENCE.items()}
    pictures = set[str]()
    for path in pages.paths:
        texts[path], shown = published(ROOT, path, pages, address)
        pictures |= shown
    for path in texts.keys() | pictures:
        file = folder / "pages" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if path in texts:
            file.write_text(texts[path], "utf-8")
        else:
            shutil.copy(ROOT / path, file)
    given = {
        "nav": navigation(pages),
        "docs_dir": "pages",
        "site_dir": "site",
        "copyright": f'<a href="{address}">{address}</a>',
    }
    lines = "".join(f"{name} = {_toml(value)}\n" for name, value in given.items())
    settings = _SETTINGS.read_text("utf-8").replace("[project]\n", f"[project]\n{lines}", 1)
    (folder / "zensical.toml").write_text(settings, "utf-8")


def navigation(pages: Site) -> list[dict[str, Any]]:
    """Return the navigation: the sections of the index, between the first pages and the reference."""
    return [
        {"lamella": HOME},
        {title(ROOT, INDEX): INDEX},
        *({name: [_entry(page) for page in each]} for name, each in pages.sections.items()),
        {"Reference": [*_REFERENCE]},
    ]


def _entry(page: Page) -> dict[str, Any]:
    name = title(ROOT, page.path)
    return {name: [page.path, *map(_entry, page.inner)] if page.inner else page.path}


def _toml(value: Any) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def foreign(pages: Iterable[Path]) -> list[str]:
    """Return the pages that load something from another host."""
    return [page.name for page in pages if _FOREIGN.search(page.read_text("utf-8"))]


def main(generator: str, folder: Path) -> None:
    """Build the site anew.

    Raises:
        SiteError: A page is missing from the index, leads nowhere, or loads something from another host; or the
            generator found a broken link or anchor, and printed it.
    """
    with tempfile.TemporaryDirectory() as made:
        write_sources(Path(made))
        command = [str(Path(generator).resolve()), "build", "--strict", "--clean"]
        if subprocess.run(command, cwd=made, check=False).returncode:
            raise SiteError("The generator found faults; see above.")
        built = Path(made, "site")
        if found := foreign(built.rglob("*.html")):
            raise SiteError(f"Loads something from another host: {', '.join(found)}.")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(built, folder)


if __name__ == "__main__":
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except SiteError as fault:
        sys.exit(str(fault))
