-- Further photos that go along in the same post, at services that take several pictures in one.

CREATE TABLE companions (
    photo_id     uuid     NOT NULL CONSTRAINT companions_photo_fkey REFERENCES photos ON DELETE CASCADE,
    place        smallint NOT NULL CONSTRAINT companions_place_known CHECK (place BETWEEN 1 AND 3),
    companion_id uuid     NOT NULL CONSTRAINT companions_companion_fkey REFERENCES photos ON DELETE CASCADE,
    CONSTRAINT companions_pkey PRIMARY KEY (photo_id, place),
    CONSTRAINT companions_once UNIQUE (photo_id, companion_id),
    CONSTRAINT companions_others CHECK (photo_id <> companion_id)
);
CREATE INDEX companions_of ON companions (companion_id);  -- for the cascade
