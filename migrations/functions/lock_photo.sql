-- Holds the lanes of accounts, then the photo that is to go there, so that it is not deleted meanwhile. False: it is not the
-- owner's, or is deleted.
CREATE OR REPLACE FUNCTION lock_photo(p_photo uuid, p_owner uuid, p_connections uuid[]) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM lanes WHERE connection_id = ANY (p_connections) ORDER BY connection_id FOR NO KEY UPDATE;
    PERFORM FROM photos WHERE id = p_photo AND owner_id = p_owner AND deleted_at IS NULL FOR NO KEY UPDATE;
    RETURN FOUND;
END $$;
