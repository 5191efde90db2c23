-- The statements that release 0.1.0 sends, taken from its sources and compared with those that PostgreSQL has logged.
-- Each begins with its name. Left out: BEGIN, COMMIT, ROLLBACK and LISTEN, which cannot be prepared.

-- accept_invitation
WITH accepted AS (
    UPDATE invitations SET used_at = now()
     WHERE hash = $1 AND used_at IS NULL AND expires_at > now() RETURNING user_name, is_admin)
INSERT INTO users (id, name, is_admin, time_zone, password)
SELECT $2, coalesce(user_name, $3), is_admin, $4, $5 FROM accepted
RETURNING id, name, is_admin, created_at;

-- account
SELECT c.id AS connection_id, c.service, c.remote_id, c.account, c.credentials, c.credentials_no, c.settings,
c.settings_read_at FROM connections c
 WHERE c.id = $1 AND c.owner_id = $2 AND c.state <> 'disabled';

-- acknowledge_webhook
UPDATE webhooks
   SET cursor_at = $3, cursor_id = $4, delivered_at = now(), next_at = now() + $5::interval,
       failures = 0, failing_since = NULL, problem = NULL
 WHERE id = $1 AND turn = $2
RETURNING state = 'active' AS goes_on;

-- add_authorization
INSERT INTO authorizations (id, state_hash, user_id, service, browser_hash, sealed, created_at, expires_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8
 WHERE (SELECT count(*) FROM authorizations
         WHERE user_id = $3 AND taken_at IS NULL AND expires_at > $7) < $9
RETURNING true AS added;

-- add_gate
SELECT add_gate($1);

-- add_visits
INSERT INTO visits AS v (photo_id, day, people, bots)
SELECT l.photo_id, date '1970-01-01' + n.day::int, n.people, n.bots
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS n(code, day, people, bots)
  JOIN short_links l ON l.code = n.code JOIN photos p ON p.id = l.photo_id AND p.deleted_at IS NULL
 ORDER BY 1, 2
ON CONFLICT (photo_id, day) DO UPDATE SET people = v.people + excluded.people, bots = v.bots + excluded.bots;

-- album_newer
SELECT view.*
  FROM (SELECT c.id FROM photos c
         WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND c.album = $4
           AND c.id > coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         ORDER BY c.id ASC LIMIT $3::int) page
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, false AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view ORDER BY view.id ASC;

-- album_older
SELECT view.*
  FROM (SELECT c.id FROM photos c
         WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND c.album = $4
           AND c.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         ORDER BY c.id DESC LIMIT $3::int) page
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, false AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view ORDER BY view.id DESC;

-- apply_gate_policy
UPDATE gates SET cap = $2::int, cap_window = $3::interval
 WHERE name = $1 AND (cap, cap_window) IS DISTINCT FROM ($2::int, $3::interval);

-- apply_lane_policy
UPDATE lanes SET max_running = $2::int, gap = $3::interval, cap = $4::int, cap_window = $5::interval
  FROM (SELECT connection_id FROM lanes
         WHERE service = $1 AND (max_running, gap, cap, cap_window)
               IS DISTINCT FROM ($2::int, $3::interval, $4::int, $5::interval)
           AND NOT EXISTS (SELECT FROM jobs j WHERE j.connection_id = lanes.connection_id
                              AND j.state = 'running' AND j.slot >= $2::int)
         ORDER BY connection_id FOR NO KEY UPDATE) k
 WHERE lanes.connection_id = k.connection_id;

-- attempts
SELECT * FROM (SELECT * FROM attempts WHERE submission_id = $1 ORDER BY id DESC LIMIT $2::int) newest
 ORDER BY id;

-- authorization
SELECT taken_at IS NOT NULL AS is_taken, connection_id, problem
  FROM authorizations WHERE id = $1 AND user_id = $2;

-- beat_jobs
SELECT id, is_cancelled FROM beat_jobs($1::bigint[], $2::int[], make_interval(secs => $3::float8));

-- begin_refresh
SELECT begin_refresh($1, $2, $3::interval) AS begun;

-- cancel_submission
SELECT cancel_submission($1) AS state;

-- changes
SELECT k.place, now() AS read_at, s.*
  FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS k(owner_id, since, place)
  LEFT JOIN LATERAL (
      SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*'
       WHERE s.id IN (SELECT x.id FROM connections o
                       CROSS JOIN LATERAL (SELECT id FROM submissions
                                            WHERE connection_id = o.id AND updated_at > k.since
                                            ORDER BY updated_at DESC LIMIT 500) x
                       WHERE o.owner_id = k.owner_id
                       UNION ALL
                      SELECT r.submission_id FROM connections o JOIN jobs r ON r.connection_id = o.id
                       WHERE o.owner_id = k.owner_id AND r.state = 'running')
  ) s ON true;

-- checkpoint_job
SELECT c AS cancelled
  FROM checkpoint_job($1, $2, $3::text::jsonb, $4::smallint, $5, make_interval(secs => $6::float8)) c
 WHERE c IS NOT NULL;

-- choose_settings
UPDATE connections SET settings = settings || $3::text::jsonb
 WHERE id = $1 AND owner_id = $2 AND state <> 'disabled' RETURNING id;

-- claim_authorization
UPDATE authorizations a SET taken_at = now(), sealed = NULL
  FROM (SELECT id, sealed FROM authorizations
         WHERE id = $1 AND user_id = $2 AND claim_hash = $3 AND taken_at IS NULL FOR UPDATE) was
 WHERE a.id = was.id
RETURNING a.id, a.user_id, a.service, a.browser_hash, was.sealed, a.expires_at;

-- complete_upload
UPDATE uploads SET state = 'complete', length = $2 WHERE id = $1 AND state = 'receiving';

-- connection_settings
SELECT settings::text AS settings FROM connections WHERE id = $1;

-- connections_of_owner
SELECT id, owner_id, service, remote_id, account, state, settings, problem, created_at
  FROM connections WHERE owner_id = $1 AND state <> 'disabled' ORDER BY service, account;

-- count_network_likes
WITH former AS (
    SELECT id, network_likes FROM submissions WHERE id = $1 FOR NO KEY UPDATE
), counted AS (
    UPDATE submissions s SET network_likes = $2::int FROM former
     WHERE s.id = former.id AND former.network_likes <> $2::int
    RETURNING s.photo_id, $2::int - former.network_likes AS difference
)
UPDATE photos SET network_like_count = network_like_count + counted.difference
  FROM counted WHERE photos.id = counted.photo_id;

-- counted_share
SELECT least(100, 100.0 * 1000 * current_setting('block_size')::bigint
                  / greatest(pg_relation_size('submissions'), 1))::float8 AS share;

-- database_status
SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
       CASE WHEN pg_relation_size('photos') < 16777216
            THEN (SELECT count(*) FROM photos WHERE deleted_at IS NULL)
            ELSE (SELECT greatest(reltuples, 0)::bigint FROM pg_class
                   WHERE oid = 'photos_of_owner'::regclass) END AS photos,
       (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS users,
       (SELECT max(version)::int FROM schema_migrations) AS schema;

-- delete_admin_invitations
DELETE FROM invitations WHERE invited_by = $1 AND is_admin;

-- delete_invitation
DELETE FROM invitations WHERE id = $1 AND used_at IS NULL;

-- delete_old_invitations
DELETE FROM invitations WHERE expires_at <= now();

-- delete_old_sessions
DELETE FROM sessions WHERE created_at <= now() - $1::interval OR last_seen_at <= now() - $2::interval;

-- delete_photo
SELECT delete_photo($1, $2, $3::uuid[], $4::int, $5::interval) AS deleted;

-- delete_renditions
DELETE FROM renditions
 WHERE source_sha256 = $1 AND right(name, length($2::text) + 1) = '-' || $2::text
   AND NOT EXISTS (SELECT FROM photos p
                    WHERE p.sha256 = $1 AND p.recipe = $3::text::jsonb AND p.deleted_at IS NULL);

-- delete_service_keys
DELETE FROM service_keys WHERE service = $1;

-- delete_session
DELETE FROM sessions WHERE id = $1 AND user_id = $2;

-- delete_sessions
DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid;

-- delete_upload
DELETE FROM uploads WHERE id = $1 AND owner_id = $2;

-- delete_webhook
DELETE FROM webhooks WHERE id = $1 AND owner_id = $2;

-- disconnect_account
SELECT disconnect_account($1, $2) AS cancelled;

-- edit_photo
WITH edited AS (
    UPDATE photos
       SET caption = coalesce($4, caption), alt_text = coalesce($5, alt_text),
           visibility = coalesce($6::text::visibility, visibility),
           recipe = CASE WHEN $12::bool THEN $13::text::jsonb ELSE recipe END,
           album = CASE WHEN $14::bool THEN $15 ELSE album END, edited_at = now(), version = version + 1,
           processing = CASE WHEN $12::bool AND recipe IS DISTINCT FROM $13::text::jsonb
                             THEN 'pending' ELSE processing END,
           processing_at = CASE WHEN $12::bool AND recipe IS DISTINCT FROM $13::text::jsonb
                                THEN now() ELSE processing_at END
     WHERE id = $1 AND owner_id = $2 AND version = $3 AND deleted_at IS NULL
    RETURNING id
), replanned AS (
    UPDATE submissions s
       SET text = n.text, is_cut = n.is_cut, length = n.length, text_limit = n.text_limit
      FROM unnest($7::uuid[], $8::text[], $9::bool[], $10::int[], $11::int[])
           AS n(id, text, is_cut, length, text_limit), edited
     WHERE s.id = n.id AND s.photo_id = edited.id AND s.state IN ('waiting', 'paused', 'needs_login')
       AND EXISTS (SELECT FROM jobs j
                    WHERE j.submission_id = s.id AND j.effect = 'none' AND j.state = 'ready')
)
SELECT id FROM edited;

-- edit_posts
SELECT enqueue_changes(
    ARRAY(SELECT s.id FROM submissions s JOIN photos p ON p.id = s.photo_id
           WHERE s.id = ANY ($1::uuid[]) AND p.id = $2 AND p.version = $3),
    'edit', $4::int, $5::interval);

-- edit_webhook
UPDATE webhooks
   SET url = coalesce($3, url),
       state = CASE $4::bool WHEN true THEN 'paused' WHEN false THEN 'active' ELSE state END,
       turn = CASE WHEN $3 <> url THEN turn + 1 ELSE turn END,
       (next_at, failures, failing_since, problem) = (
           SELECT CASE WHEN edit.begins_anew THEN now() ELSE next_at END,
                  CASE WHEN edit.begins_anew THEN 0 ELSE failures END,
                  CASE WHEN edit.begins_anew THEN NULL ELSE failing_since END,
                  CASE WHEN edit.begins_anew THEN NULL ELSE problem END
             FROM (SELECT $3 <> url OR (NOT $4 AND state <> 'active') AS begins_anew) AS edit)
 WHERE id = $1 AND owner_id = $2
RETURNING id, url, state, problem, failures, CASE WHEN failures > 0 AND state = 'active' THEN next_at END AS next_at,
delivered_at, created_at;

-- end_authorization
UPDATE authorizations SET connection_id = $2, problem = $3 WHERE id = $1;

-- end_refresh
SELECT end_refresh($1, $2, $3) AS ended;

-- end_revocation
DELETE FROM revocations WHERE connection_id = $1;

-- end_webhook_turn
UPDATE webhooks SET next_at = now() WHERE id = $1 AND turn = $2;

-- ended_submission_counts
SELECT c.service, s.state, round(s.count * 100 / $1::real)::bigint AS count
  FROM (SELECT connection_id, state::text AS state, count(*) AS count
          FROM submissions TABLESAMPLE SYSTEM ($1::real)
         WHERE state IN ('done', 'cancelled') GROUP BY 1, 2) s
  JOIN connections c ON c.id = s.connection_id;

-- enqueue_submissions
SELECT enqueue_submissions($1::uuid[], $2::int[], $3::interval[]);

-- expired_uploads
DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE expires_at <= now() LIMIT $1::int)
RETURNING id;

-- fail_upload
UPDATE uploads SET state = 'failed', problem = $2 WHERE id = $1 AND photo_id IS NULL;

-- fail_webhook
UPDATE webhooks
   SET failures = failures + 1, failing_since = coalesce(failing_since, now()), problem = $3,
       next_at = now() + $4::interval,
       state = CASE WHEN state = 'active' AND ($5::bool OR failing_since < now() - $6::interval)
                    THEN 'disabled' ELSE state END
 WHERE id = $1 AND turn = $2
RETURNING state = 'disabled' AS is_given_up;

-- finish_jobs
SELECT id, lease_no FROM finish_jobs($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[],
                           $7::text[], $8::int[], $9::text[], $10::text[]);

-- fold_visits
WITH old AS (
    DELETE FROM visits WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM visits
         WHERE day > '-infinity' AND day < (now() AT TIME ZONE 'UTC')::date - $1::int
         ORDER BY day, photo_id LIMIT $2::int FOR UPDATE SKIP LOCKED))
    RETURNING photo_id, people, bots
), folded AS (
    INSERT INTO visits AS v (photo_id, day, people, bots)
    SELECT photo_id, '-infinity', sum(people)::bigint, sum(bots)::bigint FROM old GROUP BY photo_id ORDER BY photo_id
    ON CONFLICT (photo_id, day)
    DO UPDATE SET people = v.people + excluded.people, bots = v.bots + excluded.bots
)
SELECT photo_id FROM old;

