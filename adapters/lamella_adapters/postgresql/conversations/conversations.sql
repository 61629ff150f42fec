-- statement: sessions
SELECT o.*, {named} FROM (
  SELECT session, min(at) AS first, max(at) AS last, count(*) AS messages FROM message
  WHERE project = here() AND (%(session)s::text IS NULL OR session = %(session)s) GROUP BY session
) AS o ORDER BY o.last DESC, o.session

-- statement: page
SELECT {columns}, o.key FROM message AS o WHERE o.project = here() AND o.number > %(after)s
ORDER BY o.number LIMIT %(limit)s

-- statement: counts
SELECT {counts} FROM message WHERE project = here()
