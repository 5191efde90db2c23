-- The schema after the last migration, for readers: SchemaTests holds it against the migrations.

CREATE TYPE blob_fault AS ENUM (
    'missing',
    'damaged'
);

CREATE TYPE connection_state AS ENUM (
    'ok',
    'needs_login',
    'paused',
    'disabled'
);

CREATE TYPE interaction_kind AS ENUM (
    'reply',
    'favourite',
    'repost'
);

CREATE TYPE job_effect AS ENUM (
    'none',
    'armed'
);

CREATE TYPE job_kind AS ENUM (
    'submit',
    'edit',
    'delete'
);

CREATE TYPE job_state AS ENUM (
    'ready',
    'running'
);

CREATE TYPE photo_kind AS ENUM (
    'photo',
    'video'
);

CREATE TYPE processing AS ENUM (
    'pending',
    'done',
    'failed'
);

CREATE TYPE response_kind AS ENUM (
    'comment',
    'like',
    'repost',
    'quote',
    'mention'
);

CREATE TYPE response_state AS ENUM (
    'pending',
    'shown',
    'hidden'
);

CREATE TYPE submission_state AS ENUM (
    'waiting',
    'running',
    'done',
    'rejected',
    'cancelled',
    'unknown',
    'needs_login',
    'paused',
    'deleted'
);

CREATE TYPE upload_part AS ENUM (
    'whole',
    'partial',
    'final'
);

CREATE TYPE upload_protocol AS ENUM (
    'tus',
    'ietf'
);

CREATE TYPE upload_state AS ENUM (
    'receiving',
    'complete',
    'failed'
);

CREATE TYPE visibility AS ENUM (
    'public',
    'unlisted',
    'private'
);

