-- What an owner does with responses and with posts of others: replies, favourites and reposts.

-- The name by which a service takes requests about a response; null: its key.
ALTER TABLE responses ADD COLUMN remote_id text
    CONSTRAINT responses_remote_id_short CHECK (octet_length(remote_id) <= 2048);

-- Pictures that go along with it, which stay where they are.
ALTER TABLE responses ADD COLUMN media jsonb NOT NULL DEFAULT '[]';
CREATE INDEX responses_by_key ON responses (photo_id, key);

DROP FUNCTION IF EXISTS keep_response(
    uuid, uuid, uuid, text, response_kind, text, text, text, text, timestamptz, timestamptz, uuid, text, text, text, text, text, boolean);

-- A post of the home timeline of an account. Identifiers begin with the time of the post, so that they sort as it does.
CREATE TABLE timeline_posts (
    id            uuid        CONSTRAINT timeline_posts_pkey PRIMARY KEY,
    connection_id uuid        NOT NULL CONSTRAINT timeline_posts_connection_fkey REFERENCES connections ON DELETE CASCADE,
    owner_id      uuid        NOT NULL CONSTRAINT timeline_posts_owner_fkey REFERENCES users ON DELETE CASCADE, -- of the account
    key           text        NOT NULL, -- which it is there; a repost is one of its own
    remote_id     text        NOT NULL, -- the name by which the service takes requests about it
    author_id     uuid        NOT NULL CONSTRAINT timeline_posts_author_fkey REFERENCES response_authors,
    reposter_id   uuid        CONSTRAINT timeline_posts_reposter_fkey REFERENCES response_authors, -- who shows it; null: its author
    text          text        NOT NULL DEFAULT '',
    warning       text        NOT NULL DEFAULT '',
    is_sensitive  boolean     NOT NULL DEFAULT false,
    url           text,
    said_at       timestamptz NOT NULL,
    media         jsonb       NOT NULL DEFAULT '[]',
    has_media     boolean     NOT NULL DEFAULT false,
    favourited    boolean     NOT NULL DEFAULT false, -- by the account, as the service said when it was read
    reposted      boolean     NOT NULL DEFAULT false,
    read_at       timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT timeline_posts_known_once UNIQUE (connection_id, key),
    CONSTRAINT timeline_posts_short CHECK (
        octet_length(key) <= 4096 AND octet_length(remote_id) <= 2048 AND octet_length(text) <= 65536
        AND octet_length(warning) <= 4096 AND octet_length(url) <= 2048)
);
CREATE INDEX timeline_posts_of_owner ON timeline_posts (owner_id, id);
CREATE INDEX timeline_posts_by_author ON timeline_posts (author_id);
CREATE INDEX timeline_posts_by_reposter ON timeline_posts (reposter_id) WHERE reposter_id IS NOT NULL;

-- How often the home timeline of an account is asked for.
CREATE TABLE timelines (
    connection_id uuid        CONSTRAINT timelines_pkey PRIMARY KEY
                              CONSTRAINT timelines_connection_fkey REFERENCES connections ON DELETE CASCADE,
    read_at       timestamptz NOT NULL DEFAULT '-infinity', -- the newest page
    window_start  timestamptz NOT NULL DEFAULT '-infinity',
    window_used   int         NOT NULL DEFAULT 0,           -- pages since then
    coded_problem jsonb                                     -- why the newest page could not be read
);

-- Posts that lie between two that are known, or before the oldest, and were not read yet. Identifiers sort among those of posts.
CREATE TABLE timeline_gaps (
    id            uuid        CONSTRAINT timeline_gaps_pkey PRIMARY KEY,
    connection_id uuid        NOT NULL CONSTRAINT timeline_gaps_connection_fkey REFERENCES connections ON DELETE CASCADE,
    owner_id      uuid        NOT NULL CONSTRAINT timeline_gaps_owner_fkey REFERENCES users ON DELETE CASCADE,
    cursor        text        NOT NULL CONSTRAINT timeline_gaps_cursor_short CHECK (octet_length(cursor) <= 4096),
    at            timestamptz NOT NULL,                     -- of the post after it
    due_at        timestamptz NOT NULL DEFAULT now(),       -- when it may be read; later while somebody reads it, and after a failure
    coded_problem jsonb
);
CREATE INDEX timeline_gaps_of_owner ON timeline_gaps (owner_id, id);
CREATE INDEX timeline_gaps_of_connection ON timeline_gaps (connection_id);

CREATE TYPE interaction_kind AS ENUM ('reply', 'favourite', 'repost');

-- What is wanted and what the service has confirmed. A favourite or repost is one row, however often it is changed.
CREATE TABLE interactions (
    id            uuid             CONSTRAINT interactions_pkey PRIMARY KEY,
    owner_id      uuid             NOT NULL CONSTRAINT interactions_owner_fkey REFERENCES users ON DELETE CASCADE,
    connection_id uuid             NOT NULL CONSTRAINT interactions_connection_fkey REFERENCES connections ON DELETE CASCADE,
    response_id   uuid             CONSTRAINT interactions_response_fkey REFERENCES responses ON DELETE CASCADE,
    post_id       uuid             CONSTRAINT interactions_post_fkey REFERENCES timeline_posts ON DELETE CASCADE,
    kind          interaction_kind NOT NULL,
    text          text             NOT NULL DEFAULT '', -- of a reply
    wanted        boolean          NOT NULL DEFAULT true,
    confirmed     boolean          NOT NULL DEFAULT false,
    remote_id     text,                                  -- of what was made there: what takes it back
    url           text,
    armed         boolean          NOT NULL DEFAULT false, -- a request may have left whose answer is missing
    asked         int              NOT NULL DEFAULT 1,     -- how often it was changed: what changes while a request runs is done again
    due_at        timestamptz      DEFAULT now(),          -- null: nothing is to be done
    failures      int              NOT NULL DEFAULT 0,
    lease_no      int              NOT NULL DEFAULT 0,     -- fences every write of who works on it
    lease_until   timestamptz      NOT NULL DEFAULT '-infinity',
    coded_problem jsonb,
    created_at    timestamptz      NOT NULL DEFAULT now(),
    updated_at    timestamptz      NOT NULL DEFAULT now(),
    CONSTRAINT interactions_with_one CHECK (num_nonnulls(response_id, post_id) = 1),
    CONSTRAINT interactions_short CHECK (octet_length(text) <= 65536 AND octet_length(remote_id) <= 2048 AND octet_length(url) <= 2048),
    CONSTRAINT interactions_reply_has_text CHECK ((kind = 'reply') = (text <> ''))
);
CREATE UNIQUE INDEX interactions_once ON interactions (connection_id, coalesce(response_id, post_id), kind) WHERE kind <> 'reply';
CREATE INDEX interactions_with_response ON interactions (response_id) WHERE response_id IS NOT NULL;
CREATE INDEX interactions_with_post ON interactions (post_id) WHERE post_id IS NOT NULL;
CREATE INDEX interactions_of_owner ON interactions (owner_id);
CREATE INDEX interactions_due ON interactions (due_at) WHERE due_at IS NOT NULL;
