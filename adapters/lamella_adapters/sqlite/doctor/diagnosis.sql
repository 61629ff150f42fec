-- statement: pages
SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE

-- statement: free
SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size

-- statement: texts
SELECT coalesce(sum(bytes) FILTER (WHERE kind = 'change' AND source IN ('edit', 'command')), 0),
  coalesce(sum(bytes), 1)
FROM (SELECT kind, source, octet_length(content) + octet_length(sub) AS bytes FROM observation)
