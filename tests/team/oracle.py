"""Checks after a fault, which read all machines past lamella, and a plant that proves that they can fail."""

import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psycopg
from attrs import frozen

from lamella.ports.storage.diagnosis import Severity
from lamella_adapters.postgresql import open_storage
from tests.faults.fault import Injections
from tests.team.cluster import Cluster, running_cluster
from tests.team.machines import Machine
from tests.team.sessions import Session, saved, sessions
from tests.waiting import until

_REWRITE = "UPDATE observation SET content = %s WHERE seq = %s AND content = %s"


@frozen
class Difference:
    """Texts by which what is stored differs from what was acknowledged.

    Attributes:
        lost: Acknowledged and not stored.
        twice: Stored more than once.
    """

    lost: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()

    @classmethod
    def of(cls, acknowledged: Collection[str], stored: Mapping[str, int]) -> "Difference":
        """Compare acknowledged texts with how often each text is stored."""
        lost = tuple(text for text in acknowledged if not stored.get(text))
        return cls(lost, tuple(text for text, times in stored.items() if times > 1))

    def __str__(self) -> str:
        return f"{len(self.lost)} lost, {len(self.twice)} twice: {(self.lost + self.twice)[:5]}"


NONE = Difference()


@frozen
class Survived:
    """Outcome of a fault.

    Attributes:
        calls: Number of calls between the fault and the return of everything.
        acknowledged: Number of saves that were acknowledged meanwhile.
        refused: Number of calls that were refused meanwhile.
        outages: The longest time without an acknowledged save for each way, in seconds.
        said: What else there is to say.
        planted: What was brought about for the oracle to find, and was found.
    """

    calls: int
    acknowledged: int
    refused: int
    outages: tuple[tuple[str, float], ...] = ()
    said: str = ""
    planted: Difference = NONE


@frozen
class Witness:
    """Number of calls and answers of sessions when a fault began."""

    cluster: Cluster
    sessions: Sequence[Session]
    calls: int
    acknowledged: int
    refused: int
    began: float

    @classmethod
    def of(cls, cluster: Cluster, sessions: Sequence[Session]) -> "Witness":
        """Note what they have been told so far."""
        return cls(cluster, sessions, *_told(sessions), time.monotonic())

    def survived(self, said: str = "", planted: Difference = NONE) -> Survived:
        """Check that every acknowledged save is stored once on all machines, and that indexes are whole."""
        for session in self.sessions:
            session.check()
        check(self.cluster, _acknowledged(self.sessions))
        ways = {session.way: 0.0 for session in self.sessions}
        for session in self.sessions:
            ways[session.way] = max(ways[session.way], session.outage(self.began))
        calls, acknowledged, refused = _told(self.sessions)
        return Survived(
            calls - self.calls,
            acknowledged - self.acknowledged,
            refused - self.refused,
            tuple(ways.items()),
            said,
            planted,
        )


def check(cluster: Cluster, acknowledged: Sequence[str]) -> None:
    """Check that texts are stored once on all machines, and that the leader's index has all it must have."""
    for name, found in differences(cluster, acknowledged).items():
        assert found == NONE, f"{name}: {found}"
    storage = open_storage(cluster.ways["hosts"], Path())
    try:
        findings = storage.diagnosis.findings()
    finally:
        storage.close()
    assert Severity.FAULT not in {each.severity for each in findings}, findings


def differences(cluster: Cluster, acknowledged: Sequence[str]) -> dict[str, Difference]:
    """Compare what each machine has, by its name, with texts that were acknowledged before."""
    with cluster.administering() as connection:
        (position,) = connection.execute("SELECT pg_current_wal_flush_lsn()").fetchone() or ("",)
    return {
        machine.name: Difference.of(acknowledged, _stored(cluster, machine, position))
        for machine in cluster.machines
    }


def _stored(cluster: Cluster, machine: Machine, position: str) -> Counter[str]:
    """Return how often a machine has each text, once it has all that the leader had at a position of its log."""

    def there() -> bool:
        asked = "SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= %s::pg_lsn"
        try:
            with cluster.administering(at=machine) as connection:
                return connection.execute(asked, (position,)).fetchone() == (True,)
        except psycopg.OperationalError:
            return False

    until(there)
    with cluster.administering(at=machine) as connection:
        return Counter(text for (text,) in connection.execute("SELECT content FROM lamella.observation"))


def _acknowledged(sessions: Sequence[Session]) -> list[str]:
    return [text for session in sessions for text in tuple(session.acknowledged)]


def _told(sessions: Sequence[Session]) -> tuple[int, int, int]:
    """Return the numbers of calls, of acknowledged saves and of refusals."""
    return (
        sum(session.calls for session in sessions),
        sum(len(session.acknowledged) for session in sessions),
        sum(session.refusals.total() for session in sessions),
    )


def overwritten(folder: Path, noise: Random) -> Injections:
    """Overwrite an acknowledged save with the text of another one: one is lost, one is there twice."""
    cluster = running_cluster()
    cluster.heal()
    with sessions(folder, cluster.ways) as running:
        while True:
            witness = Witness.of(cluster, running)
            saved(running, 5)
            acknowledged = _acknowledged(running)
            lost, twice = noise.sample(acknowledged, 2)
            planted = Difference((lost,), (twice,))
            with _instead(cluster, lost, twice):
                found = differences(cluster, acknowledged)
            assert set(found.values()) == {planted}, found
            yield witness.survived("planted, and found on all machines", planted)


@contextmanager
def _instead(cluster: Cluster, text: str, other: str) -> Iterator[None]:
    """Store another text in the place of one, until the block ends."""
    with cluster.administering() as connection:
        # Its trigger looks for tables there.
        connection.execute("SET search_path TO lamella")
        asked = "SELECT seq FROM observation WHERE content = %s"
        (row,) = connection.execute(asked, (text,)).fetchone() or (0,)
        connection.execute(_REWRITE, (other, row, text))
        yield
        connection.execute(_REWRITE, (text, row, other))
