-- The share of removed_bytes that still counts: all at once, nothing after a day.
CREATE OR REPLACE FUNCTION recently_removed(bytes bigint, moment timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN moment <= now() - interval '1 day' THEN 0
                ELSE (bytes * least(1, 1 - extract(epoch FROM now() - moment) / 86400))::bigint END
$$;
