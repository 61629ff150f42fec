"""Edits of configurations, by example."""

import re
from pathlib import Path

import pytest
from attrs import evolve

from lamella_adapters.cli.setup.entries import ConfigEntry, Format, UnfitFileError
from lamella_adapters.cli.setup.formats.json_text import JSON
from lamella_adapters.cli.setup.formats.toml_text import TOML
from lamella_adapters.cli.setup.formats.yaml_text import YAML
from lamella_adapters.cli.setup.plan import connected, disconnected
from tests.unit.support.tables import cases

NAMED = ConfigEntry(path=("servers",), name="lamella", value={"command": "l", "args": ["serve"]})
LISTED = ConfigEntry(path=("servers",), value={"name": "lamella", "command": "l"})


def hooked(event: str, line: str = "lamella hook") -> ConfigEntry:
    return ConfigEntry(path=("hooks", event), value={"command": line})


SETTINGS, CONNECTED, CODEX, GOOSE = (
    Path(__file__).with_name("configurations").joinpath(name).read_text("utf-8")
    for name in ("settings.jsonc", "connected.jsonc", "codex.toml", "goose.yaml")
)


TABLE = '\n[servers.lamella]\ncommand = "l"\nargs = ["serve"]\n'
ENTRY = "    lamella:\n      command: l\n      args:\n      - serve\n"


@cases
def test_an_entry_is_added_and_the_rest_stays_as_it_is(text: str, format_: Format, made: str) -> None:
    assert connected(text, format_, [NAMED]) == made


@cases
def test_what_was_added_is_taken_out_to_the_byte(format_: Format, text: str | None) -> None:
    added = connected(text, format_, [NAMED])
    assert connected(added, format_, [NAMED]) == added
    assert disconnected(added, format_, [NAMED], before=text) == text
    newer = ConfigEntry(path=NAMED.path, name="lamella", value={"command": "new", "args": ["serve"]})
    data = format_.parsed(disconnected(added, format_, [newer], before=text) or "")
    assert (data.get("servers") or {}) == (format_.parsed(text or "").get("servers") or {})


@cases
def test_json_is_left_as_others_have_made_it(text: str, left: str) -> None:
    before = '{"servers": {}}' if "theirs" in text else "{}"
    assert disconnected(text, JSON, [NAMED], before=before) == left


def test_comments_behind_a_table_of_toml_stay() -> None:
    text = '[servers.lamella]\ncommand = "l"\n[servers.lamella.env]\nA = "b"\n\n# of others\n[others]\n'
    assert disconnected(text, TOML, [NAMED], before=CODEX) == "\n# of others\n[others]\n"


@cases
def test_a_list_of_yaml_loses_our_element_alone(text: str, left: str) -> None:
    assert disconnected(text, YAML, [LISTED], before="a: 1") == left


def test_what_the_user_added_to_the_entry_stays() -> None:
    text = '{"servers": {"lamella": {"command": "gone", "args": [], "env": {"A": "b"}}}}'
    expected = {"servers": {"lamella": {"command": "l", "args": ["serve"], "env": {"A": "b"}}}}
    assert JSON.parsed(connected(text, JSON, [NAMED])) == expected
    table = '[servers.lamella]\ncommand = "gone"\nenv = { A = "b" }\n'
    assert TOML.parsed(connected(table, TOML, [NAMED])) == expected


def test_an_entry_that_was_replaced_comes_back_whatever_else_has_changed() -> None:
    before = '{"servers": {"lamella": {"command": "gone"}}}'
    more = connected(before, JSON, [NAMED]) + " "
    assert JSON.parsed(disconnected(more, JSON, [NAMED], before=before) or "") == JSON.parsed(before)


def test_hooks_of_earlier_versions_and_other_commands_give_way() -> None:
    theirs = {"command": "send-to-lamella webhook"}
    text = connected(
        None, JSON, [hooked("Start"), hooked("Gone"), ConfigEntry(path=("hooks", "End"), value=theirs)]
    )
    now = connected(text, JSON, [hooked("Start", "lamella hook 2")])
    assert JSON.parsed(now) == {"hooks": {"Start": [{"command": "lamella hook 2"}], "Gone": [], "End": [theirs]}}


def test_a_file_of_ours_says_its_version_and_goes_with_our_entries() -> None:
    versioned = evolve(JSON, empty='{\n  "version": 1\n}\n')
    made = connected(None, versioned, [hooked("Start")])
    assert JSON.parsed(made) == {"version": 1, "hooks": {"Start": [{"command": "lamella hook"}]}}
    assert disconnected(made + " ", versioned, [hooked("Start")], before=None) is None
    older = connected('{"version": 0}', versioned, [hooked("Start")])
    assert JSON.parsed(older)["version"] == 0


def test_a_file_of_comments_gets_what_a_new_one_says() -> None:
    named = evolve(YAML, empty="name: Mine\n")
    for text, format_ in (("# mine", named), ("// mine\n", evolve(JSON, empty='{\n  "name": "Mine"\n}\n'))):
        made = connected(text, format_, [NAMED])
        assert format_.parsed(made) == {"name": "Mine", "servers": {"lamella": NAMED.value}}
        assert made.startswith(text)


def test_without_the_earlier_content_nothing_but_ours_goes() -> None:
    made = connected('{"a": 1}', JSON, [NAMED])
    assert disconnected(made, JSON, [NAMED], before="no JSON") == '{"a": 1}'
    assert disconnected("{}", JSON, [NAMED], before=None) == "{}"


@cases
def test_what_is_unsafe_to_edit_is_left_alone(format_: Format, entry: ConfigEntry, text: str, why: str) -> None:
    with pytest.raises(UnfitFileError, match=re.escape(why)):
        connected(text, format_, [entry])


@cases
def test_what_cannot_be_taken_out_safely_is_left_alone(format_: Format, text: str) -> None:
    with pytest.raises(UnfitFileError, match="edit it by hand"):
        disconnected(text, format_, [NAMED], before=None)
