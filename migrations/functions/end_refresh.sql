-- Stores renewed credentials, or null for none, and gives the right back. False: somebody has replaced them meanwhile.
CREATE OR REPLACE FUNCTION end_refresh(p_connection uuid, p_credentials_no int, p_credentials bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections
       SET refreshing_until = '-infinity', credentials = coalesce(p_credentials, credentials),
           credentials_no = credentials_no + (p_credentials IS NOT NULL)::int
     WHERE id = p_connection AND credentials_no = p_credentials_no;
    RETURN FOUND;
END $$;
