-- Events, webhooks and browsers are told what comes back to photos.
--
-- pics: functions note_response_change tell_of_response

ALTER TABLE responses ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX responses_changed ON responses (owner_id, changed_at, id);
CREATE TRIGGER responses_note_change BEFORE UPDATE OF text, state, gone_at, kind ON responses
    FOR EACH ROW EXECUTE FUNCTION note_response_change();

-- How far a receiver has acknowledged the changes of responses.
ALTER TABLE webhooks
    ADD COLUMN responses_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN responses_id uuid        NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';

ALTER TABLE push_subscriptions
    DROP CONSTRAINT push_subscriptions_kinds_known,
    ADD CONSTRAINT push_subscriptions_kinds_known CHECK (
        kinds <@ ARRAY['posts', 'logins', 'likes', 'responses'] AND array_position(kinds, NULL) IS NULL);
ALTER TABLE push_messages
    DROP CONSTRAINT push_messages_kind_known,
    ADD CONSTRAINT push_messages_kind_known CHECK (kind IN ('posts', 'logins', 'likes', 'responses'));
-- Who wants to be told of everything wants this too.
UPDATE push_subscriptions SET kinds = kinds || '{responses}' WHERE kinds @> ARRAY['posts', 'logins', 'likes'];
CREATE TRIGGER responses_tell AFTER INSERT ON responses FOR EACH ROW
    WHEN (NOT NEW.is_own AND NEW.state <> 'hidden' AND NEW.kind NOT IN ('like', 'repost'))
    EXECUTE FUNCTION tell_of_response();
