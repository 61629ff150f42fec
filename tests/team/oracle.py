"""What must hold after a fault, read past lamella from all machines."""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import psycopg
from attrs import frozen

from lamella.ports.storage.diagnosis import Severity
from lamella_adapters.postgresql import open_storage
from tests.team.cluster import Cluster
from tests.team.machines import Machine
from tests.team.sessions import Session
from tests.waiting import until


@frozen
class Survived:
    """A fault by which nothing was lost and nothing doubled.

    Attributes:
        acknowledged: Number of saves that were acknowledged between the fault and the return of everything.
        refused: Number of calls that were refused meanwhile.
        outages: The longest time without an acknowledged save for each way, in seconds.
        said: What else there is to say.
    """

    acknowledged: int
    refused: int
    outages: tuple[tuple[str, float], ...] = ()
    said: str = ""


@frozen
class Witness:
    """What sessions had been told when a fault began."""

    cluster: Cluster
    sessions: Sequence[Session]
    acknowledged: int
    refused: int
    began: float

    @classmethod
    def of(cls, cluster: Cluster, sessions: Sequence[Session]) -> "Witness":
        """Note what they have been told so far."""
        return cls(cluster, sessions, _acknowledged(sessions), _refused(sessions), time.monotonic())

    def survived(self, said: str = "") -> Survived:
        """Check that every acknowledged save is stored once on all machines, and that indexes are whole."""
        for session in self.sessions:
            session.check()
        check(self.cluster, [text for session in self.sessions for text in tuple(session.acknowledged)])
        ways = {session.way: 0.0 for session in self.sessions}
        for session in self.sessions:
            ways[session.way] = max(ways[session.way], session.outage(self.began))
        return Survived(
            _acknowledged(self.sessions) - self.acknowledged,
            _refused(self.sessions) - self.refused,
            tuple(ways.items()),
            said,
        )


def check(cluster: Cluster, acknowledged: Sequence[str]) -> None:
    """Check that texts are stored once on all machines, and that the leader's index has all it must have."""
    with cluster.administering() as connection:
        (position,) = connection.execute("SELECT pg_current_wal_flush_lsn()").fetchone() or ("",)
    for machine in cluster.machines:
        stored = _stored(cluster, machine, position)
        lost = [text for text in acknowledged if not stored[text]]
        twice = [text for text, times in stored.items() if times > 1]
        assert not lost + twice, f"{machine.name}: {len(lost)} lost, {len(twice)} twice: {(lost + twice)[:5]}"
    storage = open_storage(cluster.ways["hosts"], Path())
    try:
        findings = storage.diagnosis.findings()
    finally:
        storage.close()
    assert Severity.FAULT not in {each.severity for each in findings}, findings


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


def _acknowledged(sessions: Sequence[Session]) -> int:
    return sum(len(session.acknowledged) for session in sessions)


def _refused(sessions: Sequence[Session]) -> int:
    return sum(session.refusals.total() for session in sessions)
