-- statement: factor
(CASE o.kind WHEN 'note' THEN 1.0 ELSE {captured} END)::float8

-- statement: among
    AND seq = ANY(ARRAY(
      SELECT o.seq FROM observation AS o WHERE o.project = here() AND o.id = ANY(%(ids)s::uuid[])))

-- statement: newest
 ORDER BY o.moment DESC, o.seq DESC LIMIT %(limit)s

-- statement: counted
SELECT count(*) FROM (SELECT 1 FROM observation AS o WHERE o.project = here(){conditions} LIMIT %(limit)s) AS found

-- statement: not_learned
 AND NOT (o.kind = 'change' AND o.source = '{learned}')

-- statement: title
 AND strpos(o.title_key, %(part)s) > 0

-- statement: kinds
SELECT kind, purged_at IS NOT NULL, width_bucket(moment, %(since)s::bigint[]), count(*)
FROM observation WHERE project = here() GROUP BY 1, 2, 3

-- statement: centre
 AND o.id = %(id)s

-- statement: at_id
(SELECT moment, seq FROM observation WHERE project = here() AND id = %(id)s)

-- statement: at_time
(%(moment)s, %(seq)s)

-- statement: side
 AND (%(purged)s OR o.purged_at IS NULL) AND (%(session)s::text IS NULL OR o.session = %(session)s)
  AND (o.moment, o.seq) {beyond} {place}

-- statement: order
 ORDER BY o.moment {way}, o.seq {way} LIMIT %(limit)s

-- statement: total
SELECT count(*) FROM observation AS o WHERE o.project = here()
