-- People say who they are, and choose a picture among their photos; albums have words, a cover and an order. The index of captions is
-- built beside running programs.
--
-- pics: no transaction

-- picture_id: a photo of the user's own. It is shown only while everybody may see it, so it needs no key and no cleanup.
-- profile_at: when any of this changed last, for feeds.
ALTER TABLE users
    ADD COLUMN IF NOT EXISTS display_name text
        CONSTRAINT users_display_name_short CHECK (length(display_name) BETWEEN 1 AND 100),
    ADD COLUMN IF NOT EXISTS about text
        CONSTRAINT users_about_short CHECK (length(about) BETWEEN 1 AND 500),
    ADD COLUMN IF NOT EXISTS links text[] NOT NULL DEFAULT '{}'
        CONSTRAINT users_links_few CHECK (cardinality(links) <= 5 AND array_position(links, NULL) IS NULL),
    ADD COLUMN IF NOT EXISTS picture_id uuid,
    ADD COLUMN IF NOT EXISTS profile_at timestamptz;

-- The newest photos of all are looked for in these galleries alone.
CREATE INDEX IF NOT EXISTS users_open ON users (id) WHERE has_gallery;

CREATE TABLE IF NOT EXISTS albums (
    owner_id uuid NOT NULL REFERENCES users (id),
    name text NOT NULL,
    about text,
    cover_id uuid,
    photo_order text NOT NULL DEFAULT 'newest',
    PRIMARY KEY (owner_id, name),
    CONSTRAINT albums_name_short CHECK (length(name) BETWEEN 1 AND 100),
    CONSTRAINT albums_about_short CHECK (length(about) BETWEEN 1 AND 500),
    CONSTRAINT albums_order_known CHECK (photo_order IN ('newest', 'oldest', 'caption'))
);

COMMENT ON TABLE albums IS 'What an owner says of an album. An album is there while photos name it; one without a row has the defaults.';
COMMENT ON COLUMN albums.cover_id IS 'A photo of the album, shown while everybody may see it; else the newest is.';

DROP INDEX CONCURRENTLY IF EXISTS photos_by_caption;
CREATE INDEX CONCURRENTLY photos_by_caption ON photos (owner_id, album, left(caption, 60), id)
    WHERE visibility = 'public' AND deleted_at IS NULL AND album IS NOT NULL;
