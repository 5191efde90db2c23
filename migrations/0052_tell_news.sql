-- Services that tell of news: until when one does, when it is asked to again, and when an account was last asked for its news, so that many
-- messages are one request.
ALTER TABLE lanes
    ADD COLUMN news_read_at     timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN subscribe_at     timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN subscribed_until timestamptz NOT NULL DEFAULT '-infinity';
