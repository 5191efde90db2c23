-- More than one kind of work, gates that all lanes of a service share, breakers, caps, schedule, and completions by the
-- batch.
--
-- Order of locks: a connection's row, then lanes (FOR NO KEY UPDATE, several in the order of their ids), then gates (in
-- the order of their names), then a photo's row, then jobs (several in the order of their ids), then submissions. The
-- rest stands at the head of 0002_create_queue.sql. New: that a submission runs is told by its job alone, so its row
-- says `waiting` meanwhile; a claim writes no submission.

UPDATE submissions SET state = 'waiting' WHERE state = 'running';
ALTER TABLE submissions
    ADD COLUMN scheduled_at timestamptz,                 -- not published before; null: at once
    ADD CONSTRAINT submissions_running_is_told_by_jobs CHECK (state <> 'running');

CREATE TYPE job_kind AS ENUM ('submit', 'edit', 'delete');
ALTER TABLE jobs
    ADD COLUMN kind      job_kind NOT NULL DEFAULT 'submit',
    ADD COLUMN follow_up job_kind,                       -- asked for while this one ran; begins when it has ended well
    ADD COLUMN priority  smallint NOT NULL DEFAULT 0,    -- 0: somebody waits for it; 1: nobody does
    ADD CONSTRAINT jobs_priority_known CHECK (priority IN (0, 1)),
    ADD CONSTRAINT jobs_follow_up_changes CHECK (follow_up IN ('edit', 'delete'));
DROP INDEX jobs_ready;
CREATE INDEX jobs_ready ON jobs (connection_id, priority, run_at, id) WHERE state = 'ready';

ALTER TABLE lanes
    ADD COLUMN gate         text,                        -- what its account shares with others: a service, or a server
    ADD COLUMN failures     int         NOT NULL DEFAULT 0, -- of the service, one after the other
    ADD COLUMN cap          int,                         -- jobs begun in a window
    ADD COLUMN cap_window   interval,
    ADD COLUMN window_start timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN window_used  int         NOT NULL DEFAULT 0,
    ADD CONSTRAINT lanes_cap_whole CHECK ((cap IS NULL) = (cap_window IS NULL));
UPDATE lanes SET gate = service;
ALTER TABLE lanes ALTER COLUMN gate SET NOT NULL;
CREATE INDEX lanes_of_gate ON lanes (gate);

