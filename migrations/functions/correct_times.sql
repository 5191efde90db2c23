-- Corrects times in the future that only a clock that was ahead can have written; called now and then. What waits for such
-- a time is due now, and who is limited until such a time is asked again. Scheduled posts keep their time.
--
-- Rows of the past tell: an attempt ends, a job is created and begun, a lane begins a window, at a time that has been. A
-- minute is left for transactions that overlap. p_longest: no pause is longer.
-- Returns how many rows were corrected.
CREATE OR REPLACE FUNCTION correct_times(p_longest interval) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    v_soon timestamptz := now() + interval '1 min'; v_hour timestamptz := now() + interval '1 hour';
    v_late timestamptz := now() + p_longest + interval '1 min'; v_lanes uuid[]; v_rows int; v_count int := 0;
BEGIN
    -- The right to renew credentials lasts for minutes.
    UPDATE connections SET refreshing_until = '-infinity'
     WHERE id IN (SELECT id FROM connections WHERE refreshing_until > v_hour FOR NO KEY UPDATE SKIP LOCKED);
    GET DIAGNOSTICS v_rows = ROW_COUNT; v_count := v_count + v_rows;

    -- One pass over the live jobs: nothing waits for it.
    v_lanes := ARRAY(
        SELECT connection_id FROM jobs
         WHERE created_at > v_soon OR started_at > v_soon OR lease_until > now() + interval '2 hours'
            OR priority = 0 AND run_at > v_soon OR priority = -1 AND run_at > v_late
         UNION
        SELECT s.connection_id FROM attempts a JOIN submissions s ON s.id = a.submission_id WHERE a.ended_at > v_soon);
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes
             WHERE connection_id = ANY (v_lanes) OR started_at > v_soon OR window_start > v_soon
                OR connected_at > v_soon OR blocked_until > v_late OR likes_at > v_late
             ORDER BY connection_id FOR NO KEY UPDATE SKIP LOCKED) k;
    PERFORM FROM gates
      WHERE name IN (SELECT gate FROM lanes WHERE connection_id = ANY (v_lanes))
         OR open_until > v_hour OR probe_until > v_hour OR window_start > v_soon OR blocked_until > v_late
      ORDER BY name FOR NO KEY UPDATE;
    UPDATE gates
       SET open_until = least(open_until, now()), probe_until = least(probe_until, now()),
           blocked_until = least(blocked_until, now()), window_start = least(window_start, now())
     WHERE (name IN (SELECT gate FROM lanes WHERE connection_id = ANY (v_lanes))
            AND greatest(open_until, probe_until, blocked_until, window_start) > now())
        OR open_until > v_hour OR probe_until > v_hour OR window_start > v_soon OR blocked_until > v_late;
    GET DIAGNOSTICS v_rows = ROW_COUNT; v_count := v_count + v_rows;
    UPDATE lanes
       SET started_at = least(started_at, now()), window_start = least(window_start, now()),
           connected_at = least(connected_at, now()), blocked_until = least(blocked_until, now()),
           likes_at = least(likes_at, now())
     WHERE connection_id = ANY (v_lanes)
       AND greatest(started_at, window_start, connected_at, blocked_until, likes_at) > now();
    GET DIAGNOSTICS v_rows = ROW_COUNT; v_count := v_count + v_rows;
    UPDATE jobs j
       SET run_at = CASE WHEN j.priority = 1 THEN greatest(s.scheduled_at, least(j.run_at, now()))
                         ELSE least(j.run_at, now()) END,
           created_at = least(j.created_at, now()),
           started_at = CASE WHEN j.started_at > now() THEN now() ELSE j.started_at END,
           -- Whoever holds it lives on by the next heartbeat.
           lease_until = CASE WHEN j.state = 'running' THEN least(j.lease_until, now() + interval '1 min') END
      FROM submissions s
     WHERE j.connection_id = ANY (v_lanes) AND s.id = j.submission_id
       AND (greatest(j.created_at, j.started_at) > now() OR j.lease_until > now() + interval '2 hours'
            OR j.run_at > greatest(s.scheduled_at, now()) OR j.priority < 1 AND j.run_at > now());
    GET DIAGNOSTICS v_rows = ROW_COUNT; v_count := v_count + v_rows;
    UPDATE attempts a SET started_at = least(a.started_at, now()), ended_at = now()
      FROM submissions s
     WHERE a.ended_at > v_soon AND s.id = a.submission_id AND s.connection_id = ANY (v_lanes);
    GET DIAGNOSTICS v_rows = ROW_COUNT; v_count := v_count + v_rows;
    -- A cursor in the future hides what changes until then. Changes since the clock was put right are told, some twice.
    UPDATE webhooks
       SET cursor_at = least(cursor_at, now() - interval '5 min'), next_at = least(next_at, now()),
           failing_since = CASE WHEN failing_since > now() THEN now() ELSE failing_since END
     WHERE cursor_at > v_soon OR failing_since > v_soon OR next_at > v_late;
    GET DIAGNOSTICS v_rows = ROW_COUNT; v_count := v_count + v_rows;
    -- A post is counted at least once a day.
    UPDATE submissions SET count_at = now()
     WHERE id IN (SELECT id FROM submissions
                   WHERE state = 'done' AND count_at > now() + interval '1 day 1 min' FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS v_rows = ROW_COUNT; v_count := v_count + v_rows;
    IF v_lanes IS NOT NULL THEN
        UPDATE lanes SET wake_at = a.due_at FROM lane_alarms(v_lanes) a
         WHERE lanes.connection_id = a.connection_id AND lanes.wake_at > a.due_at;
    END IF;
    RETURN v_count;
END $$;
