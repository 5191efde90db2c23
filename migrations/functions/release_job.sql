-- Gives a running job back, due again after p_delay; null leaves it its place in the lane. It goes before what has not
-- been begun. p_counts: the try counts against max_attempts. p_effect: what is known of the publishing request now.
-- p_block holds the whole lane back, p_block_gate all lanes of its gate. p_trouble: the service failed, which breakers
-- count; how long the first pause is.
-- p_problem: as `read_problem` takes it. Returns the submission's state; null: the lease was lost, and nothing is changed.
CREATE OR REPLACE FUNCTION release_job(
    p_job bigint, p_lease_no int, p_delay interval, p_counts boolean, p_effect job_effect, p_block interval,
    p_block_gate interval, p_trouble interval, p_outcome text, p_http_status int, p_problem text, p_detail text
) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_job jobs; v_state submission_state; v_problem jsonb := read_problem(p_problem);
BEGIN
    SELECT connection_id INTO v_connection FROM jobs WHERE id = p_job;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    IF NOT EXISTS (SELECT FROM jobs WHERE id = p_job AND lease_no = p_lease_no AND state = 'running') THEN
        RETURN NULL;
    END IF;
    UPDATE lanes SET blocked_until = greatest(blocked_until, now() + p_block)
     WHERE connection_id = v_connection AND p_block IS NOT NULL;
    UPDATE gates
       SET blocked_until = greatest(blocked_until, now() + p_block_gate), problem = v_problem ->> 'text',
           coded_problem = v_problem
     WHERE p_block_gate IS NOT NULL AND name = (SELECT gate FROM lanes WHERE connection_id = v_connection);
    IF p_trouble IS NOT NULL THEN PERFORM note_trouble(v_connection, p_problem, p_trouble); END IF;
    UPDATE jobs
       SET state = 'ready', priority = -1, run_at = coalesce(now() + p_delay, run_at), lease_no = lease_no + 1, lease_until = NULL,
           slot = NULL, worker = NULL, attempt = attempt + p_counts::int, effect = p_effect
     WHERE id = p_job RETURNING * INTO v_job;
    v_state := settle_job(v_job, p_problem);
    IF p_outcome IS NOT NULL THEN
        INSERT INTO attempts (submission_id, started_at, outcome, http_status, problem, coded_problem, detail)
        VALUES (v_job.submission_id, v_job.started_at, p_outcome, p_http_status, v_problem ->> 'text', v_problem, p_detail);
    END IF;
    PERFORM wake_lanes(ARRAY[v_connection]);
    RETURN v_state;
END $$;
