-- statement: messages
SELECT {columns} FROM message AS o WHERE o.project = here() AND o.number = ANY(%(numbers)s::numeric[])
ORDER BY o.number

-- statement: sessions
SELECT o.*, {named} FROM (
  SELECT session, min(at) AS first, max(at) AS last, count(*) AS messages FROM message
  WHERE project = here() AND (%(session)s::text IS NULL OR session = %(session)s) GROUP BY session
) AS o ORDER BY o.last DESC, o.session

-- statement: page
SELECT {columns}, o.key FROM message AS o WHERE o.project = here() AND o.number > %(after)s
ORDER BY o.number LIMIT %(limit)s

-- statement: counts
SELECT {counts} FROM message WHERE project = here()

-- statement: kept
SELECT fingerprint, first, last, sentences, files FROM summary
WHERE project = here() AND session = %(session)s AND level = %(level)s

-- statement: keep
INSERT INTO summary (project, session, level, first, last, fingerprint, sentences, files)
SELECT here(), %(session)s, %(level)s, %(first)s, %(last)s, %(fingerprint)s, %(sentences)s, %(files)s
WHERE EXISTS (SELECT 1 FROM message WHERE project = here() AND session = %(session)s)
ON CONFLICT (project, session, level, first) DO UPDATE
SET last = excluded.last, fingerprint = excluded.fingerprint, sentences = excluded.sentences,
  files = excluded.files
