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
