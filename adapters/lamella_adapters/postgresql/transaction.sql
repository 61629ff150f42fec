-- statement: raise_sequence
UPDATE project SET sequence = %(sequence)s WHERE number = here()

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
