-- Extends the leases of a worker's jobs in one statement. A job that does not come back has lost its lease.
CREATE OR REPLACE FUNCTION beat_jobs(p_jobs bigint[], p_lease_nos int[], p_lease interval)
RETURNS TABLE (id bigint, is_cancelled boolean) LANGUAGE sql AS $$
    UPDATE jobs j SET lease_until = now() + p_lease
      FROM (SELECT r.id FROM jobs r JOIN unnest(p_jobs, p_lease_nos) AS held(id, lease_no) ON held.id = r.id
             WHERE r.id = ANY (p_jobs) AND r.lease_no = held.lease_no AND r.state = 'running'
             ORDER BY r.id FOR NO KEY UPDATE OF r) mine
     WHERE j.id = ANY (p_jobs) AND j.id = mine.id
    RETURNING j.id, j.cancel_at IS NOT NULL
$$;
