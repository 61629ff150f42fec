"""Faults of the machine that leads, of the one that stands by, of what is in front of them, and of all."""

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from random import Random

import psycopg

from tests.faults.fault import Injections
from tests.team.cluster import Cluster, running_cluster
from tests.team.configuration import SUPERUSER
from tests.team.machines import DATABASE, Machine
from tests.team.oracle import Witness
from tests.team.sessions import Session, saved, sessions
from tests.waiting import until

Break = Callable[[Cluster, Machine, Sequence[Session]], object]
"""Brings a fault about, given the machine that leads and the sessions that save. It may mend it, too."""


def broken(break_: Break) -> Callable[[Path, Random], Injections]:
    """Return the injector of a fault during which saves must become possible again, and that is mended then."""

    def inject(folder: Path, noise: Random) -> Injections:
        cluster = running_cluster()
        cluster.heal()
        with sessions(folder, cluster.ways) as running:
            for _ in count():
                leader = cluster.heal()
                saved(running, noise.randint(5, 30))
                witness = Witness.of(cluster, running)
                break_(cluster, leader, running)
                saved(running, 10)
                cluster.heal()
                saved(running, 10)
                yield witness.survived()

    return inject


@broken
def database_killed(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Kill PostgreSQL at the leader."""
    leader.kill(DATABASE)


@broken
def machine_killed(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Kill everything at the leader."""
    leader.kill()


@broken
def manager_killed(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Kill Patroni at the leader, and start it again, as systemd does. PostgreSQL goes on."""
    leader.kill(("patroni",))
    leader.start()


@broken
def member_killed(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Kill the member of etcd at the leader, and start it again, as systemd does."""
    leader.kill(("etcd",))
    leader.start()


@broken
def database_frozen(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Stop PostgreSQL at the leader."""
    leader.freeze(DATABASE)


@broken
def machine_frozen(_: Cluster, leader: Machine, __: Sequence[Session]) -> None:
    """Stop everything at the leader."""
    leader.freeze()


@broken
def cut_off(cluster: Cluster, leader: Machine, _: Sequence[Session]) -> None:
    """Cut the leader off from everybody."""
    cluster.network.cut(leader.name)


@broken
def separated(cluster: Cluster, leader: Machine, _: Sequence[Session]) -> None:
    """Cut the leader off from the other machines, while sessions still reach it."""
    cluster.network.separate(leader.name)


@broken
def disk_filled(cluster: Cluster, leader: Machine, running: Sequence[Session]) -> None:
    """Leave no room on the leader's disk until somebody is refused, and have its log need some."""
    before = [session.refusals.total() for session in running]
    leader.fill()

    def refused() -> bool:
        try:
            with cluster.administering(SUPERUSER, leader) as connection:
                connection.execute("SELECT pg_switch_wal()")
        except psycopg.Error:
            pass
        return [session.refusals.total() for session in running] != before

    until(refused)
    leader.free()


@broken
def standby_killed(cluster: Cluster, _: Machine, __: Sequence[Session]) -> None:
    """Kill everything at the machine that commits wait for."""
    cluster.standby.kill()


@broken
def standby_cut_off(cluster: Cluster, _: Machine, __: Sequence[Session]) -> None:
    """Cut the machine off that commits wait for."""
    cluster.network.cut(cluster.standby.name)


@broken
def handed_over(cluster: Cluster, _: Machine, __: Sequence[Session]) -> None:
    """Let another machine lead."""
    cluster.hand_over()


@broken
def front_killed(cluster: Cluster, _: Machine, __: Sequence[Session]) -> None:
    """Kill HAProxy and PgBouncer, and start them again."""
    cluster.kill_front()
    cluster.start_front()


@broken
def everything_killed(cluster: Cluster, _: Machine, __: Sequence[Session]) -> None:
    """Kill all programs of the cluster, and start them again."""
    cluster.kill_front()
    for machine in cluster.machines:
        machine.kill()
    for machine in cluster.machines:
        machine.start()
    cluster.start_front()
