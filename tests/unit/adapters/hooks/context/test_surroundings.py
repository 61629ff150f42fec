from pathlib import Path

import pytest

from lamella.domain.hook_context import ROOT, Surroundings
from lamella_adapters.hooks.context.surroundings import surroundings
from tests.unit.support.tables import cases

BRANCH = frozenset({"a.py"})


@pytest.mark.parametrize("folder", ["", "."])
def test_at_the_root_there_is_no_folder(folder: str, tmp_path: Path) -> None:
    assert surroundings(str(tmp_path), folder, frozenset()) == ROOT
    assert surroundings(str(tmp_path), folder, BRANCH) == Surroundings(branch=BRANCH)


@cases
def test_below_it_the_innermost_package_counts(
    folder: str, manifest: str, package: list[str], others: list[str], tmp_path: Path
) -> None:
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / manifest).write_text("", "utf-8")
    for other in ("docs", ".git", "packages/billing", "packages/notes", "packages/mailer/docs"):
        (tmp_path / other).mkdir(parents=True)
    (tmp_path / "packages/billing/package.json").write_text("", "utf-8")
    assert surroundings(str(tmp_path), folder, BRANCH) == Surroundings(
        package[0], package[1], BRANCH, frozenset(others)
    )


def test_a_folder_that_is_gone_has_nothing_beside_it(tmp_path: Path) -> None:
    assert surroundings(str(tmp_path / "gone"), "web", BRANCH) == Surroundings("web", "web", BRANCH)
