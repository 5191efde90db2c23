-- Notes whose photo is liked.
CREATE OR REPLACE FUNCTION note_like_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.owner_id := (SELECT owner_id FROM photos WHERE id = NEW.photo_id);
    RETURN NEW;
END
$$;