-- forget_answers
DELETE FROM idempotency_keys WHERE created_at < now() - $1::interval;

-- forget_blobs
DELETE FROM blobs b
 WHERE b.sha256 >= $1 AND ($2::bytea IS NULL OR b.sha256 < $2) AND b.created_at < $3
   AND NOT EXISTS (SELECT FROM photos p WHERE p.sha256 = b.sha256)
   AND NOT EXISTS (SELECT FROM renditions r WHERE r.sha256 = b.sha256 AND r.source_sha256 <> b.sha256)
RETURNING b.sha256;

-- forget_likes
SELECT forget_likes($1, $2::int) AS likes;

-- forget_user
SELECT forget_user($1);

-- forget_visits
DELETE FROM visits WHERE photo_id = $1
   AND EXISTS (SELECT FROM photos p WHERE p.id = $1 AND p.deleted_at IS NOT NULL);

-- gallery
SELECT u.id, u.name, u.time_zone,
       (SELECT greatest(p.created_at, p.edited_at, p.deleted_at) FROM photos p WHERE p.owner_id = u.id
         ORDER BY greatest(p.created_at, p.edited_at, p.deleted_at) DESC LIMIT 1) AS changed_at
  FROM users u WHERE u.name = $1 AND u.has_gallery;

-- gallery_albums
WITH RECURSIVE names AS (
    (SELECT album, 1 AS n FROM photos
      WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL AND album IS NOT NULL
        AND album > coalesce($2, '')
      ORDER BY album LIMIT 1)
    UNION ALL
    SELECT next.album, names.n + 1
      FROM names
     CROSS JOIN LATERAL (SELECT p.album FROM photos p
                          WHERE p.owner_id = $1 AND p.visibility = 'public' AND p.deleted_at IS NULL
                            AND p.album > names.album ORDER BY p.album LIMIT 1) next
     WHERE names.n < $3::int
)
SELECT view.*
  FROM names
 CROSS JOIN LATERAL (SELECT c.id FROM photos c
                      WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                        AND c.album = names.album ORDER BY c.id DESC LIMIT 1) page
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, false AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view
 ORDER BY names.n;

