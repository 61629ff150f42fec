-- statement: project
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'observation'), 0),
  (SELECT max(moment) FROM observation), (SELECT max(at) FROM audit)

-- statement: statuses
SELECT id, purged_at IS NOT NULL, origin, replaced_by FROM observation
WHERE id IN (SELECT unhex(value) FROM json_each(?))

-- statement: same
SELECT {columns}, request FROM observation WHERE fingerprint = ? ORDER BY seq

-- statement: place
SELECT seq, session, moment, content FROM observation WHERE id = ?

-- statement: set_status
UPDATE observation SET purged_at = :purged_at, updated_at = :at, context = :context, replaced_by = :replaced_by
WHERE seq = :seq

-- statement: changed
seq = (SELECT o.seq FROM code_change AS c JOIN observation AS o USING (seq)
   WHERE path = ? AND purged_at IS NULL ORDER BY moment DESC, o.seq DESC LIMIT 1)

-- statement: off_since
SELECT since FROM off_period WHERE until IS NULL

-- statement: unembedded
seq IN (
  SELECT seq FROM unembedded CROSS JOIN observation USING (seq) WHERE purged_at IS NULL
  ORDER BY kind = 'note' DESC, seq DESC LIMIT ?
) ORDER BY kind = 'note' DESC, seq DESC

-- statement: similar
SELECT o.id, o.content FROM search CROSS JOIN observation AS o ON o.seq = search.rowid
WHERE search MATCH ? AND o.kind = 'note' ORDER BY search.rowid DESC LIMIT ?

-- statement: between
SELECT {columns} FROM observation WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?

-- statement: of_ids
id IN (SELECT unhex(value) FROM json_each(?))

-- statement: unaged
kind = 'change' AND source IN ('edit', 'command') AND aged IS NULL AND moment < ? ORDER BY moment LIMIT ?
