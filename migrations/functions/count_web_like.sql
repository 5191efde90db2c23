-- Likes that no service counts, those of other sites, are among the likes of a photo elsewhere while they are shown.
CREATE OR REPLACE FUNCTION count_web_like() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE v_before int := 0; v_after int := 0;
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.kind = 'like' AND OLD.submission_id IS NULL AND OLD.state = 'shown' AND OLD.gone_at IS NULL THEN
        v_before := 1;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.kind = 'like' AND NEW.submission_id IS NULL AND NEW.state = 'shown' AND NEW.gone_at IS NULL THEN
        v_after := 1;
    END IF;
    IF v_before <> v_after THEN
        UPDATE photos SET network_like_count = network_like_count + v_after - v_before
         WHERE id = coalesce(NEW.photo_id, OLD.photo_id);
    END IF;
    RETURN NULL;
END $$;
