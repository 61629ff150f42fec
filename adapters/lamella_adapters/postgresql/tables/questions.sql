-- statement: project
SELECT p.sequence, (SELECT max(moment) FROM observation WHERE project = here()),
  (SELECT max(at) FROM audit WHERE project = here()), p.off, p.model, p.dimension
FROM project AS p WHERE p.number = here()

-- statement: statuses
SELECT id, purged_at IS NOT NULL, origin, replaced_by FROM observation
WHERE project = here() AND id = ANY(%(ids)s::uuid[])

-- statement: starting
SELECT {columns}, {beside}, a.place
FROM unnest(%(firsts)s::uuid[], %(lasts)s::uuid[]) WITH ORDINALITY AS a (first, last, place)
CROSS JOIN LATERAL ({between}) AS o ORDER BY o.id

-- statement: same
SELECT {columns}, o.request FROM observation AS o
WHERE o.project = here() AND o.fingerprint = %(fingerprint)s ORDER BY o.seq

-- statement: similar
SELECT o.id, o.content FROM (
  SELECT seq FROM posting WHERE project = here() AND part = 0 AND term = (%(words)s::text[])[1]
  ORDER BY seq DESC LIMIT 500
) AS p CROSS JOIN LATERAL (SELECT * FROM observation WHERE project = here() AND seq = p.seq OFFSET 0) AS o
WHERE o.kind = 'note' AND EXISTS (
  SELECT 1 FROM posting AS q
  WHERE q.project = here() AND q.part = 0 AND q.term = ANY((%(words)s::text[])[2:]) AND q.seq = p.seq
)
ORDER BY p.seq DESC LIMIT %(limit)s

-- statement: observations
SELECT {columns} FROM observation AS o WHERE o.project = here() AND o.id = ANY(%(ids)s::uuid[])

-- statement: changed
SELECT {columns}, a.path FROM unnest(%(paths)s::text[]) AS a (path) CROSS JOIN LATERAL (
  SELECT o.* FROM code_change AS c JOIN observation AS o ON o.project = here() AND o.seq = c.seq
  WHERE c.project = here() AND c.path_key = left(a.path, %(characters)s) AND c.path = a.path
    AND o.purged_at IS NULL
  ORDER BY o.moment DESC, o.seq DESC LIMIT 1
) AS o

-- statement: warned
SELECT 1 FROM told_removal JOIN observation AS o USING (project, seq)
WHERE project = here() AND o.id = %(id)s AND mark = %(mark)s

-- statement: unaged
SELECT {columns} FROM observation AS o
WHERE o.project = here() AND o.kind = 'change' AND NOT o.aged AND o.source IN ('{edited}', '{found}')
  AND o.moment < %(before)s
ORDER BY o.moment LIMIT %(limit)s

-- statement: positions
SELECT source, position FROM transcript_position WHERE project = here() AND source = ANY(%(sources)s::text[])

-- statement: session_names
SELECT session, name FROM session_name WHERE project = here() ORDER BY session

-- statement: neighbours
-- The given observations, and the live ones after them in their sessions. Also the contexts of all of these, and of a
-- new observation.
WITH asked AS (
  SELECT id, seq, session, moment FROM observation WHERE project = here() AND id = ANY(%(ids)s::uuid[])
  UNION SELECT o.id, o.seq, o.session, o.moment
  FROM unnest(%(firsts)s::uuid[], %(lasts)s::uuid[]) AS a (first, last)
  CROSS JOIN LATERAL ({between}) AS o
), changing AS (
  SELECT seq, session, moment FROM asked
  UNION
  SELECT o.seq, o.session, o.moment FROM asked AS a CROSS JOIN LATERAL (
    SELECT * FROM observation AS o
    WHERE o.project = here() AND o.session = a.session AND o.purged_at IS NULL
      AND o.id <> ALL(ARRAY(SELECT id FROM asked)) AND (o.moment, o.seq) > (a.moment, a.seq)
    ORDER BY o.moment ASC, o.seq ASC LIMIT %(count)s
  ) AS o
  UNION SELECT %(last)s::bigint, %(session)s::text, %(last)s::bigint
)
SELECT {columns_but_changes}, o.sub FROM observation AS o
WHERE o.project = here() AND o.seq IN (
  SELECT seq FROM changing
  UNION
  SELECT o.seq FROM changing AS a CROSS JOIN LATERAL (
    SELECT * FROM observation AS o
    WHERE o.project = here() AND o.session = a.session AND o.purged_at IS NULL
      AND o.id <> ALL(ARRAY(SELECT id FROM asked)) AND (o.moment, o.seq) < (a.moment, a.seq)
    ORDER BY o.moment DESC, o.seq DESC LIMIT %(count)s
  ) AS o
)

-- statement: known_requests
SELECT mark FROM capture WHERE project = here() AND mark = ANY(%(marks)s::bytea[])

-- statement: known_keys
SELECT key FROM message WHERE project = here() AND key = ANY(%(keys)s::text[])

-- statement: messages
SELECT number, key FROM message WHERE project = here() AND session = %(session)s ORDER BY number

-- statement: ends
SELECT record FROM session_end WHERE project = here() AND session = %(session)s

-- statement: said
SELECT {message} FROM message AS o WHERE o.project = here() AND o.number = ANY(%(numbers)s::numeric[])
ORDER BY o.number

-- statement: summaries
SELECT fingerprint, first, last, sentences, files FROM summary
WHERE project = here() AND session = %(session)s AND level = %(level)s

-- statement: vectors
SELECT o.id, v.vector FROM vector AS v JOIN observation AS o ON o.project = here() AND o.seq = v.seq
WHERE v.project = here() AND v.vector IS NOT NULL AND o.id = ANY(%(ids)s::uuid[])

-- statement: unembedded
SELECT {columns} FROM observation AS o
WHERE o.project = here() AND o.purged_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.project = here() AND v.seq = o.seq)
ORDER BY o.kind = 'note' DESC, o.seq DESC LIMIT %(limit)s
