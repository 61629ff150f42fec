-- statement: remember
INSERT INTO erased_message (project, mark) SELECT here(), unnest(%(marks)s::bytea[]) ON CONFLICT DO NOTHING

-- statement: known
SELECT mark FROM erased_message WHERE project = here() AND mark = ANY(%(marks)s::bytea[])

-- statement: all
SELECT mark FROM erased_message WHERE project = here()

-- statement: erase
DELETE FROM {table} WHERE project = here() AND seq = ANY(%(seqs)s::bigint[])

-- statement: unlink
UPDATE observation SET replaced_by = NULL WHERE project = here() AND replaced_by = ANY(%(ids)s::uuid[])

-- statement: erase_session
DELETE FROM {table} WHERE project = here() AND session = %(session)s
