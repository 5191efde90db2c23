-- Admins decide on a report.
CREATE OR REPLACE FUNCTION tell_of_report() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_browsers(u.id, 'reports', NEW.photo_id, interval '0', 0), tell_by_mail(u.id, 'report', NEW.photo_id)
       FROM (SELECT id FROM users WHERE is_admin AND deleted_at IS NULL ORDER BY id) u;
    RETURN NULL;
END $$;
