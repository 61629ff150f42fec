"""Install what a cluster consists of, from Debian, as far as it is missing.

Usage: python -m tests.team.packages
"""

import shutil
import subprocess
from pathlib import Path

_PACKAGES = {"patroni": "patroni", "etcd": "etcd-server", "haproxy": "haproxy", "pgbouncer": "pgbouncer"}
"""Packages by the program that they bring."""

_APT = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq")
_FURTHER = ("postgresql", "python3-etcd", "iproute2", "util-linux")


def programs() -> Path:
    """Return the folder of the newest PostgreSQL that Debian's packages have installed."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: int(each.parent.name))


def install() -> None:
    """Install the packages of programs that are not there."""
    there = all(shutil.which(program) for program in (*_PACKAGES, "ip", "unshare"))
    if not (there and list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))):
        subprocess.run([*_APT, "update"], check=True)
        subprocess.run([*_APT, "install", "--no-install-recommends", *_PACKAGES.values(), *_FURTHER], check=True)


if __name__ == "__main__":
    install()
