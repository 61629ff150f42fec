-- statement: since
SELECT name, at, kind, session, about, tokens, memories FROM activity WHERE project = here() AND at >= %(at)s ORDER BY at, name
