"""The documents describe the toolsets as they are."""

import re
from pathlib import Path
from typing import Any

import pytest

from lamella.application.memories.save import SaveRequest
from lamella.container import running
from lamella.domain.call import Call
from lamella.settings import Settings
from lamella_adapters.mcp.toolsets.arguments import schema
from lamella_adapters.mcp.toolsets.registry import chosen
from lamella_adapters.mcp.toolsets.tool import ToolCall
from lamella_adapters.process.start import TOOLSETS
from lamella_adapters.process.system import SystemClock
from tests.unit.support.stand_ins import DAWN

ROOT = Path(__file__).parents[4]


def allowed(argument: dict[str, Any]) -> str:
    match argument:
        case {"type": "integer", "minimum": least, "maximum": most}:
            words = f"{least} to {most}"
        case {"type": "integer", "minimum": least}:
            words = f"at least {least}"
        case {"type": "integer"}:
            words = "an integer"
        case {"type": "boolean"}:
            words = "`true` or `false`"
        case {"enum": values}:
            words = ", ".join(f"`{value}`" for value in values)
        case {"type": "array", "minItems": least, "maxItems": most}:
            words = f"{least} to {most} strings"
        case {"type": "array", "maxItems": most}:
            words = f"up to {most} strings"
        case {"type": "string", "minLength": least, "maxLength": most}:
            words = f"{least} to {most:,} characters"
        case {"type": "string", "maxLength": most}:
            words = f"up to {most:,} characters"
        case _:
            words = "a string"
    return words


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_toolset_has_a_page_whose_table_is_its_schema(toolset: str) -> None:
    rows = []
    for tool in chosen(toolset).values():
        described = schema(tool.arguments)
        for name, argument in described["properties"].items():
            # The schema leaves out that a flag is off.
            given = argument.get("default", False if argument["type"] == "boolean" else None)
            default = "" if given is None else f"`{str(given).lower()}`"
            default = "required" if name in described.get("required", ()) else default
            rows.append(f"| `{tool.name}` | `{name}` | {allowed(argument)} | {default} |")
    page = (ROOT / "docs" / f"{toolset}.md").read_text("utf-8")
    assert page.partition("|---|---|---|---|\n")[2].partition("\n\n")[0].splitlines() == rows


def test_the_worked_example_of_a_toolset_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The machine's clock may be set back while it runs.
    monkeypatch.setattr(SystemClock, "now", lambda _: DAWN)
    (example,) = re.findall(
        r"```python\n(# adapters/lamella_adapters/mcp/toolsets/latest\.py.*?)```",
        (ROOT / "docs" / "extending.md").read_text("utf-8"),
        re.DOTALL,
    )
    module: dict[str, Any] = {"__name__": "latest"}
    exec(compile(example, "latest.py", "exec"), module)  # noqa: S102 - our own document
    (tool,) = module["TOOLS"]
    call = Call(directory=tmp_path)
    with running(Settings(data_directory=tmp_path, storage="memory:")) as lamella:
        for text in ("One.", "Two.", "Three."):
            lamella.save(call, SaveRequest(text=text))
        assert tool.answer(ToolCall(lamella, call, tool.structure({"count": "2"}))) == "Three.\nTwo."
