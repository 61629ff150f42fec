import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamella.domain.projects.identity import (
    is_another_repository,
    machine_key,
    normalised_remote,
    repository_alias,
)
from lamella.domain.projects.project import Project
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.tables import cases

ROOT = "0123456789abcdef0123456789abcdef01234567"
WORDS = st.text("abcXYZ019-_.~", min_size=1, max_size=12).filter(lambda name: not name.endswith(".git"))
HOSTS = st.from_regex(r"[a-z][a-z0-9-]{0,9}(\.[a-z]{2,5}){1,2}", fullmatch=True)
PATHS = st.lists(WORDS, min_size=1, max_size=4).map("/".join)
SECRETS = st.text("QRSTUVW456!$%&", min_size=6, max_size=20)


@cases
def test_all_forms_of_a_remote_are_one(url: str) -> None:
    assert normalised_remote(url) == "example.org/Org/repo"


@cases
def test_other_remotes_are_others(url: str, other: str) -> None:
    found = normalised_remote(url), normalised_remote(other)
    assert None not in found
    assert found[0] != found[1]


@cases
def test_what_other_machines_cannot_reach_or_hides_a_password_is_no_remote(url: str) -> None:
    assert normalised_remote(url) is None


@given(host=HOSTS, path=PATHS, user=WORDS, secret=SECRETS, end=st.sampled_from(["", "/", ".git", ".git/"]))
def test_no_form_keeps_a_credential(host: str, path: str, user: str, secret: str, end: str) -> None:
    forms = [
        f"{user}@{host}:{path}{end}",
        f"ssh://{user}@{host.upper()}:22/{path}{end}",
        f"https://{user}:{secret}@{host}/{path}{end}",
        f"https://{secret}@{host}/{path}{end}?token={secret}",
        f"git://{host}/{path}{end}",
    ]
    assert {normalised_remote(each) for each in forms} == {f"{host}/{path}"}


@given(st.text(max_size=60), SECRETS)
def test_any_text_has_an_answer_without_the_password(text: str, secret: str) -> None:
    found = normalised_remote(f"https://ada:{secret}@{text}")
    assert found is None or secret not in found
    assert normalised_remote(text) is None or "/" in str(normalised_remote(text))


def test_an_alias_is_made_of_root_and_remote() -> None:
    alias = repository_alias(ROOT, "git@example.org:org/repo.git")
    assert alias == f"repository:{ROOT}:example.org/org/repo"
    assert repository_alias("f" * 64, "git@example.org:org/repo.git") != alias
    assert repository_alias(ROOT, "git@example.org:fork/repo.git") != alias


@pytest.mark.parametrize(("root", "url"), [("", "https://a.b/c"), ("HEAD", "https://a.b/c"), (ROOT, "/srv/c")])
def test_without_root_or_remote_there_is_no_alias(root: str, url: str) -> None:
    assert repository_alias(root, url) is None


def test_a_key_is_that_of_one_machine() -> None:
    assert machine_key("m1", "git:/home/dev/app/.git") == "machine:m1:git:/home/dev/app/.git"


def test_traces_are_of_no_use_to_people() -> None:
    project = Project(id="p", name="p", aliases=("dir:/p", "entry:1:p", "root:2:p"), created_at=DAWN)
    assert project.shown_aliases == ("dir:/p",)


@cases
def test_a_project_of_other_repositories_is_another_one(
    aliases: list[str], repository: str, *, other: bool
) -> None:
    assert is_another_repository(aliases, repository) is other