CREATE TABLE jobs (
    id bigint NOT NULL,
    connection_id uuid NOT NULL,
    submission_id uuid NOT NULL,
    state job_state DEFAULT 'ready'::job_state NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    lease_until timestamp with time zone,
    lease_no integer DEFAULT 0 NOT NULL,
    worker text,
    slot smallint,
    attempt integer DEFAULT 0 NOT NULL,
    max_attempts integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    effect job_effect DEFAULT 'none'::job_effect NOT NULL,
    journal jsonb DEFAULT '{}'::jsonb NOT NULL,
    journal_version smallint DEFAULT 1 NOT NULL,
    cancel_at timestamp with time zone,
    kind job_kind DEFAULT 'submit'::job_kind NOT NULL,
    follow_up job_kind,
    priority smallint DEFAULT 0 NOT NULL,
    CONSTRAINT jobs_follow_up_changes CHECK ((follow_up = ANY (ARRAY['edit'::job_kind, 'delete'::job_kind]))),
    CONSTRAINT jobs_priority_known CHECK (((priority >= '-1'::integer) AND (priority <= 1))),
    CONSTRAINT jobs_running_has_slot CHECK (((state = 'running'::job_state) = (slot IS NOT NULL))),
    CONSTRAINT jobs_running_is_leased CHECK (((state = 'running'::job_state) = (lease_until IS NOT NULL)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');

CREATE TABLE acme_accounts (
    directory text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT acme_accounts_directory CHECK ((octet_length(directory) <= 2048))
);

COMMENT ON TABLE acme_accounts IS 'The key of the account at each certificate authority, by the URL of its ACME directory.';

CREATE TABLE albums (
    owner_id uuid NOT NULL,
    name text NOT NULL,
    about text,
    cover_id uuid,
    photo_order text DEFAULT 'newest'::text NOT NULL,
    CONSTRAINT albums_about_short CHECK (((length(about) >= 1) AND (length(about) <= 500))),
    CONSTRAINT albums_name_short CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT albums_order_known CHECK ((photo_order = ANY (ARRAY['newest'::text, 'oldest'::text, 'caption'::text])))
);

COMMENT ON TABLE albums IS 'What an owner says of an album. An album is there while photos name it; one without a row has the defaults.';

COMMENT ON COLUMN albums.cover_id IS 'A photo of the album, shown while everybody may see it; else the newest is.';

CREATE TABLE app_grants (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    user_id uuid NOT NULL,
    scopes text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    opened_at timestamp with time zone
);

CREATE TABLE app_tokens (
    hash bytea NOT NULL,
    app_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT app_tokens_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE TABLE apps (
    id uuid NOT NULL,
    client_id text NOT NULL,
    kind text NOT NULL,
    secret_hash bytea,
    name text NOT NULL,
    website text,
    redirect_uris text[] NOT NULL,
    scopes text NOT NULL,
    refreshes boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    allowed_at timestamp with time zone,
    CONSTRAINT apps_kind_known CHECK ((kind = ANY (ARRAY['mastodon'::text, 'registered'::text, 'site'::text]))),
    CONSTRAINT apps_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
    CONSTRAINT apps_redirect_count CHECK ((cardinality(redirect_uris) <= 20)),
    CONSTRAINT apps_secret_form CHECK ((octet_length(secret_hash) = 32))
);

CREATE TABLE attempts (
    id bigint NOT NULL,
    submission_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone DEFAULT now() NOT NULL,
    outcome text NOT NULL,
    http_status integer,
    problem text,
    detail text,
    coded_problem jsonb
);

ALTER TABLE attempts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE audit_log (
    id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    action text NOT NULL,
    channel text NOT NULL,
    actor_id uuid,
    actor text,
    network text,
    user_id uuid,
    subject_kind text,
    subject_id uuid,
    subject text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT audit_log_action_known CHECK ((action = ANY (ARRAY['user_invited'::text, 'invitation_deleted'::text, 'user_joined'::text, 'user_created'::text, 'user_deleted'::text, 'admin_granted'::text, 'admin_removed'::text, 'quota_changed'::text, 'password_changed'::text, 'password_reset'::text, 'password_set'::text, 'mail_address_chosen'::text, 'mail_address_removed'::text, 'sign_in_limited'::text, 'device_signed_in'::text, 'sessions_ended'::text, 'second_factor_on'::text, 'second_factor_off'::text, 'second_factor_removed'::text, 'recovery_code_used'::text, 'passkey_added'::text, 'passkey_removed'::text, 'identity_linked'::text, 'identity_unlinked'::text, 'token_created'::text, 'token_revoked'::text, 'app_allowed'::text, 'app_revoked'::text, 'webhook_created'::text, 'webhook_changed'::text, 'webhook_deleted'::text, 'account_connected'::text, 'account_reconnected'::text, 'account_disconnected'::text, 'service_keys_set'::text, 'service_keys_removed'::text, 'services_chosen'::text, 'sealing_key_rotated'::text, 'export_downloaded'::text, 'import_started'::text, 'report_decided'::text]))),
    CONSTRAINT audit_log_actor_short CHECK (((length(actor) >= 1) AND (length(actor) <= 100))),
    CONSTRAINT audit_log_channel_known CHECK ((channel = ANY (ARRAY['browser'::text, 'app'::text, 'terminal'::text, 'system'::text]))),
    CONSTRAINT audit_log_details_short CHECK (((jsonb_typeof(details) = 'object'::text) AND (octet_length((details)::text) <= 4096))),
    CONSTRAINT audit_log_network_short CHECK (((length(network) >= 1) AND (length(network) <= 50))),
    CONSTRAINT audit_log_subject_has_kind CHECK (((subject_kind IS NOT NULL) OR ((subject_id IS NULL) AND (subject IS NULL)))),
    CONSTRAINT audit_log_subject_known CHECK ((subject_kind = ANY (ARRAY['user'::text, 'invitation'::text, 'token'::text, 'app'::text, 'webhook'::text, 'account'::text, 'service'::text, 'photo'::text, 'report'::text, 'identity'::text]))),
    CONSTRAINT audit_log_subject_short CHECK ((length(subject) <= 300))
);

CREATE TABLE author_decisions (
    owner_id uuid NOT NULL,
    author_id uuid NOT NULL,
    shows boolean NOT NULL
);

CREATE TABLE authorization_codes (
    hash bytea NOT NULL,
    grant_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    challenge bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT authorization_codes_challenge_form CHECK ((octet_length(challenge) = 32)),
    CONSTRAINT authorization_codes_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE TABLE authorizations (
    id uuid NOT NULL,
    state_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    service text NOT NULL,
    browser_hash bytea,
    sealed bytea,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    taken_at timestamp with time zone,
    connection_id uuid,
    problem text,
    claim_hash bytea,
    coded_problem jsonb,
    CONSTRAINT authorizations_browser_form CHECK ((octet_length(browser_hash) = 32)),
    CONSTRAINT authorizations_claim_form CHECK ((octet_length(claim_hash) = 32)),
    CONSTRAINT authorizations_state_form CHECK ((octet_length(state_hash) = 32)),
    CONSTRAINT authorizations_taken_once CHECK (((sealed IS NULL) = (taken_at IS NOT NULL)))
);

CREATE TABLE backups (
    id text NOT NULL,
    place text NOT NULL,
    begun_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    problem text,
    files bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    faulty bigint DEFAULT 0 NOT NULL,
    CONSTRAINT backups_id_form CHECK ((id ~ '^[0-9]{8}T[0-9]{6}Z$'::text)),
    CONSTRAINT backups_place_short CHECK (((octet_length(place) >= 1) AND (octet_length(place) <= 4096))),
    CONSTRAINT backups_problem_ends CHECK (((problem IS NULL) OR (ended_at IS NOT NULL))),
    CONSTRAINT backups_problem_short CHECK ((octet_length(problem) <= 4096))
);

CREATE TABLE blobs (
    sha256 bytea NOT NULL,
    bytes bigint NOT NULL,
    media_type text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    checked_at timestamp with time zone DEFAULT now() NOT NULL,
    fault blob_fault,
    fault_at timestamp with time zone,
    healed_at timestamp with time zone,
    CONSTRAINT blobs_bytes_positive CHECK ((bytes > 0)),
    CONSTRAINT blobs_fault_has_time CHECK (((fault IS NULL) = (fault_at IS NULL))),
    CONSTRAINT blobs_sha256_form CHECK ((octet_length(sha256) = 32))
);

CREATE TABLE bookmarks (
    user_id uuid NOT NULL,
    photo_id uuid NOT NULL
);

CREATE TABLE certificates (
    names text NOT NULL,
    chain text,
    sealed bytea,
    expires_at timestamp with time zone,
    renew_at timestamp with time zone DEFAULT now() NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    problem text,
    leased_until timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT certificates_names CHECK ((octet_length(names) <= 8192)),
    CONSTRAINT certificates_whole CHECK ((((chain IS NULL) = (sealed IS NULL)) AND ((chain IS NULL) = (expires_at IS NULL))))
);

COMMENT ON TABLE certificates IS 'The newest certificate for a set of names, and when the next is asked for.';

COMMENT ON COLUMN certificates.names IS 'DNS names in the order of the settings, with spaces between them.';

COMMENT ON COLUMN certificates.chain IS 'In PEM; null until the first was got.';

COMMENT ON COLUMN certificates.sealed IS 'The private key.';

COMMENT ON COLUMN certificates.failures IS 'Attempts in a row that have failed since the last success.';

COMMENT ON COLUMN certificates.problem IS 'Why the last attempt failed; null after a success.';

COMMENT ON COLUMN certificates.leased_until IS 'One process at a time asks the authority.';

CREATE TABLE companions (
    photo_id uuid NOT NULL,
    place smallint NOT NULL,
    companion_id uuid NOT NULL,
    CONSTRAINT companions_others CHECK ((photo_id <> companion_id)),
    CONSTRAINT companions_place_known CHECK (((place >= 1) AND (place <= 19)))
);

CREATE TABLE connections (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    service text NOT NULL,
    remote_id text NOT NULL,
    account text NOT NULL,
    credentials bytea NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    settings_read_at timestamp with time zone DEFAULT now() NOT NULL,
    state connection_state DEFAULT 'ok'::connection_state NOT NULL,
    problem text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    credentials_no integer DEFAULT 0 NOT NULL,
    refreshing_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    coded_problem jsonb,
    picture bytea,
    picture_version text,
    picture_url text,
    picture_due_at timestamp with time zone DEFAULT now(),
    picture_failures integer DEFAULT 0 NOT NULL,
    reading_problem jsonb,
    CONSTRAINT connections_disabled_is_forgotten CHECK (((state <> 'disabled'::connection_state) OR (octet_length(credentials) = 0))),
    CONSTRAINT connections_picture_small CHECK (((octet_length(picture) >= 1) AND (octet_length(picture) <= 32768))),
    CONSTRAINT connections_picture_url_short CHECK (((octet_length(picture_url) >= 1) AND (octet_length(picture_url) <= 2048))),
    CONSTRAINT connections_picture_versioned CHECK (((picture IS NULL) = (picture_version IS NULL)))
);

CREATE TABLE deleted_photos (
    photo_id uuid NOT NULL,
    sha256 bytea NOT NULL,
    photo jsonb NOT NULL,
    texts jsonb NOT NULL,
    deleted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE gates (
    name text NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    reason text,
    blocked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    open_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    probe_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    problem text,
    cap integer,
    cap_window interval,
    window_start timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    window_used integer DEFAULT 0 NOT NULL,
    coded_problem jsonb,
    CONSTRAINT gates_cap_whole CHECK (((cap IS NULL) = (cap_window IS NULL)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

CREATE VIEW gate_states AS
 SELECT gates.name,
    gates.paused,
    gates.reason,
        CASE
            WHEN gates.paused THEN 'infinity'::timestamp with time zone
            ELSE GREATEST(gates.blocked_until, gates.open_until,
            CASE
                WHEN (gates.failures >= breaker_threshold()) THEN gates.probe_until
                ELSE NULL::timestamp with time zone
            END, window_end(gates.cap, gates.cap_window, gates.window_start, gates.window_used))
        END AS opens_at,
        CASE
            WHEN (gates.failures >= breaker_threshold()) THEN 1
            WHEN (gates.cap IS NULL) THEN NULL::integer
            WHEN ((gates.window_start + gates.cap_window) <= now()) THEN gates.cap
            ELSE GREATEST((gates.cap - gates.window_used), 0)
        END AS room
   FROM gates;

CREATE TABLE idempotency_keys (
    user_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status integer NOT NULL,
    fields text[] NOT NULL,
    body bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE identities (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    label text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT identities_issuer_short CHECK (((octet_length(issuer) >= 1) AND (octet_length(issuer) <= 500))),
    CONSTRAINT identities_label_short CHECK ((char_length(label) <= 254)),
    CONSTRAINT identities_subject_short CHECK (((octet_length(subject) >= 1) AND (octet_length(subject) <= 255)))
);

CREATE TABLE import_archives (
    import_id uuid NOT NULL,
    place smallint NOT NULL,
    sha256 bytea NOT NULL,
    CONSTRAINT import_archives_place_natural CHECK ((place >= 0)),
    CONSTRAINT import_archives_sha256_form CHECK ((octet_length(sha256) = 32))
);

CREATE TABLE import_failures (
    import_id uuid NOT NULL,
    place integer NOT NULL,
    file text NOT NULL,
    problem text NOT NULL,
    CONSTRAINT import_failures_file_short CHECK ((length(file) <= 1100)),
    CONSTRAINT import_failures_problem_short CHECK (((length(problem) >= 1) AND (length(problem) <= 40)))
);

CREATE TABLE imported_items (
    owner_id uuid NOT NULL,
    key bytea NOT NULL,
    photo_id uuid NOT NULL,
    import_id uuid NOT NULL,
    CONSTRAINT imported_items_key_form CHECK ((octet_length(key) = 32))
);

CREATE TABLE imports (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    source text,
    state text NOT NULL,
    name text NOT NULL,
    found integer DEFAULT 0 NOT NULL,
    imported integer DEFAULT 0 NOT NULL,
    known integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    problem text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    run_no integer DEFAULT 0 NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT imports_counts_natural CHECK (((found >= 0) AND (imported >= 0) AND (known >= 0) AND (failed >= 0))),
    CONSTRAINT imports_ended CHECK (((ended_at IS NOT NULL) = (state = ANY (ARRAY['done'::text, 'failed'::text])))),
    CONSTRAINT imports_name_short CHECK (((length(name) >= 1) AND (length(name) <= 1000))),
    CONSTRAINT imports_problem_fails CHECK (((problem IS NULL) OR (state = 'failed'::text))),
    CONSTRAINT imports_problem_short CHECK (((length(problem) >= 1) AND (length(problem) <= 40))),
    CONSTRAINT imports_source_known CHECK ((source = ANY (ARRAY['pics'::text, 'takeout'::text, 'mastodon'::text, 'pixelfed'::text, 'instagram'::text, 'flickr'::text, 'folder'::text]))),
    CONSTRAINT imports_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text])))
);

CREATE TABLE installation (
    is_only boolean DEFAULT true NOT NULL,
    id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    key_id bytea,
    CONSTRAINT installation_key_id_form CHECK ((octet_length(key_id) = 4)),
    CONSTRAINT installation_single CHECK (is_only)
);

CREATE TABLE interactions (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    response_id uuid,
    post_id uuid,
    kind interaction_kind NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    wanted boolean DEFAULT true NOT NULL,
    confirmed boolean DEFAULT false NOT NULL,
    remote_id text,
    url text,
    armed boolean DEFAULT false NOT NULL,
    asked integer DEFAULT 1 NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    failures integer DEFAULT 0 NOT NULL,
    lease_no integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    coded_problem jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    request_key bytea,
    CONSTRAINT interactions_reply_has_text CHECK (((kind = 'reply'::interaction_kind) = (text <> ''::text))),
    CONSTRAINT interactions_short CHECK (((octet_length(text) <= 65536) AND (octet_length(remote_id) <= 2048) AND (octet_length(url) <= 2048))),
    CONSTRAINT interactions_with_one CHECK ((num_nonnulls(response_id, post_id) = 1))
);

CREATE TABLE invitations (
    id uuid NOT NULL,
    hash bytea NOT NULL,
    user_name text,
    is_admin boolean DEFAULT false NOT NULL,
    invited_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    mail_hash bytea,
    CONSTRAINT invitations_hash_form CHECK ((octet_length(hash) = 32)),
    CONSTRAINT invitations_mail_hash_form CHECK ((octet_length(mail_hash) = 32)),
    CONSTRAINT invitations_user_name_form CHECK ((user_name ~ '^[a-z0-9_-]{1,32}$'::text))
);

ALTER TABLE jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE lanes (
    connection_id uuid NOT NULL,
    service text NOT NULL,
    max_running integer DEFAULT 1 NOT NULL,
    gap interval DEFAULT '00:00:00'::interval NOT NULL,
    started_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    wake_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    blocked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    paused boolean DEFAULT false NOT NULL,
    connected_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    gate text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    cap integer,
    cap_window interval,
    window_start timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    window_used integer DEFAULT 0 NOT NULL,
    likes_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    news_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    news_cursor text,
    news_read_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    subscribe_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    subscribed_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT lanes_cap_whole CHECK (((cap IS NULL) = (cap_window IS NULL))),
    CONSTRAINT lanes_max_running_positive CHECK ((max_running > 0))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

CREATE VIEW lane_states AS
 SELECT lanes.connection_id,
    lanes.service,
    lanes.max_running,
    lanes.gap,
    lanes.started_at,
    lanes.wake_at,
    lanes.blocked_until,
    lanes.paused,
    lanes.connected_at,
    lanes.gate,
    lanes.failures,
    lanes.cap,
    lanes.cap_window,
    lanes.window_start,
    lanes.window_used,
    GREATEST(lanes.blocked_until,
        CASE
            WHEN (lanes.gap > '00:00:00'::interval) THEN (lanes.started_at + lanes.gap)
            ELSE NULL::timestamp with time zone
        END, window_end(lanes.cap, lanes.cap_window, lanes.window_start, lanes.window_used)) AS opens_at,
        CASE
            WHEN (lanes.failures >= breaker_threshold()) THEN 1
            ELSE lanes.max_running
        END AS width
   FROM lanes;

CREATE TABLE likes (
    photo_id uuid NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    owner_id uuid
);

CREATE TABLE mail_addresses (
    user_id uuid NOT NULL,
    address text NOT NULL,
    language text NOT NULL,
    kinds text[] NOT NULL,
    digest text DEFAULT 'none'::text NOT NULL,
    token_hash bytea,
    token_ends_at timestamp with time zone,
    confirmed_at timestamp with time zone,
    refused_at timestamp with time zone,
    problem text,
    delivered_at timestamp with time zone,
    digested_at timestamp with time zone DEFAULT now() NOT NULL,
    next_digest_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT mail_addresses_address_short CHECK (((octet_length(address) >= 3) AND (octet_length(address) <= 254))),
    CONSTRAINT mail_addresses_digest_due CHECK (((digest = 'none'::text) = (next_digest_at IS NULL))),
    CONSTRAINT mail_addresses_digest_known CHECK ((digest = ANY (ARRAY['none'::text, 'daily'::text, 'weekly'::text]))),
    CONSTRAINT mail_addresses_kinds_known CHECK (((kinds <@ ARRAY['posts'::text, 'logins'::text, 'reports'::text]) AND (array_position(kinds, NULL::text) IS NULL))),
    CONSTRAINT mail_addresses_language_is_tag CHECK ((language ~ '^[a-z]{2,8}$'::text)),
    CONSTRAINT mail_addresses_problem_short CHECK ((octet_length(problem) <= 1024)),
    CONSTRAINT mail_addresses_token_ends CHECK (((token_hash IS NULL) = (token_ends_at IS NULL))),
    CONSTRAINT mail_addresses_token_form CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE mail_confirmations (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    address_hash bytea NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT mail_confirmations_hash_form CHECK ((octet_length(address_hash) = 32))
);

CREATE TABLE mails (
    id uuid NOT NULL,
    user_id uuid,
    address text NOT NULL,
    kind text NOT NULL,
    subject_id uuid,
    language text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    lease_id uuid,
    lease_until timestamp with time zone,
    armed boolean DEFAULT false NOT NULL,
    CONSTRAINT mails_address_short CHECK (((octet_length(address) >= 1) AND (octet_length(address) <= 254))),
    CONSTRAINT mails_failures_natural CHECK ((failures >= 0)),
    CONSTRAINT mails_kind_known CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text, 'confirmation'::text, 'post'::text, 'login'::text, 'report'::text, 'digest'::text]))),
    CONSTRAINT mails_language_is_tag CHECK ((language ~ '^[a-z]{2,8}$'::text)),
    CONSTRAINT mails_lease_ends CHECK (((lease_id IS NULL) = (lease_until IS NULL))),
    CONSTRAINT mails_subject_of_kind CHECK (((subject_id IS NULL) = (kind = ANY (ARRAY['reset'::text, 'confirmation'::text, 'digest'::text]))))
);

CREATE TABLE markers (
    user_id uuid NOT NULL,
    timeline text NOT NULL,
    last_read_id text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT markers_last_read_short CHECK (((char_length(last_read_id) >= 1) AND (char_length(last_read_id) <= 64))),
    CONSTRAINT markers_timeline_known CHECK ((timeline = ANY (ARRAY['home'::text, 'notifications'::text])))
);

CREATE TABLE mentioning_photos (
    photo_id uuid NOT NULL,
    due_at timestamp with time zone,
    asked integer DEFAULT 1 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE nodes (
    id uuid NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    serves boolean NOT NULL,
    works boolean NOT NULL,
    draining boolean DEFAULT false NOT NULL,
    resident_bytes bigint NOT NULL,
    disk_free_bytes bigint NOT NULL,
    disk_total_bytes bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    unknown_proxy text,
    most_connections integer DEFAULT 0 NOT NULL,
    CONSTRAINT nodes_most_connections_not_negative CHECK ((most_connections >= 0)),
    CONSTRAINT nodes_name_length CHECK (((length(name) >= 1) AND (length(name) <= 300))),
    CONSTRAINT nodes_unknown_proxy_short CHECK (((char_length(unknown_proxy) >= 1) AND (char_length(unknown_proxy) <= 100))),
    CONSTRAINT nodes_version_length CHECK (((length(version) >= 1) AND (length(version) <= 100)))
);

CREATE TABLE outgoing_files (
    hash bytea NOT NULL,
    submission_id uuid,
    photo_id uuid NOT NULL,
    sha256 bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    order_id uuid,
    CONSTRAINT outgoing_files_for_one CHECK ((num_nonnulls(submission_id, order_id) = 1)),
    CONSTRAINT outgoing_files_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE TABLE paid_reads (
    connection_id uuid NOT NULL,
    month date NOT NULL,
    spent bigint DEFAULT 0 NOT NULL,
    objects integer DEFAULT 0 NOT NULL
);

CREATE TABLE passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    backup_eligible boolean NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_credential_id_short CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
    CONSTRAINT passkeys_name_short CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64))),
    CONSTRAINT passkeys_public_key_short CHECK (((octet_length(public_key) >= 1) AND (octet_length(public_key) <= 2048))),
    CONSTRAINT passkeys_sign_count_range CHECK (((sign_count >= 0) AND (sign_count <= '4294967295'::bigint)))
);

CREATE TABLE password_resets (
    mail_id uuid NOT NULL,
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT password_resets_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE TABLE photos (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    sha256 bytea,
    kind photo_kind NOT NULL,
    width integer,
    height integer,
    taken_at timestamp with time zone,
    latitude double precision,
    longitude double precision,
    exif jsonb DEFAULT '{}'::jsonb NOT NULL,
    caption text DEFAULT ''::text NOT NULL,
    alt_text text DEFAULT ''::text NOT NULL,
    visibility visibility DEFAULT 'public'::visibility NOT NULL,
    like_count integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    recipe jsonb,
    sources uuid[],
    duration double precision,
    rotation smallint,
    frame_rate double precision,
    picture_format text,
    sound_format text,
    plays_from_start boolean,
    network_like_count integer DEFAULT 0 NOT NULL,
    album text,
    edited_at timestamp with time zone,
    processing processing DEFAULT 'pending'::processing NOT NULL,
    processing_at timestamp with time zone DEFAULT now(),
    made_private_at timestamp with time zone,
    part_of uuid,
    planned_visibility visibility,
    publish_at timestamp with time zone,
    draft jsonb,
    published_at timestamp with time zone,
    sensitive boolean DEFAULT false NOT NULL,
    content_warning text,
    language text,
    taken_offset smallint,
    has_picture boolean DEFAULT true NOT NULL,
    focus_x real,
    focus_y real,
    shows_responses boolean,
    CONSTRAINT photos_album_short CHECK (((length(album) >= 1) AND (length(album) <= 100))),
    CONSTRAINT photos_content_warning_short CHECK (((length(content_warning) >= 1) AND (length(content_warning) <= 200))),
    CONSTRAINT photos_draft_is_object CHECK ((jsonb_typeof(draft) = 'object'::text)),
    CONSTRAINT photos_draft_planned CHECK (((draft IS NULL) OR ((planned_visibility IS NOT NULL) AND (publish_at IS NULL)))),
    CONSTRAINT photos_duration_natural CHECK (((duration >= (0)::double precision) AND (duration < 'Infinity'::double precision))),
    CONSTRAINT photos_focus_within CHECK ((((focus_x >= ('-1'::integer)::double precision) AND (focus_x <= (1)::double precision)) AND ((focus_y >= ('-1'::integer)::double precision) AND (focus_y <= (1)::double precision)))),
    CONSTRAINT photos_frame_rate_natural CHECK (((frame_rate > (0)::double precision) AND (frame_rate < 'Infinity'::double precision))),
    CONSTRAINT photos_has_blob CHECK (((sha256 IS NOT NULL) OR (deleted_at IS NOT NULL))),
    CONSTRAINT photos_language_is_tag CHECK (((length(language) <= 35) AND (language ~ '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$'::text))),
    CONSTRAINT photos_like_count_natural CHECK ((like_count >= 0)),
    CONSTRAINT photos_network_like_count_natural CHECK ((network_like_count >= 0)),
    CONSTRAINT photos_part_of_another CHECK ((part_of <> id)),
    CONSTRAINT photos_part_unlisted CHECK (((part_of IS NULL) OR (visibility <> 'public'::visibility))),
    CONSTRAINT photos_photo_has_size CHECK (((kind = 'video'::photo_kind) OR ((width IS NOT NULL) AND (height IS NOT NULL)))),
    CONSTRAINT photos_planned_post CHECK (((planned_visibility IS NULL) OR (part_of IS NULL))),
    CONSTRAINT photos_planned_private CHECK (((planned_visibility IS NULL) OR (visibility = 'private'::visibility))),
    CONSTRAINT photos_position_on_earth CHECK ((((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)) AND ((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))),
    CONSTRAINT photos_position_whole CHECK (((latitude IS NULL) = (longitude IS NULL))),
    CONSTRAINT photos_publish_at_planned CHECK (((publish_at IS NULL) OR (planned_visibility IS NOT NULL))),
    CONSTRAINT photos_recipe_is_object CHECK ((jsonb_typeof(recipe) = 'object'::text)),
    CONSTRAINT photos_rotation_quarters CHECK ((rotation = ANY (ARRAY[0, 90, 180, 270]))),
    CONSTRAINT photos_size_natural CHECK (((width > 0) AND (height > 0))),
    CONSTRAINT photos_sources_some CHECK ((cardinality(sources) > 0)),
    CONSTRAINT photos_taken_offset_real CHECK (((taken_offset IS NULL) OR ((taken_at IS NOT NULL) AND ((taken_offset >= '-840'::integer) AND (taken_offset <= 840))))),
    CONSTRAINT photos_video_facts_of_video CHECK (((kind = 'video'::photo_kind) OR (num_nonnulls(duration, rotation, frame_rate, picture_format, sound_format, plays_from_start) = 0)))
)
WITH (fillfactor='80');

CREATE TABLE print_orders (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    photo_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    request_key bytea,
    fingerprint bytea NOT NULL,
    sealed bytea,
    format text NOT NULL,
    price_minor bigint NOT NULL,
    price_currency text NOT NULL,
    is_sandbox boolean NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    state_at timestamp with time zone DEFAULT now() NOT NULL,
    remote_id text,
    journal jsonb DEFAULT '{}'::jsonb NOT NULL,
    armed_at timestamp with time zone,
    cancel_wanted boolean DEFAULT false NOT NULL,
    coded_problem jsonb,
    failures integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    lease_no integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    ordered_at timestamp with time zone,
    is_cancellable boolean DEFAULT false NOT NULL,
    cancellable_until timestamp with time zone,
    expected_on date,
    tracking_url text,
    preview_url text,
    action_url text,
    CONSTRAINT print_orders_addresses_short CHECK (((octet_length(tracking_url) <= 2048) AND (octet_length(preview_url) <= 2048) AND (octet_length(action_url) <= 2048))),
    CONSTRAINT print_orders_currency_form CHECK ((price_currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT print_orders_fingerprint_form CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT print_orders_format_short CHECK (((octet_length(format) >= 1) AND (octet_length(format) <= 200))),
    CONSTRAINT print_orders_ordered_has_id CHECK (((state <> ALL (ARRAY['ordered'::text, 'in_production'::text, 'mailed'::text, 'delivered'::text, 'returned'::text])) OR ((remote_id IS NOT NULL) AND (ordered_at IS NOT NULL)))),
    CONSTRAINT print_orders_price_natural CHECK ((price_minor >= 0)),
    CONSTRAINT print_orders_remote_id_short CHECK (((octet_length(remote_id) >= 1) AND (octet_length(remote_id) <= 512))),
    CONSTRAINT print_orders_request_key_form CHECK ((octet_length(request_key) = 32)),
    CONSTRAINT print_orders_sealed_short CHECK ((octet_length(sealed) <= 65536)),
    CONSTRAINT print_orders_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'ordered'::text, 'in_production'::text, 'mailed'::text, 'delivered'::text, 'returned'::text, 'cancelled'::text, 'rejected'::text, 'failed'::text, 'unknown'::text]))),
    CONSTRAINT print_orders_waiting_has_order CHECK (((state <> 'waiting'::text) OR (sealed IS NOT NULL)))
);

CREATE TABLE push_keys (
    is_only boolean DEFAULT true NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT push_keys_single CHECK (is_only)
);

CREATE TABLE push_messages (
    subscription_id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    changes integer DEFAULT 1 NOT NULL,
    told integer DEFAULT 0 NOT NULL,
    CONSTRAINT push_messages_kind_known CHECK ((kind = ANY (ARRAY['posts'::text, 'logins'::text, 'likes'::text, 'responses'::text, 'reports'::text])))
);

CREATE TABLE push_subscriptions (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    session_id uuid NOT NULL,
    place smallint NOT NULL,
    endpoint text NOT NULL,
    public_key bytea NOT NULL,
    secret bytea NOT NULL,
    language text NOT NULL,
    kinds text[] NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    turn bigint DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    delivered_at timestamp with time zone,
    problem text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT push_subscriptions_endpoint_form CHECK (((endpoint ~ '^https?://'::text) AND (octet_length(endpoint) <= 2048))),
    CONSTRAINT push_subscriptions_failures_begin CHECK (((failures = 0) = (failing_since IS NULL))),
    CONSTRAINT push_subscriptions_kinds_known CHECK (((kinds <@ ARRAY['posts'::text, 'logins'::text, 'likes'::text, 'responses'::text, 'reports'::text]) AND (array_position(kinds, NULL::text) IS NULL))),
    CONSTRAINT push_subscriptions_language_is_tag CHECK ((language ~ '^[a-z]{2,8}$'::text)),
    CONSTRAINT push_subscriptions_place_bounded CHECK (((place >= 1) AND (place <= 10))),
    CONSTRAINT push_subscriptions_public_key_form CHECK ((octet_length(public_key) = 65)),
    CONSTRAINT push_subscriptions_state_known CHECK ((state = ANY (ARRAY['active'::text, 'stopped'::text])))
);

CREATE TABLE recovery_codes (
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT recovery_codes_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE TABLE refresh_tokens (
    hash bytea NOT NULL,
    grant_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT refresh_tokens_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE TABLE renditions (
    source_sha256 bytea NOT NULL,
    name text NOT NULL,
    sha256 bytea NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    placeholder bytea,
    CONSTRAINT renditions_placeholder_small CHECK (((octet_length(placeholder) >= 1) AND (octet_length(placeholder) <= 2048)))
);

CREATE TABLE reports (
    id uuid NOT NULL,
    photo_id uuid NOT NULL,
    reporter bytea NOT NULL,
    reason text NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    address text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    decision text,
    decided_by uuid,
    note text DEFAULT ''::text NOT NULL,
    CONSTRAINT reports_address_short CHECK (((octet_length(address) >= 3) AND (octet_length(address) <= 254))),
    CONSTRAINT reports_decision_known CHECK ((decision = ANY (ARRAY['dismissed'::text, 'private'::text, 'deleted'::text]))),
    CONSTRAINT reports_decision_whole CHECK ((((decided_at IS NULL) = (decision IS NULL)) AND ((decision IS NOT NULL) OR (decided_by IS NULL)))),
    CONSTRAINT reports_note_short CHECK ((length(note) <= 1000)),
    CONSTRAINT reports_reason_known CHECK ((reason = ANY (ARRAY['spam'::text, 'illegal'::text, 'violence'::text, 'sexual'::text, 'rights'::text, 'privacy'::text, 'other'::text]))),
    CONSTRAINT reports_reporter_form CHECK ((octet_length(reporter) = 32)),
    CONSTRAINT reports_text_short CHECK ((length(text) <= 1000))
);

CREATE TABLE response_authors (
    id uuid NOT NULL,
    source text NOT NULL,
    key text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    handle text,
    url text,
    picture bytea,
    picture_version text,
    picture_url text,
    picture_due_at timestamp with time zone,
    picture_failures integer DEFAULT 0 NOT NULL,
    told_by text DEFAULT ''::text NOT NULL,
    CONSTRAINT response_authors_picture_small CHECK (((octet_length(picture) >= 1) AND (octet_length(picture) <= 32768))),
    CONSTRAINT response_authors_picture_versioned CHECK (((picture IS NULL) = (picture_version IS NULL))),
    CONSTRAINT response_authors_short CHECK (((octet_length(key) <= 4096) AND (octet_length(name) <= 1024) AND (octet_length(handle) <= 1024) AND (octet_length(url) <= 2048) AND (octet_length(picture_url) <= 2048)))
);

CREATE TABLE responses (
    id uuid NOT NULL,
    photo_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    submission_id uuid,
    author_id uuid NOT NULL,
    kind response_kind NOT NULL,
    key text NOT NULL,
    parent_key text,
    text text DEFAULT ''::text NOT NULL,
    url text,
    state response_state DEFAULT 'shown'::response_state NOT NULL,
    said_at timestamp with time zone,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    edited_at timestamp with time zone,
    gone_at timestamp with time zone,
    remote_id text,
    media jsonb DEFAULT '[]'::jsonb NOT NULL,
    is_own boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT responses_remote_id_short CHECK ((octet_length(remote_id) <= 2048)),
    CONSTRAINT responses_short CHECK (((octet_length(key) <= 4096) AND (octet_length(parent_key) <= 4096) AND (octet_length(text) <= 65536) AND (octet_length(url) <= 2048)))
);

CREATE TABLE revocations (
    connection_id uuid NOT NULL,
    credentials bytea NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL
);

CREATE TABLE schema_functions (
    name text NOT NULL,
    sha256 bytea NOT NULL,
    replaced_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    sha256 bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    release text,
    oldest_release text
);

CREATE TABLE second_factors (
    user_id uuid NOT NULL,
    sealed bytea NOT NULL,
    last_step bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT second_factors_last_step_natural CHECK ((last_step >= 0))
);

CREATE TABLE sent_webmentions (
    photo_id uuid NOT NULL,
    target text NOT NULL,
    problem text,
    is_linked boolean DEFAULT true NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sent_webmentions_target_short CHECK ((octet_length(target) <= 2048))
);

CREATE TABLE service_choices (
    service text NOT NULL,
    is_offered boolean NOT NULL
);

CREATE TABLE service_keys (
    service text NOT NULL,
    sealed bytea NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    browser text NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sessions_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE UNLOGGED TABLE shared_limits (
    key bytea NOT NULL,
    full_at timestamp with time zone NOT NULL,
    CONSTRAINT shared_limits_key_length CHECK ((octet_length(key) = 32))
);

CREATE TABLE short_links (
    code text NOT NULL,
    photo_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT short_links_code_form CHECK ((code ~ '^[1-9A-HJ-NP-Za-km-z]{8}$'::text))
)
WITH (fillfactor='70');

CREATE TABLE spent_challenges (
    hash bytea NOT NULL,
    spent_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT spent_challenges_hash_form CHECK ((octet_length(hash) = 32))
);

CREATE TABLE storage_changes (
    owner_id uuid NOT NULL,
    bytes bigint NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE submissions (
    id uuid NOT NULL,
    photo_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    state submission_state DEFAULT 'waiting'::submission_state NOT NULL,
    text text NOT NULL,
    is_cut boolean NOT NULL,
    length integer NOT NULL,
    text_limit integer,
    remote_id text,
    remote_url text,
    attempts integer DEFAULT 0 NOT NULL,
    bytes_sent bigint DEFAULT 0 NOT NULL,
    bytes_total bigint DEFAULT 0 NOT NULL,
    problem text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    scheduled_at timestamp with time zone,
    network_likes integer DEFAULT 0 NOT NULL,
    count_at timestamp with time zone,
    coded_problem jsonb,
    own_text text,
    edit text,
    responses_counts integer[],
    responses_read_at timestamp with time zone,
    thread jsonb,
    CONSTRAINT submissions_done_has_id CHECK (((state <> 'done'::submission_state) OR (remote_id IS NOT NULL))),
    CONSTRAINT submissions_edit_known CHECK ((edit = ANY (ARRAY['waiting'::text, 'done'::text, 'unsupported'::text]))),
    CONSTRAINT submissions_network_likes_natural CHECK ((network_likes >= 0)),
    CONSTRAINT submissions_running_is_told_by_jobs CHECK ((state <> 'running'::submission_state)),
    CONSTRAINT submissions_thread_of_several CHECK (((jsonb_typeof(thread) = 'array'::text) AND (jsonb_array_length(thread) >= 2)))
)
WITH (fillfactor='70');

CREATE TABLE thread_posts (
    submission_id uuid NOT NULL,
    place smallint NOT NULL,
    remote_id text NOT NULL,
    CONSTRAINT thread_posts_place_behind_first CHECK ((place >= 2)),
    CONSTRAINT thread_posts_remote_id_short CHECK (((octet_length(remote_id) >= 1) AND (octet_length(remote_id) <= 2048)))
);

CREATE TABLE timeline_gaps (
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    cursor text NOT NULL,
    at timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    coded_problem jsonb,
    CONSTRAINT timeline_gaps_cursor_short CHECK ((octet_length(cursor) <= 4096))
);

CREATE TABLE timeline_posts (
    id uuid NOT NULL,
    connection_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    key text NOT NULL,
    remote_id text NOT NULL,
    author_id uuid NOT NULL,
    reposter_id uuid,
    text text DEFAULT ''::text NOT NULL,
    warning text DEFAULT ''::text NOT NULL,
    is_sensitive boolean DEFAULT false NOT NULL,
    url text,
    said_at timestamp with time zone NOT NULL,
    media jsonb DEFAULT '[]'::jsonb NOT NULL,
    has_media boolean DEFAULT false NOT NULL,
    favourited boolean DEFAULT false NOT NULL,
    reposted boolean DEFAULT false NOT NULL,
    read_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT timeline_posts_short CHECK (((octet_length(key) <= 4096) AND (octet_length(remote_id) <= 2048) AND (octet_length(text) <= 65536) AND (octet_length(warning) <= 4096) AND (octet_length(url) <= 2048)))
);

CREATE TABLE timelines (
    connection_id uuid NOT NULL,
    read_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    window_start timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    window_used integer DEFAULT 0 NOT NULL,
    coded_problem jsonb
);

CREATE TABLE tokens (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    grant_id uuid,
    CONSTRAINT tokens_hash_form CHECK ((octet_length(hash) = 32)),
    CONSTRAINT tokens_scopes_known CHECK ((((cardinality(scopes) > 0) OR (grant_id IS NOT NULL)) AND (scopes <@ ARRAY['read'::text, 'write'::text, 'admin'::text, 'metrics'::text, 'profile'::text, 'photos:read'::text, 'photos:create'::text, 'photos:draft'::text, 'files:create'::text, 'photos:edit'::text, 'photos:delete'::text, 'photos:like'::text, 'profile:edit'::text])))
);

CREATE TABLE uploads (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    protocol upload_protocol NOT NULL,
    part upload_part DEFAULT 'whole'::upload_part NOT NULL,
    state upload_state DEFAULT 'receiving'::upload_state NOT NULL,
    length bigint,
    checked bigint,
    metadata text DEFAULT ''::text NOT NULL,
    concat text,
    media_type text,
    file_name text,
    sha256 bytea,
    draft jsonb,
    problem text,
    photo_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    alt_text text DEFAULT ''::text NOT NULL,
    focus_x real,
    focus_y real,
    writer_no integer DEFAULT 0 NOT NULL,
    told bigint DEFAULT 0 NOT NULL,
    writer_at bigint DEFAULT 0 NOT NULL,
    CONSTRAINT uploads_focus_within CHECK ((((focus_x >= ('-1'::integer)::double precision) AND (focus_x <= (1)::double precision)) AND ((focus_y >= ('-1'::integer)::double precision) AND (focus_y <= (1)::double precision)))),
    CONSTRAINT uploads_length_natural CHECK ((length >= 0)),
    CONSTRAINT uploads_length_of_complete CHECK (((state <> 'complete'::upload_state) OR (length IS NOT NULL))),
    CONSTRAINT uploads_sha256_form CHECK ((octet_length(sha256) = 32)),
    CONSTRAINT uploads_told_natural CHECK ((told >= 0)),
    CONSTRAINT uploads_writer_at_natural CHECK ((writer_at >= 0))
);

CREATE TABLE users (
    id uuid NOT NULL,
    name text NOT NULL,
    is_admin boolean DEFAULT false NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    password text,
    show_camera boolean DEFAULT false NOT NULL,
    has_gallery boolean DEFAULT false NOT NULL,
    deleted_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    stored_bytes bigint DEFAULT 0 NOT NULL,
    removed_bytes bigint DEFAULT 0 NOT NULL,
    removed_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    storage_quota bigint,
    signature text,
    display_name text,
    about text,
    links text[] DEFAULT '{}'::text[] NOT NULL,
    picture_id uuid,
    profile_at timestamp with time zone,
    shows_responses boolean DEFAULT false NOT NULL,
    takes_webmentions boolean DEFAULT true NOT NULL,
    responses_read uuid,
    sends_webmentions boolean DEFAULT true NOT NULL,
    CONSTRAINT users_about_short CHECK (((length(about) >= 1) AND (length(about) <= 500))),
    CONSTRAINT users_display_name_short CHECK (((length(display_name) >= 1) AND (length(display_name) <= 100))),
    CONSTRAINT users_leave_before_forgotten CHECK (((forgotten_at IS NULL) OR (deleted_at IS NOT NULL))),
    CONSTRAINT users_left_are_locked_out CHECK (((deleted_at IS NULL) OR ((password IS NULL) AND (NOT is_admin) AND (NOT has_gallery)))),
    CONSTRAINT users_links_few CHECK (((cardinality(links) <= 5) AND (array_position(links, NULL::text) IS NULL))),
    CONSTRAINT users_name_form CHECK ((name ~ '^[a-z0-9_-]{1,32}$'::text)),
    CONSTRAINT users_password_form CHECK ((password ~~ '$scrypt$%'::text)),
    CONSTRAINT users_signature_short CHECK (((char_length(signature) >= 1) AND (char_length(signature) <= 100))),
    CONSTRAINT users_storage_quota_natural CHECK ((storage_quota >= 0))
);

CREATE TABLE visitor_likes (
    photo_id uuid NOT NULL,
    visitor bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT visitor_likes_visitor_form CHECK ((octet_length(visitor) = 32))
);

CREATE TABLE visits (
    photo_id uuid NOT NULL,
    day date NOT NULL,
    people bigint DEFAULT 0 NOT NULL,
    bots bigint DEFAULT 0 NOT NULL,
    CONSTRAINT visits_natural CHECK (((people >= 0) AND (bots >= 0)))
)
WITH (fillfactor='70');

CREATE TABLE webhooks (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    place smallint NOT NULL,
    url text NOT NULL,
    secret bytea NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    cursor_at timestamp with time zone DEFAULT now() NOT NULL,
    cursor_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    turn bigint DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    delivered_at timestamp with time zone,
    problem text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    responses_at timestamp with time zone DEFAULT now() NOT NULL,
    responses_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    CONSTRAINT webhooks_failures_begin CHECK (((failures = 0) = (failing_since IS NULL))),
    CONSTRAINT webhooks_place_bounded CHECK (((place >= 1) AND (place <= 10))),
    CONSTRAINT webhooks_state_known CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text]))),
    CONSTRAINT webhooks_url_form CHECK (((url ~ '^https?://'::text) AND (octet_length(url) <= 2048)))
);

CREATE TABLE webmentions (
    id uuid NOT NULL,
    photo_id uuid NOT NULL,
    source text NOT NULL,
    target text NOT NULL,
    host text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone,
    asked integer DEFAULT 1 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    key text,
    problem text,
    CONSTRAINT webmentions_source_short CHECK ((octet_length(source) <= 2048)),
    CONSTRAINT webmentions_target_short CHECK ((octet_length(target) <= 2048))
);

ALTER TABLE ONLY acme_accounts
    ADD CONSTRAINT acme_accounts_pkey PRIMARY KEY (directory);

ALTER TABLE ONLY albums
    ADD CONSTRAINT albums_pkey PRIMARY KEY (owner_id, name);

ALTER TABLE ONLY app_grants
    ADD CONSTRAINT app_grants_pkey PRIMARY KEY (id);

ALTER TABLE ONLY app_tokens
    ADD CONSTRAINT app_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY apps
    ADD CONSTRAINT apps_client_id_key UNIQUE (client_id);

ALTER TABLE ONLY apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (submission_id, id);

ALTER TABLE ONLY audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY author_decisions
    ADD CONSTRAINT author_decisions_pkey PRIMARY KEY (owner_id, author_id);

ALTER TABLE ONLY authorization_codes
    ADD CONSTRAINT authorization_codes_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_state_key UNIQUE (state_hash);

ALTER TABLE ONLY backups
    ADD CONSTRAINT backups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY blobs
    ADD CONSTRAINT blobs_pkey PRIMARY KEY (sha256);

ALTER TABLE ONLY bookmarks
    ADD CONSTRAINT bookmarks_pkey PRIMARY KEY (user_id, photo_id);

ALTER TABLE ONLY certificates
    ADD CONSTRAINT certificates_pkey PRIMARY KEY (names);

ALTER TABLE ONLY companions
    ADD CONSTRAINT companions_once UNIQUE (photo_id, companion_id);

ALTER TABLE ONLY companions
    ADD CONSTRAINT companions_pkey PRIMARY KEY (photo_id, place);

ALTER TABLE ONLY connections
    ADD CONSTRAINT connections_account_key UNIQUE (owner_id, service, remote_id);

ALTER TABLE ONLY connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY deleted_photos
    ADD CONSTRAINT deleted_photos_pkey PRIMARY KEY (photo_id);

ALTER TABLE ONLY gates
    ADD CONSTRAINT gates_pkey PRIMARY KEY (name);

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_subject_key UNIQUE (issuer, subject);

ALTER TABLE ONLY import_archives
    ADD CONSTRAINT import_archives_pkey PRIMARY KEY (import_id, place);

ALTER TABLE ONLY import_failures
    ADD CONSTRAINT import_failures_pkey PRIMARY KEY (import_id, place);

ALTER TABLE ONLY imported_items
    ADD CONSTRAINT imported_items_pkey PRIMARY KEY (owner_id, key);

ALTER TABLE ONLY imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY interactions
    ADD CONSTRAINT interactions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_hash_key UNIQUE (hash);

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY jobs
    ADD CONSTRAINT jobs_submission_key UNIQUE (submission_id);

ALTER TABLE ONLY lanes
    ADD CONSTRAINT lanes_pkey PRIMARY KEY (connection_id);

ALTER TABLE ONLY likes
    ADD CONSTRAINT likes_pkey PRIMARY KEY (photo_id, user_id);

ALTER TABLE ONLY mail_addresses
    ADD CONSTRAINT mail_addresses_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY mail_addresses
    ADD CONSTRAINT mail_addresses_token_key UNIQUE (token_hash);

ALTER TABLE ONLY mail_confirmations
    ADD CONSTRAINT mail_confirmations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY mails
    ADD CONSTRAINT mails_subject_key UNIQUE (user_id, kind, subject_id);

ALTER TABLE ONLY markers
    ADD CONSTRAINT markers_pkey PRIMARY KEY (user_id, timeline);

ALTER TABLE ONLY mentioning_photos
    ADD CONSTRAINT mentioning_photos_pkey PRIMARY KEY (photo_id);

ALTER TABLE ONLY nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY outgoing_files
    ADD CONSTRAINT outgoing_files_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY paid_reads
    ADD CONSTRAINT paid_reads_pkey PRIMARY KEY (connection_id, month);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_credential_key UNIQUE (credential_id);

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY password_resets
    ADD CONSTRAINT password_resets_hash_key UNIQUE (hash);

ALTER TABLE ONLY password_resets
    ADD CONSTRAINT password_resets_pkey PRIMARY KEY (mail_id, user_id);

ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_pkey PRIMARY KEY (id);

ALTER TABLE ONLY print_orders
    ADD CONSTRAINT print_orders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY push_keys
    ADD CONSTRAINT push_keys_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY push_messages
    ADD CONSTRAINT push_messages_pkey PRIMARY KEY (subscription_id, kind, subject_id);

ALTER TABLE ONLY push_subscriptions
    ADD CONSTRAINT push_subscriptions_endpoint_key UNIQUE (endpoint);

ALTER TABLE ONLY push_subscriptions
    ADD CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY push_subscriptions
    ADD CONSTRAINT push_subscriptions_place_key UNIQUE (owner_id, place);

ALTER TABLE ONLY push_subscriptions
    ADD CONSTRAINT push_subscriptions_session_key UNIQUE (session_id);

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, hash);

ALTER TABLE ONLY refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY renditions
    ADD CONSTRAINT renditions_pkey PRIMARY KEY (source_sha256, name);

ALTER TABLE ONLY reports
    ADD CONSTRAINT reports_once UNIQUE (photo_id, reporter);

ALTER TABLE ONLY reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY response_authors
    ADD CONSTRAINT response_authors_known_once UNIQUE (source, told_by, key);

ALTER TABLE ONLY response_authors
    ADD CONSTRAINT response_authors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY responses
    ADD CONSTRAINT responses_known_once UNIQUE NULLS NOT DISTINCT (photo_id, submission_id, key);

ALTER TABLE ONLY responses
    ADD CONSTRAINT responses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY revocations
    ADD CONSTRAINT revocations_pkey PRIMARY KEY (connection_id);

ALTER TABLE ONLY schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name);

