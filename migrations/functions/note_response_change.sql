-- Notes when a response was changed, for those who follow.
CREATE OR REPLACE FUNCTION note_response_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END $$;
