"""Table of access tokens, and the functions that see those of all tenants.

The tenant of a caller is not known before the token is. So `access_token_with` looks past row-level security,
which does not bind the owner of this table, and answers for one digest only: without a secret it gives nothing.
The role of the application can neither read digests nor delete a token.
"""

from lamella_adapters.postgresql.schema.tables import TENANT

_COLUMNS = "tenant, id, name, scopes, project, author, created_at, expires_at, used_at, revoked_at"

# Functions of the owner look for tables in this schema first, whatever the caller's path is. Temporary tables come
# last, as anybody may make them.
ACCESS_TOKENS = f"""
CREATE TABLE access_token (
  {TENANT},
  id uuid PRIMARY KEY,
  digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32),
  name text NOT NULL,
  scopes text[] NOT NULL,
  project text,
  author text,
  created_at bigint NOT NULL,
  expires_at bigint,
  used_at bigint,
  revoked_at bigint
);
CREATE INDEX access_token_tenant ON access_token (tenant, created_at, id);
ALTER TABLE access_token ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON access_token USING (tenant = current_setting('lamella.tenant', true));
GRANT SELECT ({_COLUMNS}), INSERT, UPDATE (used_at, revoked_at) ON access_token TO lamella_app;

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE FUNCTION access_token_with(asked bytea)
RETURNS TABLE (tenant text, id uuid, name text, scopes text[], project text, author text, created_at bigint,
  expires_at bigint, used_at bigint, revoked_at bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT {", ".join(f"t.{each}" for each in _COLUMNS.split(", "))} FROM access_token AS t
  WHERE t.digest = asked $$;
CREATE FUNCTION access_tokens_exist() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT EXISTS (SELECT FROM access_token) $$;
REVOKE EXECUTE ON FUNCTION access_token_with(bytea), access_tokens_exist() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION access_token_with(bytea), access_tokens_exist() TO lamella_app;
"""  # noqa: S608 - our own constants
"""Migration."""
