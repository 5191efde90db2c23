-- The pages behind short links: likes of visitors, likes that services count, and what a page shows beside.

-- A like of somebody who has not signed in. `visitor` is the SHA-256 of a random number that their browser keeps sealed in
-- a cookie; nothing else is known of them. `photos.like_count` counts these rows together with those of `likes`.
CREATE TABLE visitor_likes (
    photo_id   uuid        NOT NULL CONSTRAINT visitor_likes_photo_fkey REFERENCES photos ON DELETE CASCADE,
    visitor    bytea       NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT visitor_likes_pkey PRIMARY KEY (photo_id, visitor),
    CONSTRAINT visitor_likes_visitor_form CHECK (octet_length(visitor) = 32)
);

-- What services count is read back from time to time, ever more seldom. `count_at` is when next; null is never again.
ALTER TABLE submissions
    ADD COLUMN network_likes int NOT NULL DEFAULT 0,
    ADD COLUMN count_at timestamptz DEFAULT now() + interval '5 minutes',
    ADD CONSTRAINT submissions_network_likes_natural CHECK (network_likes >= 0);
CREATE INDEX submissions_to_count ON submissions (count_at) WHERE state = 'done' AND count_at IS NOT NULL;
ALTER TABLE photos
    ADD COLUMN network_like_count int NOT NULL DEFAULT 0,
    ADD CONSTRAINT photos_network_like_count_natural CHECK (network_like_count >= 0);

-- Whether the pages of somebody's photos say with which camera they were taken.
ALTER TABLE users ADD COLUMN show_camera boolean NOT NULL DEFAULT false;

-- A WebP of a few pixels that a page shows, blurred, until the picture itself has come.
ALTER TABLE renditions
    ADD COLUMN placeholder bytea,
    ADD CONSTRAINT renditions_placeholder_small CHECK (octet_length(placeholder) BETWEEN 1 AND 2048);

-- The next and the previous photo of everybody's eyes.
CREATE INDEX photos_public ON photos (owner_id, id) WHERE deleted_at IS NULL AND visibility = 'public';
