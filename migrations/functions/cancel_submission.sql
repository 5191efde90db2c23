-- Asks for the end of a submission. Waiting: cancelled at once, unless it may have been published. Running: its worker
-- hears of it with the next heartbeat. Of a post that is there, a waiting edit goes and the post stays done; its removal
-- is never cancelled. Returns the state after the call; null when there is no such submission.
CREATE OR REPLACE FUNCTION cancel_submission(p_submission uuid) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    -- A removal that was asked for behind the edit comes at once.
    UPDATE jobs SET kind = 'delete', follow_up = NULL, run_at = now(), attempt = 0
     WHERE submission_id = p_submission AND state = 'ready' AND effect = 'none' AND kind = 'edit' AND follow_up = 'delete';
    DELETE FROM jobs WHERE submission_id = p_submission AND state = 'ready' AND effect = 'none' AND kind <> 'delete';
    IF FOUND THEN
        UPDATE submissions SET state = 'cancelled', problem = NULL, coded_problem = NULL, updated_at = now()
         WHERE id = p_submission AND state <> 'done';
    ELSE
        UPDATE jobs SET cancel_at = coalesce(cancel_at, now()) WHERE submission_id = p_submission AND kind <> 'delete';
        IF FOUND THEN PERFORM pg_notify('pics_cancel', p_submission::text); END IF;
    END IF;
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    RETURN v_state;
END $$;
