-- A try came to grief by the service's fault. The caller holds the lane, and no job. Opens breakers.
CREATE OR REPLACE FUNCTION note_trouble(p_connection uuid, p_problem text, p_pause interval) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_failures int; v_gate text;
BEGIN
    UPDATE lanes
       SET failures = failures + 1,
           blocked_until = CASE WHEN failures + 1 >= breaker_threshold()
                                THEN greatest(blocked_until, now() + breaker_pause(p_pause, failures + 1))
                                ELSE blocked_until END
     WHERE connection_id = p_connection RETURNING failures, gate INTO v_failures, v_gate;
    -- One account counts once, and again when it was the one that tried whether the service is back. A gate never opens
    -- earlier than its lanes were told.
    UPDATE gates
       SET failures = failures + 1, problem = read_problem(p_problem) ->> 'text',
           coded_problem = read_problem(p_problem),
           open_until = CASE WHEN failures + 1 >= breaker_threshold()
                             THEN greatest(now() + breaker_pause(p_pause, failures + 1), probe_until)
                             ELSE open_until END
     WHERE name = v_gate AND (v_failures = breaker_threshold() OR failures >= breaker_threshold());
END $$;
