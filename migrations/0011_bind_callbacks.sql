-- A connection that a phone began is ended by that phone, with its token: what the browser brings back waits here, sealed, and
-- whoever has the state alone gets nothing by it. The browser gets a code for the phone; only its SHA-256 is kept.
ALTER TABLE authorizations
    ADD COLUMN claim_hash bytea,                         -- null until the browser has come back
    ADD CONSTRAINT authorizations_claim_form CHECK (octet_length(claim_hash) = 32);
