-- Gives one process at a time the right to renew an account's credentials, for as long as p_lease. False: another one has it, or
-- somebody has replaced the credentials since they were read.
CREATE OR REPLACE FUNCTION begin_refresh(p_connection uuid, p_credentials_no int, p_lease interval) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections SET refreshing_until = clock_timestamp() + p_lease
     WHERE id = p_connection AND credentials_no = p_credentials_no AND refreshing_until < clock_timestamp();
    RETURN FOUND;
END $$;
