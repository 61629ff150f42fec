-- statement: lock
-- Only one process of a tenant changes the registry at a time, so that an alias belongs to one project.
SELECT pg_advisory_xact_lock(hashtextextended(current_setting('lamella.tenant'), 0))

-- statement: make
INSERT INTO project (id, name, created_at, home) VALUES (%(id)s, %(name)s, %(created_at)s, %(id)s)
ON CONFLICT DO NOTHING

-- statement: lead_to
INSERT INTO alias (alias, project) SELECT unnest(%(aliases)s::text[]), %(id)s ON CONFLICT DO NOTHING

-- statement: switch
UPDATE project SET off = %(off)s WHERE id = %(id)s

-- statement: numbers
SELECT id, number FROM project WHERE id = ANY(%(ids)s::text[]) ORDER BY id FOR UPDATE

-- statement: mark
UPDATE project SET moved_to = %(moved_to)s WHERE id = %(id)s

-- statement: settle
WITH RECURSIVE family AS (
  SELECT id, id AS home FROM project WHERE moved_to IS NULL
  UNION ALL SELECT p.id, f.home FROM project AS p JOIN family AS f ON p.moved_to = f.id
)
UPDATE project AS p SET home = f.home FROM family AS f WHERE f.id = p.id AND p.home <> f.home

-- statement: read
SELECT p.id, p.name, ARRAY(SELECT alias FROM alias AS a WHERE a.project = p.id ORDER BY alias), p.created_at,
  p.moved_to, p.off, p.home
FROM project AS p WHERE {condition} ORDER BY p.name, p.id

-- statement: these
-- Condition for the requested projects, and the projects that they were merged into.
p.id = ANY(
  SELECT unnest(ARRAY[asked.id, asked.home]) FROM project AS asked
  WHERE asked.id = ANY(%(ids)s::text[])
    OR asked.id IN (SELECT project FROM alias WHERE alias = ANY(%(aliases)s::text[]))
    OR asked.name = ANY(%(names)s::text[])
)

-- statement: families
-- Condition for all projects merged into the same project as a requested one.
p.home = ANY(
  SELECT asked.home FROM project AS asked
  WHERE asked.id = ANY(%(ids)s::text[])
    OR asked.id IN (SELECT project FROM alias WHERE alias = ANY(%(aliases)s::text[]))
    OR asked.name = ANY(%(names)s::text[])
)
