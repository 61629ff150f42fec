-- statement: enter
SELECT set_config('lamella.project', %(number)s::text, true)

-- statement: revise
UPDATE project SET revision = revision + 1 WHERE number IN (%(source)s, %(target)s)

-- statement: observations
SELECT seq, session, purged_at IS NULL FROM observation WHERE {leaving} ORDER BY seq

-- statement: messages
SELECT number, session, key FROM message WHERE {leaving} ORDER BY number

-- statement: counted
UPDATE project SET {counter} = {counter} + %(count)s WHERE number = %(target)s RETURNING {counter} - %(count)s + 1

-- statement: renumber
UPDATE {table} AS t SET project = %(target)s, {column} = m.new
FROM unnest(%(old)s::bigint[], %(new)s::bigint[]) AS m (old, new)
WHERE t.project = %(source)s AND t.{column} = m.old{condition}

-- statement: forget_derived
DELETE FROM {table} WHERE project = %(source)s AND seq = ANY(%(old)s::bigint[])

-- statement: count_anew
DELETE FROM term WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]);
INSERT INTO term (project, part, term, holders)
SELECT project, part, term, count(*) FROM posting
WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]) GROUP BY project, part, term;
DELETE FROM index_size WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]);
INSERT INTO index_size (project, part, documents, tokens)
SELECT project, part, count(*), sum(length) FROM document
WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]) GROUP BY project, part

-- statement: in_sessions
SELECT seq FROM observation WHERE project = here() AND session = ANY(%(sessions)s::text[]) AND purged_at IS NULL

-- statement: move
WITH leaving AS (DELETE FROM {table} WHERE {leaving} RETURNING *)
INSERT INTO {table} (project, {columns})
SELECT %(target)s, {columns} FROM leaving{order}
ON CONFLICT {conflict}

-- statement: entries
-- The entry of a split belongs to both projects.
WITH leaving AS (
    SELECT *, CASE WHEN {leaving} THEN origin WHEN old = ANY(%(origins)s::text[]) THEN old ELSE new END AS side FROM audit
    WHERE {leaving} OR project = %(source)s AND action = 'split' AND ARRAY[old, new] && %(origins)s::text[]
  ),
  fresh AS (
    SELECT l.*, row_number() OVER (ORDER BY l.number) AS place FROM leaving AS l
    WHERE l.id NOT IN (SELECT id FROM audit WHERE project = %(target)s)
  ),
  counted AS (
    UPDATE project SET entry = entry + (SELECT count(*) FROM fresh) WHERE number = %(target)s RETURNING entry
  )
INSERT INTO audit (project, number, id, at, action, actor, author, session, undoes, count, old, new, added, purged,
  restored, origin)
SELECT %(target)s, c.entry - (SELECT count(*) FROM fresh) + f.place, id, at, action, actor, author, session,
  undoes, count, old, new, added, purged, restored, side FROM fresh AS f, counted AS c

-- statement: keep_split
UPDATE audit SET origin = CASE WHEN old = ANY(%(rest)s::text[]) THEN old ELSE new END
WHERE action = 'split' AND {leaving} AND ARRAY[old, new] && %(rest)s::text[]

-- statement: leave
DELETE FROM audit WHERE {leaving}

-- statement: copy_erased
INSERT INTO erased_message (project, mark) SELECT %(target)s, mark FROM erased_message WHERE project = %(source)s
ON CONFLICT DO NOTHING

-- statement: take_names
INSERT INTO session_name AS n (project, session, name, titled)
SELECT %(target)s, session, name, titled FROM session_name
WHERE project = %(source)s AND session = ANY(%(sessions)s::text[])
ON CONFLICT (project, session) DO UPDATE SET name = excluded.name, titled = false
WHERE n.titled AND NOT excluded.titled

-- statement: with_messages
SELECT session FROM unnest(%(sessions)s::text[]) AS a (session)
WHERE EXISTS (SELECT 1 FROM message AS m WHERE m.project = here() AND m.session = a.session)
