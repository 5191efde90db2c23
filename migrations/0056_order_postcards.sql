-- Cards on paper that owners order of their photos. They are no submissions: of those a photo has one for each account, and it may be printed often.
CREATE TABLE print_orders (
    id                uuid        CONSTRAINT print_orders_pkey PRIMARY KEY,
    owner_id          uuid        NOT NULL CONSTRAINT print_orders_owner_fkey REFERENCES users ON DELETE CASCADE,
    photo_id          uuid        NOT NULL CONSTRAINT print_orders_photo_fkey REFERENCES photos ON DELETE CASCADE,
    connection_id     uuid        NOT NULL CONSTRAINT print_orders_connection_fkey REFERENCES connections ON DELETE CASCADE,
    request_key       bytea       CONSTRAINT print_orders_request_key_form CHECK (octet_length(request_key) = 32),
    fingerprint       bytea       NOT NULL CONSTRAINT print_orders_fingerprint_form CHECK (octet_length(fingerprint) = 32),
    sealed            bytea       CONSTRAINT print_orders_sealed_short CHECK (octet_length(sealed) <= 65536), -- null: the recipient is forgotten
    format            text        NOT NULL CONSTRAINT print_orders_format_short CHECK (octet_length(format) BETWEEN 1 AND 200),
    price_minor       bigint      NOT NULL CONSTRAINT print_orders_price_natural CHECK (price_minor >= 0),
    price_currency    text        NOT NULL CONSTRAINT print_orders_currency_form CHECK (price_currency ~ '^[A-Z]{3}$'),
    is_sandbox        boolean     NOT NULL,
    state             text        NOT NULL DEFAULT 'waiting' CONSTRAINT print_orders_state_known CHECK (
                                  state IN ('waiting', 'ordered', 'in_production', 'mailed', 'delivered', 'returned', 'cancelled',
                                            'rejected', 'failed', 'unknown')),
    state_at          timestamptz NOT NULL DEFAULT now(),
    remote_id         text        CONSTRAINT print_orders_remote_id_short CHECK (octet_length(remote_id) BETWEEN 1 AND 512),
    journal           jsonb       NOT NULL DEFAULT '{}',
    armed_at          timestamptz,                                -- since when a request may have left whose answer is missing
    cancel_wanted     boolean     NOT NULL DEFAULT false,
    coded_problem     jsonb,
    failures          int         NOT NULL DEFAULT 0,
    due_at            timestamptz DEFAULT now(),                  -- null: nothing is to be done
    lease_no          int         NOT NULL DEFAULT 0,             -- fences every write of who works on it
    lease_until       timestamptz NOT NULL DEFAULT '-infinity',
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    ordered_at        timestamptz,
    is_cancellable    boolean     NOT NULL DEFAULT false,         -- as the service has said
    cancellable_until timestamptz,
    expected_on       date,
    tracking_url      text,
    preview_url       text,
    action_url        text,
    CONSTRAINT print_orders_ordered_has_id CHECK (
        state NOT IN ('ordered', 'in_production', 'mailed', 'delivered', 'returned') OR remote_id IS NOT NULL AND ordered_at IS NOT NULL),
    CONSTRAINT print_orders_waiting_has_order CHECK (state <> 'waiting' OR sealed IS NOT NULL),
    CONSTRAINT print_orders_addresses_short CHECK (
        octet_length(tracking_url) <= 2048 AND octet_length(preview_url) <= 2048 AND octet_length(action_url) <= 2048)
);
CREATE INDEX print_orders_due ON print_orders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX print_orders_of_owner ON print_orders (owner_id, id);
CREATE INDEX print_orders_of_photo ON print_orders (photo_id, id);
CREATE INDEX print_orders_of_connection ON print_orders (connection_id);
CREATE INDEX print_orders_to_forget ON print_orders (updated_at) WHERE sealed IS NOT NULL AND due_at IS NULL;
CREATE UNIQUE INDEX print_orders_request_once ON print_orders (owner_id, request_key) WHERE request_key IS NOT NULL;

-- Addresses of copies that are for an order. Their files are kept as long.
ALTER TABLE outgoing_files ALTER COLUMN submission_id DROP NOT NULL;
ALTER TABLE outgoing_files ADD COLUMN order_id uuid;
ALTER TABLE outgoing_files ADD CONSTRAINT outgoing_files_for_one CHECK (num_nonnulls(submission_id, order_id) = 1);
CREATE INDEX outgoing_files_of_orders ON outgoing_files (sha256) WHERE order_id IS NOT NULL;
