"""Number of messages that an answer sends to the server."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.domain.memories.query import ByText
from lamella.settings import Settings

MANY = 50

Act = Callable[[Lamella, Call, list[str]], object]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return the messages that are sent from now on."""
    messages: list[object] = []
    execute = psycopg.Cursor.execute

    def noted(cursor: psycopg.Cursor[Any], query: Any, *arguments: Any, **named: Any) -> psycopg.Cursor[Any]:
        messages.append(query)
        return execute(cursor, query, *arguments, **named)

    monkeypatch.setattr(psycopg.Cursor, "execute", noted)
    return messages


@pytest.fixture
def lamella(tmp_path: Path, url: str) -> Iterator[Lamella]:
    """Return the use cases of a process over an empty storage."""
    with running(Settings(data_directory=tmp_path / "data", storage=url, embedder="none")) as made:
        yield made


ANSWERS: dict[str, tuple[Act, int]] = {
    "save": (lambda lamella, call, _: lamella.save(call, SaveRequest(text="A new car.")), 2),
    "recall": (lambda lamella, call, _: lamella.recall(call, RecallRequest(selector=ByText("car"))), 3),
    "recall of a word that nobody said": (
        lambda lamella, call, _: lamella.recall(call, RecallRequest(selector=ByText("numbr unheard"))),
        4,
    ),
    "purge": (lambda lamella, call, ids: lamella.purge(call, [ids[0][:13], *ids[1:]]), 2),
    "restore": (lambda lamella, call, ids: lamella.restore(call, ids), 2),
    "view": (lambda lamella, call, ids: lamella.get(call, ids), 2),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_sends_no_more_messages_than_it_needs(
    lamella: Lamella, tmp_path: Path, sent: list[object], answer: str
) -> None:
    act, trips = ANSWERS[answer]
    (tmp_path / "shop").mkdir()
    call = Call(directory=tmp_path / "shop")
    ids = [
        str(lamella.save(call, SaveRequest(text=f"Car number {number}.")).observation.id) for number in range(MANY)
    ]
    lamella.purge(call, ids[25:])
    sent.clear()
    act(lamella, call, ids)
    assert len(sent) == trips
