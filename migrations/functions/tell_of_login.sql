-- An account needs its owner's login.
CREATE OR REPLACE FUNCTION tell_of_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_browsers(NEW.owner_id, 'logins', NEW.id, interval '0', 0);
    PERFORM tell_by_mail(NEW.owner_id, 'login', NEW.id);
    RETURN NULL;
END $$;
