-- statement: insert
-- Add an entry under the project's next number, unless its id exists. `in_order` dates it no earlier than the others.
WITH next AS (
  UPDATE project AS p SET entry = p.entry + 1 WHERE p.number = coalesce(%(project)s::bigint, here())
    AND NOT EXISTS (SELECT 1 FROM audit AS a WHERE a.project = p.number AND a.id = %(id)s)
  RETURNING p.number AS project, p.entry
)
INSERT INTO audit (project, number, origin, id, at, action, actor, author, session, undoes, count, old, new, added, purged, restored)
SELECT project, entry, %(origin)s, %(id)s,
  greatest(%(at)s, CASE WHEN %(in_order)s THEN (SELECT max(a.at) FROM audit AS a WHERE a.project = next.project) END),
  %(action)s, %(actor)s, %(author)s, %(session)s, %(undoes)s, %(count)s, %(old)s, %(new)s,
  %(added)s::uuid[], %(purged)s::uuid[], %(restored)s::uuid[]
FROM next

-- statement: copy_split
WITH next AS (UPDATE project SET entry = entry + 1 WHERE number = %(to)s RETURNING number, entry)
INSERT INTO audit (project, number, origin, id, at, action, actor, author, session, undoes, count, old, new, added, purged, restored)
SELECT n.number, n.entry, %(origin)s, a.id, a.at, action, actor, author, session, undoes, count, old, new, added, purged, restored
FROM audit AS a, next AS n WHERE a.id = %(entry)s AND a.project <> %(to)s

-- statement: append
UPDATE audit SET
  added = added || ARRAY(SELECT id FROM unnest(%(added)s::uuid[]) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(added) ORDER BY place),
  purged = purged || ARRAY(SELECT id FROM unnest(%(purged)s::uuid[]) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(purged) ORDER BY place),
  restored = restored || ARRAY(SELECT id FROM unnest(%(restored)s::uuid[]) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(restored) ORDER BY place),
  count = count
    + cardinality(ARRAY(SELECT id FROM unnest(%(added)s::uuid[]) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(added) ORDER BY place))
    + cardinality(ARRAY(SELECT id FROM unnest(%(purged)s::uuid[]) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(purged) ORDER BY place))
    + cardinality(ARRAY(SELECT id FROM unnest(%(restored)s::uuid[]) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(restored) ORDER BY place))
WHERE project = here() AND id = %(id)s

-- statement: number_by_time
WITH ordered AS (
    SELECT project, number, at, max(number) OVER (ORDER BY at, number) AS highest FROM audit
    WHERE project = coalesce(%(project)s::bigint, here())
  ),
  first AS (SELECT at, number FROM ordered WHERE number < highest ORDER BY at, number LIMIT 1),
  late AS (
    SELECT o.project, o.number, row_number() OVER (ORDER BY o.at, o.number) AS place FROM ordered AS o, first AS f
    WHERE (o.at, o.number) >= (f.at, f.number)
  ),
  counted AS (
    UPDATE project SET entry = entry + (SELECT count(*) FROM late) WHERE number = coalesce(%(project)s::bigint, here())
    RETURNING entry
  )
UPDATE audit AS a SET number = c.entry - (SELECT count(*) FROM late) + l.place FROM late AS l, counted AS c
WHERE a.project = l.project AND a.number = l.number

-- statement: forget_in_trails
UPDATE audit SET
  added = ARRAY(SELECT id FROM unnest(added) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(%(ids)s::uuid[]) ORDER BY place),
  purged = ARRAY(SELECT id FROM unnest(purged) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(%(ids)s::uuid[]) ORDER BY place),
  restored = ARRAY(SELECT id FROM unnest(restored) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(%(ids)s::uuid[]) ORDER BY place)
WHERE added && %(ids)s::uuid[] OR purged && %(ids)s::uuid[] OR restored && %(ids)s::uuid[]

-- statement: forget_in_activity
UPDATE activity SET
  memories = ARRAY(SELECT id FROM unnest(memories) WITH ORDINALITY AS u (id, place) WHERE id <> ALL(%(keys)s::text[]) ORDER BY place),
  edit = ''
WHERE memories && %(keys)s::text[]

-- statement: newest
SELECT number, id, at, action, actor, author, session, undoes, count, old, new, origin,
  ARRAY(SELECT id FROM unnest(added) WITH ORDINALITY AS named (id, place)
    WHERE %(among)s::uuid[] IS NULL OR id = ANY(%(among)s) ORDER BY place LIMIT %(names)s),
  ARRAY(SELECT id FROM unnest(purged) WITH ORDINALITY AS named (id, place)
    WHERE %(among)s::uuid[] IS NULL OR id = ANY(%(among)s) ORDER BY place LIMIT %(names)s),
  ARRAY(SELECT id FROM unnest(restored) WITH ORDINALITY AS named (id, place)
    WHERE %(among)s::uuid[] IS NULL OR id = ANY(%(among)s) ORDER BY place LIMIT %(names)s)
FROM audit WHERE project = here()
  AND (%(before)s::bigint IS NULL OR (at, number) < (
    SELECT at, number FROM audit WHERE project = here() AND number = %(before)s))
  AND (%(memory)s::uuid IS NULL OR %(memory)s = ANY(added) OR %(memory)s = ANY(purged) OR %(memory)s = ANY(restored))
ORDER BY at DESC, number DESC LIMIT %(limit)s
