-- statement: since
 AND o.at >= %(since)s

-- statement: until
 AND o.at < %(until)s

-- statement: session
 AND o.session = %(session)s

-- statement: recency
(1.0 / (1.0 + {discount} * (greatest(0, %(now)s - o.at)::float8 / {year})))
