-- Pages that captions link to are told so.
--
-- pics: functions note_links

ALTER TABLE users ADD COLUMN sends_webmentions boolean NOT NULL DEFAULT true;

-- Photos whose links are to be told, and those that were.
CREATE TABLE mentioning_photos (
    photo_id uuid        CONSTRAINT mentioning_photos_pkey PRIMARY KEY
                         CONSTRAINT mentioning_photos_photo_fkey REFERENCES photos ON DELETE CASCADE,
    due_at   timestamptz,                -- null: nothing is to be told
    asked    int         NOT NULL DEFAULT 1, -- how often it has changed
    failures int         NOT NULL DEFAULT 0
);
CREATE INDEX mentioning_photos_due ON mentioning_photos (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE sent_webmentions (
    photo_id  uuid        NOT NULL CONSTRAINT sent_webmentions_photo_fkey REFERENCES photos ON DELETE CASCADE,
    target    text        NOT NULL CONSTRAINT sent_webmentions_target_short CHECK (octet_length(target) <= 2048),
    problem   text,                      -- why the page was not told; null: it was
    is_linked boolean     NOT NULL DEFAULT true,
    sent_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sent_webmentions_pkey PRIMARY KEY (photo_id, target)
);

CREATE TRIGGER photos_note_links_of_new AFTER INSERT ON photos FOR EACH ROW
    WHEN (NEW.visibility = 'public' AND NEW.caption LIKE '%://%')
    EXECUTE FUNCTION note_links();
CREATE TRIGGER photos_note_links AFTER UPDATE OF caption, visibility, deleted_at ON photos FOR EACH ROW
    WHEN ((OLD.caption, OLD.visibility, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.caption, NEW.visibility, NEW.deleted_at IS NULL)
          AND (OLD.caption LIKE '%://%' OR NEW.caption LIKE '%://%'))
    EXECUTE FUNCTION note_links();
