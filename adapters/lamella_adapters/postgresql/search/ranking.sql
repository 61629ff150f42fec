-- `OFFSET 0`: see `vocabulary.sql`.

-- statement: single
SELECT a.place, a.idf, p.seq, p.weight, p.length
FROM unnest(%(terms)s::text[], %(weights)s::float8[], %(places)s::int[]) AS a (term, idf, place)
CROSS JOIN LATERAL (
  SELECT seq, weight, length FROM posting
  WHERE project = here() AND part = %(part)s AND term = a.term{among} OFFSET 0
) AS p

-- statement: phrased
SELECT a.place, a.idf, p.seq, p.weight, p.length
FROM unnest(%(terms)s::text[], %(weights)s::float8[], %(places)s::int[]) AS a (term, idf, place)
CROSS JOIN LATERAL (
  SELECT seq, weight, length FROM posting
  WHERE project = here() AND part = %(part)s AND term = a.term{among} OFFSET 0
) AS p UNION ALL
SELECT f.place, f.idf, d.seq, weighed(
  regexp_count(split_part(d.tokens, E'\n', 1), f.pattern),
  regexp_count(split_part(d.tokens, E'\n', 2), f.pattern),
  regexp_count(split_part(d.tokens, E'\n', 3), f.pattern),
  regexp_count(split_part(d.tokens, E'\n', 4), f.pattern)
), d.length
FROM unnest(%(rarest)s::text[], %(adjacent)s::text[], %(patterns)s::text[], %(idfs)s::float8[],
  %(phrases)s::int[]) AS f (rarest, adjacent, pattern, idf, place)
CROSS JOIN LATERAL (
  SELECT seq FROM posting WHERE project = here() AND part = %(part)s AND term = f.rarest{among} OFFSET 0
) AS p
CROSS JOIN LATERAL (
  SELECT * FROM document WHERE project = here() AND part = %(part)s AND seq = p.seq OFFSET 0
) AS d
WHERE strpos(d.tokens, f.adjacent) > 0

-- statement: rare_first
-- Frequent terms are looked up only in rows with rare terms. The rows of the array are next to each other in the index.
WITH rare AS MATERIALIZED ({held})
SELECT * FROM rare UNION ALL
SELECT a.place, a.idf, p.seq, p.weight, p.length
FROM unnest(%(frequent)s::text[], %(frequent_weights)s::float8[], %(frequent_places)s::int[]) AS a (term, idf, place)
CROSS JOIN LATERAL (
  SELECT seq, weight, length FROM posting WHERE project = here() AND part = %(part)s AND term = a.term
    AND seq = ANY(ARRAY(SELECT DISTINCT seq FROM rare ORDER BY seq)) OFFSET 0
) AS p

-- statement: rank
-- Use the operations of `bm25` in the same order, so that scores are equal to the last bit. Most rows with the best
-- scores by words are also the best in the end, and reading rows takes longer than finding them. A final score is never
-- higher than the score by words, so rows with a lower score by words than the last result are left out.
WITH ranked AS (
  SELECT seq, sum(idf * ((weight * {k1_and_1}::float8)
    / (weight + {k1}::float8 * ({rest}::float8 + {b}::float8 * length / %(average)s::float8)))
    ORDER BY place) AS score
  FROM ({held}) AS held GROUP BY seq
), looked AS MATERIALIZED (
  SELECT seq, score FROM ranked ORDER BY score DESC, seq DESC LIMIT %(looked)s
), first AS MATERIALIZED (
  SELECT r.seq, r.score AS words, r.score * {factor} AS score
  FROM (SELECT * FROM looked ORDER BY score DESC, seq DESC LIMIT %(first)s) AS r
  CROSS JOIN LATERAL (SELECT * FROM {table} WHERE project = here() AND {key} = r.seq OFFSET 0) AS o
  WHERE true{conditions}
), best AS MATERIALIZED (
  SELECT * FROM first UNION ALL
  SELECT r.seq, r.score AS words, r.score * {factor} AS score
  FROM (SELECT * FROM looked
  WHERE score >= coalesce((SELECT score FROM first ORDER BY score DESC OFFSET %(limit)s - 1 LIMIT 1), 0)
  ORDER BY score DESC, seq DESC OFFSET %(first)s) AS r
  CROSS JOIN LATERAL (SELECT * FROM {table} WHERE project = here() AND {key} = r.seq OFFSET 0) AS o
  WHERE true{conditions}
  ORDER BY 3 DESC, 1 DESC LIMIT %(limit)s
)
SELECT {columns}, d.tokens, b.words, b.score,
  (SELECT CASE WHEN count(*) = %(looked)s THEN min(score) ELSE 0 END FROM looked)
FROM best AS b
CROSS JOIN LATERAL (SELECT * FROM {table} WHERE project = here() AND {key} = b.seq OFFSET 0) AS o
CROSS JOIN LATERAL (
  SELECT tokens FROM document WHERE project = here() AND part = %(part)s AND seq = b.seq OFFSET 0
) AS d
ORDER BY b.score DESC, b.seq DESC
