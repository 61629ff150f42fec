"""Settings of the programs of a cluster: those that docs/team.md advises, with an address for each node."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SUPERUSER, USER, DATABASE = "postgres", "lamella", "lamella"
POSTGRES, API, ETCD, PEERS = 5432, 8008, 2379, 2380
BALANCER, BOUNCER = 5000, 6432

Addresses = Mapping[str, str]
"""Addresses of nodes by their names."""

_PATRONI = {
    "ttl": 20,
    "loop_wait": 2,
    "retry_timeout": 5,
    "synchronous_mode": True,
    # Without it, a Patroni that is started again beside PostgreSQL takes `synchronous_standby_names` away, and
    # sets it again only when the standby changes. For minutes of a trial, commits waited for no standby.
    "synchronous_mode_strict": True,
    "primary_start_timeout": 10,
    "postgresql": {
        "use_pg_rewind": True,
        "remove_data_directory_on_rewind_failure": True,
        "use_slots": True,
        "parameters": {
            "max_connections": 100,
            "max_wal_size": "32MB",
            "min_wal_size": "2MB",
            "shared_buffers": "32MB",
            "wal_keep_size": "16MB",
            "wal_sender_timeout": "10s",
            "wal_receiver_timeout": "10s",
            # Commits wait for the standby, which looks for a leader that is back only so often.
            "wal_retrieve_retry_interval": "1s",
        },
    },
}


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
    return f"""
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen leader
  bind 127.0.0.1:{BALANCER}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}"""


def pgbouncer(folder: Path) -> str:
    """Return PgBouncer's file of settings."""
    return f"""
[databases]
{DATABASE} = host=127.0.0.1 port={BALANCER} user={USER}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {BOUNCER}
unix_socket_dir = {folder}
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 16
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 10
tcp_keepidle = 5
tcp_keepintvl = 2
tcp_keepcnt = 3
"""
