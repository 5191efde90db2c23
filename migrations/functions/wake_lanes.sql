-- Wakes lanes at the right moment. One that is awake keeps its place in the line; one that slept goes before those that
-- were only put back, so that who waits for one photo does not wait for everybody's backlog. The caller holds the lanes.
-- With the sleeping ones in a variable, since `lane_alarms` is planned with the rest then, and else anew at each call.
CREATE OR REPLACE FUNCTION wake_lanes(p_connections uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_asleep uuid[];
BEGIN
    v_asleep := ARRAY(SELECT connection_id FROM lanes WHERE connection_id = ANY (p_connections) AND wake_at > now());
    IF v_asleep = '{}' THEN RETURN; END IF;
    UPDATE lanes l SET wake_at = CASE WHEN a.due_at <= now() THEN now() - interval '10 s' ELSE a.due_at END
      FROM lane_alarms(v_asleep) a
     WHERE l.connection_id = a.connection_id AND l.wake_at > a.due_at;
END $$;
