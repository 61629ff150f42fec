import subprocess

import pytest

from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import Repository
from tests.waiting import HANG_SECONDS


def test_a_process_asks_git_again_when_the_commit_or_the_remote_may_be_another_one(
    unborn: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = GitWorkingTree(patience=HANG_SECONDS)
    here = tree.locate(unborn.root)
    unborn.git("remote", "add", "origin", "https://example.org/org/shop.git")
    assert tree.repository_alias(here) is None
    unborn.commit(a="1\n")
    first = unborn.git("rev-parse", "HEAD")
    assert tree.repository_alias(here) == f"repository:{first}:example.org/org/shop"
    unborn.git("remote", "set-url", "origin", "https://example.org/a/longer/name")
    assert tree.repository_alias(here) == f"repository:{first}:example.org/a/longer/name"
    monkeypatch.setattr(subprocess, "Popen", None)
    assert tree.repository_alias(here) == f"repository:{first}:example.org/a/longer/name"
