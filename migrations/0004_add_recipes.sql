-- What is shown of a photo, and how; the file stays as it came in.

ALTER TABLE photos ADD COLUMN recipe jsonb;                -- null: as it is
ALTER TABLE photos ADD CONSTRAINT photos_recipe_is_object CHECK (jsonb_typeof(recipe) = 'object');

-- The photos that a photo was made of, in their order.
CREATE TABLE photo_sources (
    photo_id  uuid CONSTRAINT photo_sources_photo_fkey REFERENCES photos ON DELETE CASCADE,
    number    int  CONSTRAINT photo_sources_number_natural CHECK (number >= 0),
    source_id uuid NOT NULL CONSTRAINT photo_sources_source_fkey REFERENCES photos ON DELETE CASCADE,
    CONSTRAINT photo_sources_pkey PRIMARY KEY (photo_id, number)
);
CREATE INDEX photo_sources_of_source ON photo_sources (source_id);
