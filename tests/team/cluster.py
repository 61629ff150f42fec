"""Three machines, of which one leads and one stands by; in front of them HAProxy and PgBouncer."""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from urllib.request import Request, urlopen

import psycopg
from attrs import define, field

from tests.team import configuration
from tests.team.alone import PLACE
from tests.team.configuration import API, BOUNCER, DATABASE, POSTGRES, SUPERUSER, USER
from tests.team.machines import AS_POSTGRES, Machine, launch
from tests.team.network import Network
from tests.waiting import until

NAMES = ("n1", "n2", "n3")

_SOUND = """
SELECT count(*) = 2 AND count(*) FILTER (WHERE sync_state = 'sync') = 1 FROM pg_stat_replication
WHERE state = 'streaming' AND application_name <> 'pg_basebackup'
"""

_SYNCHRONOUS = "SELECT application_name FROM pg_stat_replication WHERE sync_state = 'sync'"


@define(eq=False)
class Cluster:
    """A cluster whose programs run until this process ends.

    Attributes:
        network: Network of the machines.
        machines: All of them.
    """

    network: Network
    machines: Sequence[Machine] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.machines = [Machine(name, self.network) for name in self.network.addresses]

    @classmethod
    def started(cls) -> "Cluster":
        """Start everything, and wait until the cluster is healthy."""
        cluster = cls(Network.of(NAMES))
        for machine in cluster.machines:
            machine.install()
            machine.start()
        front = PLACE / "front"
        front.mkdir()
        (front / "haproxy.cfg").write_text(configuration.haproxy(cluster.network.addresses), encoding="utf-8")
        (front / "pgbouncer.ini").write_text(configuration.pgbouncer(front), encoding="utf-8")
        subprocess.run(["chown", "-R", "postgres:postgres", front], check=True)
        cluster.start_front()
        until(cluster.is_sound)
        with cluster.administering(SUPERUSER) as connection:
            connection.execute(f"CREATE ROLE {USER} LOGIN CREATEROLE")
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER {USER}")
        return cluster

    def start_front(self) -> None:
        """Start HAProxy and PgBouncer."""
        front = PLACE / "front"
        launch("haproxy", ["haproxy", "-db", "-f", front / "haproxy.cfg"])
        launch("pgbouncer", [*AS_POSTGRES, "pgbouncer", front / "pgbouncer.ini"])

    def kill_front(self) -> None:
        """Kill HAProxy and PgBouncer."""
        for name in ("haproxy", "pgbouncer"):
            subprocess.run(["pkill", "-KILL", "-x", name], check=False)

    @property
    def ways(self) -> Mapping[str, str]:
        """Return the URLs of the database by route."""
        hosts = ",".join(f"{address}:{POSTGRES}" for address in self.network.addresses.values())
        return {
            "PgBouncer": f"postgresql://{USER}@127.0.0.1:{BOUNCER}/{DATABASE}",
            "hosts": f"postgresql://{USER}@{hosts}/{DATABASE}",
        }

    @contextmanager
    def administering(self, database: str = DATABASE, at: Machine | None = None) -> Iterator[psycopg.Connection]:
        """Connect the superuser past all that is in front, to the leader or to one machine."""
        machine = at or self.leader
        options = {"host": machine.address, "user": SUPERUSER, "dbname": database, "connect_timeout": 2}
        with psycopg.connect(**options, autocommit=True, options="-c statement_timeout=10s") as connection:  # type: ignore[arg-type]
            yield connection

    @property
    def leader(self) -> Machine:
        """Wait until exactly one machine is the leader, and return it."""

        def one() -> Machine | None:
            leading = [each for each in self.machines if self._leads(each)]
            return leading[0] if len(leading) == 1 else None

        found = until(one)
        assert found is not None
        return found

    @staticmethod
    def _leads(machine: Machine) -> bool:
        request = Request(f"http://{machine.address}:{API}/primary", method="OPTIONS")
        try:
            with urlopen(request, timeout=2) as answer:  # noqa: S310 - an address of ours
                return bool(answer.status == 200)
        except OSError:
            return False

    def is_sound(self) -> bool:
        """Return True if one machine leads, two follow it, and one of those has all that is acknowledged."""
        try:
            with self.administering(SUPERUSER) as connection:
                return connection.execute(_SOUND).fetchone() == (True,)
        except psycopg.Error:
            return False

    def heal(self) -> Machine:
        """Undo all faults, wait until the cluster is healthy, and return its leader."""
        self.network.mend()
        for machine in self.machines:
            machine.thaw()
            machine.free()
            machine.start()
        until(self.is_sound)
        return self.leader

    @property
    def standby(self) -> Machine:
        """The machine that has all that is acknowledged, beside the leader."""
        with self.administering(SUPERUSER) as connection:
            found = connection.execute(_SYNCHRONOUS).fetchone()
        assert found is not None
        (machine,) = (each for each in self.machines if each.name == found[0])
        return machine

    def hand_over(self) -> None:
        """Make the standby the leader, as before maintenance of the leader."""
        # Patroni looks every few seconds which standby is synchronous, and refuses until it has seen it.
        until(self._is_handed_over)

    def _is_handed_over(self) -> bool:
        names = {"leader": self.leader.name, "candidate": self.standby.name}
        request = Request(f"http://{self.leader.address}:{API}/switchover", json.dumps(names).encode())
        with urlopen(request, timeout=60) as answer:  # noqa: S310 - same
            return bool(answer.status == 200)


@cache
def running_cluster() -> Cluster:
    """Return the cluster of this process."""
    return Cluster.started()
