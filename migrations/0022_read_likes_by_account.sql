-- Likes are read back account by account, and times that a wrong clock has written are corrected.

-- Whose posts are to be counted, and of each account those that are due first. The index over all accounts stays for the
-- release before this one.
CREATE INDEX submissions_to_count_of_connection ON submissions (connection_id, count_at)
    WHERE state = 'done' AND count_at IS NOT NULL;
-- Likes of the account's posts are not read before: paced, or the service's limit is used up.
ALTER TABLE lanes ADD COLUMN likes_at timestamptz NOT NULL DEFAULT '-infinity';
