-- statement: rename
SELECT former, moment, seq FROM code_change AS c JOIN observation AS o USING (seq)
WHERE path = :path AND former <> path AND purged_at IS NULL
  AND (:moment IS NULL OR (o.moment, o.seq) < (:moment, :seq)) ORDER BY moment DESC, seq DESC LIMIT 1

-- statement: changes
SELECT o.seq, c.place, id, moment, kind, session, title, source, path, former, additions, deletions, {lines}
FROM code_change AS c JOIN observation AS o USING (seq) LEFT JOIN changed_lines AS l USING (seq, place)
WHERE path = :path AND purged_at IS NULL AND (:moment IS NULL OR (o.moment, o.seq) < (:moment, :seq))

-- statement: below
-- Changes of files in a folder: texts that begin with `src/` lie between `src/` and `src0`.
SELECT o.seq, place, id, moment, kind, session, title, source, path, former, additions, deletions, NULL, NULL
FROM code_change AS c JOIN observation AS o USING (seq)
WHERE path >= ? AND (? IS NULL OR path < ?) AND purged_at IS NULL
ORDER BY moment DESC, o.seq DESC, place DESC LIMIT ?

-- statement: files
SELECT path, count(*), max(moment) FROM code_change JOIN observation USING (seq)
WHERE purged_at IS NULL GROUP BY path ORDER BY max(moment) DESC, path LIMIT ?

-- statement: hunks
SELECT place, hunks, packed, content FROM code_change JOIN observation USING (seq) WHERE seq = ? ORDER BY place

-- statement: hunk
SELECT hunks, packed, content FROM code_change JOIN observation USING (seq) WHERE id = ? AND path = ?

-- statement: decision
SELECT lower(hex(id)), title FROM code_change CROSS JOIN observation USING (seq)
WHERE session = ? AND path = ? AND source = 'decision' AND kind = 'note' AND purged_at IS NULL
ORDER BY moment DESC, seq DESC LIMIT 1
