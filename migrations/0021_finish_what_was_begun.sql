-- What was begun goes on before what is newer, and resume and retry take effect at once.
--
-- A job that is given back gets the priority -1: it goes before all that has not been begun in its lane, as soon as it is
-- due. So a post whose outcome is open is looked up before anything newer is posted, also when its worker died, and a
-- post that failed once is not posted behind the whole backlog. One that fails again and again costs its lane one try
-- each time, and the pauses between them grow.

ALTER TABLE jobs
    DROP CONSTRAINT jobs_priority_known,
    ADD CONSTRAINT jobs_priority_known CHECK (priority BETWEEN -1 AND 1); -- -1: begun before
UPDATE jobs SET priority = -1 WHERE state = 'ready' AND (attempt > 0 OR effect = 'armed');

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
    SELECT * FROM got;
END $$;

-- Gives a running job back, due again after p_delay; null leaves it its place in the lane. It goes before what has not
-- been begun. p_counts: the try counts against max_attempts. p_effect: what is known of the publishing request now.
-- p_block holds the whole lane back, p_block_gate all lanes of its gate. p_trouble: the service failed, which breakers
-- count; how long the first pause is.
-- Returns the submission's state; null: the lease was lost, and nothing is changed.
CREATE OR REPLACE FUNCTION release_job(
    p_job bigint, p_lease_no int, p_delay interval, p_counts boolean, p_effect job_effect, p_block interval,
    p_block_gate interval, p_trouble interval, p_outcome text, p_http_status int, p_problem text, p_detail text
) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_job jobs; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM jobs WHERE id = p_job;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    IF NOT EXISTS (SELECT FROM jobs WHERE id = p_job AND lease_no = p_lease_no AND state = 'running') THEN
        RETURN NULL;
    END IF;
    UPDATE lanes SET blocked_until = greatest(blocked_until, now() + p_block)
     WHERE connection_id = v_connection AND p_block IS NOT NULL;
    UPDATE gates SET blocked_until = greatest(blocked_until, now() + p_block_gate), problem = p_problem
     WHERE p_block_gate IS NOT NULL AND name = (SELECT gate FROM lanes WHERE connection_id = v_connection);
    IF p_trouble IS NOT NULL THEN PERFORM note_trouble(v_connection, p_problem, p_trouble); END IF;
    UPDATE jobs
       SET state = 'ready', priority = -1, run_at = coalesce(now() + p_delay, run_at), lease_no = lease_no + 1, lease_until = NULL,
           slot = NULL, worker = NULL, attempt = attempt + p_counts::int, effect = p_effect
     WHERE id = p_job RETURNING * INTO v_job;
    v_state := settle_job(v_job, p_problem);
    IF p_outcome IS NOT NULL THEN
        INSERT INTO attempts (submission_id, started_at, outcome, http_status, problem, detail)
        VALUES (v_job.submission_id, v_job.started_at, p_outcome, p_http_status, p_problem, p_detail);
    END IF;
    PERFORM wake_lanes(ARRAY[v_connection]);
    RETURN v_state;
END $$;

-- Gives back the jobs of workers that died. Any process calls it every few seconds. A job keeps its place in the lane.
CREATE OR REPLACE FUNCTION rescue_jobs(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[]; v_job jobs; v_count int := 0;
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes
             WHERE connection_id IN (SELECT connection_id FROM jobs
                                      WHERE state = 'running' AND lease_until < now() LIMIT p_limit)
             ORDER BY connection_id FOR NO KEY UPDATE SKIP LOCKED) k;
    FOR v_job IN
        UPDATE jobs j
           SET state = 'ready', priority = -1, attempt = j.attempt + 1, lease_no = j.lease_no + 1,
               lease_until = NULL, slot = NULL, worker = NULL
          FROM (SELECT id FROM jobs WHERE connection_id = ANY (v_lanes) AND state = 'running' AND lease_until < now()
                   FOR NO KEY UPDATE SKIP LOCKED) lapsed -- a locked one is just showing that it lives
         WHERE j.id = lapsed.id
        RETURNING j.*
    LOOP
        v_count := v_count + 1;
        PERFORM settle_job(v_job, 'The program that worked on it stopped.');
        INSERT INTO attempts (submission_id, started_at, outcome, problem)
        VALUES (v_job.submission_id, v_job.started_at, 'lease_lapsed', 'The program that worked on it stopped.');
    END LOOP;
    PERFORM wake_lanes(v_lanes);
    RETURN v_count;
END $$;

