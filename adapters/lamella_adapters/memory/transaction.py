"""Transaction on the data of one project."""

from collections.abc import Mapping

from attrs import define, evolve

from lamella.domain.ledger.ageing import aged
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions import other_writes, plan
from lamella.domain.transactions.look import Facts, Look, Same, Status
from lamella_adapters.memory.project_data import ProjectData, Row


@define(eq=False)
class InMemoryTransaction:
    """Facts and writes of one project.

    Attributes:
        project: Id of the project that has the rows.
        data: Data of the project.
        data_of: Data of all projects, keyed by project id.
    """

    project: str
    data: ProjectData
    data_of: Mapping[str, ProjectData]

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        data, rows, entries = self.data, self.data.rows, self.data.entries()
        newest_first = data.newest_first()
        before, limit = look.unaged or (None, 0)
        return Facts(
            project=self.project,
            sequence=data.last_sequence,
            latest=newest_first[0].occurred_at if newest_first else None,
            logged=entries[0].by.at if entries else None,
            statuses={id: Status.of(rows[id].observation) for id in look.ids if id in rows},
            same=tuple(
                Same(row.observation, row.request) for row in rows.values() if row.fingerprint == look.fingerprint
            ),
            observations={id: rows[id].observation for id in look.observations if id in rows},
            erased=frozenset(look.marks) & data.archive.marks,
            recorded=frozenset(look.requests) & data.captured.keys(),
            changed={
                path: each
                for path in look.paths
                for each in next(([each] for each in newest_first if _changes(each, path)), ())
            },
            keys=frozenset(data.archive.known(look.keys)),
            conversations=data.archive.facts(look.conversations) if look.conversations else None,
            positions={
                source: data.archive.positions[source][0]
                for source in look.sources
                if source in data.archive.positions
            },
            messages=data.archive.keys_of(look.messages_of),
            ends=data.archive.ends_of(look.messages_of),
            session_names=dict(sorted(data.archive.names.items())) if look.session_names else {},
            warned=look.warned is not None and look.warned in data.warned,
            model=data.model,
            unembedded=tuple(data.unembedded()[: look.unembedded]) if look.unembedded else (),
            vectors={id: vector for id in look.vectors if (vector := data.vectors.get(id)) is not None},
            said=data.archive.messages(look.numbers),
            summaries=dict(data.archive.summaries.get(look.summaries, {}).values()) if look.summaries else {},
            unaged=tuple(
                each
                for each in reversed(newest_first)
                if before and each.occurred_at < before and aged(each) is not None
            )[:limit],
        )

    def apply(self, writes: plan.Plan) -> None:
        """Execute the writes of a plan."""
        for write in writes:
            self._write(write)
        self.data.number_by_time()

    def _write(self, write: plan.Write) -> None:  # noqa: C901, PLR0912 - a case for each write
        data = self.data
        match write:
            case plan.Insert(observation=said):
                data.last_sequence = said.sequence
                data.rows[said.id] = Row(said, write.fingerprint, write.request, write.lines or None)
            case plan.SetStatus():
                for row in map(data.rows.__getitem__, write.ids):
                    row.observation = evolve(
                        row.observation,
                        purged_at=write.at if write.purged else None,
                        updated_at=write.at,
                        replaced_by=write.replaced_by,
                    )
            case other_writes.Erase(ids):
                for row in data.rows.values():
                    if row.observation.replaced_by in ids:
                        row.observation = evolve(row.observation, replaced_by=None)
                for each in self.data_of.values():
                    each.forget(ids)
                for id in ids:
                    data.take(id)
            case other_writes.EraseSession(session):
                data.erase_session(session)
            case other_writes.Amend(observation=said):
                data.amend(said, write.lines or None)
            case other_writes.Age():
                if write.now is not None:
                    known = data.rows[write.former.id].lines
                    data.amend(write.now, known or line_fingerprints(write.former.changes))
            case other_writes.AddEntry(entry):
                data.append(evolve(entry, origin=entry.origin or self.project))
            case other_writes.NameInEntry():
                data.name_in_entry(write)
            case other_writes.RememberRequest():
                data.captured.setdefault(write.request, write.origin)
            case other_writes.RememberErased(marks):
                data.archive.marks.update(marks)
            case other_writes.MarkWarned(warned):
                data.warned.add(warned)
            case other_writes.LogActivity():
                data.log(write)
            case other_writes.AdoptModel(model):
                data.model, data.vectors = model, {}
            case other_writes.PutVectors(vectors):
                data.vectors.update(vectors)
            case _:
                data.archive.write(write)


def _changes(said: Observation, path: str) -> bool:
    return not said.purged and any(change.path == path for change in said.changes)
