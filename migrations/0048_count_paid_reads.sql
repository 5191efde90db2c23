-- What reading an account back has cost in a month, where every read costs money.
CREATE TABLE paid_reads (
    connection_id uuid   NOT NULL CONSTRAINT paid_reads_connection_fkey REFERENCES connections ON DELETE CASCADE,
    month         date   NOT NULL,
    spent         bigint NOT NULL DEFAULT 0, -- in millionths of a dollar
    objects       int    NOT NULL DEFAULT 0,
    CONSTRAINT paid_reads_pkey PRIMARY KEY (connection_id, month)
);

-- Why what came back to the posts of an account cannot be read: a right that its token lacks.
ALTER TABLE connections ADD COLUMN reading_problem jsonb;
