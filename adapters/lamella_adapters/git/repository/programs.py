"""Programs named by configurations, and the settings that prevent git from running the programs."""

import re
from collections.abc import Mapping

LISTING = ("config", "--null", "--show-scope", "--list")
"""Command that prints the configuration of a repository, without running any program."""

_OWN = frozenset({b"system", b"global"})
"""Scopes of the user's own configuration."""

_LFS = b"filter.lfs."
"""Prefix of git-lfs's filter, the only filter that isn't switched off.

Without this filter, every git-lfs file would seem changed.
"""

_PROGRAM = re.compile(
    rb"filter\..*\.(clean|smudge|process)"
    rb"|diff\.external|diff\..*\.(command|textconv)"
    # Programs that the user's git-lfs may run.
    rb"|lfs\.extension\..*\.(clean|smudge)|lfs\.customtransfer\..*\.path|lfs\.standalonetransferagent"
    rb"|hook\..*\.command",
    re.DOTALL,
)
_REQUIRED = re.compile(rb"filter\..*\.required", re.DOTALL)


def disarming(listed: bytes) -> Mapping[str, str]:
    """Return settings that override every program in a configuration, apart from the user's own git-lfs.

    Args:
        listed: Output of git for `LISTING`, in which scopes and settings alternate.
    """
    fields = listed.split(b"\0")
    settings: dict[bytes, bytes] = {}
    own: dict[bytes, bytes] = {}
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = setting.partition(b"\n")
        if key.startswith(_LFS) and scope in _OWN:
            own[key] = value
        elif _PROGRAM.fullmatch(key):
            settings[key] = b""
        elif _REQUIRED.fullmatch(key):
            settings[key] = b"false"
    return {_text(key): _text(value) for key, value in (settings | own).items()}


def _text(raw: bytes) -> str:
    return raw.decode(errors="surrogateescape")
