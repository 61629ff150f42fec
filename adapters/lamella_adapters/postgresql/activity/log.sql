-- statement: add
INSERT INTO activity (project, name, at, kind, session, about, tokens, memories, origin)
SELECT here(), name, at, kind, session, about, tokens, string_to_array(memories, ' '),
  (SELECT id FROM project WHERE number = here())
FROM unnest(%(name)s::text[], %(at)s::bigint[], %(kind)s::text[], %(session)s::text[], %(about)s::text[],
  %(tokens)s::int[], %(memories)s::text[]) AS e (name, at, kind, session, about, tokens, memories)
ON CONFLICT DO NOTHING

-- statement: drop
DELETE FROM activity WHERE project = here() AND at < %(oldest)s

-- statement: since
SELECT name, at, kind, session, about, tokens, memories FROM activity WHERE project = here() AND at >= %(at)s ORDER BY at, name
