-- A net, once a minute: no lane with work may sleep for ever. Answers 0 as long as the order of locks is kept.
CREATE OR REPLACE FUNCTION sweep_lanes() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[]; v_count int;
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes l
             WHERE wake_at > now() AND NOT paused
               AND EXISTS (SELECT FROM jobs j WHERE j.connection_id = l.connection_id AND j.state = 'ready')
             ORDER BY connection_id FOR NO KEY UPDATE SKIP LOCKED) k;
    UPDATE lanes SET wake_at = a.due_at
      FROM lane_alarms(v_lanes) a
     -- Others may have woken it since this transaction began: now() is not late enough.
     WHERE lanes.connection_id = a.connection_id AND lanes.wake_at > greatest(a.due_at, clock_timestamp());
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
