"""Examples in docstrings run, and everything that others call or implement has one."""

import ast
import doctest
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import lamella
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import RecallQuery
from lamella.domain.replies import views
from lamella.ports.embedder import Embedder
from lamella.ports.tokenizer import Tokenizer
from lamella_contracts.contract import Contract
from lamella_contracts.contracts import EmbedderContract, HookReadsContract, TokenizerContract, TranscriptsContract
from lamella_contracts.fixtures.project import ProjectFixture
from lamella_contracts.hooks import StorageHooks
from tests.end_to_end.git.git_repository import Repository

ROOT = Path(__file__).parents[3]
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef
SHOWN = [
    *(method for name, method in inspect.getmembers(lamella.Memory, inspect.isfunction) if name[0] != "_"),
    lamella.AsyncMemory,
    lamella.RecallRequest,
    lamella.SaveRequest,
    lamella.SearchRequest,
    lamella.agent_tools,
    lamella.defused,
    lamella.one_line,
    lamella.open_async,
    lamella.open_memory,
    lamella.printed_line,
    lamella.printed_time,
    Contract,
    Embedder,
    EmbedderContract,
    HookReadsContract,
    Observation,
    ProjectFixture,
    RecallQuery,
    StorageHooks,
    StorageHooks.opening_code,
    Tokenizer,
    TokenizerContract,
    TranscriptsContract,
    views,
]
"""What programs call, or others implement."""


def examples() -> Iterator[Any]:
    """Each docstring with an example: its module, and its text."""
    for folder in (ROOT / each for each in ("src", "adapters", "contracts")):
        for file in sorted(folder.rglob("*.py")):
            module = ".".join(file.relative_to(folder).with_suffix("").parts)
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                docstring = ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None
                if ">>> " in (docstring or ""):
                    yield pytest.param(module, docstring, id=f"{module}.{getattr(node, 'name', '')}".rstrip("."))


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[lamella.Memory]:
    """The memory of the working directory, a repository with an uncommitted removal in `charge.py`."""
    repository = Repository.made(tmp_path / "payments")
    repository.commit(charge="receipt = repeated(charge, card, amount, attempts=3, pause_seconds=5)\n")
    repository.write("charge.py", "receipt = charge(card, amount)\n")
    monkeypatch.chdir(repository.root)
    monkeypatch.setenv("LAMELLA_DATA_DIR", str(tmp_path / "data"))
    with lamella.open_memory(storage="memory:", embedder="none") as memory:
        yield memory


@pytest.mark.parametrize(("module", "docstring"), [*examples()])
def test_an_example_runs(module: str, docstring: str, memory: lamella.Memory) -> None:
    names = vars(import_module(module)) | {"lamella": lamella, "memory": memory}
    test = doctest.DocTestParser().get_doctest(docstring, names, module, module, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert "".join(report) == ""


def test_everything_that_others_call_or_implement_has_an_example() -> None:
    assert [each for each in SHOWN if ">>> " not in (inspect.getdoc(each) or "")] == []
