-- What leaves is what its owner lets leave.
--
-- pics: functions note_privacy

-- When a photo was made private that had not been private before; null: it is not private, or was from the start. Its owner
-- then named the accounts that it goes to.
ALTER TABLE photos ADD COLUMN made_private_at timestamptz;
-- Nobody knows any more whether those that were edited were private before.
UPDATE photos SET made_private_at = edited_at WHERE visibility = 'private' AND edited_at IS NOT NULL;

CREATE TRIGGER photos_note_privacy BEFORE UPDATE OF visibility ON photos FOR EACH ROW EXECUTE FUNCTION note_privacy();

-- The name that a person's pictures are signed with; null: they are not signed.
ALTER TABLE users
    ADD COLUMN signature text,
    ADD CONSTRAINT users_signature_short CHECK (char_length(signature) BETWEEN 1 AND 100);
