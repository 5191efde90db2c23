-- pics: functions note_like_owner
-- What apps for Mastodon keep and ask for.

-- What an upload shows, and which point of it matters (x to the right, y upwards, -1 to 1): said before it becomes a photo.
ALTER TABLE uploads
    ADD COLUMN alt_text text NOT NULL DEFAULT '',
    ADD COLUMN focus_x real,
    ADD COLUMN focus_y real,
    ADD CONSTRAINT uploads_focus_within CHECK (focus_x BETWEEN -1 AND 1 AND focus_y BETWEEN -1 AND 1) NOT VALID;
ALTER TABLE uploads VALIDATE CONSTRAINT uploads_focus_within;

ALTER TABLE photos
    ADD COLUMN focus_x real,
    ADD COLUMN focus_y real,
    ADD CONSTRAINT photos_focus_within CHECK (focus_x BETWEEN -1 AND 1 AND focus_y BETWEEN -1 AND 1) NOT VALID;
ALTER TABLE photos VALIDATE CONSTRAINT photos_focus_within;

-- Photos that somebody wants to find again; nobody else knows.
CREATE TABLE bookmarks (
    user_id uuid NOT NULL CONSTRAINT bookmarks_user_fkey REFERENCES users ON DELETE CASCADE,
    photo_id uuid NOT NULL CONSTRAINT bookmarks_photo_fkey REFERENCES photos ON DELETE CASCADE,
    CONSTRAINT bookmarks_pkey PRIMARY KEY (user_id, photo_id)
);

CREATE INDEX bookmarks_photo ON bookmarks (photo_id);

-- How far somebody has read, for all their apps.
CREATE TABLE markers (
    user_id uuid NOT NULL CONSTRAINT markers_user_fkey REFERENCES users ON DELETE CASCADE,
    timeline text NOT NULL,
    last_read_id text NOT NULL,
    version int NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT markers_pkey PRIMARY KEY (user_id, timeline),
    CONSTRAINT markers_timeline_known CHECK (timeline IN ('home', 'notifications')),
    CONSTRAINT markers_last_read_short CHECK (char_length(last_read_id) BETWEEN 1 AND 64)
);

-- Whose photo is liked: a list of the likes of somebody's photos is read by it.
ALTER TABLE likes
    ADD COLUMN owner_id uuid,
    ADD CONSTRAINT likes_owner_fkey FOREIGN KEY (owner_id) REFERENCES users ON DELETE CASCADE NOT VALID;
UPDATE likes SET owner_id = photos.owner_id FROM photos WHERE photos.id = likes.photo_id;
ALTER TABLE likes VALIDATE CONSTRAINT likes_owner_fkey;
CREATE INDEX likes_owner ON likes (owner_id, created_at DESC);

CREATE TRIGGER likes_note_owner BEFORE INSERT ON likes FOR EACH ROW EXECUTE FUNCTION note_like_owner();
