-- Old tries go, in bounded steps. Returns how many went.
CREATE OR REPLACE FUNCTION prune_attempts(p_age interval, p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    DELETE FROM attempts
     WHERE (submission_id, id) IN (
               SELECT a.submission_id, a.id FROM attempts a
                WHERE a.ended_at < now() - p_age
                  -- What is still open keeps its history.
                  AND NOT EXISTS (SELECT FROM jobs j WHERE j.submission_id = a.submission_id)
                ORDER BY a.ended_at LIMIT p_limit);
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
