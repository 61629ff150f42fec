-- statement: since
SELECT {fields} FROM activity WHERE at >= ? ORDER BY at, name

-- statement: warnings
SELECT {fields} FROM activity WHERE edit IS NOT NULL AND ifnull(name = ?, TRUE)
ORDER BY at DESC, name DESC LIMIT ? OFFSET ?

-- statement: totals
SELECT count(*), coalesce(sum(tokens), 0), (SELECT count(*) FROM activity WHERE at >= ?1 AND edit IS NOT NULL)
FROM activity INDEXED BY activity_given WHERE at >= ?1 AND kind = 'injected'

-- statement: sessions
SELECT session, min(at), max(at), count(*), count(*) FILTER (WHERE kind = 'injected'), sum(tokens)
FROM activity WHERE at >= ? AND kind <> 'recalled' GROUP BY session ORDER BY max(at) DESC, session

-- statement: used
SELECT coalesce(group_concat(memories, ''), '') FROM activity WHERE at > ?1
HAVING EXISTS (SELECT 1 FROM activity WHERE at BETWEEN ?2 AND ?1)

-- statement: tokens
SELECT (
  SELECT coalesce(sum(tokens), 0) FROM activity INDEXED BY activity_given
  WHERE kind = 'injected' AND at >= value ->> 0 AND at < value ->> 1
) FROM json_each(?) ORDER BY key

-- statement: of_sessions
SELECT {fields} FROM (
  SELECT *, row_number() OVER (PARTITION BY session ORDER BY at DESC, name DESC) AS place FROM activity
  WHERE at >= ?2 AND kind <> 'recalled'
    AND (session IN (SELECT value FROM json_each(?1)) OR (?4 AND session IS NULL))
) WHERE place <= ?3 ORDER BY at DESC, name DESC
