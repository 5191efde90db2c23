-- What a submission is called whose job waits.
CREATE OR REPLACE FUNCTION waiting_state(p_connection uuid) RETURNS submission_state LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN state IN ('needs_login', 'paused') THEN state::text ELSE 'waiting' END::submission_state
      FROM connections WHERE id = p_connection
$$;
