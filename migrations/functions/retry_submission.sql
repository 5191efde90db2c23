-- Starts a submission anew that has ended without being done; one that waits becomes due now, scheduled or not, and its
-- account is held back no longer. Returns its state after the call; null: there is none.
CREATE OR REPLACE FUNCTION retry_submission(p_submission uuid, p_max_attempts int, p_max_age interval)
RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    UPDATE submissions s
       SET state = waiting_state(v_connection), problem = NULL, coded_problem = NULL, attempts = 0,
           bytes_sent = 0, scheduled_at = NULL, edit = NULL,
           updated_at = now()
      FROM photos p
     WHERE s.id = p_submission AND s.state IN ('rejected', 'cancelled', 'unknown')
       AND p.id = s.photo_id AND p.deleted_at IS NULL;
    IF FOUND THEN
        INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
        VALUES (v_connection, p_submission, p_max_attempts, now() + p_max_age);
    ELSE
        UPDATE jobs SET run_at = least(run_at, now()), priority = least(priority, 0)
         WHERE submission_id = p_submission AND state = 'ready' AND (run_at > now() OR priority > 0);
        IF FOUND THEN
            UPDATE submissions SET scheduled_at = NULL, updated_at = now() WHERE id = p_submission;
        END IF;
    END IF;
    -- A breaker stays as it is: one job is tried, and trouble closes the lane again for as long as it would have.
    UPDATE lanes SET blocked_until = '-infinity'
     WHERE connection_id = v_connection AND blocked_until > now()
       AND EXISTS (SELECT FROM jobs WHERE submission_id = p_submission AND state = 'ready');
    PERFORM wake_lanes(ARRAY[v_connection]);
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    RETURN v_state;
END $$;
