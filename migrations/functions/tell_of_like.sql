-- Somebody other than its owner likes a photo. The likes of five minutes are told together. The statement that likes has counted
-- the like already.
CREATE OR REPLACE FUNCTION tell_of_like() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE v_owner uuid; v_likes int;
BEGIN
    SELECT owner_id, like_count INTO v_owner, v_likes FROM photos WHERE id = NEW.photo_id;
    -- Visitors have no user.
    IF TG_TABLE_NAME = 'likes' THEN
        IF NEW.user_id = v_owner THEN RETURN NULL; END IF;
    END IF;
    PERFORM tell_browsers(v_owner, 'likes', NEW.photo_id, interval '5 min', v_likes - 1);
    RETURN NULL;
END $$;
