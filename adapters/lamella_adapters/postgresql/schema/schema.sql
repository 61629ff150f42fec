-- The schema, as numbered migrations. Never edit a released migration: append a new one.
--
-- Every row belongs to a tenant. All rows outside of the registry also belong to a project, and its number comes first
-- in every key. Rows of an observation have its sequence number, rows of a message its number; a move to another
-- project renumbers both. Times are microseconds since 1970 in UTC. Values of unlimited length are not in keys.
-- `migrate` replaces {tenant} and {project}, and secures each table of the first migration.

-- migration: tables
-- `weighed` adds up a phrase's frequencies in the columns in the order of BM25, because sums depend on the order.
-- `here()` is the project of the transaction. `enter` chooses it, follows its merges, and locks it.
CREATE TABLE project (
  {tenant},
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  moved_to text,
  home text NOT NULL,
  off jsonb NOT NULL DEFAULT '[]',
  sequence bigint NOT NULL DEFAULT 0,
  message bigint NOT NULL DEFAULT 0,
  entry bigint NOT NULL DEFAULT 0,
  model text,
  dimension bigint,
  UNIQUE (tenant, id)
);
CREATE TABLE alias (
  {tenant}, alias text COLLATE "C" NOT NULL, project text NOT NULL, PRIMARY KEY (tenant, alias)
);
CREATE INDEX alias_project ON alias (tenant, project);
CREATE TABLE observation (
  {project},
  seq bigint NOT NULL,
  id uuid NOT NULL,
  origin text NOT NULL,
  session text COLLATE "C",
  kind text NOT NULL,
  actor text NOT NULL,
  author text,
  title text NOT NULL,
  content text NOT NULL,
  source text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  purged_at bigint,
  moment bigint NOT NULL,
  changes jsonb NOT NULL,
  replaced_by uuid,
  title_key text NOT NULL,
  sub text NOT NULL,
  fingerprint bytea NOT NULL,
  request text COLLATE "C",
  aged boolean NOT NULL DEFAULT false,
  PRIMARY KEY (project, seq),
  UNIQUE (project, id)
);
CREATE INDEX observation_moment ON observation (project, moment, seq);
CREATE INDEX observation_session ON observation (project, session, moment, seq);
CREATE INDEX observation_fingerprint ON observation (project, fingerprint);
CREATE INDEX observation_replaced ON observation (project, replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX observation_to_age ON observation (project, moment) WHERE kind = 'change' AND NOT aged;

CREATE TABLE code_change (
  {project},
  seq bigint NOT NULL,
  place int NOT NULL,
  path_key text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  former text COLLATE "C",
  came bytea NOT NULL,
  went bytea NOT NULL,
  PRIMARY KEY (project, seq, place)
);
CREATE INDEX code_change_path ON code_change (project, path_key, seq);
CREATE TABLE capture ({project}, mark bytea NOT NULL, origin text NOT NULL, PRIMARY KEY (project, mark));
CREATE TABLE told_removal (
  {project}, seq bigint NOT NULL, mark bytea NOT NULL, PRIMARY KEY (project, seq, mark)
);
CREATE TABLE vector ({project}, seq bigint NOT NULL, vector bytea, code bit varying, PRIMARY KEY (project, seq));
CREATE TABLE document (
  {project},
  part smallint NOT NULL,
  seq bigint NOT NULL,
  length int NOT NULL,
  tokens text COLLATE "C" NOT NULL,
  PRIMARY KEY (project, part, seq)
);
CREATE TABLE posting (
  {project},
  part smallint NOT NULL,
  term text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  weight float8 NOT NULL,
  length int NOT NULL,
  PRIMARY KEY (project, part, term, seq) INCLUDE (weight, length, tenant)
);
CREATE TABLE term (
  {project},
  part smallint NOT NULL,
  term text COLLATE "C" NOT NULL,
  holders bigint NOT NULL,
  PRIMARY KEY (project, part, term)
);
CREATE TABLE index_size (
  {project},
  part smallint NOT NULL,
  documents bigint NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (project, part)
);
CREATE TABLE message (
  {project},
  number bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  origin text NOT NULL,
  session text COLLATE "C" NOT NULL,
  role text NOT NULL,
  at bigint NOT NULL,
  text text NOT NULL,
  sub text NOT NULL,
  PRIMARY KEY (project, number),
  UNIQUE (project, key)
);
CREATE INDEX message_session ON message (project, session, number);
CREATE INDEX message_at ON message (project, at);
CREATE TABLE session_name (
  {project}, session text COLLATE "C" NOT NULL, name text NOT NULL, titled boolean NOT NULL,
  PRIMARY KEY (project, session)
);
CREATE TABLE transcript_position (
  {project}, source text COLLATE "C" NOT NULL, position text NOT NULL, origin text NOT NULL,
  PRIMARY KEY (project, source)
);
CREATE TABLE waiting_title (
  {project}, record text COLLATE "C" NOT NULL, title text NOT NULL, origin text NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (project, record)
);
CREATE TABLE session_end (
  {project}, record text COLLATE "C" NOT NULL, session text NOT NULL, origin text NOT NULL,
  place bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (project, record)
);
CREATE TABLE erased_message ({project}, mark bytea NOT NULL, PRIMARY KEY (project, mark));
CREATE TABLE summary (
  {project},
  session text COLLATE "C" NOT NULL,
  level int NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  fingerprint text NOT NULL,
  sentences jsonb NOT NULL,
  files jsonb NOT NULL,
  PRIMARY KEY (project, session, level, first)
);
CREATE TABLE activity (
  {project},
  name text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  session text COLLATE "C",
  about text NOT NULL,
  tokens int NOT NULL,
  memories text[] NOT NULL,
  origin text NOT NULL,
  PRIMARY KEY (project, name)
);
CREATE INDEX activity_at ON activity (project, at);
CREATE TABLE audit (
  {project},
  number bigint NOT NULL,
  id uuid NOT NULL,
  at bigint NOT NULL,
  action text NOT NULL,
  actor text NOT NULL,
  author text,
  session text,
  undoes uuid,
  count bigint NOT NULL,
  old text,
  new text,
  added uuid[] NOT NULL,
  purged uuid[] NOT NULL,
  restored uuid[] NOT NULL,
  origin text NOT NULL,
  PRIMARY KEY (project, number),
  UNIQUE (project, id)
);
CREATE INDEX audit_at ON audit (project, at, number);
CREATE FUNCTION here() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('lamella.project', true), '')::bigint $$;

