-- Asks for the removal of a post that is published; the photo stays. Returns the submission's state; null: there is none.
CREATE OR REPLACE FUNCTION delete_post(p_submission uuid, p_max_attempts int, p_max_age interval)
RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    IF v_state = 'done' THEN
        PERFORM enqueue_changes(ARRAY[p_submission], 'delete', p_max_attempts, p_max_age);
    END IF;
    RETURN v_state;
END $$;
