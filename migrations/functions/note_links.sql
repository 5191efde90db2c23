-- The links of a caption are told half a minute later, when whoever looks finds the page as it is then; of a photo that nobody may see
-- those that were told before.
CREATE OR REPLACE FUNCTION note_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO mentioning_photos AS m (photo_id, due_at)
    SELECT NEW.id, now() + interval '30 seconds'
     WHERE NEW.visibility = 'public' AND NEW.deleted_at IS NULL OR EXISTS (SELECT FROM sent_webmentions WHERE photo_id = NEW.id)
    ON CONFLICT (photo_id) DO UPDATE SET due_at = now() + interval '30 seconds', asked = m.asked + 1, failures = 0, changed_at = now();
    RETURN NULL;
END $$;