ALTER TABLE ONLY schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY sent_webmentions
    ADD CONSTRAINT sent_webmentions_pkey PRIMARY KEY (photo_id, target);

ALTER TABLE ONLY service_choices
    ADD CONSTRAINT service_choices_pkey PRIMARY KEY (service);

ALTER TABLE ONLY service_keys
    ADD CONSTRAINT service_keys_pkey PRIMARY KEY (service);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_hash_key UNIQUE (hash);

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY shared_limits
    ADD CONSTRAINT shared_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY short_links
    ADD CONSTRAINT short_links_photo_key UNIQUE (photo_id);

ALTER TABLE ONLY short_links
    ADD CONSTRAINT short_links_pkey PRIMARY KEY (code);

ALTER TABLE ONLY spent_challenges
    ADD CONSTRAINT spent_challenges_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY submissions
    ADD CONSTRAINT submissions_once UNIQUE (photo_id, connection_id);

ALTER TABLE ONLY submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY thread_posts
    ADD CONSTRAINT thread_posts_pkey PRIMARY KEY (submission_id, place);

ALTER TABLE ONLY timeline_gaps
    ADD CONSTRAINT timeline_gaps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY timeline_posts
    ADD CONSTRAINT timeline_posts_known_once UNIQUE (connection_id, key);

