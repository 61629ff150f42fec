"""A copy to PostgreSQL that is killed between two messages to the server, and repeated.

Usage: python -m tests.end_to_end.storage.kills.copies FOLDER URL...
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from unittest.mock import patch

from lamella_adapters.postgresql.database.transaction import Transaction
from tests.end_to_end.storage.kills.exchange import copy_all, exported, fill
from tests.end_to_end.storage.kills.statements import in_a_child
from tests.end_to_end.storage.worker import say


def before_each_message(call: Callable[[int], object], work: Callable[[], object]) -> None:
    """Do some work. `call` gets the number of each message to the server before it is sent."""
    numbers, send = count(1), Transaction._sent

    def sent(tx: Transaction, *, commit: bool = False) -> object:
        call(next(numbers))
        return send(tx, commit=commit)

    with patch.object(Transaction, "_sent", sent):
        work()


def kill_between_messages(folder: Path, *tenants: str) -> None:
    """Kill a copy to each tenant at another message, repeat it, and compare what comes back."""
    source = folder / "source"
    fill(source)
    records = exported(source)

    def counted() -> int:
        seen: list[int] = []
        before_each_message(seen.append, lambda: copy_all(f"sqlite://{source}", tenants[0], source))
        return len(seen)

    status, total = in_a_child(counted)
    assert status == 0
    for place, tenant in enumerate(tenants[1:], start=1):
        number = total * place // len(tenants)

        def kill(here: int, number: int = number) -> None:
            if here == number:
                os.kill(os.getpid(), signal.SIGKILL)

        def broken_off(tenant: str = tenant, kill: Callable[[int], None] = kill) -> None:
            before_each_message(kill, lambda: copy_all(f"sqlite://{source}", tenant, source))

        def repeated(tenant: str = tenant) -> bool:
            assert copy_all(f"sqlite://{source}", tenant, source).equal
            assert copy_all(tenant, f"sqlite://{folder / 'back'}", source).equal
            return exported(folder / "back") == records

        status, _ = in_a_child(broken_off)
        assert os.WIFSIGNALED(status)
        status, same = in_a_child(repeated)
        assert (status, same) == (0, True)
        shutil.rmtree(folder / "back")
        say(f"killed before message {number} of {total}, and finished")


if __name__ == "__main__":
    kill_between_messages(Path(sys.argv[1]), *sys.argv[2:])
