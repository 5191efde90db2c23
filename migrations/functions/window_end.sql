-- When a used-up window ends; null: there is room.
CREATE OR REPLACE FUNCTION window_end(p_cap int, p_window interval, p_start timestamptz, p_used int) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_used >= p_cap AND p_start + p_window > now() THEN p_start + p_window END
$$;
