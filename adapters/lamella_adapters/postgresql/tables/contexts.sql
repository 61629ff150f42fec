-- statement: indexed
-- Indexed columns of observations given by number or id. For each id, also those of the observations that follow it in
-- its session.
SELECT {columns}, o.sub, ARRAY(
  SELECT ARRAY[b.title, left(b.content, %(characters)s)] FROM observation AS b
  WHERE b.project = here() AND b.session = o.session AND b.purged_at IS NULL
    AND (b.moment, b.seq) < (o.moment, o.seq)
  ORDER BY b.moment DESC, b.seq DESC LIMIT %(count)s
) FROM observation AS o
WHERE o.project = here() AND o.seq IN (
  SELECT unnest(%(seqs)s::bigint[])
  UNION SELECT seq FROM observation WHERE project = here() AND id = ANY(%(ids)s::uuid[])
  UNION SELECT f.seq FROM observation AS t CROSS JOIN LATERAL (
    SELECT o.seq FROM observation AS o
    WHERE o.project = here() AND o.session = t.session AND o.purged_at IS NULL AND o.id <> ALL(%(ids)s::uuid[])
      AND (o.moment, o.seq) > (t.moment, t.seq)
    ORDER BY o.moment, o.seq LIMIT %(count)s
  ) AS f WHERE t.project = here() AND t.id = ANY(%(ids)s::uuid[])
) ORDER BY o.seq
