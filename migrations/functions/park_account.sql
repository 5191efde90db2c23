-- The owner has to sign in again: the lane sleeps, its waiting submissions say so.
CREATE OR REPLACE FUNCTION park_account(p_connection uuid, p_problem text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_problem jsonb := read_problem(p_problem);
BEGIN
    UPDATE connections SET state = 'needs_login', problem = v_problem ->> 'text', coded_problem = v_problem
     WHERE id = p_connection AND state <> 'disabled';
    UPDATE lanes SET paused = true, wake_at = 'infinity' WHERE connection_id = p_connection;
    UPDATE submissions
       SET state = waiting_state(p_connection), problem = v_problem ->> 'text', coded_problem = v_problem, updated_at = now()
     WHERE connection_id = p_connection AND state IN ('waiting', 'paused');
END $$;
