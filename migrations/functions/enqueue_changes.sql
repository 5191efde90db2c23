-- Queues a change of posts that are published, and of those that are being published once they are. A delete takes the
-- place of an edit. The caller holds the lanes.
CREATE OR REPLACE FUNCTION enqueue_changes(p_submissions uuid[], p_kind job_kind, p_max_attempts int, p_max_age interval)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET follow_up = p_kind
     WHERE submission_id = ANY (p_submissions) AND (state = 'running' OR effect = 'armed') AND kind <> 'delete'
       AND (follow_up IS NULL OR p_kind = 'delete');
    UPDATE jobs SET kind = p_kind, run_at = now(), attempt = 0
     WHERE submission_id = ANY (p_submissions) AND state = 'ready' AND kind = 'edit';
    INSERT INTO jobs (connection_id, submission_id, kind, max_attempts, expires_at)
    SELECT s.connection_id, s.id, p_kind, p_max_attempts, now() + p_max_age
      FROM submissions s
     WHERE s.id = ANY (p_submissions) AND s.state = 'done'
       AND NOT EXISTS (SELECT FROM jobs j WHERE j.submission_id = s.id)
     ORDER BY s.connection_id;
    UPDATE submissions SET problem = NULL, coded_problem = NULL, updated_at = now()
     WHERE id = ANY (p_submissions) AND state = 'done';
    PERFORM wake_lanes(ARRAY(SELECT DISTINCT connection_id FROM submissions WHERE id = ANY (p_submissions)));
END $$;
