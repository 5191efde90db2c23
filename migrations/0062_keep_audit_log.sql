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
