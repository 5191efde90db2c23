-- The queue. `submissions` is the lasting truth; `jobs` holds live work only; both change in one transaction.
--
-- Order of locks: a connection's row, then lanes (FOR NO KEY UPDATE, several in the order of their ids), then a photo's
-- row, then jobs (several in the order of their ids), then submissions. A transaction that changes what a lane may run
-- holds the lane's row and reads jobs in a later statement, so that READ COMMITTED gives it a snapshot newer than the
-- lock. take_jobs, rescue_jobs and sweep_lanes skip locked lanes: they never wait for one. A job's row is written only
-- by the holder of its lease_no or under its lane's lock, the state of a submission only under its lane's lock.

CREATE TYPE connection_state AS ENUM ('ok', 'needs_login', 'paused', 'disabled');

CREATE TABLE connections (
    id               uuid             CONSTRAINT connections_pkey PRIMARY KEY,
    owner_id         uuid             NOT NULL CONSTRAINT connections_owner_fkey REFERENCES users ON DELETE CASCADE,
    service          text             NOT NULL,
    remote_id        text             NOT NULL,          -- the account's identity at the service
    account          text             NOT NULL,          -- the account as people know it
    credentials      bytea            NOT NULL,          -- sealed
    settings         jsonb            NOT NULL DEFAULT '{}',
    settings_read_at timestamptz      NOT NULL DEFAULT now(),
    state            connection_state NOT NULL DEFAULT 'ok',
    problem          text,
    created_at       timestamptz      NOT NULL DEFAULT now(),
    CONSTRAINT connections_account_key UNIQUE (owner_id, service, remote_id)
);

CREATE TYPE submission_state AS ENUM
    ('waiting', 'running', 'done', 'rejected', 'cancelled', 'unknown', 'needs_login', 'paused');

