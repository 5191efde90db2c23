-- Refuses the transaction if its user has stored more than the quota. What was deleted within a day lies on the disk still: together
-- with it there may be twice as much, so that nobody fills the disk by deleting.
CREATE OR REPLACE FUNCTION demand_storage(owner uuid, usual bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_quota bigint := lock_storage(owner, usual);
BEGIN
    IF v_quota IS NULL THEN RETURN; END IF;
    PERFORM FROM storage_of(owner) WHERE stored > v_quota OR stored + removed > 2 * v_quota;
    IF FOUND THEN
        RAISE check_violation USING MESSAGE = 'the storage quota is used up', CONSTRAINT = 'users_storage_quota';
    END IF;
END
$$;
