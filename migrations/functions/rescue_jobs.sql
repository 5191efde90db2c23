-- Gives back the jobs of workers that died. Any process calls it every few seconds. A job keeps its place in the lane.
CREATE OR REPLACE FUNCTION rescue_jobs(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[]; v_job jobs; v_count int := 0; v_problem jsonb := make_problem('interrupted');
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes
             WHERE connection_id IN (SELECT connection_id FROM jobs
                                      WHERE state = 'running' AND lease_until < now() LIMIT p_limit)
             ORDER BY connection_id FOR NO KEY UPDATE SKIP LOCKED) k;
    FOR v_job IN
        UPDATE jobs j
           SET state = 'ready', priority = -1, attempt = j.attempt + 1, lease_no = j.lease_no + 1,
               lease_until = NULL, slot = NULL, worker = NULL
          FROM (SELECT id FROM jobs WHERE connection_id = ANY (v_lanes) AND state = 'running' AND lease_until < now()
                   FOR NO KEY UPDATE SKIP LOCKED) lapsed -- a locked one is just showing that it lives
         WHERE j.id = lapsed.id
        RETURNING j.*
    LOOP
        v_count := v_count + 1;
        PERFORM settle_job(v_job, v_problem::text);
        INSERT INTO attempts (submission_id, started_at, outcome, problem, coded_problem)
        VALUES (v_job.submission_id, v_job.started_at, 'lease_lapsed', v_problem ->> 'text', v_problem);
    END LOOP;
    PERFORM wake_lanes(v_lanes);
    RETURN v_count;
END $$;
