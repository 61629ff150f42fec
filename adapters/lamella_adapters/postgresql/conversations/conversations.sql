-- statement: sessions
SELECT o.session, o.first, o.last, o.messages,
  (SELECT m.client FROM message AS m WHERE m.project = here() AND m.number = o.latest), {named} FROM (
  SELECT session, min(at) AS first, max(at) AS last, count(*) AS messages, max(number) AS latest FROM message
  WHERE project = here() AND (%(session)s::text IS NULL OR session = %(session)s) GROUP BY session
) AS o ORDER BY o.last DESC, o.session

-- statement: page
SELECT {columns}, o.key FROM message AS o WHERE o.project = here() AND o.number > %(after)s
ORDER BY o.number LIMIT %(limit)s

-- statement: counts
SELECT {counts} FROM message WHERE project = here()

-- statement: since
 AND o.at >= %(since)s

-- statement: until
 AND o.at < %(until)s

-- statement: session
 AND o.session = %(session)s

-- statement: recency
(1.0 / (1.0 + {discount} * (greatest(0, %(now)s - o.at)::float8 / {year})))
