-- statement: tables
SELECT name, type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~', wr FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name

-- statement: columns
SELECT name, type, "notnull", dflt_value IS NOT NULL OR NOT "notnull", pk > 0
FROM pragma_table_xinfo(?) ORDER BY cid

-- statement: indexes
SELECT name, origin = 'pk' FROM pragma_index_list(?)

-- statement: entries
SELECT cid FROM pragma_index_xinfo(?) ORDER BY seqno
