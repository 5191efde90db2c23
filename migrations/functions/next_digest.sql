-- When a user gets the next digest: at eight in the morning by their clock, of the next day or the next Monday. Null where there is none.
CREATE OR REPLACE FUNCTION next_digest(p_user uuid, p_digest text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE p_digest
               WHEN 'daily' THEN (date_trunc('day', l.now - interval '8 hours') + interval '1 day 8 hours')
               WHEN 'weekly' THEN (date_trunc('week', l.now - interval '8 hours') + interval '7 days 8 hours')
           END AT TIME ZONE l.zone
      FROM (SELECT now() AT TIME ZONE u.time_zone AS now, u.time_zone AS zone FROM users u WHERE u.id = p_user) l
$$;
