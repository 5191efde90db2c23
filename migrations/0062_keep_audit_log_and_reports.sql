-- The audit log, reports of photos, and files that were restored.
--
-- pics: functions tell_of_report

-- What was done to users, sign-ins, keys, apps, accounts and the settings of the whole Pics: written in the transaction that does it.
-- It references nothing: the rows of users stay, and a line that is written locks none of them.
CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    action text NOT NULL CONSTRAINT audit_log_action_known CHECK (action IN (
        'user_invited', 'invitation_deleted', 'user_joined', 'user_created', 'user_deleted', 'admin_granted', 'admin_removed',
        'quota_changed',
        'password_changed', 'password_reset', 'password_set', 'mail_address_chosen', 'mail_address_removed',
        'sign_in_limited', 'device_signed_in', 'sessions_ended',
        'second_factor_on', 'second_factor_off', 'second_factor_removed', 'recovery_code_used', 'passkey_added', 'passkey_removed',
        'identity_linked', 'identity_unlinked',
        'token_created', 'token_revoked', 'app_allowed', 'app_revoked', 'webhook_created', 'webhook_changed', 'webhook_deleted',
        'account_connected', 'account_reconnected', 'account_disconnected',
        'service_keys_set', 'service_keys_removed', 'services_chosen', 'sealing_key_rotated',
        'export_downloaded', 'import_started', 'report_decided')),
    channel text NOT NULL CONSTRAINT audit_log_channel_known CHECK (channel IN ('browser', 'app', 'terminal', 'system')),
    -- Null: nobody who has signed in.
    actor_id uuid,
    -- The actor's name at that time; of a deleted user the one that their row has now.
    actor text CONSTRAINT audit_log_actor_short CHECK (length(actor) BETWEEN 1 AND 100),
    -- Where it came from, cut to a network.
    network text CONSTRAINT audit_log_network_short CHECK (length(network) BETWEEN 1 AND 50),
    -- Whom it concerns; null: the whole Pics.
    user_id uuid,
    subject_kind text CONSTRAINT audit_log_subject_known CHECK (subject_kind IN (
        'user', 'invitation', 'token', 'app', 'webhook', 'account', 'service', 'photo', 'report', 'identity')),
    subject_id uuid,
    subject text CONSTRAINT audit_log_subject_short CHECK (length(subject) <= 300),
    details jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT audit_log_details_short CHECK (jsonb_typeof(details) = 'object' AND octet_length(details::text) <= 4096),
    CONSTRAINT audit_log_subject_has_kind CHECK (subject_kind IS NOT NULL OR (subject_id IS NULL AND subject IS NULL))
);
CREATE INDEX audit_log_user ON audit_log (user_id, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
CREATE INDEX audit_log_at ON audit_log (at);

-- Reports of photos by people who see them, and what admins decided.
CREATE TABLE reports (
    id uuid PRIMARY KEY,
    photo_id uuid NOT NULL CONSTRAINT reports_photo_fkey REFERENCES photos ON DELETE CASCADE,
    -- A keyed code of the address that it came from: one of them has one report of a photo.
    reporter bytea NOT NULL CONSTRAINT reports_reporter_form CHECK (octet_length(reporter) = 32),
    reason text NOT NULL CONSTRAINT reports_reason_known CHECK (
        reason IN ('spam', 'illegal', 'violence', 'sexual', 'rights', 'privacy', 'other')),
    text text NOT NULL DEFAULT '' CONSTRAINT reports_text_short CHECK (length(text) <= 1000),
    -- Where an answer may go.
    address text CONSTRAINT reports_address_short CHECK (octet_length(address) BETWEEN 3 AND 254),
    created_at timestamptz NOT NULL DEFAULT now(),
    decided_at timestamptz,
    decision text CONSTRAINT reports_decision_known CHECK (decision IN ('dismissed', 'private', 'deleted')),
    decided_by uuid CONSTRAINT reports_decider_fkey REFERENCES users,
    note text NOT NULL DEFAULT '' CONSTRAINT reports_note_short CHECK (length(note) <= 1000),
    CONSTRAINT reports_once UNIQUE (photo_id, reporter),
    CONSTRAINT reports_decision_whole CHECK ((decided_at IS NULL) = (decision IS NULL) AND (decision IS NOT NULL OR decided_by IS NULL))
);
CREATE INDEX reports_open ON reports (id) WHERE decided_at IS NULL;
CREATE INDEX reports_decided ON reports (decided_at) WHERE decided_at IS NOT NULL;
CREATE TRIGGER reports_tell AFTER INSERT ON reports FOR EACH ROW EXECUTE FUNCTION tell_of_report();

-- Admins are told, those too who have chosen what they are told of before.
ALTER TABLE push_subscriptions
    DROP CONSTRAINT push_subscriptions_kinds_known,
    ADD CONSTRAINT push_subscriptions_kinds_known CHECK (
        kinds <@ ARRAY['posts', 'logins', 'likes', 'responses', 'reports'] AND array_position(kinds, NULL) IS NULL);
ALTER TABLE push_messages
    DROP CONSTRAINT push_messages_kind_known,
    ADD CONSTRAINT push_messages_kind_known CHECK (kind IN ('posts', 'logins', 'likes', 'responses', 'reports'));
ALTER TABLE mail_addresses
    DROP CONSTRAINT mail_addresses_kinds_known,
    ADD CONSTRAINT mail_addresses_kinds_known CHECK (
        kinds <@ ARRAY['posts', 'logins', 'reports'] AND array_position(kinds, NULL) IS NULL);
ALTER TABLE mails
    DROP CONSTRAINT mails_kind_known,
    ADD CONSTRAINT mails_kind_known CHECK (
        kind IN ('invitation', 'reset', 'confirmation', 'post', 'login', 'report', 'digest'));
UPDATE push_subscriptions p SET kinds = p.kinds || '{reports}'::text[] FROM users u WHERE u.id = p.owner_id AND u.is_admin;
UPDATE mail_addresses a SET kinds = a.kinds || '{reports}'::text[] FROM users u WHERE u.id = a.user_id AND u.is_admin;

-- Files that were damaged or missing, and were restored from a copy.
ALTER TABLE blobs ADD COLUMN healed_at timestamptz;
CREATE INDEX blobs_healed ON blobs (healed_at) WHERE healed_at IS NOT NULL;
