-- The operator holds all work of a gate back, or lets it go on: of a service, of one server, or with `*` all there is.
-- What goes on does so at once: breakers close, and limits that were told are forgotten. `*` leaves the limits of
-- single accounts and services. False: there is no such gate.
CREATE OR REPLACE FUNCTION pause_gate(p_gate text, p_paused boolean, p_reason text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE v_gates text[]; v_lanes uuid[];
BEGIN
    v_gates := ARRAY(SELECT name FROM gates WHERE name = p_gate OR split_part(name, ' ', 1) = p_gate);
    IF v_gates = '{}' THEN RETURN false; END IF;
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes WHERE gate = ANY (v_gates) OR p_gate = '*'
             ORDER BY connection_id FOR NO KEY UPDATE) k;
    PERFORM FROM gates WHERE name = ANY (v_gates) OR p_gate = '*' ORDER BY name FOR NO KEY UPDATE;
    UPDATE gates SET paused = p_paused, reason = CASE WHEN p_paused THEN p_reason END WHERE name = ANY (v_gates);
    IF NOT p_paused THEN
        -- Who resumes wants to see what happens now.
        UPDATE gates
           SET failures = 0, open_until = '-infinity', probe_until = '-infinity',
               blocked_until = CASE WHEN p_gate = '*' THEN blocked_until ELSE '-infinity' END
         WHERE name = ANY (v_gates) OR p_gate = '*';
        UPDATE lanes SET failures = 0, blocked_until = '-infinity'
         WHERE connection_id = ANY (v_lanes) AND (failures >= breaker_threshold() OR p_gate <> '*');
    END IF;
    PERFORM wake_lanes(v_lanes);
    RETURN true;
END $$;