ALTER TABLE ONLY timeline_posts
    ADD CONSTRAINT timeline_posts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY timelines
    ADD CONSTRAINT timelines_pkey PRIMARY KEY (connection_id);

ALTER TABLE ONLY tokens
    ADD CONSTRAINT tokens_hash_key UNIQUE (hash);

ALTER TABLE ONLY tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_name_key UNIQUE (name);

ALTER TABLE ONLY users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY visitor_likes
    ADD CONSTRAINT visitor_likes_pkey PRIMARY KEY (photo_id, visitor);

ALTER TABLE ONLY visits
    ADD CONSTRAINT visits_pkey PRIMARY KEY (photo_id, day);

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_place_key UNIQUE (owner_id, place);

ALTER TABLE ONLY webmentions
    ADD CONSTRAINT webmentions_known_once UNIQUE (source, target);

ALTER TABLE ONLY webmentions
    ADD CONSTRAINT webmentions_pkey PRIMARY KEY (id);

CREATE INDEX app_grants_app ON app_grants USING btree (app_id);

CREATE INDEX app_grants_unopened ON app_grants USING btree (created_at) WHERE (opened_at IS NULL);

CREATE INDEX app_grants_user ON app_grants USING btree (user_id, id);

CREATE INDEX app_tokens_app ON app_tokens USING btree (app_id, created_at);

