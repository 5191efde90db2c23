-- A person has looked what became of an unknown submission: published, with the identifier that they give, or not.
-- Returns false when there was nothing to resolve.
CREATE OR REPLACE FUNCTION resolve_submission(p_submission uuid, p_remote_id text, p_remote_url text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE v_connection uuid;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    UPDATE submissions
       SET state = 'done', remote_id = p_remote_id, remote_url = p_remote_url, problem = NULL, coded_problem = NULL,
           bytes_sent = bytes_total, updated_at = now()
     WHERE id = p_submission AND state = 'unknown';
    RETURN FOUND;
END $$;
