-- statement: raise_sequence
UPDATE project SET sequence = %(sequence)s, saved_on = today(),
  saves = CASE saved_on WHEN today() THEN saves ELSE 0 END + 1
WHERE number = here()

-- statement: set_status
UPDATE observation SET purged_at = %(purged_at)s, updated_at = %(at)s, replaced_by = %(replaced_by)s
WHERE project = here() AND id = ANY(%(ids)s::uuid[])

-- statement: aged
UPDATE observation SET aged = true WHERE project = here() AND seq = %(seq)s

-- statement: mark_warned
INSERT INTO told_removal (project, seq, mark)
SELECT here(), seq, %(mark)s FROM observation WHERE project = here() AND id = %(id)s
ON CONFLICT DO NOTHING

-- statement: remember_request
INSERT INTO capture (project, mark, origin) SELECT here(), %(mark)s, %(origin)s ON CONFLICT DO NOTHING

-- statement: log_activity
INSERT INTO activity (project, name, at, kind, session, about, tokens, memories, edit, origin)
SELECT here(), name, at, kind, session, about, tokens, string_to_array(memories, ' '), edit, %(origin)s
FROM unnest(%(name)s::text[], %(at)s::bigint[], %(kind)s::text[], %(session)s::text[], %(about)s::text[],
  %(tokens)s::int[], %(memories)s::text[], %(edit)s::text[])
  AS e (name, at, kind, session, about, tokens, memories, edit)
ON CONFLICT DO NOTHING

-- statement: drop_activity
DELETE FROM activity WHERE project = here() AND at < %(oldest)s

-- statement: drop_vectors
DELETE FROM vector WHERE project = here()

-- statement: adopt_model
UPDATE project SET model = %(name)s, dimension = %(dimension)s WHERE number = here()

-- statement: put_vectors
INSERT INTO vector (project, seq, vector, code)
SELECT here(), o.seq, a.vector, a.code::bit varying
FROM unnest(%(ids)s::uuid[], %(vectors)s::bytea[], %(codes)s::text[]) AS a (id, vector, code)
JOIN observation AS o ON o.project = here() AND o.id = a.id
ON CONFLICT (project, seq) DO UPDATE SET vector = excluded.vector, code = excluded.code