CREATE INDEX apps_unused ON apps USING btree (created_at) WHERE (allowed_at IS NULL);

CREATE INDEX attempts_by_time ON attempts USING btree (ended_at) INCLUDE (outcome);

CREATE INDEX audit_log_actor ON audit_log USING btree (actor_id, id);

CREATE INDEX audit_log_at ON audit_log USING btree (at);

CREATE INDEX audit_log_user ON audit_log USING btree (user_id, id);

CREATE INDEX author_decisions_author ON author_decisions USING btree (author_id);

CREATE INDEX authorization_codes_grant ON authorization_codes USING btree (grant_id);

CREATE INDEX authorizations_expiry ON authorizations USING btree (expires_at);

CREATE INDEX authorizations_of_connection ON authorizations USING btree (connection_id);

CREATE INDEX authorizations_of_user ON authorizations USING btree (user_id);

CREATE INDEX backups_begun ON backups USING btree (begun_at);

CREATE INDEX blobs_checked ON blobs USING btree (checked_at) WHERE (fault IS NULL);

CREATE INDEX blobs_faulty ON blobs USING btree (checked_at) WHERE (fault IS NOT NULL);

CREATE INDEX blobs_healed ON blobs USING btree (healed_at) WHERE (healed_at IS NOT NULL);

