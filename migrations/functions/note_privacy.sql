-- Keeps when a photo was made private. A trigger, so that it holds for the changes of an older release too.
CREATE OR REPLACE FUNCTION note_privacy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.made_private_at := CASE WHEN NEW.visibility <> 'private' THEN NULL
                                WHEN OLD.visibility <> 'private' THEN now()
                                ELSE OLD.made_private_at END;
    RETURN NEW;
END $$;
