-- What comes back to a photo: replies, likes, reposts, quotes and mentions.

CREATE TYPE response_kind AS ENUM ('comment', 'like', 'repost', 'quote', 'mention');
CREATE TYPE response_state AS ENUM ('pending', 'shown', 'hidden');

-- Who has responded, the same for all photos. The picture is kept as those of accounts are.
CREATE TABLE response_authors (
    id               uuid        CONSTRAINT response_authors_pkey PRIMARY KEY,
    source           text        NOT NULL, -- a service, or 'web'
    key              text        NOT NULL, -- who it is there
    name             text        NOT NULL DEFAULT '',
    handle           text,
    url              text,
    picture          bytea       CONSTRAINT response_authors_picture_small CHECK (octet_length(picture) BETWEEN 1 AND 32768),
    picture_version  text,
    picture_url      text,                 -- where it is read from
    picture_due_at   timestamptz,          -- when it is next looked for; null: never
    picture_failures int         NOT NULL DEFAULT 0,
    CONSTRAINT response_authors_known_once UNIQUE (source, key),
    CONSTRAINT response_authors_short CHECK (
        octet_length(key) <= 4096 AND octet_length(name) <= 1024 AND octet_length(handle) <= 1024
        AND octet_length(url) <= 2048 AND octet_length(picture_url) <= 2048),
    CONSTRAINT response_authors_picture_versioned CHECK ((picture IS NULL) = (picture_version IS NULL))
);
CREATE INDEX response_authors_picture_due ON response_authors (picture_due_at) WHERE picture_due_at IS NOT NULL;

CREATE TABLE responses (
    id            uuid           CONSTRAINT responses_pkey PRIMARY KEY,
    photo_id      uuid           NOT NULL CONSTRAINT responses_photo_fkey REFERENCES photos ON DELETE CASCADE,
    owner_id      uuid           NOT NULL CONSTRAINT responses_owner_fkey REFERENCES users ON DELETE CASCADE, -- of the photo
    submission_id uuid           CONSTRAINT responses_submission_fkey REFERENCES submissions ON DELETE CASCADE, -- the post; null: from the web
    author_id     uuid           NOT NULL CONSTRAINT responses_author_fkey REFERENCES response_authors,
    kind          response_kind  NOT NULL,
    key           text           NOT NULL, -- which it is there; of what a person does once, the person
    parent_key    text,                    -- the response that it answers; null: the post
    text          text           NOT NULL DEFAULT '',
    url           text,
    state         response_state NOT NULL DEFAULT 'shown',
    said_at       timestamptz,             -- as its author says
    seen_at       timestamptz    NOT NULL DEFAULT now(),
    edited_at     timestamptz,
    gone_at       timestamptz,             -- it was deleted there
    CONSTRAINT responses_known_once UNIQUE NULLS NOT DISTINCT (photo_id, submission_id, key),
    CONSTRAINT responses_short CHECK (
        octet_length(key) <= 4096 AND octet_length(parent_key) <= 4096 AND octet_length(text) <= 65536
        AND octet_length(url) <= 2048)
);
CREATE INDEX responses_of_owner ON responses (owner_id, id) WHERE gone_at IS NULL;
CREATE INDEX responses_by_author ON responses (author_id, owner_id);
CREATE INDEX responses_of_submission ON responses (submission_id) WHERE submission_id IS NOT NULL;

-- Authors whose responses an owner shows without looking, or never.
CREATE TABLE author_decisions (
    owner_id  uuid    NOT NULL CONSTRAINT author_decisions_owner_fkey REFERENCES users ON DELETE CASCADE,
    author_id uuid    NOT NULL CONSTRAINT author_decisions_author_fkey REFERENCES response_authors ON DELETE CASCADE,
    shows     boolean NOT NULL,
    CONSTRAINT author_decisions_pkey PRIMARY KEY (owner_id, author_id)
);
CREATE INDEX author_decisions_author ON author_decisions (author_id);

-- Pages that say that they mention a photo. They are read, and read again when they say so again.
CREATE TABLE webmentions (
    id          uuid        CONSTRAINT webmentions_pkey PRIMARY KEY,
    photo_id    uuid        NOT NULL CONSTRAINT webmentions_photo_fkey REFERENCES photos ON DELETE CASCADE,
    source      text        NOT NULL CONSTRAINT webmentions_source_short CHECK (octet_length(source) <= 2048),
    target      text        NOT NULL CONSTRAINT webmentions_target_short CHECK (octet_length(target) <= 2048),
    host        text        NOT NULL,      -- of the source
    received_at timestamptz NOT NULL DEFAULT now(),
    due_at      timestamptz,               -- when the page is read; null: it was
    asked       int         NOT NULL DEFAULT 1, -- how often it came: what comes while the page is read is read again
    failures    int         NOT NULL DEFAULT 0,
    key         text,                      -- of the response that it is
    problem     text,                      -- why it is no response; null: it is one, or was not read yet
    CONSTRAINT webmentions_known_once UNIQUE (source, target)
);
CREATE INDEX webmentions_due ON webmentions (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webmentions_waiting_of_host ON webmentions (host) WHERE due_at IS NOT NULL;
CREATE INDEX webmentions_of_photo ON webmentions (photo_id);
CREATE INDEX webmentions_age ON webmentions (received_at);

ALTER TABLE users
    ADD COLUMN shows_responses boolean NOT NULL DEFAULT false,
    ADD COLUMN takes_webmentions boolean NOT NULL DEFAULT true;

-- What the service counted (likes, comments, shares) when it was last asked for the lists, and when that was.
ALTER TABLE submissions
    ADD COLUMN responses_counts int[],
    ADD COLUMN responses_read_at timestamptz;

-- Null: as its owner shows them.
ALTER TABLE photos ADD COLUMN shows_responses boolean;
