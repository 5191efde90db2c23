-- Adds the jobs of submissions just inserted and wakes their lanes. Call it last: it holds the lanes until commit.
CREATE OR REPLACE FUNCTION enqueue_submissions(p_submissions uuid[], p_max_attempts int[], p_max_ages interval[])
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE v_lanes uuid[];
BEGIN
    v_lanes := ARRAY(SELECT DISTINCT connection_id FROM submissions WHERE id = ANY (p_submissions));
    PERFORM FROM lanes WHERE connection_id = ANY (v_lanes) ORDER BY connection_id FOR NO KEY UPDATE;
    INSERT INTO jobs (connection_id, submission_id, priority, run_at, max_attempts, expires_at)
    SELECT s.connection_id, s.id, (s.scheduled_at IS NOT NULL)::int, greatest(s.scheduled_at, now()), n.max_attempts,
           greatest(s.scheduled_at, now()) + n.max_age
      FROM unnest(p_submissions, p_max_attempts, p_max_ages) AS n(id, max_attempts, max_age)
      JOIN submissions s ON s.id = n.id
     ORDER BY s.connection_id;
    -- One to an account that is parked or paused says so from the start.
    IF EXISTS (SELECT FROM connections WHERE id = ANY (v_lanes) AND state IN ('needs_login', 'paused')) THEN
        UPDATE submissions s SET state = waiting_state(c.id), problem = c.problem, coded_problem = c.coded_problem
          FROM connections c
         WHERE s.id = ANY (p_submissions) AND c.id = s.connection_id AND c.state IN ('needs_login', 'paused');
    END IF;
    PERFORM wake_lanes(v_lanes);
END $$;
