-- Marks a photo and those that are part of it deleted, lets go of files, words and album, and ends the work that still waits. What it
-- takes from them is kept for restore_photo, with what came back to them, unless the owner has left.
-- p_take_back: submissions whose posts are to be deleted too. False: there is no such photo.
CREATE OR REPLACE FUNCTION delete_photo(
    p_photo uuid, p_owner uuid, p_take_back uuid[], p_max_attempts int, p_max_age interval
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_photo photos;
BEGIN
    PERFORM lock_lanes(p_photo, p_owner);
    SELECT * INTO v_photo FROM photos WHERE id = p_photo AND owner_id = p_owner AND deleted_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    INSERT INTO deleted_photos (photo_id, sha256, photo, texts)
    SELECT p_photo, v_photo.sha256, to_jsonb(v_photo),
           coalesce((SELECT jsonb_object_agg(id, jsonb_build_array(text, own_text)) FROM submissions WHERE photo_id = p_photo), '{}')
     WHERE EXISTS (SELECT FROM users WHERE id = p_owner AND deleted_at IS NULL);
    IF NOT FOUND THEN DELETE FROM responses WHERE photo_id = p_photo; END IF;
    UPDATE photos
       SET deleted_at = now(), sha256 = NULL, caption = '', alt_text = '', exif = '{}', latitude = NULL,
           longitude = NULL, album = NULL, planned_visibility = NULL, publish_at = NULL, draft = NULL,
           content_warning = NULL, language = NULL, version = version + 1
     WHERE id = p_photo;
    PERFORM cancel_submission(k.id)
       FROM (SELECT s.id FROM submissions s LEFT JOIN jobs j ON j.submission_id = s.id
              WHERE s.photo_id = p_photo ORDER BY j.id) k;
    PERFORM enqueue_changes(
        ARRAY(SELECT id FROM submissions WHERE photo_id = p_photo AND id = ANY (p_take_back)), 'delete',
        p_max_attempts, p_max_age);
    UPDATE submissions SET text = '', own_text = NULL WHERE photo_id = p_photo;
    PERFORM end_print_orders(NULL, p_photo, NULL, false);
    PERFORM delete_photo(k.id, p_owner, p_take_back, p_max_attempts, p_max_age)
       FROM (SELECT id FROM photos WHERE part_of = p_photo AND deleted_at IS NULL ORDER BY id) k;
    RETURN true;
END $$;
