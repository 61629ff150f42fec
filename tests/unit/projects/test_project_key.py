from lamella.domain.project_key import named

PROJECTS = {"id": ["by id"], "alias": ["by alias"], "name": ["by name"]}


def by(*kinds: str) -> list[str]:
    """Return what a name stands for that projects have as their `kinds`."""
    known = {kind: PROJECTS[kind] if kind in kinds else [] for kind in PROJECTS}
    return list(
        named(
            "shop",
            by_id=lambda _: known["id"],
            by_alias=lambda _: known["alias"],
            by_name=lambda _: known["name"],
        )
    )


def test_an_id_comes_before_an_alias_and_an_alias_before_names() -> None:
    assert by("id", "alias", "name") == ["by id"]
    assert by("alias", "name") == ["by alias"]
    assert by("name") == ["by name"]
    assert by() == []
