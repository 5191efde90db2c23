-- An owner's app may have posted by itself: a photo may be what is said of such a post, without its picture. Its file is a stand-in then.

ALTER TABLE photos ADD COLUMN has_picture boolean NOT NULL DEFAULT true;
