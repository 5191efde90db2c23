-- pics: functions count_web_like
-- How far an owner has read what came back; null: nothing yet.
ALTER TABLE users ADD COLUMN responses_read uuid;

-- Written by the owner of the photo, here or through one of their accounts: nothing that anybody tells them.
ALTER TABLE responses ADD COLUMN is_own boolean NOT NULL DEFAULT false;

-- Likes of other sites count where those of services do.
UPDATE photos p SET network_like_count = network_like_count + w.likes
  FROM (SELECT photo_id, count(*)::int AS likes FROM responses
         WHERE kind = 'like' AND submission_id IS NULL AND state = 'shown' AND gone_at IS NULL GROUP BY photo_id) w
 WHERE p.id = w.photo_id;
CREATE TRIGGER count_web_like AFTER INSERT OR UPDATE OF kind, state, gone_at OR DELETE ON responses
    FOR EACH ROW EXECUTE FUNCTION count_web_like();