CREATE TABLE submissions (
    id            uuid             CONSTRAINT submissions_pkey PRIMARY KEY,
    photo_id      uuid             NOT NULL CONSTRAINT submissions_photo_fkey REFERENCES photos ON DELETE CASCADE,
    connection_id uuid             NOT NULL CONSTRAINT submissions_connection_fkey REFERENCES connections
                                   ON DELETE CASCADE,
    state         submission_state NOT NULL DEFAULT 'waiting',
    text          text             NOT NULL,             -- exactly what is sent
    is_cut        boolean          NOT NULL,
    length        int              NOT NULL,             -- in the service's own count
    text_limit    int,
    remote_id     text,
    remote_url    text,
    attempts      int              NOT NULL DEFAULT 0,
    bytes_sent    bigint           NOT NULL DEFAULT 0,
    bytes_total   bigint           NOT NULL DEFAULT 0,
    problem       text,                                  -- a sentence for people
    created_at    timestamptz      NOT NULL DEFAULT now(),
    updated_at    timestamptz      NOT NULL DEFAULT now(),
    CONSTRAINT submissions_once UNIQUE (photo_id, connection_id),
    CONSTRAINT submissions_done_has_id CHECK (state <> 'done' OR remote_id IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX submissions_of_connection ON submissions (connection_id, updated_at DESC);

-- Every try, written once when it has ended.
CREATE TABLE attempts (
    id            bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT attempts_pkey PRIMARY KEY,
    submission_id uuid        NOT NULL CONSTRAINT attempts_submission_fkey REFERENCES submissions ON DELETE CASCADE,
    started_at    timestamptz NOT NULL,
    ended_at      timestamptz NOT NULL DEFAULT now(),
    outcome       text        NOT NULL,
    http_status   int,
    problem       text,
    detail        text                                   -- what the service wrote; for operators, capped
);
CREATE INDEX attempts_of_submission ON attempts (submission_id, id);
CREATE INDEX attempts_newest ON attempts (ended_at DESC);

-- One lane for each connected account: the unit of order, concurrency, gap, limit and pause.
CREATE TABLE lanes (
    connection_id uuid        CONSTRAINT lanes_pkey PRIMARY KEY
                              CONSTRAINT lanes_connection_fkey REFERENCES connections ON DELETE CASCADE,
    service       text        NOT NULL,
    max_running   int         NOT NULL DEFAULT 1 CONSTRAINT lanes_max_running_positive CHECK (max_running > 0),
    gap           interval    NOT NULL DEFAULT '0',      -- between the starts of two jobs
    started_at    timestamptz NOT NULL DEFAULT '-infinity',
    wake_at       timestamptz NOT NULL DEFAULT 'infinity', -- the earliest moment at which a claim could find work here
    blocked_until timestamptz NOT NULL DEFAULT '-infinity',
    paused        boolean     NOT NULL DEFAULT false,
    connected_at  timestamptz NOT NULL DEFAULT clock_timestamp() -- when the account's credentials were last replaced
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX lanes_wake ON lanes (wake_at) WHERE wake_at < 'infinity';

CREATE TYPE job_state AS ENUM ('ready', 'running');
CREATE TYPE job_effect AS ENUM ('none', 'armed');

-- No foreign key to lanes: each inserted job would lock its lane's row.
CREATE TABLE jobs (
    id              bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT jobs_pkey PRIMARY KEY,
    connection_id   uuid        NOT NULL,
    submission_id   uuid        NOT NULL CONSTRAINT jobs_submission_fkey REFERENCES submissions ON DELETE CASCADE
                                CONSTRAINT jobs_submission_key UNIQUE,
    state           job_state   NOT NULL DEFAULT 'ready',
    run_at          timestamptz NOT NULL DEFAULT now(),
    created_at      timestamptz NOT NULL DEFAULT now(),
    started_at      timestamptz,
    lease_until     timestamptz,
    lease_no        int         NOT NULL DEFAULT 0,      -- grows whenever a lease is given or taken away
    worker          text,
    slot            smallint,                            -- 0 .. max_running - 1 while running
    attempt         int         NOT NULL DEFAULT 0,      -- tries that failed and count
    max_attempts    int         NOT NULL,
    expires_at      timestamptz NOT NULL,                -- no new try after this
    effect          job_effect  NOT NULL DEFAULT 'none', -- armed: the request that publishes may have left
    journal         jsonb       NOT NULL DEFAULT '{}',
    journal_version smallint    NOT NULL DEFAULT 1,
    cancel_at       timestamptz,                         -- cancel was asked for while running
    CONSTRAINT jobs_running_is_leased CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CONSTRAINT jobs_running_has_slot CHECK ((state = 'running') = (slot IS NOT NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX jobs_ready ON jobs (connection_id, run_at, id) WHERE state = 'ready';
-- Counts what runs in a lane, finds lapsed leases, and makes the database refuse one job too many.
CREATE UNIQUE INDEX jobs_running ON jobs (connection_id, slot) WHERE state = 'running';

-- What a submission is called whose job waits.
CREATE FUNCTION waiting_state(p_connection uuid) RETURNS submission_state LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN state IN ('needs_login', 'paused') THEN state::text ELSE 'waiting' END::submission_state
      FROM connections WHERE id = p_connection
$$;

-- When a claim could next find work in a lane; infinity: it is paused, full or empty. The caller holds the lane.
CREATE FUNCTION lane_alarm(l lanes) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN l.paused THEN 'infinity'
        WHEN (SELECT count(*) FROM jobs r
               WHERE r.connection_id = l.connection_id AND r.state = 'running') >= l.max_running THEN 'infinity'
        ELSE coalesce(
            (SELECT greatest(r.run_at, l.blocked_until, CASE WHEN l.gap > '0' THEN l.started_at + l.gap END, now())
               FROM jobs r WHERE r.connection_id = l.connection_id AND r.state = 'ready'
              ORDER BY r.run_at, r.id LIMIT 1), 'infinity') END
$$;

-- Wakes lanes at the right moment. One that is awake keeps its place in the line. The caller holds the lanes.
CREATE FUNCTION wake_lanes(p_connections uuid[]) RETURNS void LANGUAGE sql AS $$
    UPDATE lanes SET wake_at = least(wake_at, lane_alarm(lanes)) WHERE connection_id = ANY (p_connections)
$$;

-- Adds the jobs of submissions just inserted and wakes their lanes. Call it last: it holds the lanes until commit.
CREATE FUNCTION enqueue_submissions(p_submissions uuid[], p_max_attempts int[], p_max_ages interval[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[];
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes
             WHERE connection_id IN (SELECT connection_id FROM submissions WHERE id = ANY (p_submissions))
             ORDER BY connection_id FOR NO KEY UPDATE) k;
    INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
    SELECT s.connection_id, s.id, n.max_attempts, now() + n.max_age
      FROM unnest(p_submissions, p_max_attempts, p_max_ages) AS n(id, max_attempts, max_age)
      JOIN submissions s ON s.id = n.id
     ORDER BY s.connection_id;
    -- One to an account that is parked or paused says so from the start.
    UPDATE submissions s SET state = waiting_state(c.id), problem = c.problem
      FROM connections c
     WHERE s.id = ANY (p_submissions) AND c.id = s.connection_id AND c.state IN ('needs_login', 'paused');
    PERFORM wake_lanes(v_lanes);
END $$;

-- Hands out up to p_limit due jobs, at most one more per lane before any lane gets two.
CREATE FUNCTION take_jobs(p_worker text, p_limit int, p_lease interval)
RETURNS TABLE (
    id bigint, lease_no int, connection_id uuid, submission_id uuid, attempt int, effect job_effect, journal jsonb
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

    RETURN QUERY                                         -- a new statement: a snapshot taken after the locks
    WITH lane AS MATERIALIZED (
        SELECT l.connection_id, l.max_running, l.gap, u.used,
               greatest(l.max_running - cardinality(u.used), 0) AS slots, l.paused,
               greatest(l.blocked_until, CASE WHEN l.gap > '0' THEN l.started_at + l.gap END) AS not_before
          FROM lanes l
         CROSS JOIN LATERAL (SELECT coalesce(array_agg(r.slot), '{}') AS used FROM jobs r
                              WHERE r.connection_id = l.connection_id AND r.state = 'running') u
         WHERE l.connection_id = ANY (v_lanes)
    ), candidate AS MATERIALIZED (                       -- up to free + 1 jobs of each lane, oldest first
        SELECT lane.connection_id, c.id, c.run_at, f.free,
               row_number() OVER (PARTITION BY lane.connection_id ORDER BY c.run_at, c.id)::int AS place
          FROM lane
         CROSS JOIN LATERAL (SELECT CASE WHEN lane.paused OR lane.not_before > now() THEN 0
                                         WHEN lane.gap > '0' THEN least(lane.slots, 1)
                                         ELSE lane.slots END AS free) f
         CROSS JOIN LATERAL (SELECT r.id, r.run_at FROM jobs r
                              WHERE r.connection_id = lane.connection_id AND r.state = 'ready'
                              ORDER BY r.run_at, r.id LIMIT least(f.free, p_limit) + 1) c
    ), pick AS MATERIALIZED (
        SELECT candidate.* FROM candidate
         WHERE candidate.place <= candidate.free AND candidate.run_at <= now()
         ORDER BY candidate.place, candidate.run_at LIMIT p_limit
    ), slotted AS (
        SELECT pick.id, s.slot
          FROM pick JOIN lane ON lane.connection_id = pick.connection_id
         CROSS JOIN LATERAL (SELECT g::smallint AS slot FROM generate_series(0, lane.max_running - 1) g
                              WHERE NOT g = ANY (lane.used) ORDER BY g OFFSET pick.place - 1 LIMIT 1) s
    ), got AS (
        UPDATE jobs j
           SET state = 'running', lease_no = j.lease_no + 1, lease_until = now() + p_lease, worker = p_worker,
               slot = slotted.slot, started_at = now()
          FROM slotted WHERE j.id = slotted.id
        RETURNING j.id, j.lease_no, j.connection_id, j.submission_id, j.attempt, j.effect, j.journal
    ), shown AS (
        UPDATE submissions s SET state = 'running', updated_at = now() FROM got WHERE s.id = got.submission_id
    ), outcome AS (
        SELECT lane.*, coalesce(a.taken, 0) AS taken, a.next_at
          FROM lane
          LEFT JOIN (SELECT candidate.connection_id, count(pick.id)::int AS taken,
                            min(candidate.run_at) FILTER (WHERE pick.id IS NULL) AS next_at
                       FROM candidate LEFT JOIN pick ON pick.id = candidate.id
                      GROUP BY candidate.connection_id) a ON a.connection_id = lane.connection_id
    ), woken AS (
        UPDATE lanes SET
               started_at = CASE WHEN o.taken > 0 THEN now() ELSE lanes.started_at END,
               wake_at = CASE
                   WHEN o.paused OR o.next_at IS NULL THEN 'infinity'          -- resuming or an enqueue wakes it
                   WHEN o.taken >= o.slots THEN 'infinity'                     -- the next completion wakes it
                   ELSE greatest(o.next_at, o.not_before, now(),               -- due already: back of the line
                                 CASE WHEN o.gap > '0' AND o.taken > 0 THEN now() + o.gap END) END
          FROM outcome o WHERE lanes.connection_id = o.connection_id
    )
    SELECT * FROM got;
END $$;

-- Ends a job whose submission has come to `p_state`. False: the lease was lost, and nothing is changed.
CREATE FUNCTION finish_job(
    p_job bigint, p_lease_no int, p_state submission_state, p_remote_id text, p_remote_url text, p_text text,
    p_outcome text, p_http_status int, p_problem text, p_detail text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_job jobs;
BEGIN
    SELECT connection_id INTO v_connection FROM jobs WHERE id = p_job;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    DELETE FROM jobs WHERE id = p_job AND lease_no = p_lease_no AND state = 'running' RETURNING * INTO v_job;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE submissions
       SET state = p_state, remote_id = coalesce(p_remote_id, remote_id),
           remote_url = coalesce(p_remote_url, remote_url), text = coalesce(p_text, text),
           attempts = v_job.attempt + 1, problem = p_problem, updated_at = now(),
           bytes_sent = CASE WHEN p_state = 'done' THEN bytes_total ELSE bytes_sent END
     WHERE id = v_job.submission_id;
    INSERT INTO attempts (submission_id, started_at, outcome, http_status, problem, detail)
    VALUES (v_job.submission_id, v_job.started_at, p_outcome, p_http_status, p_problem, p_detail);
    PERFORM wake_lanes(ARRAY[v_connection]);
    RETURN true;
END $$;

-- Lets a job that was just given back wait again, or ends it: cancelled, or at the bound of its tries or its age.
-- Returns the submission's state. The caller holds the lane.
CREATE FUNCTION settle_job(p_job jobs, p_problem text) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_state submission_state;
BEGIN
    v_state := CASE
        WHEN p_job.effect = 'none' AND p_job.cancel_at IS NOT NULL THEN 'cancelled'
        WHEN p_job.attempt < p_job.max_attempts AND greatest(p_job.run_at, now()) <= p_job.expires_at
            THEN waiting_state(p_job.connection_id)::text
        WHEN p_job.effect = 'armed' THEN 'unknown'
        ELSE 'rejected' END;
    IF v_state IN ('cancelled', 'unknown', 'rejected') THEN DELETE FROM jobs WHERE id = p_job.id; END IF;
    UPDATE submissions
       SET state = v_state, attempts = p_job.attempt, updated_at = now(),
           problem = CASE v_state
               WHEN 'cancelled' THEN NULL
               WHEN 'rejected' THEN
                   coalesce(p_problem, problem, 'It could not be published.') || ' Tried until the limit was reached.'
               WHEN 'unknown' THEN
                   coalesce(p_problem, problem, 'It could not be finished.')
                   || ' Tried until the limit was reached; it may have been published.'
               ELSE coalesce(p_problem, problem) END
     WHERE id = p_job.submission_id;
    RETURN v_state;
END $$;

-- Gives a running job back, due again after p_delay; null leaves it its place in the lane. p_counts: the try counts
-- against max_attempts. p_effect: what is known of the publishing request now. p_block holds the whole lane back.
-- Returns the submission's state; null: the lease was lost, and nothing is changed.
CREATE FUNCTION release_job(
    p_job bigint, p_lease_no int, p_delay interval, p_counts boolean, p_effect job_effect, p_block interval,
    p_outcome text, p_http_status int, p_problem text, p_detail text
) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_job jobs; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM jobs WHERE id = p_job;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    UPDATE jobs
       SET state = 'ready', run_at = coalesce(now() + p_delay, run_at), lease_no = lease_no + 1, lease_until = NULL,
           slot = NULL, worker = NULL, attempt = attempt + p_counts::int, effect = p_effect
     WHERE id = p_job AND lease_no = p_lease_no AND state = 'running' RETURNING * INTO v_job;
    IF NOT FOUND THEN RETURN NULL; END IF;
    v_state := settle_job(v_job, p_problem);
    IF p_outcome IS NOT NULL THEN
        INSERT INTO attempts (submission_id, started_at, outcome, http_status, problem, detail)
        VALUES (v_job.submission_id, v_job.started_at, p_outcome, p_http_status, p_problem, p_detail);
    END IF;
    UPDATE lanes SET blocked_until = greatest(blocked_until, now() + p_block) WHERE connection_id = v_connection;
    PERFORM wake_lanes(ARRAY[v_connection]);
    RETURN v_state;
END $$;

-- The owner has to sign in again: the lane sleeps, its waiting submissions say so.
CREATE FUNCTION park_account(p_connection uuid, p_problem text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections SET state = 'needs_login', problem = p_problem WHERE id = p_connection AND state <> 'disabled';
    UPDATE lanes SET paused = true, wake_at = 'infinity' WHERE connection_id = p_connection;
    UPDATE submissions SET state = 'needs_login', problem = p_problem, updated_at = now()
     WHERE connection_id = p_connection AND state = 'waiting';
END $$;

-- Gives a running job back whose credentials were refused, and parks its account, unless its credentials were replaced
-- since the try began. Returns the submission's state; null: the lease was lost, and nothing is changed.
CREATE FUNCTION park_job(
    p_job bigint, p_lease_no int, p_effect job_effect, p_outcome text, p_http_status int, p_problem text, p_detail text
) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_job jobs; v_state submission_state;
BEGIN
    SELECT * INTO v_job FROM jobs WHERE id = p_job;
    PERFORM FROM connections WHERE id = v_job.connection_id FOR NO KEY UPDATE;
    v_state := release_job(
        p_job, p_lease_no, NULL, false, p_effect, NULL, p_outcome, p_http_status, p_problem, p_detail);
    IF v_state IS NULL THEN RETURN NULL; END IF;
    IF EXISTS (SELECT FROM lanes WHERE connection_id = v_job.connection_id AND connected_at <= v_job.started_at) THEN
        PERFORM park_account(v_job.connection_id, p_problem);
    END IF;
    RETURN (SELECT state FROM submissions WHERE id = v_job.submission_id);
END $$;

-- Extends the leases of a worker's jobs in one statement. A job that does not come back has lost its lease.
CREATE FUNCTION beat_jobs(p_jobs bigint[], p_lease_nos int[], p_lease interval)
RETURNS TABLE (id bigint, is_cancelled boolean) LANGUAGE sql AS $$
    UPDATE jobs j SET lease_until = now() + p_lease
      FROM (SELECT r.id FROM jobs r JOIN unnest(p_jobs, p_lease_nos) AS held(id, lease_no) ON held.id = r.id
             WHERE r.id = ANY (p_jobs) AND r.lease_no = held.lease_no AND r.state = 'running'
             ORDER BY r.id FOR NO KEY UPDATE OF r) mine
     WHERE j.id = ANY (p_jobs) AND j.id = mine.id
    RETURNING j.id, j.cancel_at IS NOT NULL
$$;

-- Records a step of the journal (a member that is null forgets its key), or arms the effect, or both, and extends the
-- lease.
-- Null: the lease was lost; true: cancel was asked for, and the effect was not armed.
CREATE FUNCTION checkpoint_job(p_job bigint, p_lease_no int, p_journal jsonb, p_arm boolean, p_lease interval)
RETURNS boolean LANGUAGE sql AS $$
    UPDATE jobs
       SET lease_until = now() + p_lease,
           journal = (journal || p_journal) - ARRAY(SELECT key FROM jsonb_each(p_journal) WHERE value = 'null'),
           effect = CASE WHEN p_arm AND cancel_at IS NULL THEN 'armed' ELSE effect END
     WHERE id = p_job AND lease_no = p_lease_no AND state = 'running'
    RETURNING cancel_at IS NOT NULL
$$;

-- Gives back the jobs of workers that died. Any process calls it every few seconds. A job keeps its place in the lane.
CREATE FUNCTION rescue_jobs(p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[]; v_job jobs; v_count int := 0;
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes
             WHERE connection_id IN (SELECT connection_id FROM jobs
                                      WHERE state = 'running' AND lease_until < now() LIMIT p_limit)
             ORDER BY connection_id FOR NO KEY UPDATE SKIP LOCKED) k;
    FOR v_job IN
        UPDATE jobs j
           SET state = 'ready', attempt = j.attempt + 1, lease_no = j.lease_no + 1, lease_until = NULL, slot = NULL,
               worker = NULL
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

-- A net, once a minute: no lane with work may sleep for ever. Answers 0 as long as the order of locks is kept.
CREATE FUNCTION sweep_lanes() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_lanes uuid[]; v_count int;
BEGIN
    SELECT array_agg(k.connection_id) INTO v_lanes
      FROM (SELECT connection_id FROM lanes
             WHERE wake_at > now() AND NOT paused
               AND connection_id IN (SELECT connection_id FROM jobs WHERE state = 'ready')
             ORDER BY connection_id FOR NO KEY UPDATE SKIP LOCKED) k;
    UPDATE lanes SET wake_at = due.at
      FROM (SELECT connection_id, lane_alarm(l) AS at FROM lanes l WHERE connection_id = ANY (v_lanes)) due
     -- Others may have woken it since this transaction began: now() is not late enough.
     WHERE lanes.connection_id = due.connection_id AND lanes.wake_at > greatest(due.at, clock_timestamp());
    GET DIAGNOSTICS v_count = ROW_COUNT;
    RETURN v_count;
END $$;

-- Asks for the end of a submission. Waiting: cancelled at once, unless it may have been published. Running: its worker
-- hears of it with the next heartbeat. Returns the state after the call; null when there is no such submission.
CREATE FUNCTION cancel_submission(p_submission uuid) RETURNS submission_state LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    DELETE FROM jobs WHERE submission_id = p_submission AND state = 'ready' AND effect = 'none';
    IF FOUND THEN
        UPDATE submissions SET state = 'cancelled', problem = NULL, updated_at = now() WHERE id = p_submission;
    ELSE
        UPDATE jobs SET cancel_at = coalesce(cancel_at, now()) WHERE submission_id = p_submission;
        IF FOUND THEN PERFORM pg_notify('pics_cancel', p_submission::text); END IF;
    END IF;
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    RETURN v_state;
END $$;

-- Starts a submission anew that has ended without being done. Returns its state after the call; null: there is none.
CREATE FUNCTION retry_submission(p_submission uuid, p_max_attempts int, p_max_age interval) RETURNS submission_state
LANGUAGE plpgsql AS $$
DECLARE v_connection uuid; v_state submission_state;
BEGIN
    SELECT connection_id INTO v_connection FROM submissions WHERE id = p_submission;
    PERFORM FROM lanes WHERE connection_id = v_connection FOR NO KEY UPDATE;
    UPDATE submissions s
       SET state = waiting_state(v_connection), problem = NULL, attempts = 0, bytes_sent = 0, updated_at = now()
      FROM photos p
     WHERE s.id = p_submission AND s.state IN ('rejected', 'cancelled', 'unknown')
       AND p.id = s.photo_id AND p.deleted_at IS NULL;
    IF FOUND THEN
        INSERT INTO jobs (connection_id, submission_id, max_attempts, expires_at)
        VALUES (v_connection, p_submission, p_max_attempts, now() + p_max_age);
    ELSE
        UPDATE jobs SET run_at = now() WHERE submission_id = p_submission AND state = 'ready' AND run_at > now();
    END IF;
    PERFORM wake_lanes(ARRAY[v_connection]);
    SELECT state INTO v_state FROM submissions WHERE id = p_submission;
    RETURN v_state;
END $$;

-- Holds the lanes that a photo goes through, before its row and its submissions are changed.
CREATE FUNCTION lock_lanes(p_photo uuid, p_owner uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM lanes
     WHERE connection_id IN (SELECT s.connection_id FROM submissions s JOIN photos p ON p.id = s.photo_id
                              WHERE p.id = p_photo AND p.owner_id = p_owner)
     ORDER BY connection_id FOR NO KEY UPDATE;
END $$;

-- Marks a photo deleted, lets go of its file and its words, and ends what still waits. False: there is no such photo.
CREATE FUNCTION delete_photo(p_photo uuid, p_owner uuid) RETURNS boolean LANGUAGE plpgsql AS $$
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
    UPDATE submissions SET text = '' WHERE photo_id = p_photo;
    RETURN true;
END $$;
