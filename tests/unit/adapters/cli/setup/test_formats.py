from contextlib import suppress
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lamella_adapters.cli.setup import plan
from lamella_adapters.cli.setup.entries import ConfigEntry, Format, UnfitFileError, value_at
from lamella_adapters.cli.setup.formats.json_text import JSON
from lamella_adapters.cli.setup.formats.toml_text import TOML
from lamella_adapters.cli.setup.formats.yaml_text import YAML
from lamella_adapters.cli.setup.plan import connected, disconnected
from tests.unit.adapters.cli.setup.written import DATA, json_text, mappings, toml_text, yaml_text

SERVER = {"command": "/opt/lamella", "args": ["serve"]}
HOOK = {"hooks": [{"type": "command", "command": "/opt/lamella hook codex"}]}
NAMED = ConfigEntry(path=("servers",), name="lamella", value=SERVER)
HOOKED = ConfigEntry(path=("hooks", "Start"), value=HOOK)
LISTED = ConfigEntry(path=("servers",), value={"name": "lamella", **SERVER})


def of_one(text: str, inserted: str) -> bool:
    """Return True if a text was inserted into another one at a single place."""
    same = next((at for at, pair in enumerate(zip(text, inserted, strict=False)) if len({*pair}) > 1), len(text))
    return inserted.endswith(text[same:])


def comes_and_goes(text: str, format_: Format, *entries: ConfigEntry) -> None:
    """Check that entries are inserted once without changing other text, and removed again."""
    added = connected(text, format_, entries)
    for entry in entries:
        held = value_at(format_.parsed(added), entry.path)
        assert held[0] == entry.value if entry.name is None else held[entry.name] == entry.value
    assert len(entries) > 1 or format_ is YAML or of_one(text, added)
    assert disconnected(text, format_, entries, before=None) == text
    assert connected(added, format_, entries) == added
    assert disconnected(added, format_, entries, before=text) == text
    # Somebody else has changed it meanwhile.
    other = added + ("\n# more\n" if format_ is not JSON else " ")
    assert disconnected(other, format_, entries, before=text) is not None
    bare = disconnected(other, format_, entries, before=text) or ""
    after, before = (format_.parsed(each) for each in (bare, text))
    for entry in entries:
        path = (*entry.path, entry.name or "")
        after, before = plan._trimmed(after, path), plan._trimmed(before, path)
    assert after == before


@settings(max_examples=10)
@given(st.data(), mappings(DATA), st.one_of(st.none(), mappings(DATA)), mappings(st.lists(DATA, max_size=2)))
def test_json_keeps_what_is_there(drawn: st.DataObject, data: Any, servers: Any, hooks: Any) -> None:
    if servers is not None:
        data = {**data, "servers": servers, "hooks": hooks}
    text = drawn.draw(json_text(data))
    assert JSON.parsed(text) == data
    comes_and_goes(text, JSON, NAMED)
    comes_and_goes(text, JSON, HOOKED)
    comes_and_goes(text, JSON, NAMED, HOOKED)


@settings(max_examples=10)
@given(toml_text())
def test_toml_keeps_what_is_there(text: str) -> None:
    comes_and_goes(text, TOML, ConfigEntry(path=("mcp_servers",), name="lamella", value=SERVER))


@settings(max_examples=10)
@given(yaml_text("servers", mappings(DATA)))
def test_a_mapping_of_yaml_keeps_what_is_there(text: str) -> None:
    assume(isinstance(YAML.parsed(text), dict))
    comes_and_goes(text, YAML, NAMED)


@settings(max_examples=10)
@given(yaml_text("servers", st.lists(mappings(DATA), max_size=3)))
def test_a_list_of_yaml_keeps_what_is_there(text: str) -> None:
    comes_and_goes(text, YAML, LISTED)


@given(st.text('{}[]",:ab1 \n/*', max_size=30))
def test_what_is_no_json_is_refused_and_nothing_else_happens(text: str) -> None:
    with suppress(UnfitFileError):
        JSON.parsed(text)
