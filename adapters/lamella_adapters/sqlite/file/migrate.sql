-- statement: statements
-- Read as bytes, because an altered value may not be text.
SELECT CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema
WHERE sql IS NOT NULL AND (type IN ('index', 'trigger', 'view') OR sql LIKE 'CREATE VIRTUAL TABLE %')

-- statement: columns
SELECT CAST(tables.name AS BLOB), CAST(columns.name AS BLOB)
FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
WHERE tables.schema = 'main' AND tables.type = 'table'

-- statement: tables
SELECT CAST(name AS BLOB), CAST(type AS BLOB) FROM pragma_table_list
WHERE schema = 'main' AND type <> 'view' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'

-- statement: typed_columns
SELECT "table".name, "column".name, "column".type
FROM pragma_table_list AS "table", pragma_table_xinfo("table".name) AS "column"
WHERE "table".schema = 'main' AND "table".type <> 'shadow' AND "table".name NOT LIKE 'sqlite~_%' ESCAPE '~'
