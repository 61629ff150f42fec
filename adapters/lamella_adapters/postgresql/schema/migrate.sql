-- statement: secure
ALTER TABLE {0} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {0} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON {0} USING (tenant = current_setting('lamella.tenant', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON {0} TO lamella_app;

-- statement: make_role
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'lamella_app') THEN
    CREATE ROLE lamella_app NOLOGIN NOBYPASSRLS;
    -- Since PostgreSQL 16, the creator of a role can't SET ROLE to it without this grant.
    GRANT lamella_app TO CURRENT_USER;
  END IF;
END $$

-- statement: make_schema
CREATE SCHEMA IF NOT EXISTS {schema};
GRANT USAGE ON SCHEMA {schema} TO lamella_app;
SET LOCAL search_path TO {schema};
CREATE TABLE version (number int NOT NULL, oldest int NOT NULL);
ALTER TABLE version ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON version FOR SELECT USING (true);
GRANT SELECT ON version TO lamella_app;
INSERT INTO version VALUES (0, 0)
