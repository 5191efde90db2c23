-- How far an owner has read what came back; null: nothing yet.
ALTER TABLE users ADD COLUMN responses_read uuid;

-- Written by the owner of the photo, here or through one of their accounts: nothing that anybody tells them.
ALTER TABLE responses ADD COLUMN is_own boolean NOT NULL DEFAULT false;
