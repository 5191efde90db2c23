-- When a claim could next find work in lanes; infinity: they are paused, full or empty. The caller holds the lanes.
CREATE OR REPLACE FUNCTION lane_alarms(p_connections uuid[]) RETURNS TABLE (connection_id uuid, due_at timestamptz)
LANGUAGE sql STABLE AS $$
    SELECT l.connection_id,
           CASE WHEN l.paused OR f.run_at IS NULL OR busy.jobs >= l.width THEN 'infinity'
                ELSE greatest(f.run_at, l.opens_at, g.opens_at, everything.opens_at, now()) END
      FROM lane_states l
      JOIN gate_states g ON g.name = l.gate
      JOIN gate_states everything ON everything.name = '*'
     CROSS JOIN LATERAL (SELECT count(*) AS jobs FROM jobs r
                          WHERE r.connection_id = l.connection_id AND r.state = 'running') busy
     CROSS JOIN LATERAL (SELECT least((SELECT r.run_at FROM jobs r
                                        WHERE r.connection_id = l.connection_id AND r.priority = -1
                                          AND r.state = 'ready' ORDER BY r.run_at LIMIT 1),
                                      (SELECT r.run_at FROM jobs r
                                        WHERE r.connection_id = l.connection_id AND r.priority = 0
                                          AND r.state = 'ready' ORDER BY r.run_at LIMIT 1),
                                      (SELECT r.run_at FROM jobs r
                                        WHERE r.connection_id = l.connection_id AND r.priority = 1
                                          AND r.state = 'ready' ORDER BY r.run_at LIMIT 1)) AS run_at
                          OFFSET 0) f                    -- not to be computed once for each mention
     WHERE l.connection_id = ANY (p_connections)
$$;
