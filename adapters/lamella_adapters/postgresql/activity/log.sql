-- statement: since
SELECT {fields} FROM activity WHERE project = here() AND at >= %(at)s ORDER BY at, name

-- statement: totals
SELECT count(*), coalesce(sum(tokens), 0), count(*) FILTER (WHERE edit <> '') FROM activity
WHERE project = here() AND at >= %(at)s AND kind = 'injected'

-- statement: warnings
SELECT {fields} FROM activity WHERE project = here() AND edit <> '' AND coalesce(name = %(name)s, true)
ORDER BY at DESC, name DESC LIMIT %(limit)s OFFSET %(skip)s
