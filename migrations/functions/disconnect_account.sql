-- Forgets an account's credentials and profile picture, and ends its work. Null: there is no such account of this owner.
CREATE OR REPLACE FUNCTION disconnect_account(p_connection uuid, p_owner uuid) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    UPDATE connections
       SET state = 'disabled', credentials = '', credentials_no = credentials_no + 1,
           refreshing_until = '-infinity', problem = NULL, coded_problem = NULL,
           picture = NULL, picture_version = NULL, picture_url = NULL, picture_due_at = NULL
     WHERE id = p_connection AND owner_id = p_owner AND state <> 'disabled';
    IF NOT FOUND THEN RETURN NULL; END IF;
    UPDATE lanes SET paused = true, wake_at = 'infinity' WHERE connection_id = p_connection;
    RETURN end_disconnected(p_connection);
END $$;
