-- A post may have up to 20 photos of its own. The first is the post: it has the caption and stands in lists; the others are part of it,
-- are seen by whom it is seen, and go when it goes.

ALTER TABLE photos ADD COLUMN part_of uuid,
    ADD CONSTRAINT photos_part_fkey FOREIGN KEY (part_of) REFERENCES photos (id) ON DELETE CASCADE NOT VALID,
    ADD CONSTRAINT photos_part_of_another CHECK (part_of <> id) NOT VALID,
    -- Lists of public photos do not have it.
    ADD CONSTRAINT photos_part_unlisted CHECK (part_of IS NULL OR visibility <> 'public') NOT VALID;
ALTER TABLE photos VALIDATE CONSTRAINT photos_part_fkey;
ALTER TABLE photos VALIDATE CONSTRAINT photos_part_of_another;
ALTER TABLE photos VALIDATE CONSTRAINT photos_part_unlisted;
CREATE INDEX photos_parts ON photos (part_of) WHERE part_of IS NOT NULL;

ALTER TABLE companions DROP CONSTRAINT companions_place_known;
ALTER TABLE companions ADD CONSTRAINT companions_place_known CHECK (place BETWEEN 1 AND 19);
