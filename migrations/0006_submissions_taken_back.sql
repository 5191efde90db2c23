-- A post that was taken back. The next migration uses the value: PostgreSQL wants it committed first.
ALTER TYPE submission_state ADD VALUE 'deleted';
