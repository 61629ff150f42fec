-- statement: model
SELECT model, dimension FROM project WHERE number = here()

-- statement: nearest
-- In a small project, return all vectors for the caller to compare. In a large one, return the candidates with the
-- nearest sign codes: from an index (`near`), or without one from a scan of all codes (`coded`), which needs no
-- extension. The scan sorts numbers and reads vectors afterwards, because vectors are wide.
WITH size AS MATERIALIZED (
  SELECT coalesce((SELECT documents FROM index_size WHERE project = here() AND part = %(part)s), 0) AS rows
), near AS MATERIALIZED (
  {near}
), coded AS MATERIALIZED (
  SELECT v.seq FROM vector AS v
  WHERE (SELECT rows FROM size) >= {coded_from} AND NOT EXISTS (SELECT FROM near) AND {passing}
  ORDER BY bit_count(v.code # %(code)s::bit varying), v.seq DESC
  LIMIT (SELECT greatest(%(most)s, rows * {share})::bigint FROM size)
)
SELECT seq, vector FROM near UNION ALL
SELECT v.seq, v.vector FROM coded AS c
CROSS JOIN LATERAL (SELECT * FROM vector WHERE project = here() AND seq = c.seq OFFSET 0) AS v
UNION ALL
SELECT v.seq, v.vector FROM vector AS v WHERE (SELECT rows FROM size) < {coded_from} AND {passing}

-- statement: passing
v.project = here() AND v.vector IS NOT NULL
AND v.seq {which} (SELECT seq FROM document WHERE project = here() AND part = 1)

-- statement: filtered
AND v.seq IN (SELECT o.seq FROM observation AS o WHERE o.project = here(){conditions})

-- statement: by_index
SELECT seq, vector FROM near(%(code)s::bit varying, %(near)s) WHERE (SELECT rows FROM size) >= {coded_from}

-- statement: by_none
SELECT 0::bigint AS seq, NULL::bytea AS vector WHERE false

-- statement: coverage
SELECT p.embedded, coalesce(s.documents, 0)
FROM project AS p LEFT JOIN index_size AS s ON s.project = p.number AND s.part = 0 WHERE p.number = here()
