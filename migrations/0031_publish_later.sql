-- A draft, and a photo until its time, are their owner's alone.
--
-- pics: functions note_privacy photo_state find_photos publish_photo reschedule_submission delete_photo

-- planned_visibility: what a photo that is not published will be; until then it is private, and null says that it is published.
-- publish_at: when; null for a draft, which waits for its owner. draft: what else the owner chose for a draft, as JSON of the API.
-- published_at: when that came; null where it was at once.
ALTER TABLE photos
    ADD COLUMN planned_visibility visibility, ADD COLUMN publish_at timestamptz, ADD COLUMN draft jsonb,
    ADD COLUMN published_at timestamptz,
    ADD COLUMN sensitive boolean NOT NULL DEFAULT false, ADD COLUMN content_warning text, ADD COLUMN language text,
    ADD CONSTRAINT photos_planned_private CHECK (planned_visibility IS NULL OR visibility = 'private') NOT VALID,
    ADD CONSTRAINT photos_planned_post CHECK (planned_visibility IS NULL OR part_of IS NULL) NOT VALID,
    ADD CONSTRAINT photos_publish_at_planned CHECK (publish_at IS NULL OR planned_visibility IS NOT NULL) NOT VALID,
    ADD CONSTRAINT photos_draft_planned
        CHECK (draft IS NULL OR planned_visibility IS NOT NULL AND publish_at IS NULL) NOT VALID,
    ADD CONSTRAINT photos_draft_is_object CHECK (jsonb_typeof(draft) = 'object') NOT VALID,
    ADD CONSTRAINT photos_content_warning_short CHECK (length(content_warning) BETWEEN 1 AND 200) NOT VALID,
    ADD CONSTRAINT photos_language_is_tag
        CHECK (length(language) <= 35 AND language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$') NOT VALID;
ALTER TABLE photos VALIDATE CONSTRAINT photos_planned_private;
ALTER TABLE photos VALIDATE CONSTRAINT photos_planned_post;
ALTER TABLE photos VALIDATE CONSTRAINT photos_publish_at_planned;
ALTER TABLE photos VALIDATE CONSTRAINT photos_draft_planned;
ALTER TABLE photos VALIDATE CONSTRAINT photos_draft_is_object;
ALTER TABLE photos VALIDATE CONSTRAINT photos_content_warning_short;
ALTER TABLE photos VALIDATE CONSTRAINT photos_language_is_tag;

CREATE INDEX photos_to_publish ON photos (publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX photos_planned ON photos (owner_id, id) WHERE planned_visibility IS NOT NULL;

-- The caption that the owner wrote for one account; null: it has the photo's.
ALTER TABLE submissions ADD COLUMN own_text text;
