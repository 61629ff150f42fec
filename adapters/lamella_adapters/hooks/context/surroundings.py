"""Surroundings of a session: the package of its folder, neighbouring packages, and the branch's changed files."""

# ruff: noqa: PTH110, PTH118, PTH120, PTH208 - importing pathlib would take longer than the rest of a hook

import os
from contextlib import suppress

from lamella.domain.hook_context import Surroundings

_MANIFESTS = (
    *("package.json", "pyproject.toml", "setup.py", "Cargo.toml", "go.mod", "pom.xml", "build.gradle"),
    *("build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "pubspec.yaml", "CMakeLists.txt"),
)
"""Names of manifests. A folder with such a file is a package."""

_SHORTEST = 4
"""Minimum length of a distinctive folder name. Shorter names, such as `src`, are common in any package."""

_MOST_OTHERS = 200
"""Maximum number of entries beside a package to examine."""


def surroundings(root: str, folder: str, branch: frozenset[str]) -> Surroundings:
    """Return the surroundings of a session.

    Args:
        root: The root of the project.
        folder: The working directory relative to `root`, `.` for the root.
        branch: Files that the current branch has changed.
    """
    if folder in ("", "."):
        return Surroundings(branch=branch)
    package = _package(root, folder)
    parent, name = os.path.split(package)
    others = _others(os.path.join(root, parent), name)
    return Surroundings(package, name if len(name) >= _SHORTEST or not parent else package, branch, others)


def _others(parent: str, name: str) -> frozenset[str]:
    """Return the names of the packages beside a package, or of the folders beside a folder without a manifest."""
    own = next((each for each in _MANIFESTS if os.path.lexists(os.path.join(parent, name, each))), "")
    with suppress(OSError):
        return frozenset(
            each
            for each in os.listdir(parent)[:_MOST_OTHERS]
            if each != name and not each.startswith(".") and os.path.exists(os.path.join(parent, each, own))
        )
    return frozenset()


def _package(root: str, folder: str) -> str:
    """Return the innermost package that contains a folder, or else the folder itself. The root isn't a package."""
    within = folder
    while within:
        if any(os.path.lexists(os.path.join(root, within, name)) for name in _MANIFESTS):
            return within
        within = os.path.dirname(within)
    return folder
