-- What is shown of a photo, and how; the file stays as it came in.

ALTER TABLE photos ADD COLUMN recipe jsonb;                -- null: as it is
ALTER TABLE photos ADD CONSTRAINT photos_recipe_is_object CHECK (jsonb_typeof(recipe) = 'object');

ALTER TABLE photos ADD COLUMN sources uuid[];              -- the photos it was made of, which may be gone; null: of none
ALTER TABLE photos ADD CONSTRAINT photos_sources_some CHECK (cardinality(sources) > 0);
