-- Holds what is counted of a user that has a quota until the end of the transaction, so that photos that come at once are judged one
-- after the other; `usual` is the quota of the settings, 0 for none. In the order of locks it comes behind blobs and before lanes.
-- Returns the quota; null: there is none. In PL/pgSQL, which plans it once a session and not once a call.
CREATE OR REPLACE FUNCTION lock_storage(owner uuid, usual bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE v_quota bigint;
BEGIN
    SELECT coalesce(storage_quota, usual) INTO v_quota FROM users
     WHERE id = owner AND coalesce(storage_quota, usual) > 0 FOR NO KEY UPDATE;
    RETURN v_quota;
END
$$;
