"""Transaction on the shelf of one project."""

from collections.abc import Mapping

from attrs import define, evolve

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions import plan
from lamella.domain.transactions.look import ConversationFacts, Facts, Look, Same, Status
from lamella_adapters.memory.shelf import Row, Shelf


@define(eq=False)
class InMemoryTransaction:
    """Facts and writes of one project.

    Attributes:
        project: Id of the project that has the rows.
        shelf: Its rows.
        shelves: Rows of all projects by their ids.
    """

    project: str
    shelf: Shelf
    shelves: Mapping[str, Shelf]

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        shelf, rows, entries = self.shelf, self.shelf.rows, self.shelf.entries()
        newest_first = shelf.newest_first()
        due = look.unaged
        return Facts(
            project=self.project,
            sequence=shelf.last_sequence,
            latest=newest_first[0].occurred_at if newest_first else None,
            logged=entries[0].by.at if entries else None,
            statuses={
                id: Status(rows[id].observation.purged, rows[id].observation.replaced_by)
                for id in look.ids
                if id in rows
            },
            same=tuple(
                Same(row.observation, row.request) for row in rows.values() if row.fingerprint == look.fingerprint
            ),
            observations={id: rows[id].observation for id in look.observations if id in rows},
            erased=frozenset(look.marks) & shelf.archive.marks,
            recorded=frozenset(look.requests) & shelf.captured.keys(),
            changed={
                path: each
                for path in look.paths
                for each in next(([each] for each in newest_first if _changes(each, path)), ())
            },
            keys=frozenset(shelf.archive.known(look.keys)),
            conversations=shelf.archive.facts(look.conversations) if look.conversations else ConversationFacts(),
            positions={
                source: shelf.archive.positions[source][0]
                for source in look.sources
                if source in shelf.archive.positions
            },
            messages=shelf.archive.keys_of(look.messages_of),
            ends=shelf.archive.ends_of(look.messages_of),
            session_names=dict(sorted(shelf.archive.names.items())) if look.session_names else {},
            warned=look.warned is not None and look.warned in shelf.warned,
            model=shelf.model,
            unembedded=tuple(
                each for each in shelf.latest_saved() if not each.purged and each.id not in shelf.vectors
            )[: look.unembedded],
            said=shelf.archive.messages(look.numbers),
            summaries=dict(shelf.archive.summaries.get(look.summaries, {}).values()) if look.summaries else {},
            unaged=()
            if due is None
            else tuple(
                each for each in reversed(newest_first) if each.occurred_at < due.before and aged(each) is not None
            )[: due.limit],
        )

    def apply(self, writes: plan.Plan) -> None:
        """Carry out the writes of a plan."""
        for write in writes:
            self._write(write)
        self.shelf.number_by_time()

    def _write(self, write: plan.Write) -> None:  # noqa: C901, PLR0912 - a case for each write
        shelf = self.shelf
        match write:
            case plan.Insert(observation=said):
                shelf.last_sequence = said.sequence
                shelf.rows[said.id] = Row(said, write.fingerprint, write.request, write.lines or None)
            case plan.SetStatus():
                for row in map(shelf.rows.__getitem__, write.ids):
                    row.observation = evolve(
                        row.observation,
                        purged_at=write.at if write.purged else None,
                        updated_at=write.at,
                        replaced_by=write.replaced_by,
                    )
            case plan.Erase(ids):
                for row in shelf.rows.values():
                    if row.observation.replaced_by in ids:
                        row.observation = evolve(row.observation, replaced_by=None)
                for each in self.shelves.values():
                    each.forget(ids)
                for id in ids:
                    shelf.take(id)
            case plan.EraseSession(session):
                shelf.erase_session(session)
            case plan.Amend(observation=said):
                shelf.amend(said, write.lines or None)
            case plan.Age():
                if write.now is not None:
                    known = shelf.rows[write.former.id].lines
                    shelf.amend(write.now, known or line_fingerprints(write.former.changes))
            case plan.AddEntry(entry):
                shelf.append(self.project, entry)
            case plan.NameInEntry():
                shelf.name_in_entry(write)
            case plan.RememberRequest():
                shelf.captured.setdefault(write.request, write.origin)
            case plan.RememberErased(marks):
                shelf.archive.marks.update(marks)
            case plan.MarkWarned(warned):
                shelf.warned.add(warned)
            case plan.LogActivity():
                shelf.log(write)
            case plan.AdoptModel(model):
                shelf.model, shelf.vectors = model, {}
            case plan.PutVectors(vectors):
                shelf.vectors.update(vectors)
            case _:
                shelf.archive.write(write)


def _changes(said: Observation, path: str) -> bool:
    return not said.purged and any(change.path == path for change in said.changes)
