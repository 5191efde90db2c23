-- Ends jobs whose work has come to its end. Returns those that were ended, with the lease that did it; one that is missing
-- had lost its lease. All arrays are as long as the first. A job that changes a post leaves its submission done. A
-- service that answers closes its breakers. p_problems: as `read_problem` takes them.
--
-- Each job is looked up by its key. PostgreSQL cannot know how long the arrays are nor how many jobs run, and else
-- compares every end with every running job: hence no `state = 'running'` that an index has, which the lease implies.
CREATE OR REPLACE FUNCTION finish_jobs(
    p_jobs bigint[], p_lease_nos int[], p_states text[], p_remote_ids text[], p_remote_urls text[], p_texts text[],
    p_outcomes text[], p_http_statuses int[], p_problems text[], p_details text[]
) RETURNS TABLE (id bigint, lease_no int) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE v_gates text[]; v_lanes uuid[]; v_good uuid[];
BEGIN
    IF EXISTS (SELECT FROM gates WHERE failures > 0) THEN
        SELECT array_agg(DISTINCT g.name) INTO v_gates
          FROM jobs j JOIN lanes l ON l.connection_id = j.connection_id JOIN gates g ON g.name = l.gate
         WHERE j.id = ANY (p_jobs) AND g.failures > 0;
    END IF;
    v_lanes := ARRAY(SELECT DISTINCT connection_id FROM jobs WHERE id = ANY (p_jobs));
    -- Behind a gate that may open here all lanes are held, since all may wake.
    IF v_gates IS NOT NULL THEN
        v_lanes := v_lanes || ARRAY(SELECT connection_id FROM lanes WHERE gate = ANY (v_gates));
    END IF;
    PERFORM FROM lanes WHERE connection_id = ANY (v_lanes) ORDER BY connection_id FOR NO KEY UPDATE;
    IF v_gates IS NOT NULL OR EXISTS (SELECT FROM lanes WHERE connection_id = ANY (v_lanes) AND failures > 0) THEN
        SELECT array_agg(DISTINCT j.connection_id) INTO v_good
          FROM unnest(p_jobs, p_lease_nos, p_states) AS d(id, lease_no, state)
          JOIN jobs j ON j.id = d.id AND j.lease_no = d.lease_no
         WHERE d.state IN ('done', 'deleted', 'rejected');
        UPDATE lanes SET failures = 0 WHERE connection_id = ANY (v_good) AND failures > 0;
    END IF;
    IF v_gates IS NOT NULL THEN
        UPDATE gates SET failures = 0, open_until = '-infinity', probe_until = '-infinity', problem = NULL,
               coded_problem = NULL
          FROM (SELECT name FROM gates
                 WHERE name = ANY (v_gates)
                   AND name IN (SELECT gate FROM lanes WHERE connection_id = ANY (v_good))
                 ORDER BY name FOR NO KEY UPDATE) k
         WHERE gates.name = k.name;
    END IF;
    RETURN QUERY
    WITH ended AS MATERIALIZED (
        SELECT d.id, d.lease_no, d.state, d.remote_id, d.remote_url, d.text, d.outcome, d.http_status, d.detail,
               read_problem(d.problem) AS problem
          FROM unnest(p_jobs, p_lease_nos, p_states, p_remote_ids, p_remote_urls, p_texts, p_outcomes,
                             p_http_statuses, p_problems, p_details)
            AS d(id, lease_no, state, remote_id, remote_url, text, outcome, http_status, problem, detail)
    ), gone AS (
        DELETE FROM jobs j USING ended d
         WHERE j.id = d.id AND j.lease_no = d.lease_no AND j.state::text = 'running'
        RETURNING j.id, j.lease_no, j.connection_id, j.submission_id, j.kind, j.attempt, j.started_at, j.follow_up,
                  j.max_attempts, d.state, d.remote_id, d.remote_url, d.text,
                  d.outcome, d.http_status, d.problem, d.detail
    ), shown AS (
        UPDATE submissions s
           SET state = gone.state::submission_state, remote_id = coalesce(gone.remote_id, s.remote_id),
               remote_url = coalesce(gone.remote_url, s.remote_url), text = coalesce(gone.text, s.text),
               attempts = CASE WHEN gone.kind = 'submit' THEN gone.attempt + 1 ELSE s.attempts END,
               problem = gone.problem ->> 'text', coded_problem = gone.problem, updated_at = now(),
               edit = CASE WHEN gone.kind = 'edit' AND gone.outcome = 'edited' AND gone.follow_up IS DISTINCT FROM 'edit'
                                AND s.edit = 'waiting' THEN 'done' ELSE s.edit END,
               bytes_sent = CASE WHEN gone.state = 'done' THEN s.bytes_total ELSE s.bytes_sent END
          FROM gone WHERE s.id = gone.submission_id
    ), logged AS (
        INSERT INTO attempts (submission_id, started_at, outcome, http_status, problem, coded_problem, detail)
        SELECT submission_id, started_at, outcome, http_status, problem ->> 'text', problem, detail FROM gone
    ), followed AS (
        INSERT INTO jobs (connection_id, submission_id, kind, max_attempts, expires_at)
        SELECT connection_id, submission_id, follow_up, max_attempts, now() + interval '3 days' FROM gone
         WHERE follow_up IS NOT NULL AND state = 'done'
    )
    SELECT gone.id, gone.lease_no FROM gone;
    PERFORM wake_lanes(v_lanes);
END $$;