CREATE INDEX bookmarks_photo ON bookmarks USING btree (photo_id);

CREATE INDEX companions_of ON companions USING btree (companion_id);

CREATE INDEX connections_disabled ON connections USING btree (id) WHERE (state = 'disabled'::connection_state);

CREATE INDEX connections_picture_due ON connections USING btree (picture_due_at) WHERE (state = 'ok'::connection_state);

CREATE INDEX deleted_photos_age ON deleted_photos USING btree (deleted_at);

CREATE INDEX deleted_photos_file ON deleted_photos USING btree (sha256);

CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);

CREATE INDEX identities_of_user ON identities USING btree (user_id, created_at);

CREATE INDEX import_archives_of_blob ON import_archives USING btree (sha256);

CREATE INDEX imported_items_of_photo ON imported_items USING btree (photo_id);

CREATE INDEX imports_ended_at ON imports USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX imports_of_owner ON imports USING btree (owner_id, id);

CREATE INDEX imports_open ON imports USING btree (created_at) WHERE (ended_at IS NULL);

CREATE INDEX interactions_due ON interactions USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX interactions_of_owner ON interactions USING btree (owner_id);

CREATE UNIQUE INDEX interactions_once ON interactions USING btree (connection_id, COALESCE(response_id, post_id), kind) WHERE (kind <> 'reply'::interaction_kind);

CREATE UNIQUE INDEX interactions_request_once ON interactions USING btree (owner_id, request_key) WHERE (request_key IS NOT NULL);

CREATE INDEX interactions_with_post ON interactions USING btree (post_id) WHERE (post_id IS NOT NULL);

CREATE INDEX interactions_with_response ON interactions USING btree (response_id) WHERE (response_id IS NOT NULL);

CREATE UNIQUE INDEX invitations_mail_hash_idx ON invitations USING btree (mail_hash);

CREATE INDEX invitations_of_inviter ON invitations USING btree (invited_by);

CREATE INDEX invitations_open ON invitations USING btree (created_at) WHERE (used_at IS NULL);

CREATE INDEX jobs_ready ON jobs USING btree (connection_id, priority, run_at, id) WHERE (state = 'ready'::job_state);

CREATE UNIQUE INDEX jobs_running ON jobs USING btree (connection_id, slot) WHERE (state = 'running'::job_state);

CREATE INDEX lanes_of_gate ON lanes USING btree (gate);

