-- Moves the time of a submission that was not begun, or starts one that was refused or cancelled anew at that time; null: now.
-- False: it was begun, has ended otherwise, or its photo is gone. A photo that is to be published goes out with the first of its posts.
CREATE OR REPLACE FUNCTION reschedule_submission(
    p_submission uuid, p_at timestamptz, p_max_attempts int, p_max_age interval
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_at timestamptz := greatest(p_at, now()); v_job bigint;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    UPDATE jobs
       SET run_at = v_at, priority = (p_at IS NOT NULL)::int, expires_at = v_at + p_max_age
     WHERE submission_id = p_submission AND state = 'ready' AND effect = 'none' AND kind = 'submit' AND cancel_at IS NULL
    RETURNING id INTO v_job;
    IF v_job IS NULL THEN
        UPDATE submissions s SET state = waiting_state(v_connection), attempts = 0, bytes_sent = 0, problem = NULL,
               coded_problem = NULL
          FROM photos p
         WHERE s.id = p_submission AND s.state IN ('rejected', 'cancelled') AND p.id = s.photo_id AND p.deleted_at IS NULL;
        IF NOT FOUND THEN RETURN false; END IF;
        INSERT INTO jobs (connection_id, submission_id, priority, run_at, max_attempts, expires_at)
        VALUES (v_connection, p_submission, (p_at IS NOT NULL)::int, v_at, p_max_attempts, v_at + p_max_age);
    END IF;
    UPDATE submissions SET scheduled_at = p_at, updated_at = now() WHERE id = p_submission;
    UPDATE photos p
       SET publish_at = (SELECT min(coalesce(o.scheduled_at, now())) FROM submissions o
                          WHERE o.photo_id = p.id AND o.state IN ('waiting', 'paused', 'needs_login'))
      FROM submissions s
     WHERE s.id = p_submission AND p.id = s.photo_id AND p.publish_at IS NOT NULL;
    PERFORM wake_lanes(ARRAY[v_connection]);
    RETURN true;
END $$;