-- What lanes share: pause by the operator, limits of the whole application, the breaker. `*` is before all others.
CREATE TABLE gates (
    name          text        CONSTRAINT gates_pkey PRIMARY KEY,
    paused        boolean     NOT NULL DEFAULT false,
    reason        text,                                  -- the operator's, for people
    blocked_until timestamptz NOT NULL DEFAULT '-infinity', -- the application's limit
    failures      int         NOT NULL DEFAULT 0,        -- accounts that came to grief with no success between
    open_until    timestamptz NOT NULL DEFAULT '-infinity', -- the breaker: nothing leaves before
    probe_until   timestamptz NOT NULL DEFAULT '-infinity', -- one job tries whether the service is back
    problem       text,                                  -- what went wrong last
    cap           int,
    cap_window    interval,
    window_start  timestamptz NOT NULL DEFAULT '-infinity',
    window_used   int         NOT NULL DEFAULT 0,
    CONSTRAINT gates_cap_whole CHECK ((cap IS NULL) = (cap_window IS NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
INSERT INTO gates (name) VALUES ('*');
INSERT INTO gates (name) SELECT DISTINCT gate FROM lanes;

-- How many failures, one after the other, open a breaker: of jobs in a lane, of lanes at a gate.
CREATE FUNCTION breaker_threshold() RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT 3 $$;

-- How long a breaker stays open after so many failures: doubled with each, 15 minutes at most.
CREATE FUNCTION breaker_pause(p_base interval, p_failures int) RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT least(interval '15 min', p_base * 2 ^ least(p_failures - breaker_threshold(), 10))
$$;

-- When a used-up window ends; null: there is room.
CREATE FUNCTION window_end(p_cap int, p_window interval, p_start timestamptz, p_used int) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_used >= p_cap AND p_start + p_window > now() THEN p_start + p_window END
$$;

-- What gates let through: from when on (in the past: now; infinity: somebody has to resume), and how much then (null:
-- any number).
CREATE VIEW gate_states AS
    SELECT name, paused, reason,
           CASE WHEN paused THEN 'infinity'
                ELSE greatest(blocked_until, open_until, CASE WHEN failures >= breaker_threshold() THEN probe_until END,
                              window_end(cap, cap_window, window_start, window_used)) END AS opens_at,
           CASE WHEN failures >= breaker_threshold() THEN 1
                WHEN cap IS NULL THEN NULL
                WHEN window_start + cap_window <= now() THEN cap
                ELSE greatest(cap - window_used, 0) END AS room
      FROM gates;

-- Lanes with what follows from their columns: `opens_at`, when the account lets something through by itself (in the
-- past: now), and `width`, how many jobs may run at once: one while it is tried whether the service is back.
CREATE VIEW lane_states AS
    SELECT *, greatest(blocked_until, CASE WHEN gap > '0' THEN started_at + gap END,
                       window_end(cap, cap_window, window_start, window_used)) AS opens_at,
           CASE WHEN failures >= breaker_threshold() THEN 1 ELSE max_running END AS width
      FROM lanes;

-- When a claim could next find work in lanes; infinity: they are paused, full or empty. The caller holds the lanes.
CREATE FUNCTION lane_alarms(p_connections uuid[]) RETURNS TABLE (connection_id uuid, due_at timestamptz)
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
                                        WHERE r.connection_id = l.connection_id AND r.priority = 0
                                          AND r.state = 'ready' ORDER BY r.run_at LIMIT 1),
                                      (SELECT r.run_at FROM jobs r
                                        WHERE r.connection_id = l.connection_id AND r.priority = 1
                                          AND r.state = 'ready' ORDER BY r.run_at LIMIT 1)) AS run_at
                          OFFSET 0) f                    -- not to be computed once for each mention
     WHERE l.connection_id = ANY (p_connections)
$$;

