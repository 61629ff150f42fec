"""Hooks that are given garbage, or that find no Python."""

import json
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from lamella_adapters.hooks.launch.interpreter_link import link
from tests.end_to_end.hooks.edits import EDIT, EDITED, hunks
from tests.end_to_end.hooks.machine import CLIENTS, RECORDED, Machine
from tests.faults.fault import Injections

ODD: tuple[Any, ...] = (None, True, -1, 1e308, "", "\0", "\ud800", "x" * 100_000, [], {}, [[]], {"file_path": 7})


def _garbage(content: bytes, noise: Random) -> bytes:
    """Return the input of an event with something wrong in it."""
    told = json.loads(content)
    match noise.randrange(5):
        case 0:
            return noise.randbytes(noise.randrange(5_000)) + b"\n"
        case 1:
            return content[: noise.randrange(len(content))] + b"\n"
        case 2:
            changed = bytearray(content)
            for _ in range(noise.randint(1, 30)):
                changed[noise.randrange(len(changed))] = noise.randrange(256)
            return bytes(changed) + b"\n"
        case 3:
            told[noise.choice(list(told))] = noise.choice(ODD)
        case _:
            del told[noise.choice(list(told))]
    return json.dumps(told).encode() + b"\n"


def given_garbage(folder: Path, noise: Random) -> Injections:
    """Tell hooks of events that make no sense: they end well and in silence, and the next edit is captured.

    The clients take turns.
    """
    machine = Machine(folder)
    link(str(machine.linked))
    for number in count():
        client = ("", *CLIENTS)[number % (len(CLIENTS) + 1)]
        names = (each.stem for each in (RECORDED / client).glob("*.json"))
        name = noise.choice(sorted(each for each in names if client or each.startswith("PostToolUse")))
        garbage = _garbage((RECORDED / client / f"{name}.json").read_bytes(), noise)
        if client:
            assert machine.tell_as(client, name, garbage) is None
        else:
            machine.tell(name, garbage)
        if number % 10 == 0:
            before = hunks_of_edits(machine)
            machine.tell(EDIT)
            assert hunks_of_edits(machine) == before + EDITED
        yield "ended well and in silence"


def hunks_of_edits(machine: Machine) -> list[object]:
    return [record["hunks"] for record in machine.spooled() if record.get("hunks") == EDITED[0]]


def without_python(folder: Path, noise: Random) -> Injections:
    """Run hooks whose link to Python leads elsewhere: they end well and in silence."""
    for number in count():
        (folder / str(number)).mkdir()
        machine = Machine(folder / str(number))
        if noise.random() < 0.8:
            machine.linked.mkdir()
            target = noise.choice(["/nowhere/python", "/", "/bin/false", "/dev/null"])
            (machine.linked / "python").symlink_to(target)
        if alone := noise.random() < 0.5:
            (machine.folder / "bin" / "lamella").unlink()
        machine.tell(EDIT)
        assert alone or hunks(machine) == EDITED
        yield "silent, nothing captured" if alone else "captured: the command was found"