-- gallery_day
SELECT view.*
  FROM (SELECT c.id FROM photos c
         WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
           AND coalesce(c.taken_at, c.created_at) < ($2::date::timestamp + interval '1 day') AT TIME ZONE $3
           AND (coalesce(c.taken_at, c.created_at), c.id)
               > (greatest((SELECT coalesce(taken_at, created_at) FROM photos WHERE id = $4),
                           $2::date::timestamp AT TIME ZONE $3),
                  coalesce($4::uuid, '00000000-0000-0000-0000-000000000000'))
         ORDER BY coalesce(c.taken_at, c.created_at), c.id LIMIT $5::int) page
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, false AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view
 ORDER BY coalesce(view.taken_at, view.created_at), view.id;

-- gallery_days
SELECT extract(doy FROM d.day)::int AS day, counted.photos, view.*
  FROM generate_series(make_date($2::int, 1, 1)::timestamp, make_date($2::int, 12, 31)::timestamp, '1 day')
       AS d(day)
 CROSS JOIN LATERAL (SELECT c.id FROM photos c
                      WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                        AND coalesce(c.taken_at, c.created_at) >= d.day AT TIME ZONE $3
                        AND coalesce(c.taken_at, c.created_at) < (d.day + interval '1 day') AT TIME ZONE $3
                      ORDER BY coalesce(c.taken_at, c.created_at), c.id LIMIT 1) page
 CROSS JOIN LATERAL (SELECT count(*) AS photos
                       FROM (SELECT FROM photos c
                              WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL
                                AND coalesce(c.taken_at, c.created_at) >= d.day AT TIME ZONE $3
                                AND coalesce(c.taken_at, c.created_at)
                                    < (d.day + interval '1 day') AT TIME ZONE $3
                              LIMIT $4::int) of_day) counted
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, false AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view
 ORDER BY d.day;

-- gallery_newer
SELECT view.*
  FROM (SELECT c.id FROM photos c
         WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND $4::text IS NULL
           AND c.id > coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         ORDER BY c.id ASC LIMIT $3::int) page
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, false AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view ORDER BY view.id ASC;

-- gallery_older
SELECT view.*
  FROM (SELECT c.id FROM photos c
         WHERE c.owner_id = $1 AND c.visibility = 'public' AND c.deleted_at IS NULL AND $4::text IS NULL
           AND c.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         ORDER BY c.id DESC LIMIT $3::int) page
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, false AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view ORDER BY view.id DESC;

-- gallery_years
SELECT extract(year FROM first.at AT TIME ZONE $2)::int AS first,
       extract(year FROM last.at AT TIME ZONE $2)::int AS last
  FROM (SELECT coalesce(taken_at, created_at) AS at FROM photos
         WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
         ORDER BY coalesce(taken_at, created_at), id LIMIT 1) first,
       (SELECT coalesce(taken_at, created_at) AS at FROM photos
         WHERE owner_id = $1 AND visibility = 'public' AND deleted_at IS NULL
         ORDER BY coalesce(taken_at, created_at) DESC, id DESC LIMIT 1) last;

-- gates
SELECT g.name, g.paused, g.reason, g.problem, g.cap, s.opens_at,
       CASE WHEN g.failures < breaker_threshold() THEN 'closed'
            WHEN greatest(g.open_until, g.probe_until) > now() AND g.open_until >= g.probe_until THEN 'open'
            ELSE 'probing' END AS breaker,
       CASE WHEN g.window_start + g.cap_window > now() THEN g.window_used ELSE 0 END AS used,
       count(l.*) AS lanes,
       count(l.*) FILTER (WHERE l.failures >= breaker_threshold()) AS lanes_failing
  FROM gates g JOIN gate_states s ON s.name = g.name
  LEFT JOIN lanes l ON l.gate = g.name OR g.name = '*'
 GROUP BY g.name, s.opens_at ORDER BY g.name;

-- has_authorization
SELECT EXISTS (SELECT FROM authorizations WHERE state_hash = $1) AS found;

-- has_connections
SELECT EXISTS (SELECT FROM connections WHERE state <> 'disabled') OR EXISTS (SELECT FROM service_keys)
       OR EXISTS (SELECT FROM webhooks) AS found;

-- has_gallery
SELECT has_gallery FROM users WHERE id = $1;

-- has_lanes_awake
SELECT coalesce(min(wake_at) <= now(), false) AS is_awake FROM lanes WHERE wake_at < 'infinity';

-- has_migration_history
SELECT to_regclass('schema_migrations') IS NOT NULL AS found;

-- hold_authorization
UPDATE authorizations SET taken_at = NULL, claim_hash = $2, sealed = $3 WHERE id = $1;

-- hold_lane
SELECT FROM lanes WHERE connection_id = $1 FOR NO KEY UPDATE;

-- insert_blob
INSERT INTO blobs (sha256, bytes, media_type) VALUES ($1, $2, $3)
ON CONFLICT (sha256) DO UPDATE SET created_at = now();

-- insert_companions
INSERT INTO companions (photo_id, place, companion_id)
SELECT $1, n.place, n.id FROM unnest($2::uuid[]) WITH ORDINALITY AS n(id, place);

-- insert_invitation
INSERT INTO invitations (id, hash, user_name, is_admin, invited_by, expires_at)
VALUES ($1, $2, $3, $4, $5, now() + $6::interval);

-- insert_photo
INSERT INTO photos (id, owner_id, sha256, kind, width, height, taken_at, latitude, longitude, exif, caption,
                    alt_text, visibility, recipe, sources, duration, rotation, frame_rate, picture_format,
                    sound_format, plays_from_start, album)
VALUES ($1, $2, $3, $4::text::photo_kind, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12,
        $13::text::visibility, $14::text::jsonb, $15::uuid[], $16, $17::int, $18, $19, $20, $21, $22);

-- insert_rendition
INSERT INTO renditions (source_sha256, name, sha256, width, height)
SELECT $1, $2, $3, $4, $5 WHERE EXISTS (SELECT FROM blobs WHERE sha256 = $1)
ON CONFLICT ON CONSTRAINT renditions_pkey DO NOTHING;

-- insert_session
INSERT INTO sessions (id, user_id, hash, browser, address)
SELECT $1, id, $3, $4, $5 FROM users WHERE id = $2 AND password = $6 FOR SHARE;

-- insert_short_link
INSERT INTO short_links (code, photo_id) VALUES ($1, $2);

-- insert_submissions
INSERT INTO submissions
       (id, photo_id, connection_id, text, is_cut, length, text_limit, bytes_total, scheduled_at, count_at)
SELECT n.id, $1, n.connection_id, n.text, n.is_cut, n.length, n.text_limit, n.bytes, n.scheduled_at,
       CASE WHEN n.is_counted THEN now() + interval '5 minutes' END
  FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::bool[], $6::int[], $7::int[], $8::bigint[],
              $9::timestamptz[], $10::bool[])
       AS n(id, connection_id, text, is_cut, length, text_limit, bytes, scheduled_at, is_counted);

-- insert_token
INSERT INTO tokens (id, user_id, hash, name, scopes) VALUES ($1, $2, $3, $4, $5);