-- Wakes lanes at the right moment. One that is awake keeps its place in the line; one that slept goes before those that
-- were only put back, so that who waits for one photo does not wait for everybody's backlog. The caller holds the lanes.
-- In PL/pgSQL, which plans it once.
CREATE OR REPLACE FUNCTION wake_lanes(p_connections uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lanes l SET wake_at = CASE WHEN a.due_at <= now() THEN now() - interval '10 s' ELSE a.due_at END
      FROM lane_alarms(ARRAY(SELECT connection_id FROM lanes
                              WHERE connection_id = ANY (p_connections) AND wake_at > now())) a
     WHERE l.connection_id = a.connection_id AND l.wake_at > a.due_at;
END $$;

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
DROP FUNCTION lane_alarm(lanes);

-- A gate for each name that lanes have.
CREATE FUNCTION add_gate(p_gate text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO gates (name) VALUES (p_gate) ON CONFLICT DO NOTHING
$$;

-- Adds the jobs of submissions just inserted and wakes their lanes. Call it last: it holds the lanes until commit.
DROP FUNCTION enqueue_submissions(uuid[], int[], interval[]);
CREATE FUNCTION enqueue_submissions(p_submissions uuid[], p_max_attempts int[], p_max_ages interval[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[];
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes
             WHERE connection_id IN (SELECT connection_id FROM submissions WHERE id = ANY (p_submissions))
             ORDER BY connection_id FOR NO KEY UPDATE) k;
    INSERT INTO jobs (connection_id, submission_id, priority, run_at, max_attempts, expires_at)
    SELECT s.connection_id, s.id, (s.scheduled_at IS NOT NULL)::int, greatest(s.scheduled_at, now()), n.max_attempts,
           greatest(s.scheduled_at, now()) + n.max_age
      FROM unnest(p_submissions, p_max_attempts, p_max_ages) AS n(id, max_attempts, max_age)
      JOIN submissions s ON s.id = n.id
     ORDER BY s.connection_id;
    -- One to an account that is parked or paused says so from the start.
    IF EXISTS (SELECT FROM connections WHERE id = ANY (v_lanes) AND state IN ('needs_login', 'paused')) THEN
        UPDATE submissions s SET state = waiting_state(c.id), problem = c.problem
          FROM connections c
         WHERE s.id = ANY (p_submissions) AND c.id = s.connection_id AND c.state IN ('needs_login', 'paused');
    END IF;
    PERFORM wake_lanes(v_lanes);
END $$;

-- Hands out up to p_limit due jobs, at most one more per lane before any lane gets two.
DROP FUNCTION take_jobs(text, int, interval);
CREATE FUNCTION take_jobs(p_worker text, p_limit int, p_lease interval)
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
             ORDER BY l.wake_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) s;
    IF v_lanes IS NULL THEN RETURN; END IF;
    -- Only gates that count are held: those with a cap, and those that try whether their service is back.
    PERFORM FROM gates g
      WHERE (g.cap IS NOT NULL OR g.failures >= breaker_threshold())
        AND (g.name = '*' OR g.name IN (SELECT l.gate FROM lanes l WHERE l.connection_id = ANY (v_lanes)))
      ORDER BY g.name FOR NO KEY UPDATE;

    RETURN QUERY                                         -- a new statement: a snapshot taken after the locks
    WITH lane AS MATERIALIZED (
        SELECT l.connection_id, l.gap, l.gate, l.cap, l.cap_window, l.window_start, l.window_used, u.used, l.paused,
               l.max_running, greatest(l.width - cardinality(u.used), 0) AS slots, l.opens_at AS not_before
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
    ), candidate AS MATERIALIZED (                       -- up to free + 1 jobs of each lane, oldest first
        SELECT f.connection_id, f.gate, f.room, f.free, c.id, c.priority, c.run_at,
               row_number() OVER (PARTITION BY f.connection_id
                                  ORDER BY (c.run_at > now()), c.priority, c.run_at, c.id)::int AS place
          FROM free f
         CROSS JOIN (VALUES (0::smallint), (1::smallint)) AS p(priority)
         CROSS JOIN LATERAL (SELECT r.id, r.priority, r.run_at FROM jobs r
                              WHERE r.connection_id = f.connection_id AND r.priority = p.priority
                                AND r.state = 'ready'
                              ORDER BY r.run_at, r.id LIMIT least(f.free, p_limit) + 1) c
    ), due AS MATERIALIZED (
        SELECT candidate.*,
               row_number() OVER (PARTITION BY candidate.gate
                                  ORDER BY candidate.place, candidate.priority, candidate.run_at) AS gate_place
          FROM candidate WHERE candidate.place <= candidate.free AND candidate.run_at <= now()
    ), pick AS MATERIALIZED (
        SELECT due.* FROM due WHERE due.room IS NULL OR due.gate_place <= due.room
         ORDER BY due.place, due.priority, due.run_at LIMIT p_limit
    ), slotted AS (
        SELECT pick.id, CASE WHEN lane.max_running = 1 THEN 0::smallint ELSE s.slot END AS slot
          FROM pick JOIN lane ON lane.connection_id = pick.connection_id
          LEFT JOIN LATERAL (SELECT g::smallint AS slot FROM generate_series(0, lane.max_running - 1) g
                              WHERE lane.max_running > 1 AND NOT g = ANY (lane.used)
                              ORDER BY g OFFSET pick.place - 1 LIMIT 1) s ON true
    ), got AS (
        UPDATE jobs j
           SET state = 'running', lease_no = j.lease_no + 1, lease_until = now() + p_lease, worker = p_worker,
               slot = slotted.slot, started_at = now()
          FROM slotted WHERE j.id = slotted.id
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

-- A try came to grief by the service's fault. The caller holds the lane, and no job. Opens breakers.
CREATE FUNCTION note_trouble(p_connection uuid, p_problem text, p_pause interval) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_failures int; v_gate text;
BEGIN
    UPDATE lanes
       SET failures = failures + 1,
           blocked_until = CASE WHEN failures + 1 >= breaker_threshold()
                                THEN greatest(blocked_until, now() + breaker_pause(p_pause, failures + 1))
                                ELSE blocked_until END
     WHERE connection_id = p_connection RETURNING failures, gate INTO v_failures, v_gate;
    -- One account counts once, and again when it was the one that tried whether the service is back. A gate never opens
    -- earlier than its lanes were told.
    UPDATE gates
       SET failures = failures + 1, problem = p_problem,
           open_until = CASE WHEN failures + 1 >= breaker_threshold()
                             THEN greatest(now() + breaker_pause(p_pause, failures + 1), probe_until)
                             ELSE open_until END
     WHERE name = v_gate AND (v_failures = breaker_threshold() OR failures >= breaker_threshold());
END $$;

-- Ends jobs whose work has come to its end. Returns those that were ended, with the lease that did it; one that is missing
-- had lost its lease. All arrays are as long as the first. A job that changes a post leaves its submission done. A service that answers closes
-- its breakers.
DROP FUNCTION finish_job(bigint, int, submission_state, text, text, text, text, int, text, text);
CREATE FUNCTION finish_jobs(
    p_jobs bigint[], p_lease_nos int[], p_states text[], p_remote_ids text[], p_remote_urls text[], p_texts text[],
    p_outcomes text[], p_http_statuses int[], p_problems text[], p_details text[]
) RETURNS TABLE (id bigint, lease_no int) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE v_gates text[]; v_lanes uuid[]; v_good uuid[];
BEGIN
    SELECT array_agg(DISTINCT g.name) INTO v_gates
      FROM jobs j JOIN lanes l ON l.connection_id = j.connection_id JOIN gates g ON g.name = l.gate
     WHERE j.id = ANY (p_jobs) AND g.failures > 0;
    v_lanes := ARRAY(SELECT DISTINCT connection_id FROM jobs WHERE id = ANY (p_jobs));
    -- Behind a gate that may open here all lanes are held, since all may wake.
    IF v_gates IS NOT NULL THEN
        v_lanes := v_lanes || ARRAY(SELECT connection_id FROM lanes WHERE gate = ANY (v_gates));
    END IF;
    PERFORM FROM lanes WHERE connection_id = ANY (v_lanes) ORDER BY connection_id FOR NO KEY UPDATE;
    SELECT array_agg(DISTINCT j.connection_id) INTO v_good
      FROM unnest(p_jobs, p_lease_nos, p_states) AS d(id, lease_no, state)
      JOIN jobs j ON j.id = d.id AND j.lease_no = d.lease_no
     WHERE j.id = ANY (p_jobs) AND d.state IN ('done', 'deleted', 'rejected');
    UPDATE lanes SET failures = 0 WHERE connection_id = ANY (v_good) AND failures > 0;
    IF v_gates IS NOT NULL THEN
        UPDATE gates SET failures = 0, open_until = '-infinity', probe_until = '-infinity', problem = NULL
          FROM (SELECT name FROM gates
                 WHERE name = ANY (v_gates)
                   AND name IN (SELECT gate FROM lanes WHERE connection_id = ANY (v_good))
                 ORDER BY name FOR NO KEY UPDATE) k
         WHERE gates.name = k.name;
    END IF;
    RETURN QUERY
    WITH ended AS MATERIALIZED (
        SELECT * FROM unnest(p_jobs, p_lease_nos, p_states, p_remote_ids, p_remote_urls, p_texts, p_outcomes,
                             p_http_statuses, p_problems, p_details)
            AS d(id, lease_no, state, remote_id, remote_url, text, outcome, http_status, problem, detail)
    ), gone AS (
        DELETE FROM jobs j USING ended d
         WHERE j.id = ANY (p_jobs) AND j.id = d.id AND j.lease_no = d.lease_no AND j.state = 'running'
        RETURNING j.id, j.lease_no, j.connection_id, j.submission_id, j.kind, j.attempt, j.started_at, j.follow_up,
                  j.max_attempts, d.state, d.remote_id, d.remote_url, d.text,
                  d.outcome, d.http_status, d.problem, d.detail
    ), shown AS (
        UPDATE submissions s
           SET state = gone.state::submission_state, remote_id = coalesce(gone.remote_id, s.remote_id),
               remote_url = coalesce(gone.remote_url, s.remote_url), text = coalesce(gone.text, s.text),
               attempts = CASE WHEN gone.kind = 'submit' THEN gone.attempt + 1 ELSE s.attempts END,
               problem = gone.problem, updated_at = now(),
               bytes_sent = CASE WHEN gone.state = 'done' THEN s.bytes_total ELSE s.bytes_sent END
          FROM gone WHERE s.id = gone.submission_id
    ), logged AS (
        INSERT INTO attempts (submission_id, started_at, outcome, http_status, problem, detail)
        SELECT submission_id, started_at, outcome, http_status, problem, detail FROM gone
    ), followed AS (
        INSERT INTO jobs (connection_id, submission_id, kind, max_attempts, expires_at)
        SELECT connection_id, submission_id, follow_up, max_attempts, now() + interval '3 days' FROM gone
         WHERE follow_up IS NOT NULL AND state = 'done'
    )
    SELECT gone.id, gone.lease_no FROM gone;
    PERFORM wake_lanes(v_lanes);
END $$;

-- Lets a job that was just given back wait again, or ends it: cancelled, or at the bound of its tries or its age.
-- Returns the submission's state. The caller holds the lane.
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

-- Gives a running job back, due again after p_delay; null leaves it its place in the lane. p_counts: the try counts
-- against max_attempts. p_effect: what is known of the publishing request now. p_block holds the whole lane back,
-- p_block_gate all lanes of its gate. p_trouble: the service failed, which breakers count; how long the first pause is.
-- Returns the submission's state; null: the lease was lost, and nothing is changed.
DROP FUNCTION release_job(bigint, int, interval, boolean, job_effect, interval, text, int, text, text);
CREATE FUNCTION release_job(
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
       SET state = 'ready', run_at = coalesce(now() + p_delay, run_at), lease_no = lease_no + 1, lease_until = NULL,
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

-- The owner has to sign in again: the lane sleeps, its waiting submissions say so.
CREATE OR REPLACE FUNCTION park_account(p_connection uuid, p_problem text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections SET state = 'needs_login', problem = p_problem WHERE id = p_connection AND state <> 'disabled';
    UPDATE lanes SET paused = true, wake_at = 'infinity' WHERE connection_id = p_connection;
    UPDATE submissions SET state = waiting_state(p_connection), problem = p_problem, updated_at = now()
     WHERE connection_id = p_connection AND state IN ('waiting', 'paused');
END $$;

CREATE OR REPLACE FUNCTION park_job(
    p_job bigint, p_lease_no int, p_effect job_effect, p_outcome text, p_http_status int, p_problem text, p_detail text
) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_job jobs; v_state submission_state;
BEGIN
    SELECT * INTO v_job FROM jobs WHERE id = p_job;
    PERFORM FROM connections WHERE id = v_job.connection_id FOR NO KEY UPDATE;
    v_state := release_job(
        p_job, p_lease_no, NULL, false, p_effect, NULL, NULL, NULL, p_outcome, p_http_status, p_problem, p_detail);
    IF v_state IS NULL THEN RETURN NULL; END IF;
    IF EXISTS (SELECT FROM lanes WHERE connection_id = v_job.connection_id AND connected_at <= v_job.started_at) THEN
        PERFORM park_account(v_job.connection_id, p_problem);
    END IF;
    RETURN (SELECT state FROM submissions WHERE id = v_job.submission_id);
END $$;

DROP FUNCTION checkpoint_job(bigint, int, jsonb, boolean, interval);
-- Records a step of the journal (a member that is null forgets its key) in its form's version, or arms the effect, or
-- both, and extends the lease.
-- Null: the lease was lost; true: cancel was asked for, and the effect was not armed.
CREATE FUNCTION checkpoint_job(
    p_job bigint, p_lease_no int, p_journal jsonb, p_version smallint, p_arm boolean, p_lease interval
) RETURNS boolean LANGUAGE sql AS $$
    UPDATE jobs
       SET lease_until = now() + p_lease, journal_version = p_version,
           journal = (journal || p_journal) - ARRAY(SELECT key FROM jsonb_each(p_journal) WHERE value = 'null'),
           effect = CASE WHEN p_arm AND cancel_at IS NULL THEN 'armed' ELSE effect END
     WHERE id = p_job AND lease_no = p_lease_no AND state = 'running'
    RETURNING cancel_at IS NOT NULL
$$;

-- Starts a submission anew that has ended without being done; one that waits becomes due now, scheduled or not. Returns
-- its state after the call; null: there is none.
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
        UPDATE jobs SET run_at = now(), priority = 0
         WHERE submission_id = p_submission AND state = 'ready' AND (run_at > now() OR priority > 0);
        IF FOUND THEN
            UPDATE submissions SET scheduled_at = NULL, updated_at = now() WHERE id = p_submission;
        END IF;
    END IF;
    PERFORM wake_lanes(ARRAY[v_connection]);
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    RETURN v_state;
END $$;

-- A person has looked what became of an unknown submission: published, with the identifier that they give, or not.
-- Returns false when there was nothing to resolve.
CREATE FUNCTION resolve_submission(p_submission uuid, p_remote_id text, p_remote_url text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE v_connection uuid;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    UPDATE submissions
       SET state = 'done', remote_id = p_remote_id, remote_url = p_remote_url, problem = NULL,
           bytes_sent = bytes_total, updated_at = now()
     WHERE id = p_submission AND state = 'unknown';
    RETURN FOUND;
END $$;

-- Queues a change of posts that are published, and of those that are being published once they are. A delete takes the
-- place of an edit. The caller holds the lanes.
CREATE FUNCTION enqueue_changes(p_submissions uuid[], p_kind job_kind, p_max_attempts int, p_max_age interval)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET follow_up = p_kind
     WHERE submission_id = ANY (p_submissions) AND (state = 'running' OR effect = 'armed') AND kind <> 'delete'
       AND (follow_up IS NULL OR p_kind = 'delete');
    UPDATE jobs SET kind = p_kind, run_at = now(), attempt = 0
     WHERE submission_id = ANY (p_submissions) AND state = 'ready' AND kind = 'edit';
    INSERT INTO jobs (connection_id, submission_id, kind, max_attempts, expires_at)
    SELECT s.connection_id, s.id, p_kind, p_max_attempts, now() + p_max_age
      FROM submissions s
     WHERE s.id = ANY (p_submissions) AND s.state = 'done'
       AND NOT EXISTS (SELECT FROM jobs j WHERE j.submission_id = s.id)
     ORDER BY s.connection_id;
    UPDATE submissions SET problem = NULL, updated_at = now() WHERE id = ANY (p_submissions) AND state = 'done';
    PERFORM wake_lanes(ARRAY(SELECT DISTINCT connection_id FROM submissions WHERE id = ANY (p_submissions)));
END $$;

-- Marks a photo deleted, lets go of its file and its words, and ends what still waits. p_take_back: submissions whose
-- posts are to be taken back too. False: there is no such photo.
DROP FUNCTION delete_photo(uuid, uuid);
CREATE FUNCTION delete_photo(
    p_photo uuid, p_owner uuid, p_take_back uuid[], p_max_attempts int, p_max_age interval
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_lanes(p_photo, p_owner);
    UPDATE photos
       SET deleted_at = now(), sha256 = NULL, caption = '', alt_text = '', exif = '{}', latitude = NULL,
           longitude = NULL, version = version + 1
     WHERE id = p_photo AND owner_id = p_owner AND deleted_at IS NULL;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM cancel_submission(k.id)
       FROM (SELECT s.id FROM submissions s LEFT JOIN jobs j ON j.submission_id = s.id
              WHERE s.photo_id = p_photo ORDER BY j.id) k;
    PERFORM enqueue_changes(
        ARRAY(SELECT id FROM submissions WHERE photo_id = p_photo AND id = ANY (p_take_back)), 'delete',
        p_max_attempts, p_max_age);
    UPDATE submissions SET text = '' WHERE photo_id = p_photo;
    RETURN true;
END $$;

-- The owner holds an account's work back, or lets it go on. Returns the account's state; null: there is no such account.
CREATE FUNCTION pause_account(p_connection uuid, p_owner uuid, p_paused boolean) RETURNS connection_state
LANGUAGE plpgsql AS $$
DECLARE v_state connection_state; v_problem text;
BEGIN
    SELECT state INTO v_state FROM connections WHERE id = p_connection AND owner_id = p_owner FOR NO KEY UPDATE;
    IF v_state IS NULL OR v_state = 'disabled' THEN RETURN v_state; END IF;
    IF p_paused = (v_state = 'paused') OR NOT p_paused AND v_state = 'needs_login' THEN RETURN v_state; END IF;
    v_state := CASE WHEN p_paused THEN 'paused' ELSE 'ok' END;
    v_problem := CASE WHEN p_paused THEN 'The account is paused.' END;
    UPDATE connections SET state = v_state, problem = v_problem WHERE id = p_connection;
    PERFORM FROM lanes WHERE connection_id = p_connection FOR NO KEY UPDATE;
    UPDATE lanes SET paused = p_paused, wake_at = 'infinity' WHERE connection_id = p_connection;
    UPDATE submissions SET state = waiting_state(p_connection), problem = v_problem, updated_at = now()
     WHERE connection_id = p_connection AND state IN ('waiting', 'paused', 'needs_login');
    PERFORM wake_lanes(ARRAY[p_connection]);
    RETURN v_state;
END $$;

-- The operator holds all work of a gate back, or lets it go on; `*` is all there is. False: there is no such gate.
CREATE FUNCTION pause_gate(p_gate text, p_paused boolean, p_reason text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[];
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes WHERE gate = p_gate OR p_gate = '*'
             ORDER BY connection_id FOR NO KEY UPDATE) k;
    UPDATE gates
       SET paused = p_paused, reason = CASE WHEN p_paused THEN p_reason END,
           -- Who resumes wants to see what happens now.
           failures = CASE WHEN p_paused THEN failures ELSE 0 END,
           open_until = CASE WHEN p_paused THEN open_until ELSE '-infinity' END,
           probe_until = CASE WHEN p_paused THEN probe_until ELSE '-infinity' END
     WHERE name = p_gate;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM wake_lanes(v_lanes);
    RETURN true;
END $$;

-- One process at a time renews an account's credentials: the right to do so, for as long as p_lease. Null: another one
-- has it, or somebody has replaced the credentials since they were read.
ALTER TABLE connections
    ADD COLUMN credentials_no   int         NOT NULL DEFAULT 0, -- grows whenever they are replaced
    ADD COLUMN refreshing_until timestamptz NOT NULL DEFAULT '-infinity';
CREATE FUNCTION begin_refresh(p_connection uuid, p_credentials_no int, p_lease interval) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections SET refreshing_until = clock_timestamp() + p_lease
     WHERE id = p_connection AND credentials_no = p_credentials_no AND refreshing_until < clock_timestamp();
    RETURN FOUND;
END $$;
CREATE FUNCTION end_refresh(p_connection uuid, p_credentials_no int, p_credentials bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections
       SET refreshing_until = '-infinity', credentials = coalesce(p_credentials, credentials),
           credentials_no = credentials_no + (p_credentials IS NOT NULL)::int
     WHERE id = p_connection AND credentials_no = p_credentials_no;
    RETURN FOUND;
END $$;

-- Old tries go, in bounded steps. Returns how many went.
CREATE FUNCTION prune_attempts(p_age interval, p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    DELETE FROM attempts
     WHERE id IN (SELECT a.id FROM attempts a WHERE a.ended_at < now() - p_age
                     -- What is still open keeps its history.
                     AND NOT EXISTS (SELECT FROM jobs j WHERE j.submission_id = a.submission_id)
                   ORDER BY a.ended_at LIMIT p_limit);
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;
