-- Ends the work of a disconnected account. What waits is cancelled, what may have been published becomes unknown, and
-- what runs is asked to end. Returns how many submissions and orders have ended.
CREATE OR REPLACE FUNCTION end_disconnected(p_connection uuid) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    PERFORM FROM lanes WHERE connection_id = p_connection FOR NO KEY UPDATE;
    WITH asked AS (
        UPDATE jobs SET cancel_at = now()
         WHERE connection_id = p_connection AND state = 'running' AND cancel_at IS NULL
        RETURNING submission_id
    )
    SELECT count(pg_notify('pics_cancel', submission_id::text)) INTO v_count FROM asked;
    WITH ended AS (
        DELETE FROM jobs WHERE connection_id = p_connection AND state = 'ready'
        RETURNING submission_id, kind, effect,
                  CASE WHEN kind <> 'submit' THEN make_problem('account_disconnected', 'edit')
                       WHEN effect = 'armed' THEN make_problem('outcome_unknown', 'disconnected')
                       ELSE make_problem('account_disconnected', 'publish') END AS problem
    ), shown AS (
        UPDATE submissions s
           SET state = CASE WHEN e.kind <> 'submit' THEN s.state::text
                            WHEN e.effect = 'armed' THEN 'unknown' ELSE 'cancelled' END::submission_state,
               problem = e.problem ->> 'text', coded_problem = e.problem,
               updated_at = now()
          FROM ended e WHERE s.id = e.submission_id
        RETURNING e.kind
    )
    SELECT count(*) INTO v_count FROM shown WHERE kind = 'submit';
    v_count := v_count + end_print_orders(p_connection, NULL, NULL, true);
    RETURN v_count;
END $$;