-- Starts a submission anew that has ended without being done; one that waits becomes due now, scheduled or not, and its
-- account is held back no longer. Returns its state after the call; null: there is none.
CREATE OR REPLACE FUNCTION retry_submission(p_submission uuid, p_max_attempts int, p_max_age interval)
RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    UPDATE submissions s
       SET state = waiting_state(v_connection), problem = NULL, attempts = 0, bytes_sent = 0, scheduled_at = NULL,
           updated_at = now()
      FROM photos p
     WHERE s.id = p_submission AND s.state IN ('rejected', 'cancelled', 'unknown')
       AND p.id = s.photo_id AND p.deleted_at IS NULL;
    IF FOUND THEN
        INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
        VALUES (v_connection, p_submission, p_max_attempts, now() + p_max_age);
    ELSE
        UPDATE jobs SET run_at = least(run_at, now()), priority = least(priority, 0)
         WHERE submission_id = p_submission AND state = 'ready' AND (run_at > now() OR priority > 0);
        IF FOUND THEN
            UPDATE submissions SET scheduled_at = NULL, updated_at = now() WHERE id = p_submission;
        END IF;
    END IF;
    -- A breaker stays as it is: one job is tried, and trouble closes the lane again for as long as it would have.
    UPDATE lanes SET blocked_until = '-infinity'
     WHERE connection_id = v_connection AND blocked_until > now()
       AND EXISTS (SELECT FROM jobs WHERE submission_id = p_submission AND state = 'ready');
    PERFORM wake_lanes(ARRAY[v_connection]);
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    RETURN v_state;
END $$;

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

-- Lets a job that was just given back wait again, or ends it: cancelled, or at the bound of its tries or its age.
-- A removal that was asked for behind a change comes in its place. Returns the submission's state. The caller holds the
-- lane.
CREATE OR REPLACE FUNCTION settle_job(p_job jobs, p_problem text) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_state submission_state; v_ends boolean;
BEGIN
    v_ends := p_job.attempt >= p_job.max_attempts OR greatest(p_job.run_at, now()) > p_job.expires_at;
    v_state := CASE
        WHEN p_job.kind <> 'submit' THEN 'done'
        WHEN p_job.effect = 'none' AND p_job.cancel_at IS NOT NULL THEN 'cancelled'
        WHEN NOT v_ends THEN waiting_state(p_job.connection_id)::text
        WHEN p_job.effect = 'armed' THEN 'unknown'
        ELSE 'rejected' END;
    v_ends := v_state IN ('cancelled', 'unknown', 'rejected')
              OR p_job.kind <> 'submit' AND (v_ends OR p_job.cancel_at IS NOT NULL);
    IF v_ends THEN DELETE FROM jobs WHERE id = p_job.id; END IF;
    IF v_ends AND p_job.kind <> 'submit' AND p_job.follow_up = 'delete' THEN
        INSERT INTO jobs (connection_id, submission_id, kind, max_attempts, expires_at)
        VALUES (p_job.connection_id, p_job.submission_id, 'delete', p_job.max_attempts, now() + interval '3 days');
    END IF;
    UPDATE submissions
       SET state = v_state, attempts = CASE WHEN p_job.kind = 'submit' THEN p_job.attempt ELSE attempts END,
           updated_at = now(),
           problem = CASE
               WHEN NOT v_ends THEN coalesce(p_problem, problem)
               WHEN p_job.cancel_at IS NOT NULL AND v_state <> 'unknown' THEN NULL
               WHEN p_job.kind = 'delete' THEN
                   coalesce(p_problem, problem, 'It could not be taken back.') || ' Tried until the limit was reached.'
               WHEN p_job.kind = 'edit' THEN
                   coalesce(p_problem, problem, 'It could not be changed.') || ' Tried until the limit was reached.'
               WHEN v_state = 'unknown' THEN
                   coalesce(p_problem, problem, 'It could not be finished.')
                   || ' Tried until the limit was reached; it may have been published.'
               ELSE
                   coalesce(p_problem, problem, 'It could not be published.') || ' Tried until the limit was reached.'
               END
     WHERE id = p_job.submission_id;
    RETURN v_state;
END $$;

-- Asks for the end of a submission. Waiting: cancelled at once, unless it may have been published. Running: its worker
-- hears of it with the next heartbeat. Of a post that is there, a waiting edit goes and the post stays done; its removal
-- is never cancelled. Returns the state after the call; null when there is no such submission.
CREATE OR REPLACE FUNCTION cancel_submission(p_submission uuid) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    -- A removal that was asked for behind the edit comes at once.
    UPDATE jobs SET kind = 'delete', follow_up = NULL, run_at = now(), attempt = 0
     WHERE submission_id = p_submission AND state = 'ready' AND effect = 'none' AND kind = 'edit' AND follow_up = 'delete';
    DELETE FROM jobs WHERE submission_id = p_submission AND state = 'ready' AND effect = 'none' AND kind <> 'delete';
    IF FOUND THEN
        UPDATE submissions SET state = 'cancelled', problem = NULL, updated_at = now()
         WHERE id = p_submission AND state <> 'done';
    ELSE
        UPDATE jobs SET cancel_at = coalesce(cancel_at, now()) WHERE submission_id = p_submission AND kind <> 'delete';
        IF FOUND THEN PERFORM pg_notify('pics_cancel', p_submission::text); END IF;
    END IF;
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    RETURN v_state;
END $$;
