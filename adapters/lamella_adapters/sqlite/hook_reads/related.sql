-- statement: best
-- Leave out the context column, because it repeats earlier memories.
SELECT id, moment, title, content, branch, head, heading, sub, seq FROM (
  SELECT rowid AS seq, bm25(search, {weights}) AS score FROM search WHERE search MATCH :match
) CROSS JOIN observation USING (seq) WHERE kind = 'note' ORDER BY score, seq DESC LIMIT :limit

-- statement: rows
SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)

-- statement: notes_among
SELECT count(*) FROM (SELECT rowid AS seq FROM search WHERE search MATCH ?) CROSS JOIN observation USING (seq)
WHERE kind = 'note'

-- statement: notes
SELECT count(*) FROM (SELECT 1 FROM observation WHERE kind = 'note' AND purged_at IS NULL LIMIT ?)
