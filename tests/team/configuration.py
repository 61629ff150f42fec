"""Settings of the programs of a cluster: those that docs/team.md advises, with an address for each node."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SUPERUSER, USER, DATABASE = "postgres", "lamella", "lamella"
POSTGRES, API, ETCD, PEERS = 5432, 8008, 2379, 2380
BALANCER, BOUNCER = 5000, 6432

Addresses = Mapping[str, str]
"""Addresses of nodes by their names."""

_FILES = Path(__file__).parent
_PATRONI = tomllib.loads((_FILES / "patroni.toml").read_text("utf-8"))


def etcd(name: str, addresses: Addresses, folder: Path) -> list[str]:
    """Return the options of etcd at a node."""
    own = f"http://{addresses[name]}"
    members = ",".join(f"{each}=http://{address}:{PEERS}" for each, address in addresses.items())
    options = {
        "name": name,
        "data-dir": folder,
        "listen-client-urls": f"{own}:{ETCD}",
        "advertise-client-urls": f"{own}:{ETCD}",
        "listen-peer-urls": f"{own}:{PEERS}",
        "initial-advertise-peer-urls": f"{own}:{PEERS}",
        "initial-cluster": members,
        "enable-v2": "true",
        "log-level": "error",
    }
    return [f"--{option}={value}" for option, value in options.items()]


def patroni(name: str, addresses: Addresses, folder: Path, programs: Path) -> str:
    """Return Patroni's file of settings at a node."""
    own = addresses[name]
    settings: dict[str, Any] = {
        "scope": "team",
        "name": name,
        "restapi": {"listen": f"{own}:{API}", "connect_address": f"{own}:{API}"},
        # With "etcd3", Patroni 3.0 writes its key as leader without looking: a machine that was cut off takes it
        # from the one that has led since, whose acknowledged writes are lost.
        "etcd": {"hosts": [f"{address}:{ETCD}" for address in addresses.values()]},
        "bootstrap": {
            "dcs": _PATRONI,
            # Small pieces of the log, so that a full disk meets both the log and the tables.
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, {"wal-segsize": "1"}, "data-checksums"],
        },
        "postgresql": {
            "listen": f"{own}:{POSTGRES}",
            "connect_address": f"{own}:{POSTGRES}",
            "data_dir": str(folder / "disk" / "data"),
            "bin_dir": str(programs),
            "pgpass": str(folder / "pgpass"),
            "authentication": {"superuser": {"username": SUPERUSER}, "replication": {"username": "replicator"}},
            "pg_hba": ["host all all 0.0.0.0/0 trust", "host replication all 0.0.0.0/0 trust"],
            "parameters": {"unix_socket_directories": str(folder)},
        },
    }
    return json.dumps(settings, indent=1)


def haproxy(addresses: Addresses) -> str:
    """Return HAProxy's file of settings: connections lead to the node that says that it is the leader."""
    servers = "".join(
        f"  server {name} {address}:{POSTGRES} check port {API}\n" for name, address in addresses.items()
    )
    template = (_FILES / "haproxy.cfg").read_text("utf-8")
    return template.format(balancer=BALANCER, servers=servers)


def pgbouncer(folder: Path) -> str:
    """Return PgBouncer's file of settings."""
    template = (_FILES / "pgbouncer.ini").read_text("utf-8")
    return template.format(database=DATABASE, user=USER, balancer=BALANCER, bouncer=BOUNCER, folder=folder)
