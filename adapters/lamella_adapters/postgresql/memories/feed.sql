-- statement: states
SELECT p.id, h.id, h.name, h.revision,
  (SELECT coalesce(sum(s.documents), 0)::bigint FROM index_size AS s
   WHERE s.project = h.number AND s.part IN (0, 1))
FROM project AS p JOIN project AS h ON h.id = p.home
WHERE p.id = ANY(%(ids)s::text[]) AND (h.off -> -1 -> 1) IS DISTINCT FROM 'null'::jsonb
