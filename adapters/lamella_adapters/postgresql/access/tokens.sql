-- statement: of_tenant
-- Rows of the tokens' tenant, which may differ from the storage's tenant.
SELECT set_config('lamella.tenant', %(tenant)s, true)

-- statement: may_make
SELECT may_make(session_user, %(tenant)s, %(scopes)s::text[])

-- statement: add
INSERT INTO access_token ({columns}, digest) VALUES ({values}, %(digest)s)

-- statement: all
SELECT {columns} FROM access_token ORDER BY created_at, id

-- statement: find
SELECT {columns} FROM access_token_with(%(digest)s)

-- statement: mark
UPDATE access_token SET revoked_at = least(revoked_at, %(revoked_at)s),
  used_at = greatest(used_at, %(used_at)s) WHERE id = %(id)s RETURNING {columns}

-- statement: events
SELECT at, action, about, login, origin FROM access_event ORDER BY number DESC LIMIT %(limit)s

-- statement: exist
SELECT access_tokens_exist()

-- statement: limit
INSERT INTO quota (memories, bytes, saves, calls) VALUES (%(memories)s, %(bytes)s, %(saves)s, %(calls)s)
ON CONFLICT (tenant) DO UPDATE SET (memories, bytes, saves, calls) =
  (excluded.memories, excluded.bytes, excluded.saves, excluded.calls)
