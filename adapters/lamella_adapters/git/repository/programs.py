"""Programs that configurations name, and the settings that keep git from running them."""

import re
from collections.abc import Mapping

LISTING = ("config", "--null", "--show-scope", "--list")
"""Command that prints the configuration of a repository. It runs nothing."""

_OWN = frozenset({b"system", b"global"})
"""Scopes of the configuration that is the user's own."""

_LFS = b"filter.lfs."
"""Filter without which every file kept by git-lfs would seem changed."""

_PROGRAM = re.compile(
    rb"filter\..*\.(clean|smudge|process)"
    rb"|diff\.external|diff\..*\.(command|textconv)"
    # What the user's git-lfs would run.
    rb"|lfs\.extension\..*\.(clean|smudge)|lfs\.customtransfer\..*\.path|lfs\.standalonetransferagent"
    rb"|hook\..*\.command",
    re.DOTALL,
)
_REQUIRED = re.compile(rb"filter\..*\.required", re.DOTALL)


def disarming(listed: bytes) -> Mapping[str, str]:
    """Return settings that override every program in a configuration, apart from the user's own git-lfs.

    Args:
        listed: What git prints for `LISTING`: a scope and a setting in turn.
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
