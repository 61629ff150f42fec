-- statement: renames
WITH RECURSIVE rename AS (
  SELECT c.path, c.former, o.moment, o.seq, c.place
  FROM code_change AS c JOIN observation AS o USING (project, seq)
  WHERE project = here() AND c.path_key = left(%(path)s, %(characters)s) AND c.path = %(path)s
    AND c.former <> c.path AND o.purged_at IS NULL
  UNION
  SELECT c.path, c.former, o.moment, o.seq, c.place FROM rename AS r
  JOIN code_change AS c ON c.project = here() AND c.path_key = left(r.former, %(characters)s) AND c.path = r.former
    AND c.former <> c.path
  JOIN observation AS o ON o.project = here() AND o.seq = c.seq AND o.purged_at IS NULL
)
SELECT path, former, moment, seq FROM rename ORDER BY moment DESC, seq DESC, place

-- statement: changes
SELECT o.id, {beside}, o.moment, o.seq, c.place, o.kind, o.session, o.title, o.source, c.path,
  (o.changes -> c.place) - 'hunks' - 'version', c.came, c.went
FROM code_change AS c JOIN observation AS o ON o.project = here() AND o.seq = c.seq
WHERE c.project = here() AND o.purged_at IS NULL AND {condition}
ORDER BY o.moment DESC, o.seq DESC, c.place DESC
LIMIT %(limit)s

-- statement: named
c.path_key = ANY(%(keys)s::text[]) AND c.path = ANY(%(names)s::text[])

-- statement: below
(%(every)s OR c.path_key BETWEEN %(key)s AND %(key)s || U&'\+10FFFF') AND starts_with(c.path, %(folder)s)

-- statement: files
SELECT c.path, count(*), max(o.moment) FROM code_change AS c JOIN observation AS o USING (project, seq)
WHERE project = here() AND o.purged_at IS NULL GROUP BY c.path ORDER BY max(o.moment) DESC, c.path COLLATE "C" LIMIT %(limit)s
