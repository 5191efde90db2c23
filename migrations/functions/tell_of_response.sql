-- Somebody has said something about a photo. What is said within a minute is told together.
CREATE OR REPLACE FUNCTION tell_of_response() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_browsers(NEW.owner_id, 'responses', NEW.photo_id, interval '1 min', 0);
    RETURN NULL;
END $$;
