-- Keeps when a photo was made private, also one that was to be published later, and lets a published one have no plan. A trigger,
-- so that it holds for the changes of an older release too.
CREATE OR REPLACE FUNCTION note_privacy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.visibility <> 'private' THEN
        NEW.planned_visibility := NULL;
        NEW.publish_at := NULL;
        NEW.draft := NULL;
    END IF;
    NEW.made_private_at := CASE WHEN NEW.visibility <> 'private' THEN NULL
                                WHEN OLD.visibility <> 'private' THEN now()
                                WHEN OLD.publish_at IS NOT NULL AND NEW.planned_visibility IS NULL THEN now()
                                ELSE OLD.made_private_at END;
    RETURN NEW;
END $$;
