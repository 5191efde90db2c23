-- Takes the deletion of a photo back, and of those of its parts that were deleted with it, within a day: file, words, place and album are as they
-- were. Nothing is sent by it: submissions that the deletion ended stay ended, and a photo that was to be published later is private.
-- False: there is nothing to take back. `p_usual` is the storage quota of the settings, 0 for none.
CREATE OR REPLACE FUNCTION restore_photo(p_photo uuid, p_owner uuid, p_usual bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_deleted deleted_photos; v_was photos; v_quota bigint;
BEGIN
    -- Young again, so that no sweeper takes the file meanwhile.
    PERFORM FROM blobs
      WHERE sha256 IN (SELECT d.sha256 FROM deleted_photos d
                        WHERE d.photo_id = ANY (ARRAY(SELECT id FROM photos WHERE id = p_photo AND owner_id = p_owner
                                                       UNION ALL SELECT id FROM photos WHERE part_of = p_photo AND owner_id = p_owner)))
      ORDER BY sha256 FOR NO KEY UPDATE;
    UPDATE blobs b SET created_at = now()
      FROM deleted_photos d JOIN photos p ON p.id = d.photo_id
     WHERE d.photo_id = p_photo AND p.owner_id = p_owner AND b.sha256 = d.sha256;
    IF NOT FOUND THEN RETURN false; END IF;
    v_quota := lock_storage(p_owner, p_usual);
    PERFORM lock_lanes(p_photo, p_owner);
    PERFORM FROM photos p
      WHERE p.id = p_photo AND p.owner_id = p_owner AND p.deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM photos w WHERE w.id = p.part_of AND w.deleted_at IS NOT NULL) FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    DELETE FROM deleted_photos WHERE photo_id = p_photo AND deleted_at > now() - interval '1 day' RETURNING * INTO v_deleted;
    IF NOT FOUND THEN RETURN false; END IF;
    v_was := jsonb_populate_record(NULL::photos, v_deleted.photo);
    UPDATE photos
       SET deleted_at = NULL, sha256 = v_deleted.sha256, caption = v_was.caption, alt_text = v_was.alt_text, exif = v_was.exif,
           latitude = v_was.latitude, longitude = v_was.longitude, album = v_was.album, draft = v_was.draft,
           planned_visibility = CASE WHEN v_was.publish_at IS NULL THEN v_was.planned_visibility END,
           made_private_at = CASE WHEN v_was.publish_at IS NULL THEN made_private_at ELSE now() END,
           content_warning = v_was.content_warning, language = v_was.language, version = version + 1
     WHERE id = p_photo;
    UPDATE submissions s SET text = coalesce(t.value ->> 0, ''), own_text = t.value ->> 1
      FROM jsonb_each(v_deleted.texts) t
     WHERE s.photo_id = p_photo AND s.id = t.key::uuid;
    IF v_quota IS NOT NULL AND EXISTS (SELECT FROM storage_of(p_owner) WHERE stored > v_quota) THEN
        RAISE check_violation USING MESSAGE = 'the storage quota is used up', CONSTRAINT = 'users_storage_quota';
    END IF;
    PERFORM restore_photo(k.id, p_owner, p_usual)
       FROM (SELECT p.id FROM photos p JOIN deleted_photos d ON d.photo_id = p.id
              WHERE p.part_of = p_photo AND d.deleted_at = v_deleted.deleted_at ORDER BY p.id) k;
    RETURN true;
END $$;
