"""The commands about access tokens."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from lamella.application.access.tokens import NewToken, TokenRequest
from lamella.domain.access.grant import DEFAULT_TENANT, Scope
from lamella.domain.access.token import AccessToken
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, minute, print_rows
from lamella_adapters.cli.runtime import opened

_LIFETIME = re.compile(r"(?P<count>[0-9]{1,6})(?P<unit>[hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_RIGHTS = {
    Scope.READ: "read",
    Scope.WRITE: "read and write",
    Scope.METRICS: "read metrics",
    Scope.ADMIN: "administer",
}


def _lifetime(_context: click.Context, _parameter: click.Parameter, given: str | None) -> timedelta | None:
    """Return a duration, given as text such as `30d`.

    Raises:
        click.BadParameter: The text isn't a duration.
    """
    if given is None:
        return None
    found = _LIFETIME.fullmatch(given)
    if found is None:
        raise click.BadParameter(f"{given!r} is not a time such as 12h, 30d or 8w.")
    return int(found["count"]) * _UNITS[found["unit"]]


@click.group(short_help="Manage access tokens for other machines.")
def token() -> None:
    """Manage access tokens for callers of `lamella serve --http`."""


@token.command(short_help="Make a token, and print it once.")
@options("token-create", expires={"callback": _lifetime})
def create(*, read_only: bool, metrics: bool, admin: bool, **given: Any) -> None:
    """Make a token and print it on stdout, only once.

    The token isn't stored and can't be shown again: copy it to the program that will use it. Without --read-only,
    --metrics or --admin, the token allows recalls and saves.
    """
    flags = {Scope.READ: read_only, Scope.METRICS: metrics, Scope.ADMIN: admin}
    scopes = [scope for scope, given in flags.items() if given]
    if len(scopes) > 1:
        raise click.UsageError("Give only one of --read-only, --metrics and --admin.")
    request = TokenRequest(scope=scopes[0] if scopes else Scope.WRITE, **given)
    with opened(drain=False) as (lamella, _):
        new = lamella.create_token(request)
    _show(new)
    echo("Send it as the header `Authorization: Bearer TOKEN`. See docs/access.md", err=True)


@token.command(short_help="Replace a token, and print the new one once.")
@click.argument("id")
@options("token-rotate", keep={"callback": _lifetime})
def rotate(id: str, *, tenant: str | None, keep: timedelta) -> None:
    """Make a new token with the rights of token ID, and print it on stdout, only once.

    The old token stays valid for the time given by --keep. ID may be the short id that `list` shows.
    """
    with opened(drain=False) as (lamella, _):
        new = lamella.rotate_token(id, tenant=tenant, keep=keep)
    _show(new)


def _show(new: NewToken) -> None:
    until = f" until {_day(new.token.expires_at)}" if new.token.expires_at else ""
    echo(f"Made token {_id(new.token)} to {_RIGHTS[new.token.scope]}{until}. It is not shown again:", err=True)
    click.echo(new.secret)


@token.command("list", short_help="List the tokens of a tenant.")
@options("token-list")
def list_(*, tenant: str | None, every: bool) -> None:
    """List all tokens, including revoked and expired ones.

    Piped output has tab-separated columns: id, name, rights, project, author, times of creation, expiry, last use
    and revocation, tenant.
    """
    with opened(drain=False) as (lamella, _):
        storage = lamella.storage
        own = storage.tenant if tenant is None else tenant
        tenants = [each.name for each in storage.tenants()] if every else [own]
        tokens = [each for name in tenants for each in storage.access_tokens.all(name)]
    now = datetime.now(UTC)
    rows = ((_cells(each), _entry(each, now)) for each in tokens)
    print_rows(rows, empty="No tokens yet. Make one: lamella token create --name NAME")


@token.command()
@click.argument("id")
@options("token-revoke")
def revoke(id: str, *, tenant: str | None) -> None:
    """Revoke a token on every server. ID may be the short id that `list` shows."""
    with opened(drain=False) as (lamella, _):
        revoked = lamella.revoke_token(id, tenant=tenant)
    echo(f"Revoked {printed_line(revoked.name)} ({_id(revoked)}): every server refuses it within five seconds.")


def _id(each: AccessToken) -> str:
    return each.id.hex[:SHORT_ID_CHARACTERS]


def _day(time: datetime | None) -> str:
    return minute(time) if time else ""


def _cells(each: AccessToken) -> Sequence[str]:
    times = (each.created_at, each.expires_at, each.used_at, each.revoked_at)
    texts = (each.name, _RIGHTS[each.scope], each.project or "", each.author or "")
    return (str(each.id), *map(printed_line, texts), *map(_day, times), printed_line(each.tenant))


def _entry(each: AccessToken, now: datetime) -> str:
    details = (
        f"tenant {each.tenant}" if each.tenant != DEFAULT_TENANT else "",
        f"project {each.project}" if each.project else "",
        f"author {each.author}" if each.author else "",
        f"made {_day(each.created_at)}",
        f"used {_day(each.used_at)}" if each.used_at else "never used",
        _end("revoked", "ends", each.revoked_at, now),
        _end("expired", "expires", each.expires_at, now),
    )
    said = ", ".join(printed_line(detail) for detail in details if detail)
    return f"{click.style(_id(each), fg='cyan')}  {printed_line(each.name)}: {_RIGHTS[each.scope]}\n  {said}"


def _end(past: str, future: str, time: datetime | None, now: datetime) -> str:
    return f"{past if time <= now else future} {_day(time)}" if time else ""