CREATE FUNCTION enter(asked text, locked boolean, OUT home text, OUT number bigint) LANGUAGE plpgsql AS $$
DECLARE found text;
BEGIN
  LOOP
    SELECT p.home INTO found FROM project AS p WHERE p.id = asked;
    IF locked THEN
      PERFORM 1 FROM project AS p WHERE p.id = found FOR UPDATE;
    END IF;
    -- A merge may have moved it while we waited for its lock.
    SELECT h.id, h.number INTO home, number FROM project AS p JOIN project AS h ON h.id = p.home
    WHERE p.id = asked;
    EXIT WHEN home IS NOT DISTINCT FROM found;
  END LOOP;
  PERFORM set_config('lamella.project', number::text, true);
END $$;

CREATE FUNCTION words_of(tokens text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 50 AS $$
  SELECT DISTINCT word COLLATE "C" FROM string_to_table(replace(tokens, E'\n', ' '), ' ') AS word WHERE word <> ''
$$;

CREATE FUNCTION weighed(title int, content int, sub int, context int) RETURNS float8
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE weight float8 := 2.0 * title + content + 0.5 * sub;
BEGIN
  FOR place IN 1 .. context LOOP
    weight := weight + 0.3::float8;
  END LOOP;
  RETURN weight;
END $$;

-- migration: access_tokens
-- A caller's tenant is unknown until the token is found. So `access_token_with` runs as the owner of this table,
-- without row-level security. It returns the token of one digest only, so callers without a secret get nothing. The
-- application's role can neither read digests nor delete a token. The owner's functions look for tables in this schema
-- first, whatever the caller's search path. Temporary tables come last, because anybody can create them.
CREATE TABLE access_token (
  {tenant},
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
GRANT SELECT (tenant, id, name, scopes, project, author, created_at, expires_at, used_at, revoked_at), INSERT, UPDATE (used_at, revoked_at) ON access_token TO lamella_app;

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE FUNCTION access_token_with(asked bytea)
RETURNS TABLE (tenant text, id uuid, name text, scopes text[], project text, author text, created_at bigint,
  expires_at bigint, used_at bigint, revoked_at bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT t.tenant, t.id, t.name, t.scopes, t.project, t.author, t.created_at, t.expires_at, t.used_at, t.revoked_at FROM access_token AS t
  WHERE t.digest = asked $$;
CREATE FUNCTION access_tokens_exist() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT EXISTS (SELECT FROM access_token) $$;
REVOKE EXECUTE ON FUNCTION access_token_with(bytea), access_tokens_exist() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION access_token_with(bytea), access_tokens_exist() TO lamella_app;

-- migration: revisions
-- Each transaction that changes a project is a revision of it. Each row has the revision of its latest change.
ALTER TABLE project ADD COLUMN revision bigint NOT NULL DEFAULT 0;
ALTER TABLE observation ADD COLUMN revision bigint NOT NULL DEFAULT 0;
CREATE INDEX observation_revision ON observation (project, revision, seq);

CREATE OR REPLACE FUNCTION enter(asked text, locked boolean, OUT home text, OUT number bigint)
LANGUAGE plpgsql AS $$
DECLARE found text;
BEGIN
  LOOP
    SELECT p.home INTO found FROM project AS p WHERE p.id = asked;
    IF locked THEN
      UPDATE project AS p SET revision = p.revision + 1 WHERE p.id = found;
    END IF;
    -- A merge may have moved it while we waited for its lock.
    SELECT h.id, h.number INTO home, number FROM project AS p JOIN project AS h ON h.id = p.home
    WHERE p.id = asked;
    EXIT WHEN home IS NOT DISTINCT FROM found;
  END LOOP;
  PERFORM set_config('lamella.project', number::text, true);
END $$;

CREATE FUNCTION revise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := (SELECT p.revision FROM project AS p WHERE p.number = NEW.project);
  RETURN NEW;
END $$;
CREATE TRIGGER revise BEFORE INSERT OR UPDATE ON observation FOR EACH ROW EXECUTE FUNCTION revise();

-- migration: room_for_counts
-- Each save increases the counts of a hundred terms. Room in the pages for the new rows keeps the index unchanged.
ALTER TABLE term SET (fillfactor = 70)

-- migration: keywords
ALTER TABLE observation ADD COLUMN keywords text NOT NULL DEFAULT ''

-- migration: checkout
ALTER TABLE observation ADD COLUMN branch text;
ALTER TABLE observation ADD COLUMN head text

-- migration: client
ALTER TABLE observation ADD COLUMN client text;
ALTER TABLE message ADD COLUMN client text

-- migration: warned_edit
ALTER TABLE activity ADD COLUMN edit text NOT NULL DEFAULT '';
CREATE INDEX activity_edit ON activity (project, at) WHERE edit <> ''

-- migration: metadata
ALTER TABLE observation ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}'

-- migration: embedded
-- `embedded` counts the live memories processed by the embedder. Triggers update it, also for older programs. For the
-- first count, row-level security is lifted for a moment: it applies to the owner, too, who would see no rows. For
-- tables of which statements read thousands of rows, the policy reads the tenant once per statement, not once per row.
ALTER TABLE project ADD COLUMN embedded bigint NOT NULL DEFAULT 0;
ALTER TABLE project NO FORCE ROW LEVEL SECURITY;
ALTER TABLE vector NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document NO FORCE ROW LEVEL SECURITY;
UPDATE project AS p SET embedded = (
  SELECT count(*) FROM vector AS v JOIN document AS d USING (project, seq) WHERE v.project = p.number AND d.part = 0);
ALTER TABLE project FORCE ROW LEVEL SECURITY;
ALTER TABLE vector FORCE ROW LEVEL SECURITY;
ALTER TABLE document FORCE ROW LEVEL SECURITY;
ALTER POLICY tenant ON vector USING (tenant = (SELECT current_setting('lamella.tenant', true)));
ALTER POLICY tenant ON posting USING (tenant = (SELECT current_setting('lamella.tenant', true)));

CREATE FUNCTION count_vectors() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE project AS p SET embedded = p.embedded + CASE TG_OP WHEN 'INSERT' THEN c.count ELSE -c.count END
  FROM (
    SELECT v.project, count(*) FROM changed AS v CROSS JOIN LATERAL (
      SELECT FROM document AS d WHERE d.project = v.project AND d.part = 0 AND d.seq = v.seq OFFSET 0) AS d
    GROUP BY v.project
  ) AS c WHERE p.number = c.project;
  RETURN NULL;
END $$;
CREATE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE project AS p SET embedded = p.embedded + CASE TG_OP WHEN 'INSERT' THEN c.count ELSE -c.count END
  FROM (
    SELECT d.project, count(*) FROM changed AS d CROSS JOIN LATERAL (
      SELECT FROM vector AS v WHERE v.project = d.project AND v.seq = d.seq OFFSET 0) AS v
    WHERE d.part = 0 GROUP BY d.project
  ) AS c WHERE p.number = c.project;
  RETURN NULL;
END $$;
CREATE TRIGGER more AFTER INSERT ON vector REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_vectors();
CREATE TRIGGER fewer AFTER DELETE ON vector REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_vectors();
CREATE TRIGGER more AFTER INSERT ON document REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_documents();
CREATE TRIGGER fewer AFTER DELETE ON document REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_documents();

-- migration: near
-- Nearest vectors of live memories, the nearest first, found with the index of the extension `vector` that the owner
-- created for the project; none without that index. Nothing else needs the extension: it can be added and removed. The
-- planner uses a project's index only if the statement contains the number of the project.
CREATE FUNCTION near(asked bit varying, most bigint) RETURNS TABLE (seq bigint, vector bytea)
LANGUAGE plpgsql AS $$
DECLARE space text;
BEGIN
  SELECT quote_ident(n.nspname) INTO space
  FROM pg_index AS i, pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
  WHERE i.indexrelid = to_regclass(format('vector_near_%s_%s', here(), length(asked))) AND i.indisvalid
    AND e.extname = 'vector' AND has_schema_privilege(n.oid, 'USAGE');
  IF FOUND THEN
    PERFORM set_config('hnsw.ef_search', least(most, 1000)::text, true),
      set_config('hnsw.iterative_scan', 'strict_order', true);
    RETURN QUERY EXECUTE format(
      'SELECT seq, vector FROM vector WHERE project = %1$s AND length(code) = %2$s AND vector IS NOT NULL
         AND seq NOT IN (SELECT seq FROM document WHERE project = %1$s AND part = 1)
       ORDER BY code::bit(%2$s) OPERATOR(%3$s.<~>) $1::bit(%2$s) LIMIT $2', here(), length(asked), space)
      USING asked, most;
  END IF;
END $$

-- migration: access_rights
-- The roles of a login decide which tokens it can make: `lamella_admin` for all tenants, `lamella:TENANT` for one. The
-- owner can make any; it is `current_user` in functions that run with the owner's rights. A token is valid as long as
-- its maker could make it. Functions of the owner log all changes here under the login that made them: the role of the
-- application can only read the log.
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'lamella_admin') THEN
    CREATE ROLE lamella_admin NOLOGIN NOBYPASSRLS;
    GRANT lamella_admin TO CURRENT_USER;
  END IF;
END $$;
CREATE TABLE access_event (
  {tenant},
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  action text NOT NULL,
  about text NOT NULL,
  login text NOT NULL,
  origin text NOT NULL
);
CREATE INDEX access_event_tenant ON access_event (tenant, number);
ALTER TABLE access_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_event FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON access_event USING (tenant = current_setting('lamella.tenant', true));
GRANT SELECT ON access_event TO lamella_app;

CREATE FUNCTION may_make(login text, tenant text, scopes text[]) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM pg_roles AS l, pg_roles AS r WHERE l.rolname = login AND l.rolcanlogin
    AND r.rolname IN ('lamella_admin', 'lamella:' || tenant, current_user) AND pg_has_role(l.oid, r.oid, 'MEMBER')
    AND pg_has_role(l.oid, 'lamella_app', 'MEMBER')
    AND (r.rolname <> 'lamella:' || tenant OR NOT scopes && '{memory:admin,memory:metrics}'))
$$;

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE FUNCTION note_access(of text, action text, about text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS $$ INSERT INTO access_event (tenant, at, action, about, login, origin)
  VALUES (of, extract(epoch FROM clock_timestamp()) * 1000000, action, about, session_user,
    coalesce(host(inet_client_addr()), 'local')) $$;
CREATE FUNCTION note_token() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_access(NEW.tenant, TG_ARGV[0], NEW.name || ' ' || left(NEW.id::text, 8));
  RETURN NULL;
END $$;
CREATE FUNCTION stay_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revoked_at := least(OLD.revoked_at, NEW.revoked_at);
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION note_access(text, text, text) FROM PUBLIC;

ALTER TABLE access_token ADD COLUMN made_by text;
ALTER TABLE access_token ALTER COLUMN made_by SET DEFAULT session_user;
REVOKE INSERT ON access_token FROM lamella_app;
GRANT INSERT (tenant, id, digest, name, scopes, project, author, created_at, expires_at, used_at, revoked_at)
  ON access_token TO lamella_app;
CREATE POLICY makers ON access_token AS RESTRICTIVE FOR INSERT
  WITH CHECK (may_make(session_user, tenant, scopes));
CREATE TRIGGER note_made AFTER INSERT ON access_token FOR EACH ROW EXECUTE FUNCTION note_token('token made');
CREATE TRIGGER note_revoked AFTER UPDATE ON access_token FOR EACH ROW
  WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at) EXECUTE FUNCTION note_token('token revoked');
CREATE TRIGGER stay_revoked BEFORE UPDATE ON access_token FOR EACH ROW EXECUTE FUNCTION stay_revoked();

CREATE OR REPLACE FUNCTION access_token_with(asked bytea)
RETURNS TABLE (tenant text, id uuid, name text, scopes text[], project text, author text, created_at bigint,
  expires_at bigint, used_at bigint, revoked_at bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
AS $$ SELECT t.tenant, t.id, t.name, t.scopes, t.project, t.author, t.created_at, t.expires_at, t.used_at,
    t.revoked_at FROM access_token AS t
  WHERE t.digest = asked AND (t.made_by IS NULL OR may_make(t.made_by, t.tenant, t.scopes)) $$

-- migration: tenants
-- Administrators of tenants measure them with functions of the owner. These two policies let the owner read all rows.
CREATE POLICY counting ON project FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY counting ON index_size FOR SELECT TO CURRENT_USER USING (true);

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE FUNCTION tenant_sizes()
RETURNS TABLE (name text, projects bigint, memories bigint, bytes bigint, tokens bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  WITH held AS (SELECT p.tenant, p.number, coalesce(sum(s.documents) FILTER (WHERE s.part IN (0, 1)), 0) AS memories,
      coalesce(sum(s.tokens), 0) AS words FROM project AS p LEFT JOIN index_size AS s ON s.project = p.number
    GROUP BY p.tenant, p.number),
  room AS (SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class AS c
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace),
  counted AS (SELECT h.tenant, count(*) AS projects, sum(h.memories) AS memories,
      sum(h.words) / nullif(sum(sum(h.words)) OVER (), 0) AS share FROM held AS h GROUP BY h.tenant),
  known AS (SELECT t.tenant, count(*) AS tokens FROM access_token AS t GROUP BY t.tenant)
  SELECT tenant, coalesce(c.projects, 0), coalesce(c.memories, 0)::bigint, coalesce(r.bytes * c.share, 0)::bigint,
    coalesce(k.tokens, 0)
  FROM counted AS c FULL JOIN known AS k USING (tenant) CROSS JOIN room AS r
  WHERE may_make(session_user, '', '{memory:admin}') ORDER BY tenant COLLATE "C" $$;

CREATE FUNCTION delete_tenant(gone text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  here text := current_setting('lamella.tenant');
  numbers bigint[];
  held record;
BEGIN
  IF NOT may_make(session_user, gone, '{memory:admin}') THEN
    RAISE insufficient_privilege;
  END IF;
  PERFORM note_access(here, 'tenant deleted', gone);
  PERFORM set_config('lamella.tenant', gone, true);
  numbers := ARRAY(SELECT p.number FROM project AS p WHERE p.tenant = gone);
  -- Projects first: whoever saves into one waits, and finds it gone.
  FOR held IN SELECT c.oid::regclass AS place, EXISTS (SELECT FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attname = 'project' AND a.atttypid = 'bigint'::regtype) AS numbered
    FROM pg_class AS c JOIN pg_attribute AS t ON t.attrelid = c.oid AND t.attname = 'tenant'
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname <> 'project'
  LOOP
    EXECUTE format('DELETE FROM %s WHERE %s', held.place,
      CASE WHEN held.numbered THEN 'project = ANY ($2)' ELSE 'tenant = $1' END) USING gone, numbers;
  END LOOP;
  PERFORM set_config('lamella.tenant', here, true);
END $$;
REVOKE EXECUTE ON FUNCTION tenant_sizes(), delete_tenant(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenant_sizes(), delete_tenant(text) TO lamella_app

-- migration: quotas
-- A tenant without a row has no quota. `saves` counts the memories added to a project on the day `saved_on`.
-- Transactions of a tenant read its own size; administrators of tenants read all sizes.
CREATE TABLE quota ({tenant}, memories bigint, bytes bigint, saves bigint, calls bigint, PRIMARY KEY (tenant));
ALTER TABLE quota ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON quota USING (tenant = current_setting('lamella.tenant', true));
CREATE POLICY counting ON quota FOR SELECT TO CURRENT_USER USING (true);
CREATE POLICY makers ON quota AS RESTRICTIVE USING (true) WITH CHECK (may_make(session_user, tenant, '{memory:admin}'));
GRANT SELECT, INSERT, UPDATE ON quota TO lamella_app;
ALTER TABLE project ADD COLUMN saved_on date, ADD COLUMN saves bigint NOT NULL DEFAULT 0;

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
CREATE FUNCTION today() RETURNS date LANGUAGE sql STABLE AS $$ SELECT (now() AT TIME ZONE 'UTC')::date $$;
DROP FUNCTION tenant_sizes();
CREATE FUNCTION tenant_sizes(own text DEFAULT NULL)
RETURNS TABLE (name text, projects bigint, memories bigint, bytes bigint, tokens bigint, saves bigint, quota bigint[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY WITH held AS (SELECT p.tenant, CASE p.saved_on WHEN today() THEN p.saves ELSE 0 END AS saves,
      sum(s.documents) FILTER (WHERE s.part IN (0, 1)) AS memories, sum(s.tokens) AS words
    FROM project AS p LEFT JOIN index_size AS s ON s.project = p.number WHERE own IS NULL OR p.tenant = own
    GROUP BY p.number),
  counted AS (SELECT h.tenant, count(*) AS projects, sum(h.memories) AS memories, sum(h.saves) AS saves,
      sum(h.words) AS words FROM held AS h GROUP BY h.tenant),
  known AS (SELECT t.tenant, count(*) AS tokens FROM access_token AS t WHERE own IS NULL OR t.tenant = own
    GROUP BY t.tenant)
  SELECT tenant, coalesce(c.projects, 0), coalesce(c.memories, 0)::bigint, CASE WHEN own IS NULL OR q.bytes >= 0
      THEN coalesce(c.words / nullif((SELECT sum(s.tokens) FROM index_size AS s), 0) * (
        SELECT sum(pg_total_relation_size(r.oid)) FROM pg_class AS r
        WHERE r.relkind = 'r' AND r.relnamespace = current_schema()::regnamespace), 0)::bigint ELSE 0 END,
    coalesce(k.tokens, 0), coalesce(c.saves, 0)::bigint, ARRAY[q.memories, q.bytes, q.saves, q.calls]
  FROM counted AS c FULL JOIN known AS k USING (tenant) FULL JOIN quota AS q USING (tenant)
  WHERE CASE WHEN own IS NULL THEN may_make(session_user, '', '{memory:admin}') ELSE tenant = own END
  ORDER BY tenant COLLATE "C";
END $$;
REVOKE EXECUTE ON FUNCTION tenant_sizes(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenant_sizes(text) TO lamella_app
