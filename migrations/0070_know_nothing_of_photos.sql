-- 0029 counted the photos of a new installation, of which there were none. Sessions planned then to read all photos where one is asked
-- for, until autovacuum counted again. A table that is rewritten is not counted yet, and PostgreSQL takes its key.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM photos) THEN
        ALTER TABLE photos ALTER height TYPE int USING height + 0;
    END IF;
END $$;
