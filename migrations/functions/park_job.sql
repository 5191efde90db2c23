-- Gives a running job back whose credentials were refused, and parks its account, unless its credentials were replaced
-- since the try began. Returns the submission's state; null: the lease was lost, and nothing is changed.
CREATE OR REPLACE FUNCTION park_job(
    p_job bigint, p_lease_no int, p_effect job_effect, p_outcome text, p_http_status int, p_problem text, p_detail text
) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_job jobs; v_state submission_state;
BEGIN
    SELECT * INTO v_job FROM jobs WHERE id = p_job;
    PERFORM FROM connections WHERE id = v_job.connection_id FOR NO KEY UPDATE;
    v_state := release_job(
        p_job, p_lease_no, NULL, false, p_effect, NULL, NULL, NULL, p_outcome, p_http_status, p_problem, p_detail);
    IF v_state IS NULL THEN RETURN NULL; END IF;
    IF EXISTS (SELECT FROM lanes WHERE connection_id = v_job.connection_id AND connected_at <= v_job.started_at) THEN
        PERFORM park_account(v_job.connection_id, p_problem);
    END IF;
    RETURN (SELECT state FROM submissions WHERE id = v_job.submission_id);
END $$;
