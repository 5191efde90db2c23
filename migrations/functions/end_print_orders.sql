-- Ends the orders of an account, a photo or a user that were not sent yet, and forgets whom they are for; how many. With p_with_open also those whose
-- answer is missing, where nobody works on them: what became of them is unknown. What is ordered stays ordered, and with p_with_open nobody follows it
-- any more.
CREATE OR REPLACE FUNCTION end_print_orders(
    p_connection uuid, p_photo uuid, p_owner uuid, p_with_open boolean
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    UPDATE print_orders
       SET state = CASE WHEN armed_at IS NULL THEN 'cancelled' ELSE 'unknown' END, state_at = now(), updated_at = now(), due_at = NULL,
           lease_no = lease_no + 1, lease_until = '-infinity', sealed = NULL,
           coded_problem = CASE WHEN p_connection IS NULL THEN coded_problem
                                WHEN armed_at IS NULL THEN make_problem('account_disconnected', 'publish')
                                ELSE make_problem('outcome_unknown', 'disconnected') END
     WHERE (connection_id = p_connection OR photo_id = p_photo OR owner_id = p_owner) AND state = 'waiting'
       AND (armed_at IS NULL OR p_with_open AND lease_until <= now());
    GET DIAGNOSTICS v_count = ROW_COUNT;
    IF p_with_open THEN
        UPDATE print_orders SET due_at = NULL, cancel_wanted = false, is_cancellable = false
         WHERE (connection_id = p_connection OR photo_id = p_photo OR owner_id = p_owner) AND due_at IS NOT NULL AND state <> 'waiting';
    END IF;
    RETURN v_count;
END $$;
