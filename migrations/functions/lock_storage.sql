-- Holds what is counted of a user that has a quota until the end of the transaction, so that photos that come at once are judged one
-- after the other; `usual` is the quota of the settings, 0 for none. In the order of locks it comes behind blobs and before lanes.
-- Returns the quota; null: there is none.
CREATE OR REPLACE FUNCTION lock_storage(owner uuid, usual bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT coalesce(storage_quota, usual) FROM users
     WHERE id = owner AND coalesce(storage_quota, usual) > 0 FOR NO KEY UPDATE
$$;