CREATE INDEX lanes_wake ON lanes USING btree (wake_at) WHERE (wake_at < 'infinity'::timestamp with time zone);

CREATE INDEX likes_given ON likes USING btree (user_id, photo_id);

CREATE INDEX likes_newest ON likes USING btree (photo_id, created_at, user_id);

CREATE INDEX likes_owner ON likes USING btree (owner_id, created_at);

CREATE INDEX mail_addresses_address_idx ON mail_addresses USING btree (lower(address));

CREATE INDEX mail_addresses_digest_idx ON mail_addresses USING btree (next_digest_at) WHERE (next_digest_at IS NOT NULL);

CREATE INDEX mail_confirmations_address_idx ON mail_confirmations USING btree (address_hash);

CREATE INDEX mail_confirmations_user_idx ON mail_confirmations USING btree (user_id);

CREATE INDEX mails_due_idx ON mails USING btree (due_at);

CREATE INDEX mails_lease_idx ON mails USING btree (lease_id) WHERE (lease_id IS NOT NULL);

CREATE INDEX mentioning_photos_due ON mentioning_photos USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX outgoing_files_expiry ON outgoing_files USING btree (expires_at);

CREATE INDEX outgoing_files_of_orders ON outgoing_files USING btree (sha256) WHERE (order_id IS NOT NULL);

CREATE INDEX passkeys_of_user ON passkeys USING btree (user_id, created_at);

CREATE INDEX password_resets_user_idx ON password_resets USING btree (user_id);

CREATE INDEX photos_album ON photos USING btree (owner_id, visibility, album, id DESC) WHERE ((deleted_at IS NULL) AND (album IS NOT NULL));

CREATE INDEX photos_by_cameras_day ON photos USING btree (owner_id, (((taken_at AT TIME ZONE 'UTC'::text) + ((taken_offset)::double precision * '00:01:00'::interval))), id) WHERE ((visibility = 'public'::visibility) AND (deleted_at IS NULL) AND (taken_offset IS NOT NULL));

CREATE INDEX photos_by_caption ON photos USING btree (owner_id, album, "left"(caption, 60), id) WHERE ((visibility = 'public'::visibility) AND (deleted_at IS NULL) AND (album IS NOT NULL));

CREATE INDEX photos_by_moment ON photos USING btree (owner_id, COALESCE(taken_at, created_at)) WHERE (deleted_at IS NULL);

CREATE INDEX photos_by_owners_day ON photos USING btree (owner_id, COALESCE(taken_at, created_at), id) WHERE ((visibility = 'public'::visibility) AND (deleted_at IS NULL) AND (taken_offset IS NULL));

CREATE INDEX photos_changed ON photos USING btree (owner_id, GREATEST(created_at, edited_at, deleted_at));

CREATE INDEX photos_gallery ON photos USING btree (owner_id, id) WHERE ((visibility = 'public'::visibility) AND (deleted_at IS NULL));

CREATE INDEX photos_hidden ON photos USING btree (owner_id, visibility, id) WHERE ((deleted_at IS NULL) AND (visibility <> 'public'::visibility));

CREATE INDEX photos_in_album ON photos USING btree (owner_id, album, id) WHERE ((deleted_at IS NULL) AND (album IS NOT NULL));

CREATE INDEX photos_newest ON photos USING btree (id) INCLUDE (owner_id) WHERE ((visibility = 'public'::visibility) AND (deleted_at IS NULL));

CREATE INDEX photos_of_blob ON photos USING btree (sha256);

