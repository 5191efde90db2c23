-- Visits by day, and credentials that are still to be taken back at their service.

-- How often pages behind short links were opened, by day and by whom: people, or programs that say they are some. Numbers
-- alone: no address, no browser, no visitor.
CREATE TABLE visits (
    photo_id uuid   NOT NULL CONSTRAINT visits_photo_fkey REFERENCES photos ON DELETE CASCADE,
    day      date   NOT NULL,                            -- in UTC; '-infinity' has all days that were folded together
    people   bigint NOT NULL DEFAULT 0,
    bots     bigint NOT NULL DEFAULT 0,
    CONSTRAINT visits_pkey PRIMARY KEY (photo_id, day),
    CONSTRAINT visits_natural CHECK (people >= 0 AND bots >= 0)
) WITH (fillfactor = 70);
CREATE INDEX visits_by_day ON visits (day, photo_id) WHERE day > '-infinity';

-- What was counted so far has no day, and nobody told bots apart.
INSERT INTO visits (photo_id, day, people)
SELECT l.photo_id, '-infinity', l.visits FROM short_links l JOIN photos p ON p.id = l.photo_id
 WHERE l.visits > 0 AND p.deleted_at IS NULL;
ALTER TABLE short_links DROP COLUMN visits;

-- The credentials of an account that was disconnected, until its service has heard so: kept sealed, for nothing else, and a
-- week at most.
CREATE TABLE revocations (
    connection_id uuid        CONSTRAINT revocations_pkey PRIMARY KEY
                              CONSTRAINT revocations_connection_fkey REFERENCES connections ON DELETE CASCADE,
    credentials   bytea       NOT NULL,
    attempts      int         NOT NULL DEFAULT 0,
    due_at        timestamptz NOT NULL,
    ends_at       timestamptz NOT NULL
);
CREATE INDEX revocations_due ON revocations (due_at);
