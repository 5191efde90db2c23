-- Who keeps photos here, the photos, and what people say of them.

CREATE TABLE users (
    id         uuid        CONSTRAINT users_pkey PRIMARY KEY,
    name       text        NOT NULL CONSTRAINT users_name_key UNIQUE,
    is_admin   boolean     NOT NULL DEFAULT false,
    time_zone  text        NOT NULL DEFAULT 'UTC',       -- IANA name; days and years of captions are counted in it
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_name_form CHECK (name ~ '^[a-z0-9_-]{1,32}$')
);

-- A token is 256 random bits shown once. Only its SHA-256 is kept: it needs no salt and no slow hash.
CREATE TABLE tokens (
    id           uuid        CONSTRAINT tokens_pkey PRIMARY KEY,
    user_id      uuid        NOT NULL CONSTRAINT tokens_user_fkey REFERENCES users ON DELETE CASCADE,
    hash         bytea       NOT NULL CONSTRAINT tokens_hash_key UNIQUE,
    name         text        NOT NULL,
    scopes       text[]      NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,                            -- to the minute: written at most once in that time
    expires_at   timestamptz,
    revoked_at   timestamptz,
    CONSTRAINT tokens_hash_form CHECK (octet_length(hash) = 32),
    CONSTRAINT tokens_scopes_known CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'admin'])
);
CREATE INDEX tokens_user ON tokens (user_id, created_at);

-- Files by content. A row is written only after its file is synced and has its final name.
CREATE TABLE blobs (
    sha256     bytea       CONSTRAINT blobs_pkey PRIMARY KEY,
    bytes      bigint      NOT NULL CONSTRAINT blobs_bytes_positive CHECK (bytes > 0),
    media_type text        NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT blobs_sha256_form CHECK (octet_length(sha256) = 32)
);

CREATE TYPE photo_kind AS ENUM ('photo', 'video');
CREATE TYPE visibility AS ENUM ('public', 'unlisted', 'private');

CREATE TABLE photos (
    id         uuid        CONSTRAINT photos_pkey PRIMARY KEY,
    owner_id   uuid        NOT NULL CONSTRAINT photos_owner_fkey REFERENCES users ON DELETE CASCADE,
    sha256     bytea       CONSTRAINT photos_blob_fkey REFERENCES blobs,
    kind       photo_kind  NOT NULL,
    width      int,                                      -- of the upright picture
    height     int,
    taken_at   timestamptz,
    latitude   double precision,
    longitude  double precision,
    exif       jsonb       NOT NULL DEFAULT '{}',
    caption    text        NOT NULL DEFAULT '',
    alt_text   text        NOT NULL DEFAULT '',
    visibility visibility  NOT NULL DEFAULT 'public',
    like_count int         NOT NULL DEFAULT 0 CONSTRAINT photos_like_count_natural CHECK (like_count >= 0),
    version    int         NOT NULL DEFAULT 1,           -- grows with each edit; the first half of the ETag
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    CONSTRAINT photos_has_blob CHECK (sha256 IS NOT NULL OR deleted_at IS NOT NULL),
    CONSTRAINT photos_size_natural CHECK (width > 0 AND height > 0),
    CONSTRAINT photos_photo_has_size CHECK (kind = 'video' OR (width IS NOT NULL AND height IS NOT NULL)),
    CONSTRAINT photos_position_whole CHECK ((latitude IS NULL) = (longitude IS NULL)),
    CONSTRAINT photos_position_on_earth CHECK (latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180)
) WITH (fillfactor = 80);                                -- room for a like's count to stay on its page
CREATE INDEX photos_of_owner ON photos (owner_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX photos_of_blob ON photos (sha256);

-- Pictures made from a blob; they go when no photo shows it any more.
CREATE TABLE renditions (
    source_sha256 bytea       NOT NULL CONSTRAINT renditions_source_fkey REFERENCES blobs ON DELETE CASCADE,
    name          text        NOT NULL,
    sha256        bytea       NOT NULL CONSTRAINT renditions_blob_fkey REFERENCES blobs,
    width         int         NOT NULL,
    height        int         NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT renditions_pkey PRIMARY KEY (source_sha256, name)
);
CREATE INDEX renditions_of_blob ON renditions (sha256);

CREATE TABLE short_links (
    code       text        CONSTRAINT short_links_pkey PRIMARY KEY,
    photo_id   uuid        NOT NULL CONSTRAINT short_links_photo_fkey REFERENCES photos ON DELETE CASCADE
                           CONSTRAINT short_links_photo_key UNIQUE,
    visits     bigint      NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT short_links_code_form CHECK (code ~ '^[1-9A-HJ-NP-Za-km-z]{8}$')
) WITH (fillfactor = 70);

CREATE TABLE likes (
    photo_id   uuid        NOT NULL CONSTRAINT likes_photo_fkey REFERENCES photos ON DELETE CASCADE,
    user_id    uuid        NOT NULL CONSTRAINT likes_user_fkey REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT likes_pkey PRIMARY KEY (photo_id, user_id)
);
CREATE INDEX likes_newest ON likes (photo_id, created_at DESC, user_id DESC);
CREATE INDEX likes_of_user ON likes (user_id);
