-- statement: add_documents
WITH arrived AS (
  INSERT INTO document (project, part, seq, length, tokens)
  SELECT here(), * FROM unnest(%(parts)s::int[], %(seqs)s::bigint[], %(lengths)s::int[], %(tokens)s::text[])
  RETURNING part, length
)
INSERT INTO index_size AS s (project, part, documents, tokens)
SELECT here(), part, count(*), sum(length) FROM arrived GROUP BY part
ON CONFLICT (project, part) DO UPDATE
SET documents = s.documents + excluded.documents, tokens = s.tokens + excluded.tokens

-- statement: add_postings
WITH arrived AS (
  INSERT INTO posting (project, part, term, seq, weight, length)
  SELECT here(), d.part, t.term, d.seq, t.weight, d.length
  FROM unnest(%(places)s::int[], %(terms)s::text[], %(weights)s::float8[]) AS t (place, term, weight)
  JOIN unnest(%(parts)s::int[], %(seqs)s::bigint[], %(lengths)s::int[])
    WITH ORDINALITY AS d (part, seq, length, place) USING (place)
  RETURNING part, term
)
INSERT INTO term AS t (project, part, term, holders)
SELECT here(), part, term, count(*) FROM arrived GROUP BY part, term
ON CONFLICT (project, part, term) DO UPDATE SET holders = t.holders + excluded.holders

-- statement: remove
WITH gone AS (
  DELETE FROM document WHERE project = here() AND part = ANY(%(parts)s::int[]) AND seq = ANY(%(seqs)s::bigint[])
  RETURNING part, seq, length, tokens
), word AS MATERIALIZED (SELECT part, seq, words_of(tokens) AS term FROM gone),
fewer AS (SELECT part, term, count(*) AS count FROM word GROUP BY part, term),
postings AS (
  DELETE FROM posting AS p USING word AS w
  WHERE p.project = here() AND p.part = w.part AND p.term = w.term AND p.seq = w.seq
), held AS (
  UPDATE term AS t SET holders = t.holders - f.count FROM fewer AS f
  WHERE t.project = here() AND t.part = f.part AND t.term = f.term AND t.holders > f.count
), unheld AS (
  DELETE FROM term AS t USING fewer AS f
  WHERE t.project = here() AND t.part = f.part AND t.term = f.term AND t.holders <= f.count
)
UPDATE index_size AS s SET documents = s.documents - g.documents, tokens = s.tokens - g.tokens
FROM (SELECT part, count(*) AS documents, sum(length) AS tokens FROM gone GROUP BY part) AS g
WHERE s.project = here() AND s.part = g.part
