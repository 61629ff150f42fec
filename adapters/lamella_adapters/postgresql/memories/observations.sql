-- statement: rows
SELECT {columns}, o.request, o.revision FROM observation AS o
WHERE o.project = here() AND {condition}

-- statement: lines
SELECT c.seq, c.place, c.came, c.went FROM (
  SELECT o.seq, o.changes FROM observation AS o WHERE o.project = here() AND {condition}
) AS o JOIN code_change AS c ON c.project = here() AND c.seq = o.seq
WHERE o.changes -> c.place ->> 'hunks' = '' AND (c.came <> '' OR c.went <> '')
