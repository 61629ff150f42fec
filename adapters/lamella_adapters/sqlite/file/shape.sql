-- statement: columns
SELECT "table".name, "column".name, "column".type
FROM pragma_table_list AS "table", pragma_table_xinfo("table".name) AS "column"
WHERE "table".schema = 'main' AND "table".type <> 'shadow' AND "table".name NOT LIKE 'sqlite~_%' ESCAPE '~'