-- insert_upload
INSERT INTO uploads (id, owner_id, protocol, part, state, length, metadata, concat, media_type, file_name,
                     sha256, draft, expires_at)
SELECT $1, $2, $3::text::upload_protocol, $4::text::upload_part, $5::text::upload_state, $6, $7, $8, $9,
       $10, $11, $12::text::jsonb, now() + $13::interval
  FROM (SELECT count(*) AS count, coalesce(sum(coalesce(length, $16::bigint)), 0) AS bytes
          FROM uploads
         WHERE owner_id = $2 AND photo_id IS NULL AND state <> 'failed' AND expires_at > now()) open
 WHERE open.count < $14::int AND open.bytes + coalesce($6, $16) <= $15::bigint
RETURNING id;

-- insert_user
INSERT INTO users (id, name, is_admin, time_zone) VALUES ($1, $2, $3, $4)
RETURNING id, name, is_admin, created_at;

-- insert_webhook
INSERT INTO webhooks (id, owner_id, place, url, secret)
SELECT $1, $2, n.place, $3, $4 FROM generate_series(1, $5::int) AS n(place)
 WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.owner_id = $2 AND w.place = n.place)
 ORDER BY n.place LIMIT 1
RETURNING id, url, state, problem, failures, CASE WHEN failures > 0 AND state = 'active' THEN next_at END AS next_at,
delivered_at, created_at;

-- invitation_by_hash
SELECT i.id, i.user_name, i.is_admin, u.name AS inviter, i.expires_at
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
 WHERE i.used_at IS NULL AND i.expires_at > now() AND i.hash = $1;

-- invitations
SELECT i.id, i.user_name, i.is_admin, u.name AS inviter, i.expires_at
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by
 WHERE i.used_at IS NULL AND i.expires_at > now() ORDER BY i.created_at DESC;

-- job_post
SELECT s.remote_id AS post_id, s.remote_url, l.code, p.caption, p.alt_text,
       p.deleted_at IS NOT NULL AS is_deleted, coalesce(p.taken_at, p.created_at) AS moment, u.time_zone, c.id AS connection_id, c.service, c.remote_id, c.account, c.credentials, c.credentials_no, c.settings,
c.settings_read_at
  FROM submissions s
  JOIN connections c ON c.id = s.connection_id
  JOIN photos p ON p.id = s.photo_id
  JOIN short_links l ON l.photo_id = p.id
  JOIN users u ON u.id = p.owner_id
 WHERE s.id = $1 AND s.state = 'done';

-- job_subjects
SELECT s.id AS submission_id, p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, u.time_zone, false AS liked, s.text,
       c.id AS connection_id, c.service, c.remote_id, c.account, c.credentials, c.credentials_no, c.settings,
c.settings_read_at
  FROM submissions s
  JOIN connections c ON c.id = s.connection_id
  JOIN photos p ON p.id = s.photo_id
  JOIN blobs b ON b.sha256 = p.sha256
  JOIN short_links l ON l.photo_id = p.id
  JOIN users u ON u.id = p.owner_id
 WHERE s.id = ANY ($1::uuid[]) AND p.deleted_at IS NULL;

-- keep_answer
INSERT INTO idempotency_keys (user_id, key, fingerprint, status, fields, body)
VALUES ($1, $2, $3, $4, $5, $6);

-- keep_for_revocation
INSERT INTO revocations (connection_id, credentials, due_at, ends_at)
SELECT id, credentials, now() + interval '1 min', now() + interval '7 days' FROM connections
 WHERE id = $1 AND owner_id = $2 AND state <> 'disabled' FOR UPDATE
ON CONFLICT ON CONSTRAINT revocations_pkey
DO UPDATE SET credentials = excluded.credentials, attempts = 0, due_at = excluded.due_at,
              ends_at = excluded.ends_at;

-- kept_answer
SELECT fingerprint, status, fields, body FROM idempotency_keys WHERE user_id = $1 AND key = $2;

-- known_blobs
SELECT sha256 FROM blobs WHERE sha256 = ANY ($1);

-- known_uploads
SELECT id FROM uploads WHERE id = ANY ($1::uuid[]);

-- leave
SELECT leave($1) AS has_left;

-- leaving_users
SELECT id FROM users WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL ORDER BY deleted_at LIMIT 100;

-- like_as_visitor
WITH liked AS (
    INSERT INTO visitor_likes (photo_id, visitor)
    SELECT id, $2 FROM photos WHERE id = $1 AND deleted_at IS NULL AND visibility <> 'private'
    ON CONFLICT DO NOTHING RETURNING photo_id)
UPDATE photos SET like_count = like_count + 1 FROM liked WHERE photos.id = liked.photo_id
RETURNING like_count;

-- like_count
SELECT like_count FROM photos
 WHERE id = $1 AND deleted_at IS NULL AND (visibility <> 'private' OR owner_id = $2);

-- like_photo
WITH liked AS (
    INSERT INTO likes (photo_id, user_id)
    SELECT id, $2 FROM photos
     WHERE id = $1 AND deleted_at IS NULL AND (visibility <> 'private' OR owner_id = $2)
    ON CONFLICT DO NOTHING RETURNING photo_id)
UPDATE photos SET like_count = like_count + 1 FROM liked WHERE photos.id = liked.photo_id
RETURNING like_count;

