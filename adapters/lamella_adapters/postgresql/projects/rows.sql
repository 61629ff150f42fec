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
