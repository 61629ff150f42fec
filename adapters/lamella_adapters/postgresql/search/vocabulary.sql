-- statement: size
SELECT documents, tokens FROM index_size WHERE project = here() AND part = %(part)s

-- statement: holders
SELECT term, holders FROM term WHERE project = here() AND part = %(part)s AND term = ANY(%(terms)s::text[])

-- statement: phrases
-- `OFFSET 0` fixes the order of joins (term by term, in the index), which the planner could change without statistics.
WITH phrase AS MATERIALIZED (
  SELECT a.adjacent, (
    SELECT t.term FROM words_of(a.adjacent) AS word CROSS JOIN LATERAL (
      SELECT term, holders FROM term WHERE project = here() AND part = %(part)s AND term = word OFFSET 0) AS t
    ORDER BY t.holders LIMIT 1) AS rarest
  FROM unnest(%(adjacent)s::text[]) AS a (adjacent)
)
SELECT f.adjacent, count(*) FROM phrase AS f CROSS JOIN LATERAL (
  SELECT seq FROM posting WHERE project = here() AND part = %(part)s AND term = f.rarest OFFSET 0) AS p
CROSS JOIN LATERAL (
  SELECT tokens FROM document WHERE project = here() AND part = %(part)s AND seq = p.seq OFFSET 0) AS d
WHERE strpos(d.tokens, f.adjacent) > 0 GROUP BY f.adjacent

-- statement: no_phrases
SELECT '', 0 WHERE false

-- statement: between
SELECT r.first, t.term, t.holders FROM unnest(%(firsts)s::text[], %(ends)s::text[]) AS r (first, beyond)
CROSS JOIN LATERAL (
  SELECT term, holders FROM term WHERE project = here() AND part = %(part)s
    AND term >= r.first COLLATE "C" AND term < r.beyond COLLATE "C"
  ORDER BY term LIMIT %(most)s
) AS t ORDER BY t.term
