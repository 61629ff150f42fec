-- statement: insert
INSERT INTO message (project, number, key, origin, session, role, at, text, sub, client)
SELECT here(), m.* FROM unnest(%(number)s::bigint[], %(key)s::text[], %(origin)s::text[], %(session)s::text[],
  %(role)s::text[], %(at)s::bigint[], %(text)s::text[], %(sub)s::text[],
  %(client)s::text[]) AS m

-- statement: count_up
UPDATE project SET message = %(last)s WHERE number = here()

-- statement: forget_summaries
DELETE FROM summary WHERE project = here() AND session = ANY(%(sessions)s::text[])

-- statement: forget_names
DELETE FROM session_name AS n WHERE n.project = here() AND n.session = ANY(%(sessions)s::text[])
  AND NOT EXISTS (SELECT 1 FROM message AS m WHERE m.project = here() AND m.session = n.session)

-- statement: named
(SELECT name FROM session_name AS n WHERE n.project = here() AND n.session = o.session),
(SELECT s.text FROM message AS s WHERE s.project = here() AND s.session = o.session AND s.role = 'human'
 ORDER BY left(s.text, 1) IN ('/', '!'), s.number LIMIT 1)
