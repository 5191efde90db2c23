-- Work that ran while its account was disconnected comes back, and old posts may be changed later: it ends here.
CREATE OR REPLACE FUNCTION sweep_disconnected() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    SELECT coalesce(sum(end_disconnected(d.id)), 0) INTO v_count
      FROM (SELECT c.id FROM connections c
             WHERE c.state = 'disabled'
               AND (EXISTS (SELECT FROM jobs j
                             WHERE j.connection_id = c.id AND (j.state = 'ready' OR j.cancel_at IS NULL))
                    OR EXISTS (SELECT FROM print_orders o WHERE o.connection_id = c.id AND o.due_at IS NOT NULL AND o.lease_until <= now()))
             ORDER BY c.id) d;
    RETURN v_count;
END $$;
