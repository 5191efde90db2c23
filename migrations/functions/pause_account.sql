-- The owner holds an account's work back, or lets it go on. Returns the account's state; null: there is no such account.
CREATE OR REPLACE FUNCTION pause_account(p_connection uuid, p_owner uuid, p_paused boolean) RETURNS connection_state
LANGUAGE plpgsql AS $$
DECLARE v_state connection_state; v_problem jsonb;
BEGIN
    SELECT state INTO v_state FROM connections WHERE id = p_connection AND owner_id = p_owner FOR NO KEY UPDATE;
    IF v_state IS NULL OR v_state = 'disabled' THEN RETURN v_state; END IF;
    IF p_paused = (v_state = 'paused') OR NOT p_paused AND v_state = 'needs_login' THEN RETURN v_state; END IF;
    v_state := CASE WHEN p_paused THEN 'paused' ELSE 'ok' END;
    v_problem := CASE WHEN p_paused THEN make_problem('account_paused') END;
    UPDATE connections SET state = v_state, problem = v_problem ->> 'text', coded_problem = v_problem
     WHERE id = p_connection;
    PERFORM FROM lanes WHERE connection_id = p_connection FOR NO KEY UPDATE;
    UPDATE lanes SET paused = p_paused, wake_at = 'infinity' WHERE connection_id = p_connection;
    UPDATE submissions
       SET state = waiting_state(p_connection), problem = v_problem ->> 'text', coded_problem = v_problem, updated_at = now()
     WHERE connection_id = p_connection AND state IN ('waiting', 'paused', 'needs_login');
    PERFORM wake_lanes(ARRAY[p_connection]);
    RETURN v_state;
END $$;
