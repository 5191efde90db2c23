-- A connected account shows its profile picture. Its row keeps the picture that was made of the service's, and when to look for it next.

-- picture: a small square WebP; picture_version: the first digits of its SHA-256, for addresses that may be cached.
-- picture_url: the picture's address at the service, as connecting has told it; null once it was read.
-- picture_due_at: when the picture is next looked for; null: never. Every account that is there is due at once.
ALTER TABLE connections
    ADD COLUMN picture bytea
        CONSTRAINT connections_picture_small CHECK (octet_length(picture) BETWEEN 1 AND 32768),
    ADD COLUMN picture_version text,
    ADD COLUMN picture_url text
        CONSTRAINT connections_picture_url_short CHECK (octet_length(picture_url) BETWEEN 1 AND 2048),
    ADD COLUMN picture_due_at timestamptz DEFAULT now(),
    ADD COLUMN picture_failures int NOT NULL DEFAULT 0,
    ADD CONSTRAINT connections_picture_versioned CHECK ((picture IS NULL) = (picture_version IS NULL)) NOT VALID;
ALTER TABLE connections VALIDATE CONSTRAINT connections_picture_versioned;

-- Nothing is to be looked for with credentials that are gone.
UPDATE connections SET picture_due_at = NULL WHERE state = 'disabled';

CREATE INDEX connections_picture_due ON connections (picture_due_at) WHERE state = 'ok';
