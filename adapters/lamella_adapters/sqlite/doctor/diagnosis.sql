-- statement: pages
SELECT CASE
    WHEN name = 'observation' THEN 'memories'
    WHEN name IN ('code_change', 'changed_lines', 'told_removal', 'capture') THEN 'edits'
    WHEN name IN ('message', 'session_name', 'summary', 'transcript_position') THEN 'conversations'
    WHEN name IN ('vector', 'code_block', 'unembedded') THEN 'vectors'
    WHEN name GLOB 'search_*' OR name GLOB 'observation_*' OR name GLOB 'code_change_*' OR name GLOB 'message_*'
      OR name GLOB 'sqlite_autoindex_*' OR name GLOB 'activity_*' THEN 'indexes'
    ELSE 'other'
  END AS kind, sum(pgsize)
FROM dbstat WHERE aggregate = TRUE GROUP BY kind

-- statement: free
SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size

-- statement: texts
SELECT coalesce(sum(bytes) FILTER (WHERE kind = 'change' AND source IN ('edit', 'command')), 0),
  coalesce(sum(bytes), 1)
FROM (SELECT kind, source, octet_length(content) + octet_length(sub) AS bytes FROM observation)
