-- Galleries of users, with days and albums; accounts that end; a status that stays cheap.

-- A gallery lists all public photos of a user, so nobody has one before they ask for it. Who has left stays as a row
-- under another name: the codes of their photos must answer 410, and their name must be free.
ALTER TABLE users
    ADD COLUMN has_gallery  boolean NOT NULL DEFAULT false,
    ADD COLUMN deleted_at   timestamptz,                 -- from then on nothing of theirs is shown, and nobody signs in
    ADD COLUMN forgotten_at timestamptz,                 -- when the last of what was theirs had gone
    ADD CONSTRAINT users_leave_before_forgotten CHECK (forgotten_at IS NULL OR deleted_at IS NOT NULL),
    ADD CONSTRAINT users_left_are_locked_out
        CHECK (deleted_at IS NULL OR (password IS NULL AND NOT is_admin AND NOT has_gallery));
CREATE INDEX users_leaving ON users (deleted_at) WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL;

ALTER TABLE photos
    ADD COLUMN album     text,                           -- the owner's word for what belongs together
    ADD COLUMN edited_at timestamptz,                    -- caption, alternative text, visibility, recipe or album
    ADD CONSTRAINT photos_album_short CHECK (length(album) BETWEEN 1 AND 100);
-- What a gallery shows: newest first, by album, by day. An index reads both ways, so one for neighbours is not needed.
DROP INDEX IF EXISTS photos_public;
CREATE INDEX photos_gallery ON photos (owner_id, id DESC) WHERE visibility = 'public' AND deleted_at IS NULL;
CREATE INDEX photos_album ON photos (owner_id, visibility, album, id DESC)
    WHERE deleted_at IS NULL AND album IS NOT NULL;
CREATE INDEX photos_shown ON photos (owner_id, (coalesce(taken_at, created_at)), id)
    WHERE visibility = 'public' AND deleted_at IS NULL;
-- When something of an owner's changed last, also by going away: the Last-Modified of a gallery.
CREATE INDEX photos_changed ON photos (owner_id, (greatest(created_at, edited_at, deleted_at)) DESC);

-- The likes that somebody has given, in an order that can be gone on with.
CREATE INDEX likes_given ON likes (user_id, photo_id);
DROP INDEX likes_of_user;

-- What a status counts exactly is counted here: all that has not come to its end, and what was refused.
CREATE INDEX submissions_open ON submissions (connection_id, state, id) WHERE state NOT IN ('done', 'cancelled');
-- What an operator has to look at, newest first; what went wrong last at an account.
CREATE INDEX submissions_troubled ON submissions (updated_at DESC) WHERE state IN ('rejected', 'unknown', 'needs_login');
CREATE INDEX submissions_problems ON submissions (connection_id, updated_at DESC) WHERE problem IS NOT NULL;
-- With how each try ended, so that counting a day's tries reads no table.
CREATE INDEX attempts_by_time ON attempts (ended_at DESC) INCLUDE (outcome);
DROP INDEX attempts_newest;

-- A deleted photo lets go of its album too.
CREATE OR REPLACE FUNCTION delete_photo(
    p_photo uuid, p_owner uuid, p_take_back uuid[], p_max_attempts int, p_max_age interval
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_lanes(p_photo, p_owner);
    UPDATE photos
       SET deleted_at = now(), sha256 = NULL, caption = '', alt_text = '', exif = '{}', latitude = NULL,
           longitude = NULL, album = NULL, version = version + 1
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

-- Begins the end of an account: from the commit on nobody is in as this user, and nothing of theirs is shown. What was
-- theirs goes in steps (delete_photo, forget_likes, forget_user). False: there is no such user, or they are the last admin.
CREATE FUNCTION leave(p_user uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    -- Two admins who leave at once wait for each other here.
    PERFORM FROM users WHERE is_admin ORDER BY id FOR UPDATE;
    IF EXISTS (SELECT FROM users WHERE id = p_user AND is_admin)
       AND NOT EXISTS (SELECT FROM users WHERE id <> p_user AND is_admin) THEN RETURN false; END IF;
    UPDATE users
       SET deleted_at = now(), name = 'deleted-' || right(replace(id::text, '-', ''), 20), password = NULL,
           is_admin = false, has_gallery = false
     WHERE id = p_user AND deleted_at IS NULL;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE tokens SET revoked_at = now() WHERE user_id = p_user AND revoked_at IS NULL;
    DELETE FROM sessions WHERE user_id = p_user;
    DELETE FROM invitations WHERE invited_by = p_user AND used_at IS NULL;
    DELETE FROM authorizations WHERE user_id = p_user;
    RETURN true;
END $$;

-- Takes back likes of a user who has left, a few at a time. Returns how many.
CREATE FUNCTION forget_likes(p_user uuid, p_limit int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v_count int;
BEGIN
    WITH gone AS (
        DELETE FROM likes WHERE (photo_id, user_id) IN
            (SELECT photo_id, user_id FROM likes WHERE user_id = p_user ORDER BY photo_id LIMIT p_limit)
        RETURNING photo_id
    ), counted AS (
        UPDATE photos SET like_count = greatest(like_count - 1, 0) FROM gone WHERE photos.id = gone.photo_id
        RETURNING photos.id
    )
    SELECT count(*) INTO v_count FROM gone;
    RETURN v_count;
END $$;

-- Ends it: no photo, no like and no account is left. Uploads that rest are forgotten by their own sweep, keys here.
CREATE FUNCTION forget_user(p_user uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM tokens WHERE user_id = p_user;
    UPDATE users SET forgotten_at = now() WHERE id = p_user AND deleted_at IS NOT NULL AND forgotten_at IS NULL;
END $$;
