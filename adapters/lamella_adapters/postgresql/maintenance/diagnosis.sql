-- statement: server
SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,
  (SELECT count(*) FROM project AS p WHERE NOT EXISTS (
    SELECT 1 FROM alias AS a WHERE a.project = p.id
      AND (a.alias = %(everywhere)s OR right(a.alias, length(%(everywhere)s) + 1) = ':' || %(everywhere)s))),
  (SELECT number FROM version)

-- statement: connections
SELECT (SELECT sum(numbackends) FROM pg_stat_database)::int, current_setting('max_connections')::int,
  inet_server_addr() IS NULL OR inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1',
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
  extract(epoch FROM clock_timestamp())::float8

-- statement: role
SELECT r.rolsuper OR r.rolbypassrls,
  ARRAY(SELECT c.relname::text FROM pg_class AS c
    WHERE c.relowner = r.oid AND c.relnamespace = current_schema()::regnamespace),
  s.rolsuper OR s.rolbypassrls
FROM pg_roles AS r, pg_roles AS s WHERE r.rolname = %(role)s AND s.rolname = session_user

-- statement: settings
-- Settings that make saves expensive, each with its value and a better one. Many dead rows are a sign of a slow
-- autovacuum.
SELECT s.name, current_setting(s.name), s.better FROM (VALUES
  ('autovacuum', 'on', current_setting('autovacuum') = 'off'),
  ('wal_compression', (SELECT CASE WHEN 'lz4' = ANY(enumvals) THEN 'lz4' ELSE 'pglz' END FROM pg_settings WHERE name = 'wal_compression'),
    current_setting('wal_compression') = 'off'),
  ('max_wal_size', '4GB', pg_size_bytes(current_setting('max_wal_size')) < pg_size_bytes('4GB')),
  ('checkpoint_timeout', '15min', current_setting('checkpoint_timeout')::interval < '15min')
) AS s (name, better, dear) WHERE s.dear
UNION ALL
SELECT 'autovacuum_vacuum_scale_factor', current_setting('autovacuum_vacuum_scale_factor') || ' for ' || t.relname, '0.02'
FROM pg_stat_user_tables AS t
WHERE t.schemaname = current_schema() AND t.n_dead_tup > 10000 AND t.n_dead_tup > t.n_live_tup / 2

-- statement: unsecured
-- A function of the table's owner finds tokens without row-level security: see `schema.sql`.
SELECT t.name FROM unnest(%(tables)s::text[]) AS t (name)
LEFT JOIN pg_class AS c ON c.relname = t.name AND c.relnamespace = current_schema()::regnamespace
WHERE NOT coalesce(c.relrowsecurity AND (c.relforcerowsecurity OR t.name = 'access_token'), false)
  OR NOT EXISTS (SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid)

-- statement: unindexed
SELECT p.id FROM project AS p
WHERE (SELECT count(*) FROM observation AS o WHERE o.project = p.number)
  <> (SELECT count(*) FROM document AS d WHERE d.project = p.number AND d.part IN (0, 1))
  OR EXISTS (
    SELECT 1 FROM index_size AS s WHERE s.project = p.number AND s.documents
      <> (SELECT count(*) FROM document AS d WHERE d.project = p.number AND d.part = s.part))
ORDER BY p.id

-- statement: ungranted
-- Checks `FIRST_TABLES` only: on access tokens, the role has fewer rights, because it never deletes a token.
SELECT c.relname::text FROM pg_class AS c
WHERE c.relname = ANY (%(tables)s) AND c.relnamespace = current_schema()::regnamespace AND NOT (
  has_table_privilege(%(role)s, c.oid, 'SELECT') AND has_table_privilege(%(role)s, c.oid, 'INSERT')
  AND has_table_privilege(%(role)s, c.oid, 'UPDATE') AND has_table_privilege(%(role)s, c.oid, 'DELETE'))
ORDER BY 1

-- statement: unhelped
-- For each statement, the planner examines all indexes of the table, so their number is limited. An unfinished index
-- has to be dropped before a new one is created.
SELECT p.id, p.embedded, ARRAY[
  format('DROP INDEX IF EXISTS %%I.%%I', current_schema(), i.name),
  format('CREATE INDEX CONCURRENTLY %%1$I ON %%2$I.vector USING hnsw ((code::bit(%%3$s)) %%4$I.bit_hamming_ops)
    WHERE project = %%5$s AND length(code) = %%3$s', i.name, current_schema(), p.dimension, n.nspname, p.number)]
FROM project AS p, format('vector_near_%%s_%%s', p.number, p.dimension) AS i (name),
  pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
WHERE e.extname = 'vector' AND string_to_array(e.extversion, '.')::int[] >= '{0,8}' AND p.embedded >= %(indexed_from)s
  AND NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(i.name) AND indisvalid)
ORDER BY p.embedded DESC, p.id
LIMIT greatest(0, %(most)s - (SELECT count(*) FROM pg_index WHERE indrelid = 'vector'::regclass))
