"""Servers that share memories by themselves."""

import shutil
from pathlib import Path

from tests.end_to_end.cli.exchange.machines import FOLDER, TEXT, Machine, machine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until


def test_servers_share_by_themselves(both: tuple[Machine, Machine]) -> None:
    ada, bob = both
    with (
        RawClient(Command(SERVE, ada.lamella.directory, ada.lamella.environment)) as client,
        RawClient(Command(SERVE, bob.lamella.directory, bob.lamella.environment)) as other,
    ):
        client.call(1, "save_memory", text="Prices are stored in cents.")
        until(lambda: len(ada.files) == 2)
        ada.push()
        bob.pull()
        (record,) = (bob.lamella.data / "shared").glob("*.json")
        (name,) = (name for name, text in ada.files.items() if "Prices" in text)
        until(lambda: name in record.read_text("utf-8"))
        assert "Prices are stored in cents." in other.text(1, "recall", query="prices")
    assert [ada.status(), bob.status()] == [[], []]


def test_a_server_takes_over_what_was_pulled_before_its_start(both: tuple[Machine, Machine]) -> None:
    ada, bob = both
    ada.lamella.saved("Prices are stored in cents.")
    ada.share()
    ada.push()
    bob.pull()
    (record,) = (bob.lamella.data / "shared").glob("*.json")
    before = record.read_bytes()
    with RawClient(Command(SERVE, bob.lamella.directory, bob.lamella.environment)):
        until(lambda: record.read_bytes() != before)
    assert bob.recalled("prices") == ["Prices are stored in cents."]


def test_a_server_waits_for_an_answer_before_it_purges_a_deleted_folder(both: tuple[Machine, Machine]) -> None:
    ada, _ = both
    (record,) = (ada.lamella.data / "shared").glob("*.json")
    shutil.rmtree(ada.folder)
    with RawClient(Command(SERVE, ada.lamella.directory, ada.lamella.environment)):
        until(lambda: '"waiting":1' in record.read_text("utf-8"))
    told = ada.lamella.run("status").out
    gone = "Its files are gone or moved. To keep or purge 1 memory: lamella share"
    assert f"shared      {FOLDER}\n            {gone}\n" in told
    refused = ada.lamella.run("share")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == (
        f"All files of {FOLDER} are gone, so nothing was purged or written."
        " To purge 1 memory: lamella share --yes."
        f" To restore the files: git restore {FOLDER}."
        f" To write the files again: lamella share --stop, then lamella share {FOLDER}\n"
    )
    assert ada.recalled() == [TEXT]
    assert ada.share("--yes")[1:] == [
        "Purged, because their files are gone: 1. To see them: lamella log; to bring one back: lamella restore ID"
    ]
    assert ada.recalled() == []


def test_a_cloned_repository_alone_shares_nothing(both: tuple[Machine, Machine], remote: Path) -> None:
    eve = machine(both[0].clone.root.parents[1], remote, "eve")
    saved = "Eve's notes are hers."
    with RawClient(Command(SERVE, eve.lamella.directory, eve.lamella.environment)) as client:
        client.call(1, "save_memory", text=saved)
        assert client.text(2, "recall", query="staging") == client.text(3, "recall", query="staging")
    none = "Nothing is shared. Share notes in a folder of this repository with: lamella share FOLDER"
    assert eve.share() == [none]
    assert (eve.recalled(), eve.status()) == ([], [])
