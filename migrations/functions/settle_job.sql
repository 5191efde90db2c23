-- Lets a job that was just given back wait again, or ends it: cancelled, or at the bound of its tries or its age.
-- A removal that was asked for behind a change comes in its place. Returns the submission's state. The caller holds the
-- lane.
CREATE OR REPLACE FUNCTION settle_job(p_job jobs, p_problem text) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_state submission_state; v_ends boolean; v_problem jsonb;
BEGIN
    v_ends := p_job.attempt >= p_job.max_attempts OR greatest(p_job.run_at, now()) > p_job.expires_at;
    v_state := CASE
        WHEN p_job.kind <> 'submit' THEN 'done'
        WHEN p_job.effect = 'none' AND p_job.cancel_at IS NOT NULL THEN 'cancelled'
        WHEN NOT v_ends THEN waiting_state(p_job.connection_id)::text
        WHEN p_job.effect = 'armed' THEN 'unknown'
        ELSE 'rejected' END;
    v_ends := v_state IN ('cancelled', 'unknown', 'rejected')
              OR p_job.kind <> 'submit' AND (v_ends OR p_job.cancel_at IS NOT NULL);
    IF v_ends THEN DELETE FROM jobs WHERE id = p_job.id; END IF;
    IF v_ends AND p_job.kind <> 'submit' AND p_job.follow_up = 'delete' THEN
        INSERT INTO jobs (connection_id, submission_id, kind, max_attempts, expires_at)
        VALUES (p_job.connection_id, p_job.submission_id, 'delete', p_job.max_attempts, now() + interval '3 days');
    END IF;
    SELECT coalesce(read_problem(p_problem), read_problem(problem, coded_problem)) INTO v_problem
      FROM submissions WHERE id = p_job.submission_id;
    v_problem := CASE
        WHEN NOT v_ends THEN v_problem
        WHEN p_job.cancel_at IS NOT NULL AND v_state <> 'unknown' THEN NULL
        WHEN p_job.kind <> 'submit' THEN make_problem('attempts_exhausted', p_job.kind::text, v_problem)
        WHEN v_state = 'unknown' THEN make_problem('outcome_unknown', 'attempts_exhausted', v_problem)
        ELSE make_problem('attempts_exhausted', 'publish', v_problem) END;
    UPDATE submissions
       SET state = v_state, attempts = CASE WHEN p_job.kind = 'submit' THEN p_job.attempt ELSE attempts END,
           updated_at = now(),
           problem = v_problem ->> 'text', coded_problem = v_problem
     WHERE id = p_job.submission_id;
    RETURN v_state;
END $$;
