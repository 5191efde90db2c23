-- A submission says whether its post has the photo's last edit.

-- waiting: its job brings the edit; without a job it did not arrive. done: it is there. unsupported: it never gets there. Null: nothing was
-- edited since the photo was sent.
ALTER TABLE submissions
    ADD COLUMN edit text,
    ADD CONSTRAINT submissions_edit_known CHECK (edit IN ('waiting', 'done', 'unsupported')) NOT VALID;
ALTER TABLE submissions VALIDATE CONSTRAINT submissions_edit_known;
