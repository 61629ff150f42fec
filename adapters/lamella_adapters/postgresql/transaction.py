"""Transaction on one project: one round trip reads the facts for a decision, another writes its plan."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from attrs import define, evolve, field, frozen

from lamella.domain.conversations.summary import Summary
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.ledger.fingerprints import LineFingerprints
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.text.marks import text_mark
from lamella.domain.transactions import other_writes, plan
from lamella.domain.transactions.auditing import is_disordered
from lamella.domain.transactions.look import Facts, Look, Same, Status
from lamella.ports.storage.transaction import T, Transactional
from lamella_adapters.postgresql.database.columns import maybe_microseconds, maybe_time, to_microseconds
from lamella_adapters.postgresql.database.database import Scope
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.postgresql.tables import (
    audit_rows,
    conversations,
    erased_rows,
    index,
    message_rows,
    observation_rows,
    questions,
)
from lamella_adapters.postgresql.tables.contexts import document, refresh, reindexed
from lamella_adapters.postgresql.tables.vector_rows import code_of
from lamella_adapters.statements import statements

SQL = statements(__file__)
_LOGGED = ("name", "session", "about", "tokens", "edit")
"""Fields of `Activity` that are stored as they are."""


@frozen
class Derived:
    """Index data derived from an observation. Deriving it is slow, so it is done before the transaction.

    Attributes:
        hidden_forms: Hidden forms of the observation; see `domain.search.indexing`.
        lines: Fingerprints of its changed lines.
    """

    hidden_forms: str
    lines: tuple[LineFingerprints, ...]

    @classmethod
    def of(cls, said: Observation) -> "Derived":
        """Derive the index data of an observation."""
        return cls(observation_rows.hidden_forms_of(said), tuple(line_fingerprints(said.changes)))


@define(eq=False)
class PostgresTransaction:
    """Transaction on a project: reads the facts of a `Look`, then applies the writes of a plan.

    Attributes:
        tx: Database transaction.
        derived: Index data of observations to insert, keyed by the observation's id.
        last: True to commit after reading the facts, in the same round trip.
        ahead: True if the neighbours of changed observations were read with the facts, so that `apply` needn't
            read them.
        near: Observations that the plan may change, and their neighbours, keyed by id. Each write updates them.
        hidden_forms: Hidden forms of the observations in `near`, keyed by id.
        gone: Ids of the erased observations in `near`.
        said: Latest texts of each session with new messages, nearest first.
        numbers: Numbers of the messages in a session to erase.
        logged: Time of the latest audit entry when the facts were read.
    """

    tx: Transaction
    derived: Mapping[UUID, Derived] = field(factory=dict)
    last: bool = False
    ahead: bool = False
    near: dict[UUID, Observation] = field(factory=dict)
    hidden_forms: dict[UUID, str] = field(factory=dict)
    gone: set[UUID] = field(factory=set)
    said: Mapping[str, Sequence[str]] = field(factory=dict)
    numbers: Sequence[int] = ()
    logged: datetime | None = None

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        asked = questions.of_look(look)
        # Facts about conversations take a second query, because it needs sessions that the first query finds.
        last = self.last and look.conversations is None
        answers = dict(zip(asked, self.tx.answers(*asked.values(), last=last), strict=True))

        def observations(question: str) -> tuple[Observation, ...]:
            return observation_rows.observations(self.tx, answers.get(question, ()))

        for row, said in zip(answers.get("neighbours", ()), observations("neighbours"), strict=True):
            self.near[said.id], self.hidden_forms[said.id] = said, row[-1]
        self.ahead = look.neighbours
        ((sequence, latest, logged, off, *model),) = answers["project"]
        erased = frozenset(mark for (mark,) in answers.get("known_marks", ()))
        self.said = dict(answers.get("before", ()))
        self.logged = maybe_time(logged)
        messages: dict[int, str] = dict(answers.get("messages", ()))
        self.numbers = list(messages)
        requests = {text_mark(each): each for each in look.requests}
        return Facts(
            project=self.tx.project,
            sequence=sequence,
            latest=maybe_time(latest),
            logged=self.logged,
            statuses={id: Status(*status) for id, *status in answers.get("statuses", ())},
            starting=self._starting(look, answers.get("starting", ())),
            same=tuple(
                Same(said, row[-1])
                for said, row in zip(observations("same"), answers.get("same", ()), strict=True)
            ),
            observations={each.id: each for each in observations("observations")},
            erased=erased,
            recorded=frozenset(requests[mark] for (mark,) in answers.get("known_requests", ())),
            changed={
                row[-1]: said
                for said, row in zip(observations("changed"), answers.get("changed", ()), strict=True)
            },
            keys=frozenset(key for (key,) in answers.get("known_keys", ()))
            | {key for key in look.keys if text_mark(key) in erased},
            conversations=(
                conversations.facts(self.tx, look.conversations, answers, last=self.last)
                if look.conversations
                else None
            ),
            positions=dict(answers.get("positions", ())),
            messages=messages,
            session_names=dict(answers.get("session_names", ())),
            ends=tuple(record for (record,) in answers.get("ends", ())),
            warned=bool(answers.get("warned")),
            unaged=observations("unaged"),
            model=EmbeddingModel(*model) if look.model and all(model) else None,
            unembedded=observations("unembedded"),
            vectors={id: Vector(components) for id, components in answers.get("vectors", ())},
            said=tuple(map(message_rows.message, answers.get("said", ()))),
            summaries={
                fingerprint: Summary(first=first, last=last, sentences=tuple(sentences), files=tuple(files))
                for fingerprint, first, last, sentences, files in answers.get("summaries", ())
            },
            similar=dict(answers.get("similar", ())),
            off_since=maybe_time(off[-1][0]) if look.off and off and off[-1][1] is None else None,
        )

    def _starting(self, look: Look, rows: Sequence[Row]) -> Mapping[str, tuple[Hit, ...]]:
        hits: dict[str, list[Hit]] = {prefix: [] for prefix in look.prefixes}
        for row in rows:
            hits[look.prefixes[row[-1] - 1]].append(observation_rows.hit(self.tx.project, row, Match.ID))
        return {prefix: tuple(found) for prefix, found in hits.items()}

    def apply(self, writes: plan.Plan) -> None:
        """Execute the writes of a plan, then reindex changed observations."""
        self.tx.size.admit(writes)
        stored = set(self.near)
        entries = [each.entry for each in writes if isinstance(each, other_writes.AddEntry)]
        disordered = is_disordered(entries, self.logged)
        changed = dict.fromkeys(id for write in writes for id in self._write(write))
        if disordered:
            audit_rows.number_by_time(self.tx)
        if not self.ahead:
            refresh(self.tx, ids=changed)
            return
        anew = reindexed(self.near, changed)
        index.remove(self.tx, [self.near[id].sequence for id in anew if id in stored])
        index.add(
            self.tx,
            [
                document(self.near[id], self.hidden_forms[id], before)
                for id, before in anew.items()
                if id not in self.gone
            ],
        )

    def _write(self, write: plan.Write) -> Sequence[UUID]:  # noqa: C901, PLR0912 - a case for each write
        """Execute a write. Return the ids of changed observations."""
        tx = self.tx
        match write:
            case plan.Insert():
                return self._insert(write)
            case plan.SetStatus():
                return self._set_status(write)
            case other_writes.Erase(ids):
                return self._erase(ids)
            case other_writes.EraseSession(session):
                erased_rows.erase_session(tx, session, self.numbers)
            case other_writes.Amend(observation=said):
                observation_rows.amend(tx, said, lines=write.lines)
                return [said.id]
            case other_writes.Age(former=former, now=None):
                tx.run(SQL["aged"], seq=former.sequence)
            case other_writes.Age(now=now) if now is not None:
                observation_rows.amend(tx, now, aged=True)
                return [now.id]
            case other_writes.AddEntry(entry):
                audit_rows.add_entry(tx, entry)
            case other_writes.NameInEntry():
                audit_rows.name_in_entry(tx, write)
            case other_writes.RememberRequest():
                tx.run(SQL["remember_request"], mark=text_mark(write.request), origin=write.origin)
            case other_writes.RememberErased(marks):
                tx.run(erased_rows.SQL["remember"], marks=list(marks))
            case other_writes.MarkWarned(warned):
                tx.run(SQL["mark_warned"], **questions.warning(warned))
            case other_writes.LogActivity():
                self._log(write)
            case other_writes.AdoptModel(model):
                tx.run(SQL["drop_vectors"])
                tx.run(SQL["adopt_model"], name=model.name, dimension=model.dimension)
            case other_writes.PutVectors(vectors):
                tx.run(
                    SQL["put_vectors"],
                    ids=list(vectors),
                    vectors=[each and each.components for each in vectors.values()],
                    codes=[each and code_of(each) for each in vectors.values()],
                )
            case _:
                conversations.write(tx, write, self.said)
        return ()

    def _insert(self, write: plan.Insert) -> Sequence[UUID]:
        said = write.observation
        derived = self.derived.get(said.id) or Derived.of(said)
        self.tx.run(SQL["raise_sequence"], sequence=said.sequence)
        observation_rows.insert(
            self.tx,
            said,
            fingerprint=write.fingerprint,
            request=write.request,
            hidden_forms=derived.hidden_forms,
            lines=write.lines or derived.lines,
        )
        if self.ahead:
            self.near[said.id], self.hidden_forms[said.id] = said, derived.hidden_forms
        return [said.id]

    def _log(self, write: other_writes.LogActivity) -> None:
        entries = write.entries
        self.tx.run(
            SQL["log_activity"],
            **{name: [getattr(each, name) for each in entries] for name in _LOGGED},
            at=[to_microseconds(each.at) for each in entries],
            kind=[each.kind.value for each in entries],
            memories=[" ".join(each.memories) for each in entries],
            origin=write.origin,
        )
        self.tx.run(SQL["drop_activity"], oldest=to_microseconds(write.oldest))

    def _set_status(self, write: plan.SetStatus) -> Sequence[UUID]:
        purged_at = write.at if write.purged else None
        for id in self.near.keys() & write.ids:
            self.near[id] = evolve(self.near[id], purged_at=purged_at, updated_at=write.at)
        self.tx.run(
            SQL["set_status"],
            ids=list(write.ids),
            purged_at=maybe_microseconds(purged_at),
            at=to_microseconds(write.at),
            replaced_by=write.replaced_by,
        )
        return write.ids

    def _erase(self, ids: Sequence[UUID]) -> Sequence[UUID]:
        there = [id for id in ids if id in self.near]
        self.gone.update(there)
        for id in there:
            # An erased observation is removed from the context of others, like a purged one.
            self.near[id] = evolve(self.near[id], purged_at=self.near[id].updated_at)
        erased_rows.erase(self.tx, ids, [self.near[id].sequence for id in there])
        return there


@define(eq=False)
class InTransactions(Transactional):
    """Base of the ports of one project that read facts and write in transactions."""

    scope: Scope

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        with self.scope.reading() as tx:
            return PostgresTransaction(tx, last=True).look(look)

    def transact(self, look: Look, decide: Callable[[Facts], tuple[plan.Plan, T]]) -> T:
        """See `Transactional.transact`."""
        derived = {each.id: Derived.of(each) for each in look.incoming}
        with self.scope.writing() as tx:
            transaction = PostgresTransaction(tx, derived)
            writes, outcome = decide(transaction.look(look))
            transaction.apply(writes)
        return outcome
