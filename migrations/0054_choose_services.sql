-- The services that an admin has chosen to offer, or not to; of one without a row its type decides.
CREATE TABLE service_choices (
    service    text    NOT NULL CONSTRAINT service_choices_pkey PRIMARY KEY,
    is_offered boolean NOT NULL
);
