-- Captions that go as a thread: the texts of its posts, where there are several. `text` stays what one post would say, which workers of an earlier
-- release send.
ALTER TABLE submissions ADD COLUMN thread jsonb
    CONSTRAINT submissions_thread_of_several CHECK (jsonb_typeof(thread) = 'array' AND jsonb_array_length(thread) >= 2);

-- The posts of threads behind their first, which their submissions name.
CREATE TABLE thread_posts (
    submission_id uuid     NOT NULL REFERENCES submissions ON DELETE CASCADE,
    place         smallint NOT NULL CONSTRAINT thread_posts_place_behind_first CHECK (place >= 2),
    remote_id     text     NOT NULL CONSTRAINT thread_posts_remote_id_short CHECK (octet_length(remote_id) BETWEEN 1 AND 2048),
    CONSTRAINT thread_posts_pkey PRIMARY KEY (submission_id, place)
);

CREATE INDEX thread_posts_remote_id_idx ON thread_posts (remote_id);
