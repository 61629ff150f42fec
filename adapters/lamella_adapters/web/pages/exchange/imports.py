"""Imports from files, other programs and clients, each with a preview."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.responses import Response

from lamella.application.exchange.import_memories import ImportRequest
from lamella.application.maintenance.look_after import maintained
from lamella.domain.errors import InvalidValueError, LamellaError, PeerUnreadableError
from lamella.domain.exchange import json_lines
from lamella.domain.text.printing import printed_line, shortened
from lamella.entry_points import names
from lamella.ports.peers import Store
from lamella_adapters.web import archive
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.tables import TABLES

_OF_EXPORTS = frozenset({"chatgpt", "claude_ai"})
"""Clients whose conversations are only available as an export. The user gives the path of the export."""

_NOT_PLACED = 20
"""Maximum number of unknown projects to list."""

_LEFT_NAMED = 20
"""Maximum number of skipped files to list. The others are counted."""


def import_form(context: PageContext) -> Response:
    """Show the forms for all kinds of imports."""
    return context.show(
        "exchange/import.html",
        found={name: stores for name in names("peers") if (stores := _stores(context, name))},
        home=f"{Path.home()}/",
        clients=[name.replace("_", "-") for name in names("transcripts") if name not in _OF_EXPORTS],
    )


def preview_file(context: PageContext) -> Response:
    """Count the new records of an uploaded file, and keep it for the import."""
    upload = context.upload
    if upload is None:
        return context.go("/import")
    try:
        return _file(context, upload.id, dry_run=True)
    except LamellaError:
        context.uploads.drop()
        raise


def import_file(context: PageContext) -> Response:
    """Import the previously uploaded file."""
    if context.text("leave"):
        context.uploads.drop()
        return context.go("/import")
    done = _file(context, context.text("upload"), dry_run=False)
    context.uploads.drop()
    return done


def _stores(context: PageContext, name: str) -> tuple[Store, ...]:
    try:
        return context.lamella.import_memories.peers(name, None).stores()
    except PeerUnreadableError:
        return ()


def _file(context: PageContext, id: str, *, dry_run: bool) -> Response:
    """Read the uploaded file, and show what was or would be imported."""
    with context.uploads.opened(id) as (upload, file):
        is_archive = file.read(len(archive.BEGINS)) == archive.BEGINS
        file.seek(0)
        records = archive.read(file) if is_archive else json_lines.read(file)
        into = _into(context)
        *_, account = context.lamella.import_records(
            context.call, records, into=into, folder=is_archive, dry_run=dry_run
        )
    return _account(
        context,
        "file",
        account,
        {"upload": id, "into": context.text("into")},
        what=shortened(printed_line(upload.name), 80) or "a file",
        new=account.new,
        more={f"skipped, as memory is off in {name}": count for name, count in sorted(account.off.items())},
        dry_run=dry_run,
        remarks=[f"{name}: {reason}." for name, reason in islice(account.left.items(), _LEFT_NAMED)],
    )


def program(context: PageContext) -> Response:
    """Count the new memories of another program; import them once confirmed."""
    name, into, deleted = context.text("name"), _into(context), bool(context.text("deleted"))
    request = ImportRequest(
        peer=_known(name, names("peers")), dry_run=not context.posted, deleted=deleted, project=into
    )
    *_, account = context.lamella.import_memories(context.call, request)
    return _account(
        context,
        "program",
        account,
        {"name": name, "into": context.text("into"), "deleted": context.text("deleted")},
        what=name,
        new=account.new,
        more=account.skipped,
        dry_run=not context.posted,
        unplaced=account.unplaced.most_common(_NOT_PLACED),
        not_placed=account.unplaced.total(),
        remarks=[*account.unreadable, *dict.fromkeys(each.remark for each in account.stores if each.remark)],
    )


def conversations(context: PageContext) -> Response:
    """Count the new messages of a client's conversations; import them once confirmed."""
    name, every = context.text("name"), bool(context.text("every"))
    client = _known(name.replace("-", "_"), [each for each in names("transcripts") if each not in _OF_EXPORTS])
    *_, account = context.lamella.import_transcripts(
        context.call, client=client, every_project=every, dry_run=not context.posted
    )
    return _account(
        context,
        "conversations",
        account,
        {"name": name, "every": context.text("every")},
        what=f"conversations of {name}",
        new={(project, "messages"): count for project, count in account.projects.items() if count},
        more=account.skipped,
        dry_run=not context.posted,
        remarks=account.unreadable,
    )


def _account(
    context: PageContext,
    kind: str,
    account: object,
    fields: Mapping[str, str],
    *,
    new: Mapping[Any, int],
    more: Mapping[str, int],
    dry_run: bool,
    **values: Any,
) -> Response:
    """Show the report of an import. For a preview, show its report with a form to confirm the import."""
    if not dry_run:
        maintained(context.lamella.storage)
    by_project: dict[str, dict[str, int]] = {}
    for (project, what), count in sorted(new.items()):
        by_project.setdefault(project, {})[str(what)] = count
    columns = TABLES["imports"][kind]
    others = {text: sum(_number(account, each) for each in counted) for text, counted in columns["others"].items()}
    shown: dict[str, Any] = {"unplaced": (), "not_placed": 0, "remarks": (), **values}
    return context.show(
        "exchange/account.html",
        path=f"/import/{kind}",
        fields={name: value for name, value in fields.items() if value},
        by_project=by_project,
        total=sum(new.values()),
        others={text: count for text, count in {**others, **more}.items() if count},
        something=any(_number(account, each) for each in columns["something"]),
        dry_run=dry_run,
        **shown,
    )


def _number(account: object, name: str) -> int:
    """Return a number of a report. If the attribute is a collection, return its length."""
    value = getattr(account, name)
    return value if isinstance(value, int) else len(value)


def _into(context: PageContext) -> str | None:
    """Return the project to import everything into; None to keep the original projects."""
    return context.present.id if context.choice("into", "here") and context.present else None


def _known(name: str, known: list[str]) -> str:
    if name not in known:
        raise InvalidValueError(name="name", given=f"'{name[:40]}'", allowed=f"one of {', '.join(known)}")
    return name
