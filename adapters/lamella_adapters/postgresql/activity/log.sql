-- statement: since
SELECT {fields} FROM activity WHERE project = here() AND at >= %(at)s ORDER BY at, name
