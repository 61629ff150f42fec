"""Damage that doctor finds and repairs: afterwards all is as before."""

from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from lamella.domain.ledger.fingerprints import fingerprints
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.ports.storage.ledger import Capture
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.sqlite.file.connection import connect
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.kills.conversations import batch, conversations, texts
from tests.end_to_end.storage.vectors.vectors import blocks, drawn, index, near
from tests.end_to_end.storage.worker import NOW, Memory, Saved, assert_sound, faults, saved_into
from tests.unit.support.tables import cases

GONE = "    return compute(of_the_gone, in_one_line)"


def filled(folder: Path) -> Saved:
    """Save a memory and a purged one, capture a removal, import a conversation, and embed it all."""
    saved = saved_into(folder, "zebra one", "zebra two", session="s")
    change = CodeChange(path="a.py", hunks=f"-{GONE}")
    draft = Draft(content=f"why\n\n{change.hunks}", kind=Kind.CHANGE, session="s", changes=(change,))
    with Memory(folder) as memory:
        memory.storage.ledger(memory.id).record([Capture(id=uuid4(), draft=draft, at=NOW)])
        conversations(memory).add(batch())
        embed(memory)
        memory.storage.observations(memory.id).purge([next(iter(saved))], by=signed(NOW))
        assert faults(memory) == []
    return saved


def embed(memory: Memory) -> None:
    """Embed what has no vector."""
    opened = index(memory)
    opened.put([NewVector.of(each, drawn(each.sequence)) for each in opened.pending(limit=10)])


def answers(memory: Memory) -> tuple[object, ...]:
    """Return all that is found."""
    return (
        memory.find(include_purged=True),
        memory.find("zebra", include_purged=True),
        memory.storage.ledger(memory.id).removals("a.py", fingerprints([GONE])),
        texts(memory),
        near(memory, drawn(2)),
        blocks(memory),
    )


@cases
def test_damage_is_found_and_repaired(tmp_path: Path, damage: str, message: str, repair: str, told: str) -> None:
    saved = filled(tmp_path)
    with Memory(tmp_path) as memory:
        before = answers(memory)
    with closing(connect(memory.file, writable=True)) as connection:
        connection.execute(damage).fetchall()
    with Memory(tmp_path) as memory:
        finding, said = memory.repaired()
        assert (finding.message, finding.repair, said.startswith(told)) == (message, repair, True)
        embed(memory)
        assert answers(memory) == before
    assert_sound(tmp_path, saved)


WORDS = [f"herd{letter}" for letter in "bcdfghjklmnpqrst"]


@pytest.mark.parametrize("damage", ["SET term = '0herdk' || pgno", "SET pgno = 2", "SET segid = segid + 1"])
def test_an_index_that_leads_to_a_wrong_page_is_found_and_rebuilt(tmp_path: Path, damage: str) -> None:
    saved = saved_into(tmp_path, *(f"{word} " * 1_000 for word in WORDS))
    with Memory(tmp_path) as memory:
        assert faults(memory) == []
        memory.execute(f"UPDATE search_idx {damage} WHERE term > '0herdk'")
    with Memory(tmp_path) as memory:
        assert [len(memory.find(word)) for word in WORDS] != [1] * len(WORDS)
        assert memory.repaired()[0].repair == "rebuild it"
        assert [len(memory.find(word)) for word in WORDS] == [1] * len(WORDS)
    assert_sound(tmp_path, saved)
