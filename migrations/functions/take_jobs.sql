-- Hands out up to p_limit due jobs of the lanes that have waited longest, at most one more of each of them before any
-- gives two. It holds at most p_limit lanes; of more than 64 only as many as may run 1.5 x p_limit jobs at once, those
-- that run already among them.
CREATE OR REPLACE FUNCTION take_jobs(p_worker text, p_limit int, p_lease interval)
RETURNS TABLE (
    id bigint, lease_no int, connection_id uuid, submission_id uuid, kind job_kind, attempt int, effect job_effect,
    journal jsonb, journal_version smallint
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE v_lanes uuid[];
BEGIN
    SELECT array_agg(s.connection_id) INTO v_lanes
      FROM (SELECT l.connection_id FROM lanes l
             WHERE l.wake_at <= now() AND l.wake_at < 'infinity'
             ORDER BY l.wake_at
             LIMIT least(p_limit, greatest(64, (
                       SELECT ceil(1.5 * p_limit / avg(a.width))
                         FROM (SELECT CASE WHEN n.gap > '0' THEN 1 ELSE least(n.max_running, p_limit) END AS width
                                 FROM lanes n
                                WHERE n.wake_at <= now() AND n.wake_at < 'infinity'
                                ORDER BY n.wake_at LIMIT p_limit) a)))
               FOR NO KEY UPDATE SKIP LOCKED) s;
    IF v_lanes IS NULL THEN RETURN; END IF;
    -- Only gates that count are held: those with a cap, and those that try whether their service is back.
    PERFORM FROM gates g
      WHERE (g.cap IS NOT NULL OR g.failures >= breaker_threshold())
        AND (g.name = '*' OR g.name IN (SELECT l.gate FROM lanes l WHERE l.connection_id = ANY (v_lanes)))
      ORDER BY g.name FOR NO KEY UPDATE;

    RETURN QUERY                                         -- a new statement: a snapshot taken after the locks
    WITH lane AS MATERIALIZED (
        SELECT l.connection_id, l.gap, l.gate, l.cap, l.cap_window, l.window_start, l.window_used, u.used, l.paused,
               greatest(l.width - cardinality(u.used), 0) AS slots, l.opens_at AS not_before,
               CASE WHEN l.max_running = 1 THEN '{0}'
                    ELSE ARRAY(SELECT g::smallint FROM generate_series(0, l.max_running - 1) g
                                WHERE g <> ALL (u.used) ORDER BY g) END AS open_slots
          FROM lane_states l
         CROSS JOIN LATERAL (SELECT coalesce(array_agg(r.slot), '{}') AS used FROM jobs r
                              WHERE r.connection_id = l.connection_id AND r.state = 'running') u
         WHERE l.connection_id = ANY (v_lanes)
    ), free AS MATERIALIZED (
        SELECT lane.*, greatest(g.opens_at, e.opens_at) AS opens_at, least(g.room, e.room) AS room, CASE
                   WHEN lane.paused OR greatest(lane.not_before, g.opens_at, e.opens_at) > now() THEN 0
                   WHEN lane.gap > '0' THEN least(lane.slots, 1)
                   ELSE least(lane.slots, CASE
                       WHEN lane.window_start + lane.cap_window <= now() THEN lane.cap
                       ELSE lane.cap - lane.window_used END) END AS free
          FROM lane JOIN gate_states g ON g.name = lane.gate JOIN gate_states e ON e.name = '*'
    ), candidate AS MATERIALIZED (                       -- up to free + 1 jobs of each lane: what was begun, then the oldest
        SELECT f.connection_id, f.gate, f.room, f.free, f.open_slots, c.id, c.priority, c.run_at,
               row_number() OVER (PARTITION BY f.connection_id
                                  ORDER BY (c.run_at > now()), c.priority, c.run_at, c.id)::int AS place
          FROM free f
         CROSS JOIN (VALUES (-1::smallint), (0::smallint), (1::smallint)) AS p(priority)
         CROSS JOIN LATERAL (SELECT r.id, r.priority, r.run_at FROM jobs r
                              WHERE r.connection_id = f.connection_id AND r.priority = p.priority
                                AND r.state = 'ready'
                              ORDER BY r.run_at, r.id LIMIT least(f.free, p_limit) + 1) c
    ), due AS MATERIALIZED (
        SELECT candidate.*,
               row_number() OVER (PARTITION BY candidate.gate
                                  ORDER BY candidate.place, greatest(candidate.priority, 0), candidate.run_at) AS gate_place
          FROM candidate WHERE candidate.place <= candidate.free AND candidate.run_at <= now()
    ), pick AS MATERIALIZED (
        SELECT due.* FROM due WHERE due.room IS NULL OR due.gate_place <= due.room
         ORDER BY due.place, greatest(due.priority, 0), due.run_at LIMIT p_limit -- -1 counts within its lane alone
    ), got AS (
        UPDATE jobs j
           SET state = 'running', lease_no = j.lease_no + 1, lease_until = now() + p_lease, worker = p_worker,
               slot = pick.open_slots[pick.place], started_at = now()
          FROM pick WHERE j.id = pick.id
        RETURNING j.id, j.lease_no, j.connection_id, j.submission_id, j.kind, j.attempt, j.effect, j.journal,
                  j.journal_version
    ), charged AS (
        UPDATE gates g
           SET window_start = CASE WHEN g.window_start + g.cap_window <= now() THEN now() ELSE g.window_start END,
               window_used = CASE WHEN g.window_start + g.cap_window <= now() THEN 0 ELSE g.window_used END + t.taken,
               probe_until = CASE WHEN g.failures >= breaker_threshold() THEN now() + p_lease ELSE g.probe_until END
          FROM (SELECT names.name, count(*)::int AS taken
                  FROM pick CROSS JOIN LATERAL (VALUES (pick.gate), ('*')) AS names(name) GROUP BY names.name) t
         WHERE g.name = t.name AND (g.cap IS NOT NULL OR g.failures >= breaker_threshold())
    ), outcome AS (
        SELECT free.*, coalesce(a.taken, 0) AS taken, a.next_at
          FROM free
          LEFT JOIN (SELECT candidate.connection_id, count(pick.id)::int AS taken,
                            min(candidate.run_at) FILTER (WHERE pick.id IS NULL) AS next_at
                       FROM candidate LEFT JOIN pick ON pick.id = candidate.id
                      GROUP BY candidate.connection_id) a ON a.connection_id = free.connection_id
    ), woken AS (
        UPDATE lanes SET
               started_at = CASE WHEN o.taken > 0 THEN now() ELSE lanes.started_at END,
               window_start = CASE WHEN o.taken > 0 AND o.window_start + o.cap_window <= now() THEN now()
                                   ELSE o.window_start END,
               window_used = CASE WHEN o.cap IS NULL OR o.taken = 0 THEN o.window_used
                                  WHEN o.window_start + o.cap_window <= now() THEN o.taken
                                  ELSE o.window_used + o.taken END,
               wake_at = CASE
                   WHEN o.paused OR o.next_at IS NULL THEN 'infinity'          -- resuming or an enqueue wakes it
                   WHEN o.taken >= o.slots THEN 'infinity'                     -- the next completion wakes it
                   ELSE greatest(o.next_at, o.not_before, o.opens_at, now(),   -- due already: back of the line
                                 CASE WHEN o.gap > '0' AND o.taken > 0 THEN now() + o.gap END) END
          FROM outcome o WHERE lanes.connection_id = o.connection_id
    )
    SELECT got.id, got.lease_no, got.connection_id, got.submission_id, got.kind, got.attempt, got.effect, got.journal,
           got.journal_version
      FROM got;
END $$;
