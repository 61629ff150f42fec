-- statement: since
 AND o.moment >= %(since)s

-- statement: until
 AND o.moment < %(until)s

-- statement: session
 AND o.session = %(session)s

-- statement: kind
 AND o.kind = %(kind)s

-- statement: source
 AND o.source = %(source)s

-- statement: author
 AND o.author = %(author)s

-- statement: branch
 AND o.branch = %(branch)s

-- statement: only_purged
 AND o.purged_at IS NOT NULL AND %(only_purged)s

-- statement: replaced_by
 AND o.replaced_by = %(replaced_by)s::uuid

-- statement: metadata
 AND o.metadata @> %(metadata)s

-- statement: ids
 AND o.id = ANY(%(ids)s::uuid[])

-- statement: any_path
 AND jsonb_array_length(o.changes) > 0 AND %(any_path)s

-- statement: path
 AND o.seq IN (
  SELECT c.seq FROM code_change AS c WHERE c.project = here()
    AND c.path_key = ANY(%(path_keys)s::text[]) AND c.path = ANY(%(paths)s::text[])
  UNION ALL SELECT c.seq FROM code_change AS c WHERE c.project = here()
    AND c.path_key BETWEEN %(below_key)s AND %(below_key)s || U&'\+10FFFF' AND starts_with(c.path, %(path)s))
