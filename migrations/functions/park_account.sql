-- The owner has to sign in again: the lane sleeps, its waiting submissions say so.
CREATE OR REPLACE FUNCTION park_account(p_connection uuid, p_problem text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections SET state = 'needs_login', problem = p_problem WHERE id = p_connection AND state <> 'disabled';
    UPDATE lanes SET paused = true, wake_at = 'infinity' WHERE connection_id = p_connection;
    UPDATE submissions SET state = waiting_state(p_connection), problem = p_problem, updated_at = now()
     WHERE connection_id = p_connection AND state IN ('waiting', 'paused');
END $$;
