-- A post was refused, or nobody knows what became of it. A trigger, so that it holds for every release and every way there.
CREATE OR REPLACE FUNCTION tell_of_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_browsers(owner_id, 'posts', NEW.id, interval '0', 0), tell_by_mail(owner_id, 'post', NEW.id)
       FROM connections WHERE id = NEW.connection_id;
    RETURN NULL;
END $$;
