-- statement: state
-- Numbers that rise with every change of a memory or message.
SELECT (SELECT changes FROM statistics), (SELECT changes FROM message_statistics),
  (SELECT coalesce(sum(seq), 0) FROM sqlite_sequence), (SELECT moved_to FROM project), (SELECT name FROM project)

-- statement: held
SELECT (SELECT count(*) FROM observation), (SELECT count(*) FROM message)

-- statement: held_before_messages
SELECT count(*), 0 FROM observation