-- likers
SELECT k.user_id, u.name, k.created_at FROM likes k JOIN users u ON u.id = k.user_id
 WHERE k.photo_id = $1 AND u.deleted_at IS NULL
   AND (k.created_at, k.user_id)
       < (coalesce($2, 'infinity'::timestamptz), coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
 ORDER BY k.created_at DESC, k.user_id DESC LIMIT $4::int;

-- likes_given
SELECT k.photo_id, k.user_id, k.created_at, l.code, u.name
  FROM likes k JOIN short_links l ON l.photo_id = k.photo_id JOIN users u ON u.id = k.user_id
 WHERE k.user_id = $1 AND k.photo_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
 ORDER BY k.photo_id LIMIT $3::int;

-- likes_received
SELECT k.photo_id, k.user_id, k.created_at, l.code, u.name
  FROM photos p JOIN likes k ON k.photo_id = p.id
  JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = k.user_id
 WHERE p.owner_id = $1 AND p.deleted_at IS NULL AND u.deleted_at IS NULL
   AND p.id >= coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
   AND (k.photo_id, k.user_id) > (coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'),
                                  coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
 ORDER BY p.id, k.user_id LIMIT $4::int;

-- lock_admins
SELECT FROM users WHERE is_admin AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE;

-- lock_lanes
SELECT lock_lanes($1, $2);

-- lock_migrations
SELECT pg_advisory_lock(hashtextextended('schema_migrations of ' || coalesce(current_schema(), ''), 0));

-- lock_uploads
SELECT pg_advisory_xact_lock(hashtextextended('uploads ' || $1::text, 0));

-- migration_history
SELECT coalesce(s.version, f.version) AS version, s.name AS applied, f.version IS NOT NULL AS has_file,
       coalesce(s.name = f.name AND s.sha256 = sha256(f.sql), false) AS is_same
  FROM schema_migrations s
  FULL JOIN unnest($1::int[], $2::text[], $3::bytea[]) AS f (version, name, sql) ON f.version = s.version
 ORDER BY 1;

-- note_progress
UPDATE submissions SET bytes_sent = $2, bytes_total = $3 WHERE id = $1 AND state = 'waiting';

-- note_session_use
UPDATE sessions SET last_seen_at = now() WHERE id = $1 AND last_seen_at < now() - interval '1 minute';

-- note_token_use
UPDATE tokens SET last_used_at = now()
 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute');

-- notify
SELECT pg_notify($1, $2);

-- open_lane
INSERT INTO lanes (connection_id, service, gate, max_running, gap, cap, cap_window)
VALUES ($1, $2, $3, $4, make_interval(secs => $5::float8), $6::int, $7::interval)
ON CONFLICT ON CONSTRAINT lanes_pkey DO UPDATE
   SET gate = excluded.gate, max_running = excluded.max_running, gap = excluded.gap, cap = excluded.cap,
       cap_window = excluded.cap_window, paused = false, failures = 0, blocked_until = '-infinity',
       connected_at = clock_timestamp();

-- open_submission_counts
SELECT c.service, CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
                       ELSE s.state::text END AS state, count(*) AS count
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
 WHERE s.state NOT IN ('done', 'cancelled') GROUP BY 1, 2;

-- open_submissions
SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*'
 WHERE c.owner_id = $1 AND s.state IN ('waiting', 'paused', 'needs_login')
 ORDER BY s.updated_at DESC LIMIT $2::int;

-- outcomes
SELECT c.service, a.outcome, count(*) AS count
  FROM attempts a
  JOIN submissions s ON s.id = a.submission_id JOIN connections c ON c.id = s.connection_id
 WHERE a.ended_at > now() - interval '1 hour' GROUP BY c.service, a.outcome ORDER BY c.service, a.outcome;

-- own_albums
WITH RECURSIVE names AS (
    SELECT v.visibility, coalesce($2, '') AS album, 0 AS n
      FROM unnest(enum_range(NULL::visibility)) AS v(visibility)
    UNION ALL
    SELECT names.visibility, next.album, names.n + 1
      FROM names
     CROSS JOIN LATERAL (SELECT p.album FROM photos p
                          WHERE p.owner_id = $1 AND p.visibility = names.visibility
                            AND p.deleted_at IS NULL AND p.album > names.album
                          ORDER BY p.album LIMIT 1) next
     WHERE names.n < $3::int
)
SELECT album FROM names WHERE n > 0 GROUP BY album ORDER BY album LIMIT $3::int;

-- park_job
SELECT park_job($1, $2, $3::text::job_effect, $4, $5::int, $6, $7) AS state;

-- password_of_user
SELECT id, name, is_admin, created_at, password FROM users WHERE name = $1 AND deleted_at IS NULL;

-- pause_account
SELECT pause_account($1, $2, $3)::text AS state;

-- pause_gate
SELECT pause_gate($1, $2, $3) AS found;

-- pending_photos
SELECT owner_id, id, sha256, recipe::text AS recipe FROM photos
 WHERE processing = 'pending' AND deleted_at IS NULL AND (owner_id, id) > ($1, $2)
 ORDER BY owner_id, id LIMIT $3::int;

-- pending_photos_of_owner
SELECT id, coalesce(processing_at, created_at) AS changed_at FROM photos
 WHERE owner_id = $1 AND processing = 'pending' AND deleted_at IS NULL ORDER BY id DESC LIMIT $2::int;

-- people
SELECT id, name, is_admin, created_at, password IS NOT NULL AS can_sign_in FROM users
 WHERE deleted_at IS NULL ORDER BY name;

-- photo_by_code
SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, EXISTS (SELECT FROM likes WHERE photo_id = p.id AND user_id = $1::uuid) AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE l.code = $2;

-- photo_of_blob
SELECT id FROM photos WHERE sha256 = $1 AND owner_id = $2 AND deleted_at IS NULL ORDER BY id LIMIT 1;

-- photo_surroundings
SELECT u.time_zone, CASE WHEN u.show_camera THEN p.exif::text END AS camera, u.has_gallery,
       older.code AS older, newer.code AS newer
  FROM short_links l JOIN photos p ON p.id = l.photo_id JOIN users u ON u.id = p.owner_id
  LEFT JOIN LATERAL (
       SELECT k.code FROM photos o JOIN short_links k ON k.photo_id = o.id
        WHERE o.owner_id = p.owner_id AND o.visibility = 'public' AND o.deleted_at IS NULL AND o.id < p.id
        ORDER BY o.id DESC LIMIT 1) older ON p.visibility = 'public' AND u.has_gallery
  LEFT JOIN LATERAL (
       SELECT k.code FROM photos o JOIN short_links k ON k.photo_id = o.id
        WHERE o.owner_id = p.owner_id AND o.visibility = 'public' AND o.deleted_at IS NULL AND o.id > p.id
        ORDER BY o.id LIMIT 1) newer ON p.visibility = 'public' AND u.has_gallery
 WHERE l.code = $1;

-- photos_by_id
SELECT k.n, p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, EXISTS (SELECT FROM likes WHERE photo_id = p.id AND user_id = k.viewer) AS liked
  FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS k(id, viewer, n)
  JOIN photos p ON p.id = k.id
  JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
  LEFT JOIN blobs b ON b.sha256 = p.sha256;

-- photos_of_owner
SELECT view.*
  FROM (SELECT c.id FROM photos c
         WHERE c.owner_id = $1 AND c.deleted_at IS NULL
           AND c.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         ORDER BY c.id DESC LIMIT $3::int) page
  CROSS JOIN LATERAL (SELECT p.id, p.owner_id, l.code, p.kind, p.sha256, b.media_type, b.bytes, p.width, p.height, p.taken_at, p.latitude,
p.longitude, p.caption, p.alt_text, p.visibility, p.recipe::text AS recipe, p.sources, p.like_count,
p.network_like_count, p.version, p.created_at, coalesce(p.deleted_at, u.deleted_at) AS deleted_at, p.album,
p.edited_at, p.processing, p.duration, p.rotation, p.frame_rate, p.picture_format, p.sound_format,
p.plays_from_start, u.name AS owner_name,
ARRAY(SELECT n.companion_id FROM companions n JOIN photos o ON o.id = n.companion_id
       WHERE n.photo_id = p.id AND o.deleted_at IS NULL AND (o.visibility <> 'private' OR p.visibility = 'private')
       ORDER BY n.place) AS companions, EXISTS (SELECT FROM likes WHERE photo_id = p.id AND user_id = $1) AS liked FROM photos p JOIN short_links l ON l.photo_id = p.id JOIN users u ON u.id = p.owner_id
LEFT JOIN blobs b ON b.sha256 = p.sha256 WHERE p.id = page.id LIMIT 1) view ORDER BY view.id DESC;

-- ping
SELECT 1 AS one;

-- placeholders
SELECT r.name, r.placeholder
  FROM short_links l JOIN photos p ON p.id = l.photo_id JOIN renditions r ON r.source_sha256 = p.sha256
 WHERE l.code = $1 AND r.placeholder IS NOT NULL;

-- processed_photos
SELECT k.place, x.id, x.processing_at AS changed_at
  FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS k(owner_id, since, place)
 CROSS JOIN LATERAL (SELECT id, processing_at FROM photos
                      WHERE owner_id = k.owner_id AND deleted_at IS NULL AND processing_at > k.since
                      ORDER BY processing_at DESC LIMIT 500) x;

-- prune_attempts
SELECT prune_attempts($1::interval, $2::int) AS count;

-- prune_authorizations
DELETE FROM authorizations WHERE expires_at < $1;

-- prune_revocations
DELETE FROM revocations r USING connections c
 WHERE c.id = r.connection_id AND (r.ends_at <= now() OR c.state <> 'disabled');

-- public_posts
SELECT c.service, s.remote_url, s.network_likes
  FROM short_links l JOIN submissions s ON s.photo_id = l.photo_id JOIN connections c ON c.id = s.connection_id
 WHERE l.code = $1 AND s.state = 'done' AND s.remote_url ~ '^https?://' AND length(s.remote_url) <= 2048
 ORDER BY c.service, s.remote_url;

-- put_service_keys
INSERT INTO service_keys (service, sealed) VALUES ($1, $2)
ON CONFLICT ON CONSTRAINT service_keys_pkey DO UPDATE SET sealed = excluded.sealed, updated_at = now();

-- queue_history
SELECT hour, array_agg(outcome) AS outcomes, array_agg(tries) AS tries
  FROM (SELECT date_trunc('hour', ended_at, 'UTC') AS hour, outcome, count(*) AS tries FROM attempts
         WHERE ended_at >= date_trunc('hour', now(), 'UTC') - make_interval(hours => $1::int)
         GROUP BY 1, 2) t
 GROUP BY hour ORDER BY hour;

-- recent_problems
SELECT a.ended_at, c.service, c.account, a.outcome, a.http_status, a.problem
  FROM (SELECT * FROM attempts ORDER BY ended_at DESC LIMIT 1000) a
  JOIN submissions s ON s.id = a.submission_id JOIN connections c ON c.id = s.connection_id
 WHERE a.outcome <> 'done' ORDER BY a.ended_at DESC LIMIT $1::int;

-- record_migration
INSERT INTO schema_migrations (version, name, sha256) VALUES ($1, $2, sha256($3));

-- refuse_pictures
UPDATE photos SET processing = 'failed', processing_at = now()
 WHERE id IN (SELECT id FROM photos
               WHERE sha256 = $1 AND recipe IS NOT DISTINCT FROM $2::text::jsonb
                 AND processing = 'pending' AND deleted_at IS NULL
               ORDER BY id FOR UPDATE)
RETURNING id;

-- release_job
SELECT release_job($1, $2, make_interval(secs => $3::float8), $4, $5::text::job_effect,
                   make_interval(secs => $6::float8), make_interval(secs => $7::float8),
                   make_interval(secs => $8::float8), $9, $10::int, $11, $12) AS state;

-- rendition
SELECT r.name, r.sha256, b.media_type, b.bytes, r.width, r.height
  FROM renditions r JOIN blobs b ON b.sha256 = r.sha256 WHERE r.source_sha256 = $1 AND r.name = $2;

-- replace_password
UPDATE users SET password = $3 WHERE id = $1 AND password = $2;

-- replace_texts
UPDATE submissions s
   SET text = n.text, is_cut = n.is_cut, length = n.length, text_limit = n.text_limit, updated_at = now()
  FROM unnest($1::uuid[], $2::text[], $3::bool[], $4::int[], $5::int[])
       AS n(id, text, is_cut, length, text_limit)
 WHERE s.id = n.id
   AND (s.text, s.is_cut, s.length, s.text_limit) IS DISTINCT FROM (n.text, n.is_cut, n.length, n.text_limit);

-- rescue_jobs
SELECT rescue_jobs($1::int) AS count;

-- reseal_authorization
UPDATE authorizations SET sealed = $3 WHERE id = $1::text::uuid AND sealed = $2;

-- reseal_connection
UPDATE connections SET credentials = $3 WHERE id = $1::text::uuid AND credentials = $2;

-- reseal_revocation
UPDATE revocations SET credentials = $3 WHERE connection_id = $1::text::uuid AND credentials = $2;

-- reseal_service_keys
UPDATE service_keys SET sealed = $3 WHERE service = $1 AND sealed = $2;

-- reseal_webhook
UPDATE webhooks SET secret = $3 WHERE id = $1::text::uuid AND secret = $2;

-- resolve_submission
SELECT resolve_submission($1, $2, $3) AS resolved;

-- resume_submissions
UPDATE submissions SET state = 'waiting', problem = NULL, updated_at = now()
 WHERE connection_id = $1 AND state IN ('needs_login', 'paused');

-- retry_submission
SELECT retry_submission($1, $2::int, make_interval(secs => $3::bigint)) AS state;

-- revoke_admin_tokens
UPDATE tokens SET revoked_at = now() WHERE user_id = $1 AND 'admin' = ANY (scopes) AND revoked_at IS NULL;

-- revoke_own_token
UPDATE tokens SET revoked_at = now() WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL;

-- revoke_token
UPDATE tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL;

-- sealed_rows
SELECT kind, id, service, remote_id, sealed
  FROM (SELECT 'authorization' AS kind, id::text AS id, service, '' AS remote_id, sealed
          FROM authorizations WHERE sealed IS NOT NULL
        UNION ALL
        SELECT 'connection', id::text, service, remote_id, credentials FROM connections
         WHERE state <> 'disabled'
        UNION ALL
        SELECT 'revocation', c.id::text, c.service, c.remote_id, r.credentials
          FROM revocations r JOIN connections c ON c.id = r.connection_id
        UNION ALL
        SELECT 'service_keys', service, service, '', sealed FROM service_keys
        UNION ALL
        SELECT 'webhook', id::text, 'webhooks', '', secret FROM webhooks) s
 WHERE substring(sealed FROM 2 FOR 4) <> $1 AND (kind, id) > ($2, $3)
 ORDER BY kind, id LIMIT $4::int;

-- service_keys
SELECT service, sealed FROM service_keys;

-- service_status
SELECT c.service, count(*) AS accounts, count(*) FILTER (WHERE c.state = 'needs_login') AS needing_login,
       coalesce(sum(j.waiting), 0)::bigint AS waiting, coalesce(sum(j.running), 0)::bigint AS running,
       min(j.oldest) AS oldest,
       max(l.opens_at) FILTER (WHERE l.opens_at > now()) AS blocked_until,
       max(good.at) AS last_success, max(bad.at) AS last_problem_at,
       (array_agg(bad.problem ORDER BY bad.at DESC NULLS LAST))[1] AS last_problem
  FROM connections c
  JOIN lane_states l ON l.connection_id = c.id
  LEFT JOIN (SELECT connection_id, count(*) FILTER (WHERE state = 'ready') AS waiting,
                    count(*) FILTER (WHERE state = 'running') AS running,
                    min(since) FILTER (WHERE state = 'ready' AND since <= now()) AS oldest
               FROM jobs
              -- What is scheduled waits from its time on; each is looked up by its key.
              CROSS JOIN LATERAL (SELECT CASE WHEN priority = 0 THEN jobs.created_at ELSE (
                                      SELECT greatest(s.created_at, s.scheduled_at) FROM submissions s
                                       WHERE s.id = jobs.submission_id) END AS since) d
              GROUP BY connection_id) j ON j.connection_id = c.id
  LEFT JOIN LATERAL (SELECT updated_at AS at FROM submissions
                      WHERE connection_id = c.id AND state = 'done'
                      ORDER BY updated_at DESC LIMIT 1) good ON true
  LEFT JOIN LATERAL (SELECT updated_at AS at, problem FROM submissions
                      WHERE connection_id = c.id AND problem IS NOT NULL
                      ORDER BY updated_at DESC LIMIT 1) bad ON true
 WHERE c.state <> 'disabled'
 GROUP BY c.service ORDER BY c.service;

-- session_by_hash
SELECT s.id, s.hash, s.last_seen_at < now() - interval '1 minute' AS stale,
       u.id AS user_id, u.name, u.is_admin, u.created_at
  FROM sessions s JOIN users u ON u.id = s.user_id
 WHERE s.hash = $1 AND s.created_at > now() - $2::interval AND s.last_seen_at > now() - $3::interval;

-- sessions
SELECT id, browser, address, created_at, last_seen_at FROM sessions
 WHERE user_id = $1 AND created_at > now() - $2::interval AND last_seen_at > now() - $3::interval
 ORDER BY last_seen_at DESC, id DESC;

-- set_admin
UPDATE users SET is_admin = $2
 WHERE id = $1 AND deleted_at IS NULL
   AND ($2 OR EXISTS (SELECT FROM users o WHERE o.is_admin AND o.deleted_at IS NULL AND o.id <> $1))
RETURNING id;

-- set_gallery
UPDATE users SET has_gallery = $2 WHERE id = $1 AND deleted_at IS NULL;

-- set_password
UPDATE users SET password = $2 WHERE id = $1 AND deleted_at IS NULL;

-- set_placeholder
UPDATE renditions SET placeholder = $3 WHERE source_sha256 = $1 AND name = $2;

-- set_shows_camera
UPDATE users SET show_camera = $2 WHERE id = $1;

-- set_time_zone
UPDATE users SET time_zone = $2 WHERE id = $1;

-- set_upload_checked
UPDATE uploads SET checked = $2 WHERE id = $1;

-- set_upload_length
UPDATE uploads SET length = $2 WHERE id = $1 AND length IS NULL;

-- settle_pictures
UPDATE photos SET processing = 'done', processing_at = now()
 WHERE id IN (SELECT id FROM photos
               WHERE sha256 = $1 AND recipe IS NOT DISTINCT FROM $2::text::jsonb
                 AND processing <> 'done' AND deleted_at IS NULL
               ORDER BY id FOR UPDATE)
   AND (SELECT count(*) FROM renditions WHERE source_sha256 = $1 AND name = ANY ($3::text[]))
       = cardinality($3::text[])
RETURNING id;

-- short_code
SELECT code FROM short_links WHERE photo_id = $1;

-- shows_camera
SELECT show_camera FROM users WHERE id = $1;

-- some_photos
SELECT id FROM photos WHERE owner_id = $1 AND deleted_at IS NULL ORDER BY id DESC LIMIT $2::int;

-- submission
SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*' WHERE s.id = $1 AND c.owner_id = $2;

-- submission_for_operator
SELECT x.*, o.id AS owner_id, o.name AS owner_name
  FROM (SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*' WHERE s.id = $1) x
  JOIN connections k ON k.id = x.connection_id JOIN users o ON o.id = k.owner_id
 ORDER BY x.updated_at DESC;

-- submissions_for_operator
SELECT x.*, o.id AS owner_id, o.name AS owner_name
  FROM (SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*' WHERE ($1::text IS NULL OR c.service = $1)
   AND ($2::text IS NULL OR $2 = CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
                                      ELSE s.state::text END)
 ORDER BY s.updated_at DESC LIMIT $3::int) x
  JOIN connections k ON k.id = x.connection_id JOIN users o ON o.id = k.owner_id
 ORDER BY x.updated_at DESC;

-- submissions_of_owned
SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*'
  JOIN unnest($1::uuid[], $2::uuid[]) AS k(photo_id, viewer)
    ON k.photo_id = s.photo_id AND k.viewer = c.owner_id
 ORDER BY s.photo_id, c.service, c.account;

-- submissions_of_photos
SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*' WHERE s.photo_id = ANY ($1::uuid[]) ORDER BY s.photo_id, c.service, c.account;

-- sweep_disconnected
SELECT sweep_disconnected() AS ended;

-- sweep_lanes
SELECT sweep_lanes() AS count;

-- take_authorization
UPDATE authorizations a SET taken_at = now(), sealed = NULL
  FROM (SELECT id, sealed FROM authorizations
         WHERE state_hash = $1 AND taken_at IS NULL AND claim_hash IS NULL AND user_id = coalesce($2::uuid, user_id)
           FOR UPDATE) was
 WHERE a.id = was.id
RETURNING a.id, a.user_id, a.service, a.browser_hash, was.sealed, a.expires_at;

-- take_jobs
SELECT id, lease_no, connection_id, submission_id, kind, attempt, effect, journal, journal_version
  FROM take_jobs($1, $2::int, make_interval(secs => $3::float8));

-- take_posts_to_count
UPDATE submissions s
   SET count_at = CASE WHEN c.service = ANY ($1::text[]) AND s.created_at > now() - $2::interval
                  THEN now() + least(greatest((now() - s.created_at) / 8, interval '5 minutes'), interval '1 day')
                  END
  FROM connections c
 WHERE c.id = s.connection_id
   AND s.id IN (SELECT id FROM submissions WHERE state = 'done' AND count_at <= now()
                 ORDER BY count_at LIMIT $3::int FOR UPDATE SKIP LOCKED)
RETURNING s.id, s.remote_id, s.remote_url, c.owner_id, c.id AS connection_id,
          s.count_at IS NOT NULL AND c.state = 'ok' AS counts;

-- take_revocations
UPDATE revocations r
   SET attempts = r.attempts + 1,
       due_at = now() + least(interval '1 min' * 2 ^ least(r.attempts, 20), interval '6 hours')
  FROM connections c
 WHERE c.id = r.connection_id
   AND r.connection_id IN (SELECT connection_id FROM revocations WHERE due_at <= now()
                            ORDER BY due_at LIMIT $1::int FOR UPDATE SKIP LOCKED)
RETURNING c.id AS connection_id, c.service, c.remote_id, c.account, r.credentials, c.credentials_no,
          c.settings, c.settings_read_at;

-- take_webhooks
WITH horizon AS MATERIALIZED (
    SELECT greatest(least(min(xact_start), now() - interval '1 s'), now() - interval '2 min') AS ends_at
      FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
), due AS (
    SELECT w.id, h.ends_at FROM webhooks w CROSS JOIN horizon h
     WHERE w.state = 'active' AND w.next_at <= now()
       AND EXISTS (SELECT FROM connections o CROSS JOIN LATERAL (
                       SELECT FROM submissions s
                        WHERE s.connection_id = o.id AND s.updated_at >= w.cursor_at
                          AND s.updated_at < h.ends_at
                          AND (s.updated_at, s.id) > (w.cursor_at, w.cursor_id)
                        LIMIT 1) c
                    WHERE o.owner_id = w.owner_id)
     ORDER BY w.next_at LIMIT $1::int FOR UPDATE OF w SKIP LOCKED
)
UPDATE webhooks w SET next_at = now() + $2::interval, turn = w.turn + 1
  FROM due WHERE w.id = due.id
RETURNING w.id, w.owner_id, w.url, w.secret, w.cursor_at, w.cursor_id, due.ends_at, w.failures, w.turn;

-- tokens
SELECT t.id, u.name AS user_name, t.name, t.scopes, t.created_at, t.last_used_at, t.revoked_at
  FROM tokens t JOIN users u ON u.id = t.user_id
 WHERE $1::uuid IS NULL OR t.user_id = $1
 ORDER BY u.name, t.created_at;

-- tokens_by_hash
SELECT t.id, t.hash, t.scopes,
       t.last_used_at IS NULL OR t.last_used_at < now() - interval '1 minute' AS stale,
       u.id AS user_id, u.name, u.is_admin, u.created_at
  FROM tokens t JOIN users u ON u.id = t.user_id
 WHERE t.hash = ANY ($1) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now());

-- touch_upload
UPDATE uploads SET expires_at = now() + $2::interval WHERE id = $1;

-- troubled_submissions
SELECT x.*, o.id AS owner_id, o.name AS owner_name
  FROM (SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*' WHERE s.state IN ('rejected', 'unknown', 'needs_login') ORDER BY s.updated_at DESC LIMIT $1::int) x
  JOIN connections k ON k.id = x.connection_id JOIN users o ON o.id = k.owner_id
 ORDER BY x.updated_at DESC;

-- unlike_as_visitor
WITH unliked AS (
    DELETE FROM visitor_likes
     WHERE photo_id = $1 AND visitor = $2
       AND EXISTS (SELECT FROM photos WHERE id = $1 AND deleted_at IS NULL AND visibility <> 'private')
    RETURNING photo_id)
UPDATE photos SET like_count = like_count - 1 FROM unliked WHERE photos.id = unliked.photo_id
RETURNING like_count;

-- unlike_photo
WITH unliked AS (
    DELETE FROM likes
     WHERE photo_id = $1 AND user_id = $2
       AND EXISTS (SELECT FROM photos WHERE id = $1 AND deleted_at IS NULL
                      AND (visibility <> 'private' OR owner_id = $2))
    RETURNING photo_id)
UPDATE photos SET like_count = like_count - 1 FROM unliked WHERE photos.id = unliked.photo_id
RETURNING like_count;

-- unpublished_uploads
SELECT id, owner_id, protocol, part, state, length, checked, metadata, concat, media_type, file_name, sha256, draft,
problem, photo_id, created_at, expires_at FROM uploads
 WHERE draft IS NOT NULL AND photo_id IS NULL AND part <> 'partial' AND expires_at > now()
   AND (state = 'complete' OR state = 'receiving' AND protocol = 'tus' AND length IS NOT NULL)
   AND id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000')
 ORDER BY id LIMIT $2::int;

-- update_connection_settings
UPDATE connections SET settings = settings || $2::text::jsonb, settings_read_at = now() WHERE id = $1;

-- upload
SELECT id, owner_id, protocol, part, state, length, checked, metadata, concat, media_type, file_name, sha256, draft,
problem, photo_id, created_at, expires_at FROM uploads WHERE id = $1 AND owner_id = $2 AND expires_at > now();

-- upload_room
SELECT count(*) < $3::int AND coalesce(sum(coalesce(length, $5::bigint)), 0) + $2::bigint <= $4::bigint
       AS has_room
  FROM uploads
 WHERE owner_id = $1 AND photo_id IS NULL AND state <> 'failed' AND expires_at > now();

-- uploads_of_owner
SELECT id, owner_id, protocol, part, state, length, checked, metadata, concat, media_type, file_name, sha256, draft,
problem, photo_id, created_at, expires_at FROM uploads
 WHERE owner_id = $1 AND expires_at > now()
   AND id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
 ORDER BY id DESC LIMIT $3::int;

-- upsert_connection
INSERT INTO connections (id, owner_id, service, remote_id, account, credentials, settings)
VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb)
ON CONFLICT ON CONSTRAINT connections_account_key DO UPDATE
   SET account = excluded.account, credentials = excluded.credentials,
       settings = connections.settings || excluded.settings, settings_read_at = now(), state = 'ok',
       problem = NULL, credentials_no = connections.credentials_no + 1,
       refreshing_until = '-infinity'
RETURNING id;

-- use_upload
SELECT use_upload($1, $2);

-- user_by_id
SELECT id, name, is_admin, created_at FROM users WHERE id = $1 AND deleted_at IS NULL;

-- user_named
SELECT id, name, is_admin, created_at FROM users WHERE name = $1 AND deleted_at IS NULL;

-- user_time_zone
SELECT time_zone FROM users WHERE id = $1;

-- users
SELECT id, name, is_admin, created_at FROM users WHERE deleted_at IS NULL ORDER BY name;

-- visit_days
SELECT day::text AS day, people, bots FROM visits
 WHERE photo_id = $1 AND day > '-infinity' AND day < coalesce($2::date, 'infinity')
 ORDER BY visits.day DESC LIMIT $3::int;

-- visitor_like_counts
SELECT photo_id, count(*) AS likes FROM visitor_likes WHERE photo_id = ANY ($1::uuid[]) GROUP BY photo_id;

-- visitor_likes
SELECT EXISTS (SELECT FROM visitor_likes WHERE photo_id = $1 AND visitor = $2) AS liked;

-- visits
SELECT coalesce(sum(people), 0)::bigint AS people, coalesce(sum(bots), 0)::bigint AS bots
  FROM visits WHERE photo_id = $1;

-- visits_of_owner
SELECT v.photo_id, l.code, nullif(v.day, '-infinity')::text AS day, v.people, v.bots
  FROM photos p JOIN visits v ON v.photo_id = p.id JOIN short_links l ON l.photo_id = p.id
 WHERE p.owner_id = $1 AND p.deleted_at IS NULL
   AND p.id >= coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
   AND ($2::uuid IS NULL OR v.photo_id > $2 OR v.day > coalesce($3::date, '-infinity'))
 ORDER BY p.id, v.day LIMIT $4::int;

-- waiting_texts
SELECT s.id, p.caption, coalesce(p.taken_at, p.created_at) AS moment, l.code, u.time_zone
  FROM jobs j
  JOIN submissions s ON s.id = j.submission_id
  JOIN photos p ON p.id = s.photo_id
  JOIN short_links l ON l.photo_id = p.id
  JOIN users u ON u.id = p.owner_id
 WHERE j.connection_id = $1 AND j.state = 'ready' AND j.kind = 'submit' AND j.effect = 'none'
   AND j.journal = '{}' AND s.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
 ORDER BY s.id LIMIT $3::int;

-- wake_lane
SELECT wake_lanes(ARRAY[$1::uuid]);

-- webhook
SELECT id, url, state, problem, failures, CASE WHEN failures > 0 AND state = 'active' THEN next_at END AS next_at,
delivered_at, created_at FROM webhooks WHERE id = $1 AND owner_id = $2;

-- webhook_changes
SELECT s.id, s.photo_id, s.connection_id, c.service, c.account, s.text, s.is_cut, s.length, s.text_limit,
       s.remote_id, s.remote_url, s.attempts, s.bytes_sent, s.bytes_total, s.scheduled_at, s.updated_at,
       CASE WHEN j.state = 'running' AND j.kind = 'submit' THEN 'running'
            WHEN s.state = 'waiting' AND (g.paused OR e.paused) THEN 'paused'
            ELSE s.state::text END AS state,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' AND (g.paused OR e.paused)
            THEN coalesce(CASE WHEN e.paused THEN e.reason END, g.reason, 'The operator has paused this.')
            ELSE s.problem END AS problem,
       CASE WHEN s.state = 'waiting' AND j.state = 'ready' THEN nullif(
           greatest(j.run_at, l.opens_at, g.opens_at, e.opens_at, now()), now()) END AS next_attempt_at
  FROM submissions s JOIN connections c ON c.id = s.connection_id
  LEFT JOIN jobs j ON j.submission_id = s.id
  LEFT JOIN lane_states l ON l.connection_id = s.connection_id
  LEFT JOIN gate_states g ON g.name = l.gate
  LEFT JOIN gate_states e ON e.name = '*'
  JOIN (SELECT x.id FROM connections o
         CROSS JOIN LATERAL (SELECT id, updated_at FROM submissions
                              WHERE connection_id = o.id AND updated_at >= $2 AND updated_at < $4
                                AND (updated_at, id) > ($2, $3)
                              ORDER BY updated_at, id LIMIT 20) x
         WHERE o.owner_id = $1 ORDER BY x.updated_at, x.id LIMIT 20) n ON n.id = s.id
 ORDER BY s.updated_at, s.id;

-- webhook_secret
SELECT secret FROM webhooks WHERE id = $1 AND owner_id = $2;

-- webhooks
SELECT id, url, state, problem, failures, CASE WHEN failures > 0 AND state = 'active' THEN next_at END AS next_at,
delivered_at, created_at FROM webhooks WHERE owner_id = $1 ORDER BY created_at, id;
