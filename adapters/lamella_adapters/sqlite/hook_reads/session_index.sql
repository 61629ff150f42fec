-- statement: decisions
observation WHERE kind = 'note' AND source = 'decision'

-- statement: notes
observation WHERE kind = 'note' AND source <> 'decision'

-- statement: summaries
observation WHERE kind = 'summary'

-- statement: about_files
-- `0` follows `/`, so this is the range of all paths in the folder.
(
SELECT DISTINCT seq FROM (
  SELECT seq FROM observation WHERE kind = 'note' AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT {notes_read}
) AS latest JOIN code_change USING (seq)
  WHERE path = :folder OR path > :folder || '/' AND path < :folder || '0'
  OR path IN (SELECT value FROM json_each(:files))) CROSS JOIN observation USING (seq) WHERE kind = 'note'

-- statement: about_no_file
(
SELECT DISTINCT seq FROM (
  SELECT seq FROM observation WHERE kind = 'note' AND source = 'decision' AND purged_at IS NULL
  ORDER BY moment DESC, seq DESC LIMIT {notes_read}
) AS latest WHERE NOT EXISTS (SELECT 1 FROM code_change AS c WHERE c.seq = latest.seq)
) CROSS JOIN observation USING (seq) WHERE kind = 'note'

-- statement: naming
(
SELECT rowid AS seq FROM search WHERE search MATCH :naming ORDER BY rowid DESC LIMIT {rows_read}
) CROSS JOIN observation USING (seq) WHERE kind = 'note'

-- statement: elsewhere
-- 1 if the session changed files only in other folders. Files at the root count as in this folder.
SELECT max(path NOT LIKE '%/%' OR path = :folder OR path > :folder || '/' AND path < :folder || '0') = 0 FROM (
  SELECT seq FROM observation WHERE session = :session AND purged_at IS NULL ORDER BY moment DESC LIMIT {session_read}
) CROSS JOIN code_change USING (seq)

-- statement: latest
-- `source` is one of the statements above.
SELECT id, moment, title, content, seq, coalesce(session, ''), kind = 'note' AND source = 'decision', branch, head
FROM {source} AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT :limit

-- statement: files
SELECT path, version, hunks, packed FROM code_change WHERE seq = ? ORDER BY place

-- statement: changes
SELECT id, moment, title, path, additions, deletions, coalesce(session, '') FROM (
  SELECT seq, id, moment, title, session FROM observation
  WHERE kind = 'change' AND source <> 'git' AND purged_at IS NULL ORDER BY moment DESC, seq DESC LIMIT ?
) JOIN code_change USING (seq) ORDER BY moment DESC, seq DESC, place

-- statement: overview
WITH latest AS (SELECT kind, session, about FROM activity WHERE session IS NOT NULL ORDER BY at DESC LIMIT 500)
SELECT name,
  (SELECT live FROM statistics)
    - (SELECT count(*) FROM observation WHERE kind = 'change' AND source = 'git' AND purged_at IS NULL),
  (SELECT moment FROM observation WHERE purged_at IS NULL ORDER BY moment DESC LIMIT 1), NULL,
  (SELECT count(*) FROM latest WHERE session = (SELECT session FROM latest LIMIT 1)
    AND kind = 'injected' AND about IN ('before edit', 'edit'))
FROM project
