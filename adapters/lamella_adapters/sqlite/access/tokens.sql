-- statement: add
INSERT INTO access_token ({columns}, digest) VALUES ({places}, ?)

-- statement: all
SELECT {columns} FROM access_token ORDER BY created_at, id

-- statement: find
SELECT {columns} FROM access_token WHERE digest = ?

-- statement: mark
UPDATE access_token SET revoked_at = coalesce(min(revoked_at, ?1), revoked_at, ?1),
  used_at = coalesce(max(used_at, ?2), used_at, ?2) WHERE id = ?3 RETURNING {columns}

-- statement: exist
SELECT 1 FROM access_token LIMIT 1

-- statement: revoked_at
SELECT revoked_at FROM access_token WHERE id = ?

-- statement: note
INSERT INTO access_event (at, action, about, by, origin) VALUES (?, ?, ?, ?, ?)

-- statement: events
SELECT at, action, about, by, origin FROM access_event ORDER BY number DESC LIMIT ?
