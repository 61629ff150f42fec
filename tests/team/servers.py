"""Faults of lamella's own servers: killed, frozen, restarted one by one, and replaced by a newer version."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

from tests.faults.fault import Injections
from tests.team.cluster import Cluster, running_cluster
from tests.team.oracle import Survived, Witness, check
from tests.team.sessions import Session, newer, saved, sessions

FREEZES = 200
"""Most attempts to stop a server in the middle of a transaction."""

CALLS_OF_A_ROUND = 1_000
"""Calls of all sessions between two restarts of all servers."""

_WAITING = """
SELECT 1 FROM pg_stat_activity
WHERE state = 'idle in transaction' AND clock_timestamp() - state_change > interval '0.2 s'
"""

_migrations = count(1)
"""Numbers of migrations: each migration of a cluster adds one."""


def killed(folder: Path, noise: Random) -> Injections:
    """Kill servers of sessions that save. Each repeats its save with another server."""
    cluster = running_cluster()
    cluster.heal()
    with sessions(folder, cluster.ways) as running:
        while True:
            witness = Witness.of(cluster, running)
            for _ in range(5):
                saved(running, noise.randint(1, 3))
                noise.choice(running).kill()
            saved(running, 3)
            yield witness.survived()


def frozen(folder: Path, noise: Random) -> Injections:
    """Stop a server in the middle of a save, while it has the lock of the project: others go on without it."""
    cluster = running_cluster()
    cluster.heal()
    with sessions(folder, cluster.ways) as running:
        for _ in count():
            saved(running, noise.randint(5, 20))
            victim = noise.choice(running)
            others = [each for each in running if each is not victim]
            witness = Witness.of(cluster, others)
            said = _frozen_inside(cluster, victim)
            saved(others, 20)
            victim.thaw()
            saved([victim], 5)
            # It is no witness, as its outage is the freeze.
            check(cluster, tuple(victim.acknowledged))
            yield witness.survived(said)


def _frozen_inside(cluster: Cluster, victim: Session) -> str:
    """Stop a server, in the middle of a transaction if that is seen in one of many attempts."""
    for _ in range(FREEZES):
        victim.freeze()
        if _idle(cluster):
            return ""
        victim.thaw()
    victim.freeze()
    return "outside of a transaction"


def _idle(cluster: Cluster) -> bool:
    """Return True if a transaction waits for its client."""
    with cluster.administering() as connection:
        connection.execute("SELECT pg_sleep(0.3)")
        return bool(connection.execute(_WAITING).fetchall())


def rolling(folder: Path, _: Random) -> Injections:
    """Restart all servers one by one, again and again: no call is refused or lost."""
    cluster = running_cluster()
    cluster.heal()
    with sessions(folder, cluster.ways) as running:
        while True:
            yield _unnoticed(cluster, running)


def _unnoticed(cluster: Cluster, running: Sequence[Session]) -> Survived:
    """Restart all servers one by one. No call is refused."""
    witness = Witness.of(cluster, running)
    for session in running:
        session.restart()
        saved(running, CALLS_OF_A_ROUND // len(running) ** 2)
    survived = witness.survived()
    assert not survived.refused, survived
    return survived


def upgraded(folder: Path, noise: Random) -> Injections:
    """Start a newer version, which migrates, beside older ones that serve; then replace those one by one."""
    cluster = running_cluster()
    cluster.heal()
    with sessions(folder, cluster.ways) as running:
        for number in _migrations:
            witness = Witness.of(cluster, running)
            first, *others = running
            first.restart(newer(number))
            saved(running, noise.randint(5, 20))
            # Who is not upgraded yet can still start.
            noise.choice(others).restart()
            saved(running, 5)
            for session in others:
                session.restart(newer(number))
                saved(running, 3)
            yield witness.survived()