CREATE INDEX photos_of_owner ON photos USING btree (owner_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX photos_parts ON photos USING btree (part_of) WHERE (part_of IS NOT NULL);

CREATE INDEX photos_pending ON photos USING btree (owner_id, id) WHERE ((processing = 'pending'::processing) AND (deleted_at IS NULL));

CREATE INDEX photos_planned ON photos USING btree (owner_id, id) WHERE (planned_visibility IS NOT NULL);

CREATE INDEX photos_processed ON photos USING btree (owner_id, processing_at) WHERE (deleted_at IS NULL);

CREATE INDEX photos_shown ON photos USING btree (owner_id, COALESCE(taken_at, created_at), id) WHERE ((visibility = 'public'::visibility) AND (deleted_at IS NULL));

CREATE INDEX photos_to_publish ON photos USING btree (publish_at) WHERE (publish_at IS NOT NULL);

CREATE INDEX photos_words ON photos USING gin (search_terms(owner_id, ((caption || '
'::text) || alt_text))) WHERE (deleted_at IS NULL);

CREATE INDEX print_orders_due ON print_orders USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX print_orders_of_connection ON print_orders USING btree (connection_id);

CREATE INDEX print_orders_of_owner ON print_orders USING btree (owner_id, id);

CREATE INDEX print_orders_of_photo ON print_orders USING btree (photo_id, id);

CREATE UNIQUE INDEX print_orders_request_once ON print_orders USING btree (owner_id, request_key) WHERE (request_key IS NOT NULL);

CREATE INDEX print_orders_to_forget ON print_orders USING btree (updated_at) WHERE ((sealed IS NOT NULL) AND (due_at IS NULL));

CREATE INDEX push_messages_due ON push_messages USING btree (due_at);

CREATE INDEX push_subscriptions_next ON push_subscriptions USING btree (next_at) WHERE (state = 'active'::text);

CREATE INDEX refresh_tokens_age ON refresh_tokens USING btree (created_at);

CREATE INDEX refresh_tokens_grant ON refresh_tokens USING btree (grant_id);

CREATE INDEX renditions_of_blob ON renditions USING btree (sha256);

CREATE INDEX reports_decided ON reports USING btree (decided_at) WHERE (decided_at IS NOT NULL);

CREATE INDEX reports_open ON reports USING btree (id) WHERE (decided_at IS NULL);

CREATE INDEX response_authors_picture_due ON response_authors USING btree (picture_due_at) WHERE (picture_due_at IS NOT NULL);

CREATE INDEX responses_by_author ON responses USING btree (author_id, owner_id);

CREATE INDEX responses_by_key ON responses USING btree (photo_id, key);

CREATE INDEX responses_changed ON responses USING btree (owner_id, changed_at, id);

CREATE INDEX responses_not_shown ON responses USING btree (owner_id, state, id) WHERE ((gone_at IS NULL) AND (state <> 'shown'::response_state));

CREATE INDEX responses_of_owner ON responses USING btree (owner_id, id) WHERE (gone_at IS NULL);

CREATE INDEX responses_of_photo ON responses USING btree (photo_id, id) INCLUDE (kind, state) WHERE (gone_at IS NULL);

CREATE INDEX responses_of_submission ON responses USING btree (submission_id) WHERE (submission_id IS NOT NULL);

CREATE INDEX revocations_due ON revocations USING btree (due_at);

CREATE INDEX sessions_of_user ON sessions USING btree (user_id, created_at);

CREATE INDEX shared_limits_full ON shared_limits USING btree (full_at);

CREATE INDEX spent_challenges_by_age ON spent_challenges USING btree (spent_at);

CREATE INDEX storage_changes_owner ON storage_changes USING btree (owner_id);

CREATE INDEX submissions_of_connection ON submissions USING btree (connection_id, updated_at);

CREATE INDEX submissions_open ON submissions USING btree (connection_id, state, id) WHERE (state <> ALL (ARRAY['done'::submission_state, 'cancelled'::submission_state]));

CREATE INDEX submissions_problems ON submissions USING btree (connection_id, updated_at) WHERE (problem IS NOT NULL);

CREATE INDEX submissions_to_count ON submissions USING btree (count_at) WHERE ((state = 'done'::submission_state) AND (count_at IS NOT NULL));

CREATE INDEX submissions_to_count_of_connection ON submissions USING btree (connection_id, count_at) WHERE ((state = 'done'::submission_state) AND (count_at IS NOT NULL));

CREATE INDEX submissions_troubled ON submissions USING btree (updated_at) WHERE (state = ANY (ARRAY['rejected'::submission_state, 'unknown'::submission_state, 'needs_login'::submission_state]));

CREATE INDEX thread_posts_remote_id_idx ON thread_posts USING btree (remote_id);

CREATE INDEX timeline_gaps_of_connection ON timeline_gaps USING btree (connection_id);

CREATE INDEX timeline_gaps_of_owner ON timeline_gaps USING btree (owner_id, id);

CREATE INDEX timeline_posts_by_author ON timeline_posts USING btree (author_id);

CREATE INDEX timeline_posts_by_reposter ON timeline_posts USING btree (reposter_id) WHERE (reposter_id IS NOT NULL);

CREATE INDEX timeline_posts_of_owner ON timeline_posts USING btree (owner_id, id);

CREATE INDEX tokens_grant ON tokens USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX tokens_of_apps_ended ON tokens USING btree (expires_at) WHERE (grant_id IS NOT NULL);

CREATE INDEX tokens_user ON tokens USING btree (user_id, created_at);

CREATE INDEX uploads_expiring ON uploads USING btree (expires_at);

CREATE INDEX uploads_of_owner ON uploads USING btree (owner_id, created_at);

CREATE INDEX users_leaving ON users USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (forgotten_at IS NULL));

CREATE INDEX users_open ON users USING btree (id) WHERE has_gallery;

CREATE INDEX visits_by_day ON visits USING btree (day, photo_id) WHERE (day > '-infinity'::date);

CREATE INDEX webhooks_due ON webhooks USING btree (next_at) WHERE (state = 'active'::text);

CREATE INDEX webmentions_age ON webmentions USING btree (received_at);

CREATE INDEX webmentions_due ON webmentions USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX webmentions_of_photo ON webmentions USING btree (photo_id);

CREATE INDEX webmentions_waiting_of_host ON webmentions USING btree (host) WHERE (due_at IS NOT NULL);

CREATE TRIGGER connections_tell AFTER UPDATE OF state ON connections FOR EACH ROW WHEN (((new.state = 'needs_login'::connection_state) AND (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION tell_of_login();

CREATE TRIGGER count_web_like AFTER INSERT OR DELETE OR UPDATE OF kind, state, gone_at ON responses FOR EACH ROW EXECUTE FUNCTION count_web_like();

CREATE TRIGGER likes_note_owner BEFORE INSERT ON likes FOR EACH ROW EXECUTE FUNCTION note_like_owner();

CREATE TRIGGER likes_tell AFTER INSERT ON likes FOR EACH ROW EXECUTE FUNCTION tell_of_like();

CREATE TRIGGER photos_count_added AFTER INSERT ON photos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_photos();

CREATE TRIGGER photos_count_changed AFTER UPDATE OF sha256, deleted_at, caption, alt_text ON photos FOR EACH ROW EXECUTE FUNCTION count_changed_photo();

CREATE TRIGGER photos_count_removed AFTER DELETE ON photos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_photos();

CREATE TRIGGER photos_note_links AFTER UPDATE OF caption, visibility, deleted_at ON photos FOR EACH ROW WHEN (((((old.caption IS DISTINCT FROM new.caption) OR (old.visibility IS DISTINCT FROM new.visibility)) OR ((old.deleted_at IS NULL) IS DISTINCT FROM (new.deleted_at IS NULL))) AND ((old.caption ~~ '%://%'::text) OR (new.caption ~~ '%://%'::text)))) EXECUTE FUNCTION note_links();

CREATE TRIGGER photos_note_links_of_new AFTER INSERT ON photos FOR EACH ROW WHEN (((new.visibility = 'public'::visibility) AND (new.caption ~~ '%://%'::text))) EXECUTE FUNCTION note_links();

CREATE TRIGGER photos_note_privacy BEFORE UPDATE OF visibility ON photos FOR EACH ROW EXECUTE FUNCTION note_privacy();

CREATE TRIGGER reports_tell AFTER INSERT ON reports FOR EACH ROW EXECUTE FUNCTION tell_of_report();

CREATE TRIGGER responses_note_change BEFORE UPDATE OF text, state, gone_at, kind ON responses FOR EACH ROW EXECUTE FUNCTION note_response_change();

CREATE TRIGGER responses_tell AFTER INSERT ON responses FOR EACH ROW WHEN (((NOT new.is_own) AND (new.state <> 'hidden'::response_state) AND (new.kind <> ALL (ARRAY['like'::response_kind, 'repost'::response_kind])))) EXECUTE FUNCTION tell_of_response();

CREATE TRIGGER submissions_tell AFTER UPDATE OF state ON submissions FOR EACH ROW WHEN (((new.state = ANY (ARRAY['rejected'::submission_state, 'unknown'::submission_state])) AND (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION tell_of_post();

CREATE TRIGGER visitor_likes_tell AFTER INSERT ON visitor_likes FOR EACH ROW EXECUTE FUNCTION tell_of_like();

ALTER TABLE ONLY albums
    ADD CONSTRAINT albums_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

ALTER TABLE ONLY app_grants
    ADD CONSTRAINT app_grants_app_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE;

ALTER TABLE ONLY app_grants
    ADD CONSTRAINT app_grants_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY app_tokens
    ADD CONSTRAINT app_tokens_app_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE;

ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_submission_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY author_decisions
    ADD CONSTRAINT author_decisions_author_fkey FOREIGN KEY (author_id) REFERENCES response_authors(id) ON DELETE CASCADE;

ALTER TABLE ONLY author_decisions
    ADD CONSTRAINT author_decisions_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY authorization_codes
    ADD CONSTRAINT authorization_codes_grant_fkey FOREIGN KEY (grant_id) REFERENCES app_grants(id) ON DELETE CASCADE;

ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE SET NULL;

ALTER TABLE ONLY authorizations
    ADD CONSTRAINT authorizations_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY bookmarks
    ADD CONSTRAINT bookmarks_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY bookmarks
    ADD CONSTRAINT bookmarks_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY companions
    ADD CONSTRAINT companions_companion_fkey FOREIGN KEY (companion_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY companions
    ADD CONSTRAINT companions_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY connections
    ADD CONSTRAINT connections_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY deleted_photos
    ADD CONSTRAINT deleted_photos_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY idempotency_keys
    ADD CONSTRAINT idempotency_keys_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY identities
    ADD CONSTRAINT identities_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY import_archives
    ADD CONSTRAINT import_archives_import FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE;

ALTER TABLE ONLY import_failures
    ADD CONSTRAINT import_failures_import FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE;

ALTER TABLE ONLY imported_items
    ADD CONSTRAINT imported_items_owner FOREIGN KEY (owner_id) REFERENCES users(id);

ALTER TABLE ONLY imported_items
    ADD CONSTRAINT imported_items_photo FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY imports
    ADD CONSTRAINT imports_owner FOREIGN KEY (owner_id) REFERENCES users(id);

ALTER TABLE ONLY interactions
    ADD CONSTRAINT interactions_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY interactions
    ADD CONSTRAINT interactions_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY interactions
    ADD CONSTRAINT interactions_post_fkey FOREIGN KEY (post_id) REFERENCES timeline_posts(id) ON DELETE CASCADE;

ALTER TABLE ONLY interactions
    ADD CONSTRAINT interactions_response_fkey FOREIGN KEY (response_id) REFERENCES responses(id) ON DELETE CASCADE;

ALTER TABLE ONLY invitations
    ADD CONSTRAINT invitations_inviter_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY jobs
    ADD CONSTRAINT jobs_submission_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY lanes
    ADD CONSTRAINT lanes_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY likes
    ADD CONSTRAINT likes_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY likes
    ADD CONSTRAINT likes_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY likes
    ADD CONSTRAINT likes_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY mail_addresses
    ADD CONSTRAINT mail_addresses_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY mail_confirmations
    ADD CONSTRAINT mail_confirmations_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY mails
    ADD CONSTRAINT mails_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY markers
    ADD CONSTRAINT markers_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY mentioning_photos
    ADD CONSTRAINT mentioning_photos_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY paid_reads
    ADD CONSTRAINT paid_reads_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY passkeys
    ADD CONSTRAINT passkeys_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY password_resets
    ADD CONSTRAINT password_resets_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_blob_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256);

ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY photos
    ADD CONSTRAINT photos_part_fkey FOREIGN KEY (part_of) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY print_orders
    ADD CONSTRAINT print_orders_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY print_orders
    ADD CONSTRAINT print_orders_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY print_orders
    ADD CONSTRAINT print_orders_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY push_messages
    ADD CONSTRAINT push_messages_subscription_fkey FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE;

ALTER TABLE ONLY push_subscriptions
    ADD CONSTRAINT push_subscriptions_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY push_subscriptions
    ADD CONSTRAINT push_subscriptions_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY recovery_codes
    ADD CONSTRAINT recovery_codes_user_fkey FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON DELETE CASCADE;

ALTER TABLE ONLY refresh_tokens
    ADD CONSTRAINT refresh_tokens_grant_fkey FOREIGN KEY (grant_id) REFERENCES app_grants(id) ON DELETE CASCADE;

ALTER TABLE ONLY renditions
    ADD CONSTRAINT renditions_blob_fkey FOREIGN KEY (sha256) REFERENCES blobs(sha256);

ALTER TABLE ONLY renditions
    ADD CONSTRAINT renditions_source_fkey FOREIGN KEY (source_sha256) REFERENCES blobs(sha256) ON DELETE CASCADE;

ALTER TABLE ONLY reports
    ADD CONSTRAINT reports_decider_fkey FOREIGN KEY (decided_by) REFERENCES users(id);

ALTER TABLE ONLY reports
    ADD CONSTRAINT reports_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY responses
    ADD CONSTRAINT responses_author_fkey FOREIGN KEY (author_id) REFERENCES response_authors(id);

ALTER TABLE ONLY responses
    ADD CONSTRAINT responses_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY responses
    ADD CONSTRAINT responses_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY responses
    ADD CONSTRAINT responses_submission_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY revocations
    ADD CONSTRAINT revocations_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY second_factors
    ADD CONSTRAINT second_factors_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY sent_webmentions
    ADD CONSTRAINT sent_webmentions_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY sessions
    ADD CONSTRAINT sessions_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY short_links
    ADD CONSTRAINT short_links_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY storage_changes
    ADD CONSTRAINT storage_changes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY submissions
    ADD CONSTRAINT submissions_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY submissions
    ADD CONSTRAINT submissions_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY thread_posts
    ADD CONSTRAINT thread_posts_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submissions(id) ON DELETE CASCADE;

ALTER TABLE ONLY timeline_gaps
    ADD CONSTRAINT timeline_gaps_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY timeline_gaps
    ADD CONSTRAINT timeline_gaps_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY timeline_posts
    ADD CONSTRAINT timeline_posts_author_fkey FOREIGN KEY (author_id) REFERENCES response_authors(id);

ALTER TABLE ONLY timeline_posts
    ADD CONSTRAINT timeline_posts_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY timeline_posts
    ADD CONSTRAINT timeline_posts_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY timeline_posts
    ADD CONSTRAINT timeline_posts_reposter_fkey FOREIGN KEY (reposter_id) REFERENCES response_authors(id);

ALTER TABLE ONLY timelines
    ADD CONSTRAINT timelines_connection_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE;

ALTER TABLE ONLY tokens
    ADD CONSTRAINT tokens_grant_fkey FOREIGN KEY (grant_id) REFERENCES app_grants(id) ON DELETE CASCADE;

ALTER TABLE ONLY tokens
    ADD CONSTRAINT tokens_user_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY uploads
    ADD CONSTRAINT uploads_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY uploads
    ADD CONSTRAINT uploads_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE SET NULL;

ALTER TABLE ONLY visitor_likes
    ADD CONSTRAINT visitor_likes_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY visits
    ADD CONSTRAINT visits_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;

ALTER TABLE ONLY webhooks
    ADD CONSTRAINT webhooks_owner_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE ONLY webmentions
    ADD CONSTRAINT webmentions_photo_fkey FOREIGN KEY (photo_id) REFERENCES photos(id) ON DELETE CASCADE;
